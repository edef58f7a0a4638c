"""What the API answers where it has no operation: a problem document like every other refusal."""

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView


@extend_schema(exclude=True)
class NothingView(APIView):
    """No operation."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        """Refuse, whatever the method."""
        raise Http404

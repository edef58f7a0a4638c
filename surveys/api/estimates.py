"""Estimates of a closed survey, for admins and the researchers it was granted to."""

from django.http import HttpResponse
from django.utils.translation import gettext_noop
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from surveys.api import shapes
from surveys.api.documenting import responses
from surveys.api.parameters import known_only
from surveys.exports.formats import FORMATS
from surveys.services.exporting import results_export


class EstimatesView(APIView):
    """The downloads of a survey's results."""

    @extend_schema(
        operation_id="estimates",
        summary=gettext_noop("Estimates of a closed survey"),
        description=gettext_noop(
            "One row an answer. Nothing is shown before closing, nor of a group of too few people."
        ),
        parameters=[OpenApiParameter("format", str, enum=list(FORMATS), default="json")],
        responses={
            **responses(
                {200: shapes.ESTIMATES},
                *("parameter-invalid", "not-authenticated", "not-allowed", "survey-unknown", "not-found"),
                "results-hidden",
            ),
            **{
                (200, form.content_type.split(";")[0]): OpenApiResponse(response={"type": "string"})
                for name, form in FORMATS.items()
                if name != "json"
            },
        },
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Return the file; each one is noted in the audit log."""
        known_only(request.query_params, ("format",))
        name = request.query_params.get("format", "json")
        download = results_export(actor=request.user, slug=slug, format_name=name)
        response = HttpResponse(download.content, content_type=download.content_type)
        response["Content-Disposition"] = f'attachment; filename="{download.name}"'
        response["Cache-Control"] = "private, no-store"
        return response

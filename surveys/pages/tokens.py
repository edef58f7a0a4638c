"""The page where an account makes, replaces and ends its API token."""

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods
from rest_framework.authtoken.models import Token

from surveys import permissions
from surveys.pages.access import staff_page
from surveys.services.tokens import token_create, token_revoke


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page(permissions.may_plan)
def token(request: HttpRequest) -> HttpResponse:
    """Tell about the token, end it, or make another and show it once."""
    if request.method != "POST":
        return _page(request)
    if request.POST.get("act") == "revoke":
        if token_revoke(actor=request.user):
            messages.success(request, gettext("The token was revoked."), extra_tags="good")
        return redirect("api_token")
    return _created(request)


# It opens the API without the second step of log-in: the password is asked for once more.
@reauthentication_required
def _created(request: HttpRequest) -> HttpResponse:
    # Answered at once and never kept in the session, where it could be read again.
    return _page(request, token_create(actor=request.user))


def _page(request: HttpRequest, created: str = "") -> HttpResponse:
    context = {
        "section": "account",
        "created": created,
        "token": Token.objects.filter(user_id=request.user.pk or 0).first(),
        "address": request.build_absolute_uri("/api/v1/"),
    }
    return render(request, "surveys/pages/token.html", context)

"""Who answers and who reads: the respondents' link, and the researchers with access to results."""

from typing import Any

import qrcode
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_safe

from surveys.models import Grant, Survey
from surveys.pages.access import admin_page
from surveys.pages.designer import survey_context, versions_with_words
from surveys.pages.forms import GrantsForm
from surveys.services.surveys import grant_add, grant_remove


@require_safe
@admin_page
def share(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Show the link, a text to send with it, and the fingerprint words that let people compare."""
    versions = versions_with_words(survey)
    link = request.build_absolute_uri(f"/s/{survey.slug}/")
    if versions:
        # After the sign that no browser sends on: the page compares it with what the server gives it.
        link += f"#f={versions[0]['fingerprint']}"
    context = {
        **survey_context(survey, "share"),
        "link": link,
        "code": qr_code(link) if versions else None,
        "version": versions[0] if versions else None,
    }
    return render(request, "surveys/pages/share.html", context)


def qr_code(link: str) -> dict[str, Any]:
    """Return a link as a drawing for posters: the side in squares, and the path of the dark ones."""
    code = qrcode.QRCode(border=4)
    code.add_data(link)
    matrix = code.get_matrix()
    dark = (f"M{x} {y}h1v1h-1z" for y, row in enumerate(matrix) for x, square in enumerate(row) if square)
    return {"side": len(matrix), "path": "".join(dark)}


@require_http_methods(["GET", "HEAD", "POST"])
@admin_page
def grants(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Choose the researchers who may read the results."""
    before = {grant.researcher for grant in Grant.objects.filter(survey=survey).select_related("researcher")}
    form = GrantsForm(
        request.POST if request.method == "POST" else None, initial={"researchers": list(before)}
    )
    if request.method == "POST" and form.is_valid():
        _change(request, survey, before, set(form.cleaned_data["researchers"]))
        messages.success(request, gettext("Access saved."), extra_tags="good")
        return redirect("survey_grants", slug=survey.slug)
    return render(request, "surveys/pages/grants.html", {**survey_context(survey, "grants"), "form": form})


def _change(request: HttpRequest, survey: Survey, before: set[Any], after: set[Any]) -> None:
    for researcher in after - before:
        grant_add(actor=request.user, survey=survey, researcher=researcher)
    for researcher in before - after:
        grant_remove(actor=request.user, survey=survey, researcher=researcher)

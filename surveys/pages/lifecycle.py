"""Publish, pause, close, delete and copy a survey; what cannot be undone is asked first."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST

from surveys.errors import Finding, PublishRefused, SettingInvalid
from surveys.findings import message_of
from surveys.models import Question, RetiredAddress, Survey
from surveys.pages.access import admin_page
from surveys.pages.designer import survey_context, total_context, versions_with_words
from surveys.pages.forms import DeleteForm
from surveys.services.checks import publish_findings
from surveys.services.publishing import publication_planned, survey_close, survey_pause, survey_publish
from surveys.services.surveys import EDITABLE, survey_delete, survey_duplicate
from surveys.services.warnings import warnings_of
from surveys.wire.fingerprint import words_by_language

_MINIMUM = (("minimum", settings.MINIMUM_N),)


@require_http_methods(["GET", "HEAD", "POST"])
@admin_page
def publish(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Show everything that becomes final, then publish."""
    if survey.state not in EDITABLE:
        return redirect("survey_share", slug=survey.slug)
    if request.method == "POST":
        try:
            version = survey_publish(
                actor=request.user, survey=survey, expected=request.POST.get("fingerprint", "")
            )
        except PublishRefused as refused:
            context = {**_publish_context(survey), "changed": _changed(refused)}
            return render(request, "surveys/pages/publish.html", context, status=422)
        told = gettext("Version %(number)s is open.") % {"number": version.number}
        messages.success(request, told, extra_tags="good")
        return redirect("survey_share", slug=survey.slug)
    return render(request, "surveys/pages/publish.html", _publish_context(survey))


def _changed(refused: PublishRefused) -> list[str]:
    """Say so where what was shown is not what would be published: it is shown anew, and asked again."""
    return [message_of(finding) for finding in refused.findings if finding.code == "changed-meanwhile"]


def _publish_context(survey: Survey) -> dict[str, Any]:
    questions = list(survey.questions.all())
    refusals = list(publish_findings(survey, questions, timezone.now()))
    context = {
        **survey_context(survey, "edit"),
        **total_context(survey, questions),
        "refusals": [_told(finding) for finding in refusals],
        "warnings": _warned(survey, questions),
    }
    return context if refusals else _final(context, survey, questions)


def _final(context: dict[str, Any], survey: Survey, questions: list[Question]) -> dict[str, Any]:
    manifest, resumed = publication_planned(survey, questions)
    # How many answered is told to nobody yet: the warning stands whether they are enough or not.
    costly = [] if resumed or manifest["version"] == 1 else [Finding("version-may-cost", "", params=_MINIMUM)]
    return {
        **context,
        "warnings": [*(_told(finding) for finding in costly), *context["warnings"]],
        "manifest": manifest,
        "resumed": resumed,
        "words": words_by_language(manifest["fingerprint"]),
        "rows": [
            {**entry, "integers": ", ".join(f"{k} {v}" for k, v in entry.get("mechanism", {}).items())}
            for entry in manifest["questions"]
        ],
    }


def _warned(survey: Survey, questions: list[Question]) -> list[dict[str, str]]:
    """Tell once what is to be thought about in both languages of a question."""
    told = [_told(finding) for finding in warnings_of(survey, questions)]
    return [one for at, one in enumerate(told) if one not in told[:at]]


def _told(finding: Finding) -> dict[str, str]:
    return {"question": finding.question, "message": message_of(finding)}


@require_POST
@admin_page
def pause(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Take no new answers for now."""
    survey_pause(actor=request.user, survey=survey)
    messages.success(request, gettext("The survey is paused."), extra_tags="good")
    return redirect("survey_edit", slug=survey.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@admin_page
def close(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Ask, then close for ever."""
    if request.method == "POST":
        survey_close(actor=request.user, survey=survey)
        told = gettext("The survey is closed. Its results are computed within moments.")
        messages.success(request, told, extra_tags="good")
        return redirect("survey_results", slug=survey.slug)
    if survey.state not in (Survey.State.OPEN, Survey.State.PAUSED):
        return redirect("survey_edit", slug=survey.slug)
    return render(request, "surveys/pages/close.html", survey_context(survey, "edit"))


@require_http_methods(["GET", "HEAD", "POST"])
@admin_page
def delete(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Ask for the address, then delete a survey with everything of it."""
    form = DeleteForm(survey.slug, request.POST or None)
    if request.method == "POST" and form.is_valid():
        survey_delete(actor=request.user, survey=survey)
        messages.success(request, gettext("The survey was deleted."), extra_tags="good")
        return redirect("survey_list")
    context = {**survey_context(survey, "edit"), "form": form, "versions": versions_with_words(survey)}
    return render(request, "surveys/pages/delete.html", context)


@require_POST
@admin_page
def duplicate(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Copy a survey to a draft under the next free address."""
    copy = _copied(request, survey)
    messages.success(request, gettext("This is the copy, a draft."), extra_tags="good")
    return redirect("survey_edit", slug=copy.slug)


def _copied(request: HttpRequest, survey: Survey) -> Survey:
    try:
        return survey_duplicate(actor=request.user, survey=survey, slug=_free_slug(survey.slug))
    except SettingInvalid:
        # Somebody took the address at this moment.
        return survey_duplicate(actor=request.user, survey=survey, slug=_free_slug(survey.slug))


def _free_slug(slug: str) -> str:
    """Return the next address that no survey has, or had when it was deleted."""
    stem = slug[:54].rstrip("-")
    taken = {
        name
        for model in (Survey, RetiredAddress)
        for name in model.objects.filter(slug__startswith=stem).values_list("slug", flat=True)
    }
    return next(name for i in range(2, 10_000) if (name := f"{stem}-{i}") not in taken)

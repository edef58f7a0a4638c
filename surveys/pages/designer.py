"""The designer: a survey's settings, its questions at a glance, its state."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from privacy.budget import Ceiling
from privacy.errors import PrivacyError
from surveys import permissions
from surveys.errors import Finding, SettingInvalid
from surveys.findings import message_of
from surveys.models import Question, Survey
from surveys.pages.access import admin_page, staff_page
from surveys.pages.forms import SurveyForm, findings_into
from surveys.services.checks import epsilon_total, question_findings
from surveys.services.surveys import EDITABLE, survey_create, survey_judged, survey_update
from surveys.services.warnings import question_warnings, warnings_of
from surveys.wire.fingerprint import words_by_language
from surveys.wire.manifest import choices_of, mechanism_of


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page(permissions.may_configure)
def new(request: HttpRequest) -> HttpResponse:
    """Make a survey."""
    form = SurveyForm(request.POST) if request.method == "POST" else SurveyForm()
    if request.method == "POST" and _fits(form, None):
        try:
            survey = survey_create(actor=request.user, **form.cleaned_data)
        except SettingInvalid as refusal:
            findings_into(form, refusal.findings)
        else:
            return redirect("survey_edit", slug=survey.slug)
    return render(request, "surveys/pages/new.html", _settings_context(form))


@require_http_methods(["GET", "HEAD", "POST"])
@admin_page
def edit(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Show a survey's questions and settings, and keep what was typed."""
    form = SurveyForm(request.POST) if request.method == "POST" else SurveyForm.of(survey)
    if request.method == "POST" and _fits(form, survey):
        try:
            kept = survey_update(actor=request.user, survey=survey, **form.cleaned_data)
        except SettingInvalid as refusal:
            findings_into(form, refusal.findings)
        else:
            messages.success(request, gettext("Settings saved."), extra_tags="good")
            return redirect("survey_edit", slug=kept.slug)
    return render(request, "surveys/pages/edit.html", _edit_context(survey, form))


def _fits(form: SurveyForm, survey: Survey | None) -> bool:
    """Judge what could be read together with what could not, so that everything is told at once."""
    form.is_valid()
    findings_into(form, survey_judged(survey=survey, **form.cleaned_data))
    return form.is_valid()


def survey_context(survey: Survey, tab: str) -> dict[str, Any]:
    """Return what the frame around every page of a survey needs."""
    return {"survey": survey, "tab": tab, "section": "surveys", "may_configure": True}


def _edit_context(survey: Survey, form: SurveyForm) -> dict[str, Any]:
    questions = list(survey.questions.all())
    cards = [_card(question, questions, at) for at, question in enumerate(questions)]
    general = [warning for warning in warnings_of(survey, questions) if not warning.question]
    return {
        **survey_context(survey, "edit"),
        **_settings_context(form),
        **total_context(survey, questions),
        "questions": cards,
        "survey_warnings": [message_of(warning) for warning in general],
        "editable": survey.state in EDITABLE,
        "kinds": Question.Kind.choices,
        "versions": versions_with_words(survey),
    }


def _settings_context(form: SurveyForm) -> dict[str, Any]:
    return {"form": form, "time_zone": timezone.get_current_timezone_name(), "section": "surveys"}


def _card(question: Question, questions: Sequence[Question], at: int) -> dict[str, Any]:
    errors = list(question_findings(question, questions[:at]))
    mechanism = None if errors or question.kind == Question.Kind.NOTE else mechanism_of(question)
    return {
        "question": question,
        "text": {"en": question.text_en, "ko": question.text_ko},
        "choices": choices_of(question) if question.kind != Question.Kind.YES_NO else [],
        "mechanism": mechanism and mechanism.manifest(),
        "epsilon": mechanism and _other_than(mechanism.epsilon, question.epsilon),
        "errors": _told(errors),
        "warnings": _told(question_warnings(question, questions[at:])),
    }


def _other_than(realised: str, asked: str) -> str:
    return "" if asked.replace(".", "").isdigit() and float(asked) == float(realised) else realised


def _told(findings: Sequence[Finding]) -> list[str]:
    return list(dict.fromkeys(message_of(finding) for finding in findings))


def total_context(survey: Survey, questions: Sequence[Question]) -> dict[str, Any]:
    """Return the ε of all questions beside the ceiling, where both mean something."""
    try:
        total = epsilon_total(questions)
        ceiling = float(Ceiling(survey.epsilon_ceiling).bounds()[0])
    except PrivacyError:
        return {}
    return {"total": total, "total_number": float(total), "ceiling_number": ceiling}


def versions_with_words(survey: Survey) -> list[dict[str, Any]]:
    """Return the published versions, newest first, with their fingerprint as words."""
    return [
        {
            "number": version.number,
            "published_at": version.published_at,
            "fingerprint": version.fingerprint,
            "words": words_by_language(version.fingerprint),
        }
        for version in survey.versions.order_by("-number")
    ]

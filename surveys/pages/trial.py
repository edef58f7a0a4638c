"""Try a draft with simulated people before anybody is asked."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from surveys.findings import message_of
from surveys.models import Survey
from surveys.pages.access import admin_page
from surveys.pages.designer import survey_context
from surveys.pages.trial_form import TrialForm
from surveys.services.checks import question_findings


@require_http_methods(["GET", "HEAD", "POST"])
@admin_page
def trial(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Ask for assumptions, then show what the results page would show."""
    questions = list(survey.questions.all())
    found = [f for at, question in enumerate(questions) for f in question_findings(question, questions[:at])]
    form = TrialForm(questions, request.POST or None)
    context: dict[str, Any] = {
        **survey_context(survey, "try"),
        "form": form,
        "refusals": [{"question": finding.question, "message": message_of(finding)} for finding in found],
    }
    return render(request, "surveys/pages/try.html", context)

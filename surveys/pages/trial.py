"""Try a draft with simulated people before anybody is asked."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from surveys.errors import Finding
from surveys.findings import message_of
from surveys.models import Question, Survey
from surveys.pages.access import admin_page
from surveys.pages.designer import survey_context
from surveys.pages.results import document_context
from surveys.pages.trial_form import TrialForm
from surveys.services.checks import question_findings
from surveys.services.trial import trial_run


@require_http_methods(["GET", "HEAD", "POST"])
@admin_page
def trial(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Ask for assumptions, then show what the results page would show."""
    questions = list(survey.questions.all())
    found = [f for at, question in enumerate(questions) for f in question_findings(question, questions[:at])]
    if all(question.kind == Question.Kind.NOTE for question in questions):
        found.append(Finding("nothing-asked", "questions"))
    form = TrialForm(questions, request.POST or None)
    context: dict[str, Any] = {
        **survey_context(survey, "try"),
        "form": form,
        "refusals": [{"question": finding.question, "message": message_of(finding)} for finding in found],
    }
    if request.method == "POST" and not found and form.is_valid():
        values = {"n": form.cleaned_data["n"], "shares": form.shares()}
        context.update(document_context(trial_run(survey=survey, questions=questions, **values)))
        # The words of a copy that nobody answers would only confuse.
        context["words"] = {}
    return render(request, "surveys/pages/try.html", context)

"""The preview of a draft: the respondent page for its designer alone, with nothing stored or sent."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from privacy.errors import PrivacyError
from surveys.api.problems import CONTENT_TYPE, problem_of
from surveys.errors import PublishRefused
from surveys.models import Survey
from surveys.pages.access import admin_page
from surveys.pages.respondent import page
from surveys.services.checks import question_findings
from surveys.services.publishing import publication_planned


@require_safe
@admin_page
def preview(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Show the draft as respondents would see it."""
    facts: dict[str, object] = {
        "slug": survey.slug,
        "fingerprint": "",
        "manifest_url": reverse("survey_preview_manifest", args=[survey.slug]),
        "edit_url": reverse("survey_edit", args=[survey.slug]),
    }
    return page(request, "surveys/respondent.html", facts)


@require_safe
@admin_page
def preview_manifest(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Return the manifest that the draft would be published with."""
    questions = list(survey.questions.all())
    found = [finding for at, q in enumerate(questions) for finding in question_findings(q, questions[:at])]
    try:
        if found:
            raise PublishRefused(found)
        return JsonResponse({**publication_planned(survey, questions)[0], "state": "open"})
    except (PublishRefused, PrivacyError) as error:
        problem = problem_of(error)
        return HttpResponse(problem.body(), content_type=CONTENT_TYPE, status=problem.status)

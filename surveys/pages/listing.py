"""The list of surveys: an admin sees all, a researcher those that were granted."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from surveys import permissions
from surveys.pages.access import staff_page
from surveys.selectors import surveys_visible


@require_safe
@staff_page(lambda user: True)
def survey_list(request: HttpRequest) -> HttpResponse:
    """List what this account may see; an auditor's place is the audit log."""
    configures = permissions.may_configure(request.user)
    if not permissions.may_plan(request.user) and permissions.may_read_audit(request.user):
        return redirect("audit")
    context = {"surveys": surveys_visible(request.user), "may_configure": configures, "section": "surveys"}
    return render(request, "surveys/pages/list.html", context)

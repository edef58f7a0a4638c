"""The audit log, page by page and as a file, with the chain checked before it is shown."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from surveys import permissions
from surveys.errors import AuditBroken
from surveys.models import AuditEntry
from surveys.pages.access import staff_page
from surveys.services.audit import audit_lines, audit_verify

PER_PAGE = 50


@require_safe
@staff_page(permissions.may_read_audit)
def audit(request: HttpRequest) -> HttpResponse:
    """Show the log, newest first, and whether every entry still follows from the one before."""
    pages = Paginator(AuditEntry.objects.order_by("-number"), PER_PAGE)
    context: dict[str, Any] = {"section": "audit", "page": pages.get_page(request.GET.get("page"))}
    try:
        context["count"], context["head"] = audit_verify()
    except AuditBroken as broken:
        context["broken"] = broken
    return render(request, "surveys/pages/audit.html", context)


@require_safe
@staff_page(permissions.may_read_audit)
def audit_download(request: HttpRequest) -> HttpResponse:
    """Send the whole chain, an entry a line."""
    # Reading is not noted, here as on the page: the file ends with the entry that the page names as the last.
    response = HttpResponse(audit_lines(), content_type="application/jsonl")
    response["Content-Disposition"] = 'attachment; filename="audit.jsonl"'
    return response

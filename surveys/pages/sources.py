"""The sources that an account may see, and what an admin does with one: check it, close it, register another."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from surveys.errors import SettingInvalid
from surveys.findings import message_of
from surveys.models import Source
from surveys.pages.access import staff_page
from surveys.pages.console_left import left_of
from surveys.pages.sources_access import configuring_page
from surveys.pages.sources_new import check_words
from surveys.permissions import may_ask, may_configure, may_read_ledger
from surveys.services.queries import policies_of
from surveys.services.redeclaring import source_redeclarable
from surveys.services.sources import CHECKS, source_check, source_close, source_reason


@require_safe
@staff_page(lambda user: True)
def source_list(request: HttpRequest) -> HttpResponse:
    """List the sources that this account may ask, or whose ledger it may read."""
    found = [one for one in Source.objects.all() if may_read_ledger(request.user, one)]
    context = {
        "section": "sources",
        "sources": [_listed(request.user, one) for one in found],
        "may_configure": may_configure(request.user),
    }
    return render(request, "surveys/pages/source_list.html", context)


@require_POST
@configuring_page
def check(request: HttpRequest, source: Source) -> HttpResponse:
    """Check the declared constraints on the data now: the source opens if they hold."""
    try:
        checked = source_check(
            actor=request.user, source=source, changed=request.POST.get("changed") == "yes"
        )
    except SettingInvalid as refusal:
        messages.error(request, message_of(refusal.findings[0]), extra_tags="bad")
        return redirect("source", name=source.name)
    if checked.state == Source.State.OPEN:
        messages.success(request, gettext("Every declared constraint holds: the source is open."), "good")
    else:
        messages.error(request, check_words(checked), extra_tags="bad")
    return redirect("source", name=source.name)


@require_http_methods(["GET", "HEAD", "POST"])
@configuring_page
def close(request: HttpRequest, source: Source) -> HttpResponse:
    """Ask whether to, and then let the source answer nothing until it is checked again."""
    if request.method != "POST":
        context = source_context(request, source, "console")
        return render(request, "surveys/pages/source_close.html", context)
    source_close(actor=request.user, source=source)
    messages.success(
        request, gettext("The source is closed: it answers nothing until it is checked."), "good"
    )
    return redirect("source", name=source.name)


def source_context(request: HttpRequest, source: Source, tab: str) -> dict[str, Any]:
    """Return what every page of a source shows."""
    return {
        "section": "sources",
        "source": source,
        "tab": tab,
        "reason": source_reason(source),
        "checks": CHECKS,
        "may_ask": may_ask(request.user, source),
        "may_configure": may_configure(request.user),
        "redeclarable": may_configure(request.user) and source_redeclarable(source),
    }


def _listed(user: Any, source: Source) -> dict[str, Any]:
    return {
        "source": source,
        "entities": [policy.entity for policy in policies_of(source)] if source.policies.exists() else [],
        "left": left_of(user, source),
        "may_ask": may_ask(user, source),
    }

"""The page on which an admin corrects what a source declares, or takes it back: until it passed a check."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from privacy.policy.errors import DocumentInvalid, PolicyInvalid, SchemaInvalid
from surveys.errors import SettingInvalid
from surveys.findings import message_of
from surveys.models import Source
from surveys.pages.sources_access import configuring_page
from surveys.pages.sources_new import DescribedForm, check_words, described_wrongly
from surveys.services.redeclaring import source_redeclarable, source_redeclare, source_remove
from surveys.services.sources import CHECKS, source_check, source_text


@require_http_methods(["GET", "HEAD", "POST"])
@configuring_page
def declaration(request: HttpRequest, source: Source) -> HttpResponse:
    """Show the file of a source; declare it anew as typed, check it if asked to, or take the source back."""
    if request.method == "POST":
        if request.POST.get("do") == "remove":
            return _removed(request, source)
        form = DescribedForm(request.POST, request.FILES)
        if form.is_valid() and _redeclared(request, source, form):
            return _checked(request, source)
    else:
        form = DescribedForm(initial={"text": source_text(source)})
    context = {
        "section": "sources",
        "source": source,
        "form": form,
        "redeclarable": source_redeclarable(source),
        "told": source.told_on is not None,
        "reason": check_words(source) if source.reason else "",
        "checks": CHECKS,
    }
    return render(request, "surveys/pages/source_declaration.html", context)


def _redeclared(request: HttpRequest, source: Source, form: DescribedForm) -> bool:
    try:
        source_redeclare(actor=request.user, source=source, text=form.cleaned_data["described"])
    except SettingInvalid as error:
        form.add_error(None, message_of(error.findings[0]))
    except (DocumentInvalid, SchemaInvalid, PolicyInvalid) as error:
        described_wrongly(form, error)
    return form.is_valid()


def _checked(request: HttpRequest, source: Source) -> HttpResponse:
    messages.success(request, gettext("The source is declared anew."), extra_tags="good")
    if request.POST.get("do") == "check":
        try:
            checked = source_check(actor=request.user, source=source)
        except SettingInvalid as refusal:
            messages.error(request, message_of(refusal.findings[0]), extra_tags="bad")
        else:
            if checked.state != Source.State.OPEN:
                return redirect("source_declaration", name=source.name)
    return redirect("source_ledger", name=source.name)


def _removed(request: HttpRequest, source: Source) -> HttpResponse:
    try:
        source_remove(actor=request.user, source=source)
    except SettingInvalid as refusal:
        messages.error(request, message_of(refusal.findings[0]), extra_tags="bad")
        return redirect("source_declaration", name=source.name)
    messages.success(request, gettext("The source is removed: its name and its database are free."), "good")
    return redirect("source_list")

"""A new panel: the values of its traits are typed, or taken from a file and confirmed."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from surveys import permissions
from surveys.errors import ImportRefused, SettingInvalid
from surveys.imports.columns import columns_unread, fields_once, headers_known
from surveys.imports.messages import row_message, row_remedy
from surveys.models import Organisation
from surveys.models.participation import TRAITS
from surveys.pages.access import staff_page
from surveys.pages.forms import findings_into
from surveys.pages.panels_forms import PanelForm, typed
from surveys.pages.panels_upload import in_memory, table_sent
from surveys.services.panels import MOST_VALUES, domains_found, panel_create


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page(permissions.may_configure)
@in_memory
def panel_new(request: HttpRequest) -> HttpResponse:
    """Make a panel, or fill in the values of a file for a person to look through."""
    if not Organisation.objects.exists():
        messages.info(request, gettext("A panel belongs to an organisation: add that first."))
        return redirect("organisation_new")
    if request.method != "POST":
        return _page(request, PanelForm(initial={"organisation": request.GET.get("organisation")}))
    if request.POST.get("act") == "look":
        return _filled_in(request)
    form = PanelForm(request.POST)
    if form.is_valid():
        given = {name: form.cleaned_data[name] for name in ("organisation", "name", "retained_until")}
        try:
            made = panel_create(actor=request.user, domains=form.domains(), **given)
        except SettingInvalid as refusal:
            findings_into(form, refusal.findings)
        else:
            messages.success(request, gettext("The panel was made."), extra_tags="good")
            return redirect("panel", number=made.pk)
    return _page(request, form)


def _page(request: HttpRequest, form: PanelForm, **more: Any) -> HttpResponse:
    traits = [form[trait] for trait in TRAITS]
    context = {"form": form, "traits": traits, "known": headers_known(), "section": "panels", **more}
    return render(request, "surveys/pages/panels_new.html", context)


def _filled_in(request: HttpRequest) -> HttpResponse:
    """Show what was typed, with the values of the file below: nothing is declared before it is confirmed."""
    before = {name: request.POST.get(name, "") for name in PanelForm.base_fields}
    try:
        table = table_sent(request)
    except ImportRefused as refused:
        told = [f"{row_message(one)} {row_remedy(one)}" for one in refused.rows]
        return _page(request, PanelForm(initial=before), refused=told)
    found = domains_found(table)
    few = {trait: values for trait, values in found.items() if len(values) <= MOST_VALUES}
    lines = {
        trait: [one.strip() for one in before[trait].splitlines() if one.strip()] + values
        for trait, values in few.items()
    }
    merged = typed({trait: list(dict.fromkeys(values)) for trait, values in lines.items()})
    form = PanelForm(initial={**before, **merged})
    many = [PanelForm.base_fields[trait].label for trait in found if trait not in few]
    fields = fields_once(table.headers)
    named = [f"{form[trait].label} ({table.headers[fields.index(trait)]})" for trait in few]
    unread = columns_unread(table, fields)
    return _page(request, form, found=named, many=many, unread=unread, looked=True)

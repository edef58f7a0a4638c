"""Organisations and panels: made, looked at and emptied by admins. No page counts or lists the people in them."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate
from unicodedata import normalize

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_safe

from surveys import permissions
from surveys.errors import SettingInvalid
from surveys.imports.columns import LABELS, headers_known
from surveys.imports.table import MOST_BYTES, MOST_ROWS
from surveys.models import Organisation, Panel
from surveys.models.participation import TRAITS
from surveys.pages.access import staff_page
from surveys.pages.forms import findings_into
from surveys.pages.panels_forms import EraseForm, OrganisationForm, PanelSettingsForm
from surveys.services.panels import organisation_create, panel_update, respondent_erase


def panel_page(view: Callable[Concatenate[HttpRequest, Panel, ...], HttpResponse]) -> Any:
    """Give an admin's page the panel that its address names."""

    @staff_page(permissions.may_configure)
    @wraps(view)
    def wrapped(request: HttpRequest, number: int, **kwargs: Any) -> HttpResponse:
        panels = Panel.objects.select_related("organisation")
        return view(request, get_object_or_404(panels, pk=number), **kwargs)

    return wrapped


@require_safe
@staff_page(permissions.may_configure)
def panel_list(request: HttpRequest) -> HttpResponse:
    """List the organisations with their panels; how many people they hold is asked in the console."""
    organisations = Organisation.objects.prefetch_related("panels")
    context = {"organisations": organisations, "today": timezone.localdate(), "section": "panels"}
    return render(request, "surveys/pages/panels.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page(permissions.may_configure)
def organisation_new(request: HttpRequest) -> HttpResponse:
    """Name an organisation."""
    form = OrganisationForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            organisation_create(actor=request.user, **form.cleaned_data)
        except SettingInvalid as refusal:
            findings_into(form, refusal.findings)
        else:
            messages.success(request, gettext("The organisation was added."), extra_tags="good")
            return redirect("panel_list")
    context = {"form": form, "section": "panels"}
    return render(request, "surveys/pages/panels_organisation.html", context)


@require_safe
@panel_page
def panel(request: HttpRequest, panel: Panel) -> HttpResponse:
    """Show what a panel declares, and where people are added, counted and erased."""
    return _panel(request, panel, EraseForm())


def _panel(request: HttpRequest, panel: Panel, erase: EraseForm) -> HttpResponse:
    declared = [(LABELS[trait], panel.domains[trait]) for trait in TRAITS if trait in panel.domains]
    limits = {"megabytes": MOST_BYTES // 10**6, "rows": MOST_ROWS, "known": headers_known()}
    context = {**panel_context(panel), "declared": declared, "form": erase, **limits}
    return render(request, "surveys/pages/panels_panel.html", context)


def panel_context(panel: Panel) -> dict[str, Any]:
    """Return what every page of a panel needs."""
    over = panel.retained_until is not None and panel.retained_until < timezone.localdate()
    return {"panel": panel, "over": over, "section": "panels"}


@require_http_methods(["GET", "HEAD", "POST"])
@panel_page
def panel_edit(request: HttpRequest, panel: Panel) -> HttpResponse:
    """Declare more values, and set the day after which the panel is emptied."""
    form = PanelSettingsForm(request.POST) if request.method == "POST" else PanelSettingsForm.of(panel)
    if request.method == "POST" and form.is_valid():
        try:
            day = form.cleaned_data["retained_until"]
            panel_update(actor=request.user, panel=panel, domains=form.domains(), retained_until=day)
        except SettingInvalid as refusal:
            findings_into(form, refusal.findings)
        else:
            messages.success(request, gettext("Settings saved."), extra_tags="good")
            return redirect("panel", number=panel.pk)
    return render(request, "surveys/pages/panels_edit.html", {**panel_context(panel), "form": form})


@require_http_methods(["GET", "HEAD", "POST"])
@panel_page
def panel_erase(request: HttpRequest, panel: Panel) -> HttpResponse:
    """Ask, then erase one person for ever; whether they were there is told neither before nor after."""
    if request.method != "POST":
        return redirect("panel", number=panel.pk)
    form = EraseForm(request.POST)
    if not form.is_valid():
        return _panel(request, panel, form)
    typed = form.cleaned_data["reference"]
    if request.POST.get("act") != "erase":
        context = {**panel_context(panel), "reference": typed}
        return render(request, "surveys/pages/panels_erase.html", context)
    respondent_erase(actor=request.user, panel=panel, reference=normalize("NFC", typed))
    told = gettext("If this person was there, they are erased now, with their invitations.")
    messages.success(request, told, extra_tags="good")
    return redirect("panel", number=panel.pk)

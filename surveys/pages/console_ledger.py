"""The ledger of a source: what is left, who has which share, what was charged; an admin sets budgets and shares."""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from django.contrib import messages
from django.contrib.auth import get_user_model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from surveys.errors import SettingInvalid
from surveys.findings import message_of
from surveys.models import Share, Source
from surveys.pages.console_left import left_of, micro_text, pico_text, plain
from surveys.pages.console_money import BudgetForm, ShareForm
from surveys.pages.sources import source_context
from surveys.pages.sources_access import configuring_page, ledger_page
from surveys.permissions import may_read_audit
from surveys.services.ledger import PICO, budget_set, share_remove, share_set
from surveys.services.ledger_reading import ledger_of
from surveys.services.queries import policies_of


@require_safe
@ledger_page
def ledger(request: HttpRequest, source: Source) -> HttpResponse:
    """Show the ledger as this account may see it."""
    return _shown(request, source)


@require_POST
@configuring_page
def budget(request: HttpRequest, source: Source) -> HttpResponse:
    """Set the budget of one entity kind."""
    form = BudgetForm(request.POST)
    entity = request.POST.get("entity", "")
    if entity not in _entities(source):
        return redirect("source_ledger", name=source.name)
    if not form.is_valid():
        return _shown(request, source, budget_form=(entity, form))

    def act() -> None:
        values = form.cleaned_data
        budget_set(
            actor=request.user,
            source=source,
            entity=entity,
            total=values["total"],
            delta_total=values["delta"],
        )

    if _done(form, act):
        messages.success(request, gettext("Budget saved."), extra_tags="good")
        return redirect("source_ledger", name=source.name)
    return _shown(request, source, budget_form=(entity, form))


@require_POST
@configuring_page
def share(request: HttpRequest, source: Source) -> HttpResponse:
    """Give a researcher a share of every budget of the source, or another one."""
    form = ShareForm(request.POST)
    if form.is_valid():
        values = form.cleaned_data

        def act() -> None:
            share_set(
                actor=request.user, source=source, researcher=values["researcher"], total=values["share"]
            )

        if _done(form, act):
            messages.success(request, gettext("Share saved."), extra_tags="good")
            return redirect("source_ledger", name=source.name)
    return _shown(request, source, share_form=form)


@require_POST
@configuring_page
def unshare(request: HttpRequest, source: Source) -> HttpResponse:
    """Take a researcher's access back."""
    number = request.POST.get("researcher", "")
    pk = int(number) if number.isascii() and number.isdigit() and len(number) < 10 else 0
    researcher = get_object_or_404(get_user_model(), pk=pk)
    share_remove(actor=request.user, source=source, researcher=researcher)
    messages.success(request, gettext("The share was taken back."), extra_tags="good")
    return redirect("source_ledger", name=source.name)


def _shown(
    request: HttpRequest,
    source: Source,
    budget_form: tuple[str, BudgetForm] | None = None,
    share_form: ShareForm | None = None,
) -> HttpResponse:
    context = source_context(request, source, "ledger")
    everything = may_read_audit(request.user)
    context |= {
        "everything": everything,
        "left": left_of(request.user, source),
        "shares": _shares(source) if everything else (),
        "charges": [_charge(one) for one in ledger_of(actor=request.user, source=source)["charges"]],
        "entities": _entities(source),
    }
    if context["may_configure"]:
        context |= {"budgets": _budgets(source, budget_form), "share_form": share_form or ShareForm()}
    return render(request, "surveys/pages/console_ledger.html", context)


def _shares(source: Source) -> Sequence[Mapping[str, Any]]:
    shares = Share.objects.filter(budget__source=source).select_related("budget", "researcher")
    return [
        {
            "researcher": one.researcher,
            "entity": one.budget.entity,
            "total": one.total,
            "spent": one.spent,
            "left": one.total - one.spent,
        }
        for one in shares.order_by("researcher__username", "budget__entity")
    ]


def _charge(one: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a charge with its amounts as people write them."""
    return {**one, **{name: plain(Decimal(one[name])) for name in ("epsilon", "charged")}}


def _entities(source: Source) -> list[str]:
    return [policy.entity for policy in policies_of(source)] if source.policies.exists() else []


def _budgets(source: Source, refused: tuple[str, BudgetForm] | None) -> Sequence[Mapping[str, Any]]:
    """Return a form for each entity kind, also for one that has no budget yet."""
    kept = {one.entity: one for one in source.budgets.all()}
    told = []
    for entity in _entities(source):
        one = kept.get(entity)
        initial = {
            "total": micro_text(one.total) if one else "0",
            "delta": pico_text(one.delta_total) if one else "0",
        }
        form = refused[1] if refused and refused[0] == entity else BudgetForm(initial=initial)
        form.prefix_ids(entity)
        told.append({"entity": entity, "form": form})
    return told


def _done(form: BudgetForm | ShareForm, act: Callable[[], None]) -> bool:
    """Do it, or put beside the field why it cannot be done."""
    try:
        act()
    except SettingInvalid as error:
        for one in error.findings:
            facts, amounts = one.facts(), {"total": micro_text, "delta_total": pico_text}
            if one.code == "amount-invalid":
                write = amounts[one.field]
                text = gettext("It must lie between %(least)s and %(most)s: what is spent stays spent.") % {
                    "least": write(facts["least"]),
                    "most": write(min(facts["most"], PICO)),
                }
            else:
                text = message_of(one)
            form.add_error(form.FIELDS.get(one.field), text)
        return False
    return True

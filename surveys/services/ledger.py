"""The ledger: what every query costs, in whole micro-ε, charged before data is touched and never refunded."""

import re
from collections.abc import Sequence
from decimal import Context, Decimal
from fractions import Fraction
from math import ceil
from typing import Any

from django.db import transaction
from django.db.models import F

from privacy.budget import DIGITS, one_unit_around
from surveys.errors import (
    BudgetExhausted,
    DeltaExhausted,
    Finding,
    NotAllowed,
    ParameterInvalid,
    SettingInvalid,
    ShareExhausted,
)
from surveys.models import Budget, Share, Source
from surveys.permissions import RESEARCHER, may_configure, required, roles_of, shares_needed
from surveys.services.audit import audit_append

MICRO = 1_000_000
PICO = 10**12
MOST_EPSILON = 100 * MICRO  # of one query: beyond, a figure protects nobody
MOST_DELTA = PICO // 1000
MOST_TOTAL = 10**6 * MICRO
_DECIMAL = re.compile(r"[0-9]{1,3}(\.[0-9]{1,18})?", re.ASCII)
_LOGARITHM = re.compile(r"ln\(([1-9][0-9]{0,18})\)", re.ASCII)
_DELTA = re.compile(r"(0?\.[0-9]{1,18}|[0-9]{1,3}(\.[0-9]{1,6})?e-[0-9]{1,2})", re.ASCII)


def epsilon_read(text: object, field: str = "epsilon") -> int:
    """Return an ε such as "0.5" or "ln(3)" in micro-ε, rounded up: what is charged is never less than what is used."""
    upper = _upper(text) if isinstance(text, str) else None
    if upper is None:
        raise ParameterInvalid(field, "expected a decimal such as 0.5, or ln(3), as a text")
    micro = ceil(upper * MICRO)
    if not 0 < micro <= MOST_EPSILON:
        raise ParameterInvalid(field, f"must lie between 0.000001 and {MOST_EPSILON // MICRO}")
    return micro


def epsilon_text(micro: int) -> str:
    """Return micro-ε as people read it, all six digits."""
    return f"{micro // MICRO}.{micro % MICRO:06d}"


def delta_read(text: object, field: str = "delta") -> int:
    """Return a δ such as "0.000001" or "1e-6" in units of 10⁻¹², rounded up; none is 0."""
    if text is None:
        return 0
    if not isinstance(text, str) or not _DELTA.fullmatch(text):
        raise ParameterInvalid(field, "expected a decimal such as 0.000001, or 1e-6, as a text")
    pico = ceil(Fraction(Decimal(text)) * PICO)
    if not 0 < pico <= MOST_DELTA:
        raise ParameterInvalid(field, "must lie above 0 and at most at 0.001")
    return pico


def budget_set(
    *, actor: Any, source: Source, entity: str, total: int, delta_total: int | None = None
) -> Budget:
    """Set what may be spent in all on one entity kind; never less than what is spent already.

    `actor` is None at the command line.
    """
    if actor is not None:
        required(may_configure(actor), actor, "set budgets")
    with transaction.atomic():
        made, _ = Budget.objects.get_or_create(source=source, entity=entity, defaults={"total": 0})
        budget = Budget.objects.select_for_update().get(pk=made.pk)
        deltas = budget.delta_total if delta_total is None else delta_total
        _limits(total, budget.spent, MOST_TOTAL, "total")
        _limits(deltas, budget.delta_spent, PICO, "delta_total")
        Budget.objects.filter(pk=budget.pk).update(total=total, delta_total=deltas)
        facts = {"entity": entity, "total": epsilon_text(total), "delta": f"{deltas}e-12"}
        audit_append(actor=actor, action="budget.set", subject=source.name, facts=facts)
    budget.refresh_from_db()
    return budget


def share_set(*, actor: Any, source: Source, researcher: Any, total: int) -> None:
    """Let a researcher ask a source, up to so much of each of its budgets; 0 beyond what is spent ends it."""
    required(may_configure(actor), actor, "share budgets")
    if RESEARCHER not in roles_of(researcher):
        raise SettingInvalid([Finding("not-a-researcher", "researcher")])
    with transaction.atomic():
        budgets = list(Budget.objects.filter(source=source))
        # Of several budgets a share may be larger than one: what is left is then what is left of that.
        _limits(total, 0, max((one.total for one in budgets), default=MOST_TOTAL), "total")
        for budget in budgets:
            made, _ = Share.objects.get_or_create(budget=budget, researcher=researcher, defaults={"total": 0})
            share = Share.objects.select_for_update().get(pk=made.pk)
            _limits(total, share.spent, MOST_TOTAL, "total")
            Share.objects.filter(pk=share.pk).update(total=total)
        facts = {"researcher": researcher.get_username(), "total": epsilon_text(total)}
        audit_append(actor=actor, action="share.set", subject=source.name, facts=facts)


def share_remove(*, actor: Any, source: Source, researcher: Any) -> None:
    """Take a researcher's access to a source back; what was spent stays spent of the budget."""
    required(may_configure(actor), actor, "share budgets")
    with transaction.atomic():
        removed, _ = Share.objects.filter(budget__source=source, researcher=researcher).delete()
        if removed:
            facts = {"researcher": researcher.get_username()}
            audit_append(actor=actor, action="share.remove", subject=source.name, facts=facts)


def budget_charge(
    *, actor: Any, source: Source, entities: Sequence[str], epsilon: int, delta: int = 0
) -> None:
    """Charge each entity kind's budget, and the actor's share of it, or raise and charge nothing.

    `actor` is None at the command line. Several budgets are charged together or not at all: where one refuses, the
    caller's transaction is not to be committed.
    """
    shared = actor is not None and shares_needed(actor)
    with transaction.atomic(savepoint=False):
        # In one order everywhere, so that no two charges wait for each other.
        for entity in sorted(entities):
            _charge_budget(source, entity, epsilon, delta)
            if shared:
                _charge_share(actor, source, entity, epsilon)
        facts = {"entities": sorted(entities), "epsilon": epsilon_text(epsilon), "delta": f"{delta}e-12"}
        audit_append(actor=actor, action="budget.charge", subject=source.name, facts=facts)


def _charge_budget(source: Source, entity: str, epsilon: int, delta: int) -> None:
    # One statement decides: of two charges that do not both fit, the database lets one through.
    kept = Budget.objects.filter(source=source, entity=entity)
    fits = kept.filter(spent__lte=F("total") - epsilon, delta_spent__lte=F("delta_total") - delta)
    if fits.update(spent=F("spent") + epsilon, delta_spent=F("delta_spent") + delta) == 1:
        return
    budget = kept.first()
    if budget is None or budget.spent + epsilon > budget.total:
        raise BudgetExhausted(epsilon, 0 if budget is None else budget.total - budget.spent)
    raise DeltaExhausted(delta, budget.delta_total - budget.delta_spent)


def _charge_share(actor: Any, source: Source, entity: str, epsilon: int) -> None:
    budget = Budget.objects.filter(source=source, entity=entity).values("pk")
    kept = Share.objects.filter(budget__in=budget, researcher=actor)
    if kept.filter(spent__lte=F("total") - epsilon).update(spent=F("spent") + epsilon) == 1:
        return
    share = kept.first()
    if share is None:
        raise NotAllowed(actor.get_username(), "ask this source")
    raise ShareExhausted(epsilon, share.total - share.spent)


def _upper(text: str) -> Fraction | None:
    """Return the number that a text names, or the next larger one that can be written down."""
    if _DECIMAL.fullmatch(text):
        return Fraction(text)
    if found := _LOGARITHM.fullmatch(text):
        context = Context(prec=DIGITS)
        return Fraction(0) if found[1] == "1" else one_unit_around(context.ln(Decimal(found[1])), context)[1]
    return None


def _limits(value: int, least: int, most: int, field: str) -> None:
    if not least <= value <= most:
        raise SettingInvalid([Finding("amount-invalid", field, params=(("least", least), ("most", most)))])

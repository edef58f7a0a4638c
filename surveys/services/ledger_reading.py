"""What may be read of a ledger: admins and auditors all of it, researchers what is their own."""

from typing import Any

from surveys.errors import delta_text
from surveys.models import Budget, QueryRun, Share, Source
from surveys.permissions import may_read_audit
from surveys.services.ledger import epsilon_text
from surveys.services.queries import run_state

LATEST = 200  # charges that are listed


def ledger_of(*, actor: Any, source: Source) -> dict[str, Any]:
    """Return budgets, shares and the latest charges as an account may see them, in texts."""
    everything = may_read_audit(actor)
    shares = Share.objects.filter(budget__source=source).select_related("budget", "researcher")
    runs = QueryRun.objects.filter(source=source).select_related("actor").defer("answer")
    if not everything:
        shares, runs = shares.filter(researcher=actor), runs.filter(actor=actor)
    budgets = Budget.objects.filter(source=source) if everything else ()
    return {
        "source": source.name,
        "state": str(source.state),
        "budgets": [{"entity": one.entity, **_sums(one, one.total), **_delta_sums(one)} for one in budgets],
        "shares": [
            {
                "entity": one.budget.entity,
                "researcher": one.researcher.get_username(),
                **_sums(one, one.budget.total),
            }
            for one in shares.order_by("budget__entity", "researcher__username")
        ],
        "charges": [_charge(run) for run in runs.order_by("-pk")[:LATEST]],
    }


def _sums(one: Budget | Share, most: int) -> dict[str, str]:
    # A share can be larger than its budget, where that was lowered or there are several.
    left = max(0, min(one.total, most) - one.spent)
    return {"total": epsilon_text(one.total), "spent": epsilon_text(one.spent), "left": epsilon_text(left)}


def _delta_sums(one: Budget) -> dict[str, str]:
    left = one.delta_total - one.delta_spent
    return {
        "delta_total": delta_text(one.delta_total),
        "delta_spent": delta_text(one.delta_spent),
        "delta_left": delta_text(left),
    }


def _charge(run: QueryRun) -> dict[str, Any]:
    return {
        "id": run.pk,
        "actor": None if run.actor is None else run.actor.get_username(),
        "epsilon": epsilon_text(run.epsilon),
        "delta": delta_text(run.delta),
        "charged": epsilon_text(run.charged),
        "state": run_state(run),
    }

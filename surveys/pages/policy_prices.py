"""What queries cost under policies: the sensitivity under the labels of now, the edited ones and both uniform ones."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from privacy.policy.errors import QueryRefused
from privacy.policy.labels import Policy
from privacy.policy.plan import baselines, plan_query
from surveys.pages.console_plan import number_text
from surveys.pages.console_words import refusal_words

MOST = 20  # queries that are looked at
LONGEST = 20_000  # characters


def prices(queries: Sequence[str], now: Policy | None, edited: Policy | None) -> Sequence[Mapping[str, Any]]:
    """Return a line for each query: its sensitivities, or why it is refused."""
    return [_line(sql[:LONGEST], now, edited) for sql in queries[:MOST]]


def _line(sql: str, now: Policy | None, edited: Policy | None) -> Mapping[str, Any]:
    before = None if now is None else _told(sql, now)
    after = None if edited is None else _told(sql, edited)
    any_policy = edited or now
    told: dict[str, Any] = {"sql": sql, "now": before, "edited": after, "unbounded": None, "bounded": None}
    if any_policy is not None:
        uniform = baselines(sql, any_policy)
        told |= {"unbounded": _number(uniform.unbounded), "bounded": _number(uniform.bounded)}
    told["differs"] = before is not None and after is not None and before != after
    return told


def _told(sql: str, policy: Policy) -> Mapping[str, Any]:
    try:
        plan = plan_query(sql, policy)
    except QueryRefused as error:
        return {
            "refused": True,
            "reason": refusal_words(error.reason),
            "line": error.line,
            "column": error.column,
        }
    return {"sensitivity": _number(plan.l1), "public": plan.public}


def _number(value: Fraction | None) -> str | None:
    return None if value is None else number_text(value)

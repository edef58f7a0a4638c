"""What a plan tells before anything is paid: the error to expect, the price, and the price of uniform policies."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext_lazy as _

from privacy.policy.expected import ExpectedError, expected_errors
from privacy.policy.plan import Baselines
from privacy.policy.sensitivity import Sensitivity
from surveys.models import QueryRun, Source
from surveys.pages.console_left import Left, left_of, plain
from surveys.pages.console_words import trace_words
from surveys.services.ledger import MICRO, PICO
from surveys.services.queries import Asked, query_baselines, query_plan, query_stored

PARTS = {
    "count": _("number of rows"),
    "sum": _("sum"),
    "squares": _("sum of squares"),
    "rank": _("rank, in rows"),
}
UNIFORM = (
    ("unbounded", _("every relation DEL"), _("Anybody's rows may be missing, everywhere.")),
    ("bounded", _("every column REP"), _("The number of rows is known, every value may be another.")),
)


@dataclass(frozen=True, slots=True)
class Planned:
    """A plan and what it would cost at an ε."""

    asked: Asked
    epsilon: int
    delta: int
    stored: QueryRun | None

    @property
    def charged(self) -> int:
        """What would be charged now, in micro-ε, to each entity kind."""
        return 0 if self.asked.plan.public or self.stored is not None else self.epsilon


def planned(source: Source, sql: str, epsilon: int, delta: int) -> Planned:
    """Plan a query and look whether it was answered before; raises QueryRefused, SourceClosed."""
    asked = query_plan(source=source, sql=sql)
    return Planned(
        asked, epsilon, delta, query_stored(source=source, asked=asked, epsilon=epsilon, delta=delta)
    )


def plan_context(source: Source, sql: str, found: Planned) -> dict[str, Any]:
    """Return what the page tells of a plan; raises QueryRefused where no noise of this ε and δ exists."""
    plan = found.asked.plan
    errors = expected_errors(
        plan.sensitivities, Fraction(found.epsilon, MICRO), Fraction(found.delta, PICO) or None
    )
    return {
        "public": plan.public,
        "stored": found.stored,
        "charged": found.charged,
        "epsilon": found.epsilon,
        "total": number_text(plan.l1),
        "figures": [_figure(*pair) for pair in zip(plan.sensitivities, errors, strict=True)],
        "uniform": uniform_told(plan.l1, query_baselines(source=source, sql=sql), found.epsilon),
        "trace": trace_words(plan.trace),
        "entities": found.asked.entities,
    }


def price_context(user: Any, source: Source, found: Planned) -> dict[str, Any]:
    """Return what the question before a charge says: for which entity kinds, what is left and what would be."""
    left = {one.entity: one for one in left_of(user, source)}
    kinds = [_kind(left.get(name) or Left(name, 0, 0), found) for name in found.asked.entities]
    short_epsilon = any(kind["after"] < 0 for kind in kinds)
    short_delta = any(kind["deltas"] and kind["delta_after"] < 0 for kind in kinds)
    return {
        "kinds": kinds,
        "free": found.charged == 0,
        "enough": not short_epsilon and not short_delta,
        "short_epsilon": short_epsilon,
        "short_delta": short_delta,
        "charged": found.charged,
    }


def _kind(one: Left, found: Planned) -> Mapping[str, Any]:
    """Return what is left of one entity kind; of δ where it is paid and this account sees it."""
    told = {"entity": one.entity, "left": one.left, "after": one.left - found.charged, "deltas": False}
    if found.charged and found.delta and one.delta_left is not None:
        told |= {
            "deltas": True,
            "delta_left": one.delta_left,
            "delta_after": one.delta_left - found.delta,
        }
    return told


def uniform_told(own: Fraction, uniform: Baselines, epsilon: int) -> Sequence[Mapping[str, Any]]:
    """Return, for each uniform policy, its sensitivity, how many times the error, and the ε of the same error."""
    return [
        {"label": label, "help": help_text, **_compared(own, getattr(uniform, name), epsilon)}
        for name, label, help_text in UNIFORM
    ]


def _compared(own: Fraction, other: Fraction | None, epsilon: int) -> Mapping[str, Any]:
    if other is None:
        return {"refused": True}
    told: dict[str, Any] = {"sensitivity": number_text(other), "free": other == 0}
    if own == other:
        told["same"] = True
    elif own > 0 and other > 0:
        told["times"] = number_text(other / own)
        told["epsilon"] = number_text(other / own * Fraction(epsilon, MICRO))
    return told


def _figure(one: Sensitivity, error: ExpectedError) -> Mapping[str, Any]:
    half = error.half_width
    return {
        "name": error.name,
        "function": function_text(error.function, distinct=one.aggregate.distinct),
        "sensitivity": number_text(one.l1),
        "public": one.public,
        "half_width": None if half is None else number_text(half),
        "parts": [
            {"figure": PARTS[part.figure], "half_width": number_text(part.half_width)} for part in error.parts
        ],
    }


def function_text(function: str, *, distinct: bool) -> str:
    """Return an aggregate as it was asked for."""
    return f"{function.upper()} DISTINCT" if distinct else function.upper()


def number_text(value: Fraction | int | float) -> str:
    """Return a number for people: groups of three digits, four digits of what is not whole, a real minus sign."""
    exact = Fraction(value)
    size = abs(exact)
    text = f"{int(size):,}" if size.denominator == 1 else _broken(size)
    return f"−{text}" if exact < 0 else text


def _broken(size: Fraction) -> str:
    places = max(0, 4 - len(str(int(size)))) if size >= 1 else 4
    rounded = round(size, places)
    if rounded == 0:
        return f"{float(size):.2g}"
    text = plain(Decimal(rounded.numerator) / rounded.denominator)
    before, point, behind = text.partition(".")
    return f"{int(before):,}{point}{behind}"

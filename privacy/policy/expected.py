"""How far off the figures of an answer will be, known before any data is touched."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction

from privacy.policy.compile import measure_of
from privacy.policy.estimates import OUTSIDE
from privacy.policy.sensitivity import Part, Sensitivity, unit_of
from privacy.policy.shares import Hidden, hidden

_DIGITS = Context(prec=30)


@dataclass(frozen=True, slots=True)
class PartError:
    """Half of the 95 % interval of one noisy number, in the argument's numbers; of a rank, in rows."""

    figure: str
    half_width: Fraction


@dataclass(frozen=True, slots=True)
class ExpectedError:
    """The errors of the numbers that a figure is computed from: one of a count or sum, three of a variance."""

    name: str
    function: str
    parts: tuple[PartError, ...]

    @property
    def half_width(self) -> Fraction | None:
        """Half of the interval of the figure itself; None where it depends on what the data say."""
        plain = self.function in ("count", "sum")
        return self.parts[0].half_width if plain else None


def expected_errors(
    sensitivities: Sequence[Sensitivity], epsilon: Fraction, delta: Fraction | None = None
) -> tuple[ExpectedError, ...]:
    """Return how far off each figure will be in 19 of 20 answers at ε, or at (ε, δ); raises QueryRefused as `hidden`.

    Several noisy numbers of one figure are within their half widths together in 19 of 20 answers.
    """
    found = hidden(sensitivities, epsilon, delta)
    return tuple(_expected(one, found) for one in sensitivities)


def _expected(one: Sensitivity, found: Hidden) -> ExpectedError:
    parts = tuple(PartError(part.figure, half_width(one, part, found)) for part in one.parts)
    return ExpectedError(one.aggregate.attribute.name, one.aggregate.function, parts)


def half_width(one: Sensitivity, part: Part, found: Hidden) -> Fraction:
    """Return half of the interval of a noisy number of a figure, so wide that all of the figure hold with 95 %."""
    if part.public:
        return Fraction(0)
    outside = OUTSIDE / sum(not each.public for each in one.parts)
    if part.figure == "rank":
        return Fraction(_ranks(one, found.rates[one.aggregate], outside))
    law = found.laws[measure_of(one, part)]
    return law.half_width(outside) * unit_of(one.aggregate, part)


def _ranks(one: Sensitivity, rate: Fraction, outside: Fraction) -> int:
    """Return how many ranks off a quantile is with at most this probability: 2/rate · ln(candidates/outside).

    Source: McSherry and Talwar 2007, theorem 6; at least one candidate is no rank off.
    """
    argument = one.aggregate.argument
    assert argument is not None
    assert argument.bounds is not None
    low, high = argument.bounds
    odds = Fraction(high - low + 1) / outside
    steps = _DIGITS.ln(_DIGITS.divide(Decimal(odds.numerator), Decimal(odds.denominator)))
    return math.ceil(2 / rate * Fraction(steps))

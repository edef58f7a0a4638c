"""How ε is shared: every part that is not public gets noise for its share, and no share is ever spent twice."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from privacy.policy.algebra import Aggregate
from privacy.policy.compile import Measure, measure_of
from privacy.policy.noise import Gaussian, Laplace, Law, rho_of
from privacy.policy.sensitivity import Part, Sensitivity

Paying = tuple[Aggregate, int]  # a figure and the place of one of its parts


@dataclass(frozen=True)
class Hidden:
    """The noise of an answer, known before any data is touched; what is not in `laws` or `rates` is public.

    `epsilon` (and `delta`) is what it costs: what was asked, or nothing where everything is public; shares of it add up
    to 1.
    """

    epsilon: Fraction
    delta: Fraction | None
    rho: Fraction | None
    shares: Mapping[Paying, Fraction]
    laws: Mapping[Measure, Law]
    rates: Mapping[Aggregate, Fraction]


@dataclass(frozen=True, slots=True)
class _Needed:
    """What a number is hidden for: the largest sensitivity and all shares of the figures that need it."""

    l1: int = 0
    l2_squared: int = 0
    share: Fraction = Fraction(0)

    def with_part(self, part: Part, share: Fraction) -> "_Needed":
        return _Needed(max(self.l1, part.l1), max(self.l2_squared, part.l2_squared), self.share + share)


def hidden(
    sensitivities: Sequence[Sensitivity],
    epsilon: Fraction,
    delta: Fraction | None = None,
    weights: Sequence[int] | None = None,
) -> Hidden:
    """Return the noise at ε (Laplace), or at (ε, δ) (Gaussian); raise QueryRefused where there is none.

    Each part that is not public weighs the same, or `weights` says how much a figure does, over its parts.
    """
    if epsilon <= 0 or (delta is not None and not 0 < delta < 1):
        raise ValueError("ε is above 0, δ between 0 and 1")
    shares = _shares(sensitivities, weights or [])
    if not shares:
        return Hidden(Fraction(0), None, None, {}, {}, {})
    rho = None if delta is None else rho_of(epsilon, delta)
    laws = {one: _law(needed, epsilon, rho) for one, needed in _needed(sensitivities, shares).items()}
    rates = {
        one.aggregate: _rate(part, shares[one.aggregate, at], epsilon, rho)
        for one in sensitivities
        for at, part in enumerate(one.parts)
        if part.figure == "rank" and not part.public
    }
    return Hidden(epsilon, delta, rho, shares, laws, rates)


def _shares(sensitivities: Sequence[Sensitivity], weights: Sequence[int]) -> Mapping[Paying, Fraction]:
    if weights and (len(weights) != len(sensitivities) or min(weights) < 1):
        raise ValueError("one weight a figure, each a whole number above 0")
    weighed: dict[Paying, Fraction] = {}
    for place, one in enumerate(sensitivities):
        paying = [at for at, part in enumerate(one.parts) if not part.public]
        for at in paying:
            weighed[one.aggregate, at] = Fraction(weights[place], len(paying)) if weights else Fraction(1)
    whole = sum(weighed.values(), Fraction(0))
    return {one: weight / whole for one, weight in weighed.items()}


def _needed(
    sensitivities: Sequence[Sensitivity], shares: Mapping[Paying, Fraction]
) -> Mapping[Measure, _Needed]:
    found: dict[Measure, _Needed] = {}
    for one in sensitivities:
        for at, part in enumerate(one.parts):
            if part.figure != "rank" and not part.public:
                measure = measure_of(one, part)
                before = found.get(measure, _Needed())
                found[measure] = before.with_part(part, shares[one.aggregate, at])
    return found


def _law(needed: _Needed, epsilon: Fraction, rho: Fraction | None) -> Law:
    if rho is None:
        return Laplace.of(needed.l1, epsilon * needed.share)
    return Gaussian.of(needed.l2_squared, rho * needed.share)


def _rate(part: Part, share: Fraction, epsilon: Fraction, rho: Fraction | None) -> Fraction:
    """Return the rate of a quantile: ε = rate·l1, or ρ = rate²·l2²/8, rounded down."""
    if rho is None:
        return epsilon * share / part.l1
    square = 8 * rho * share / part.l2_squared
    return Fraction(math.isqrt(square.numerator * 10**24 // square.denominator), 10**12)

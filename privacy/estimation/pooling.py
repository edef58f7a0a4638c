"""Pooling: reports that were made by different channels, under one likelihood with one set of shares."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from privacy.estimation.debias import Floats, Support
from privacy.estimation.intervals import (
    NOTHING,
    Interval,
    Spread,
    coverage_is_steady,
    normal_quantile,
    score_ends,
    share_interval,
    spread_of,
)
from privacy.estimation.simplex import expectation_maximisation, maximum_likelihood

_STEP = 1e-8


class Part(NamedTuple):
    """The reports of one channel, seen from one answer: `hits` of n support it, with chances p and q."""

    hits: int
    n: int
    p: float
    q: float


@dataclass(frozen=True, slots=True)
class Group:
    """The reports of one version or device, under its own integers."""

    support: Support
    counts: tuple[int, ...]

    @property
    def n(self) -> int:
        """How many reports the group has."""
        return sum(self.counts)

    def part(self, answer: int) -> Part:
        """What the group says about one answer."""
        return Part(self.counts[answer], self.n, *self.support.rates)


def merged(groups: Iterable[Group]) -> list[Group]:
    """One group for each channel: reports under the same integers are counted together, empty groups left out."""
    together: dict[Support, list[tuple[int, ...]]] = {}
    for group in groups:
        together.setdefault(group.support, []).append(group.counts)
    sums = (
        Group(support, tuple(map(sum, zip(*all_counts, strict=True))))
        for support, all_counts in together.items()
    )
    return [group for group in sums if group.n]


def design_weights(parts: Sequence[Part]) -> Floats:
    """n delta^2 of each part, adding up to one: known before any answer, unlike an inverse variance."""
    weights = np.array([part.n * (part.p - part.q) ** 2 for part in parts], dtype=np.float64)
    fractions: Floats = weights / weights.sum()
    return fractions


def pooled_share(parts: Sequence[Part], weights: Floats | None = None) -> float:
    """The unbiased share: the parts' own unbiased shares, averaged with fixed weights (default: the design's)."""
    shares = [(part.hits / part.n - part.q) / (part.p - part.q) for part in parts]
    return float(_fractions(parts, weights) @ np.array(shares))


def pooled_error(parts: Sequence[Part], weights: Floats | None = None) -> float:
    """The estimated standard error of the pooled share; divisor n in each part."""
    variances = [part.hits * (part.n - part.hits) / part.n**3 / (part.p - part.q) ** 2 for part in parts]
    return math.sqrt(float(_fractions(parts, weights) ** 2 @ np.array(variances)))


def pooled_spread(parts: Sequence[Part], g: float = 1.0, weights: Floats | None = None) -> Spread:
    """Var(pooled share) as a function of the share: a weighted sum of quadratics is a quadratic."""
    shares = _fractions(parts, weights)
    spreads = [spread_of(part.n, part.p, part.q, g) for part in parts]
    return Spread(*(float(shares**2 @ np.array(column)) for column in zip(*spreads, strict=True)))


def pooled_interval(parts: Sequence[Part], level: float = 0.95, g: float = 1.0) -> Interval:
    """The interval of one pooled share; of one part: `share_interval`.

    Law: the score interval with the pooled variance. Where it leaves [0, 1] no one binomial can be ordered:
    there, the shares in [0, 1] whose joint likelihood is at least exp(-z^2/2) of the largest in [0, 1].
    Where no part alone has counts enough for a steady coverage: the hull of both.
    A bound only lowers the largest likelihood, so near it this accepts more than the level asks for;
    it is never empty. Both are large-sample laws (n >= 50 in a version).
    """
    if not parts:
        return NOTHING
    if len(parts) == 1:
        return share_interval(*parts[0], level, g)
    z = normal_quantile(level)
    ends = score_ends(pooled_share(parts), pooled_spread(parts, g), z)
    if ends and ends[0] >= 0 and ends[1] <= 1:
        score = Interval(*ends, "score")
        steady = g < 1 or any(coverage_is_steady(part.hits, part.n, z) for part in parts)
        return score if steady else score.hull(likelihood_interval(parts, level))
    if ends and g < 1 and ends[0] < 1 and ends[1] > 0:
        return Interval(max(ends[0], 0.0), min(ends[1], 1.0), "score-clipped")
    return likelihood_interval(parts, level)


def likelihood_interval(parts: Sequence[Part], level: float = 0.95) -> Interval:
    """All shares in [0, 1] that the likelihood-ratio test does not reject; never empty."""
    best = _first(lambda share: _score(parts, share) <= 0, 0.0, 1.0)
    least = _likelihood(parts, best) - normal_quantile(level) ** 2 / 2

    def accepted(share: float) -> bool:
        return _likelihood(parts, share) >= least

    low = 0.0 if accepted(0.0) else _first(accepted, 0.0, best) - _STEP
    high = 1.0 if accepted(1.0) else _first(lambda share: not accepted(share), best, 1.0)
    return Interval(max(0.0, low), min(1.0, high), "likelihood-ratio")


def pooled_maximum_likelihood(groups: Sequence[Group]) -> list[float]:
    """The shares inside the simplex that maximise the joint likelihood; of one group in closed form, else by EM."""
    if len(groups) == 1:
        return [float(share) for share in maximum_likelihood(groups[0].counts, groups[0].support)]
    matrix = np.vstack([channel_matrix(group.support) for group in groups])
    shares = expectation_maximisation(matrix, [count for group in groups for count in group.counts])
    return [float(share) for share in shares]


def channel_matrix(support: Support) -> Floats:
    """P[report | truth] of a k-ary channel, rows by report."""
    p, q = support.rates
    matrix = np.full((support.choices, support.choices), q)
    np.fill_diagonal(matrix, p)
    return matrix


def _fractions(parts: Sequence[Part], weights: Floats | None) -> Floats:
    return design_weights(parts) if weights is None else np.divide(weights, np.sum(weights))


def _likelihood(parts: Sequence[Part], share: float) -> float:
    total = 0.0
    for count, n, p, q in parts:
        rate = q + (p - q) * share
        for times, chance in ((count, rate), (n - count, 1 - rate)):
            if times and chance <= 0:
                return -math.inf
            total += times * math.log(chance) if times else 0.0
    return total


def _score(parts: Sequence[Part], share: float) -> float:
    """The slope of the log-likelihood; it falls as the share rises."""
    total = 0.0
    for count, n, p, q in parts:
        rate = min(1 - 1e-15, max(1e-15, q + (p - q) * share))
        total += (p - q) * (count / rate - (n - count) / (1 - rate))
    return total


def _first(claim: Callable[[float], bool], low: float, high: float) -> float:
    """A point at most one step beyond where the claim begins to hold (high, when it never does)."""
    while high - low > _STEP:
        middle = (low + high) / 2
        low, high = (low, middle) if claim(middle) else (middle, high)
    return high

"""Intervals for the share of one answer, taken through the channel that randomised it."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal, NamedTuple

from scipy.special import betainc, betaincc, betaincinv, ndtri

Method = Literal[
    "score",
    "score-clipped",
    "feldman-cousins",
    "clopper-pearson",
    "likelihood-ratio",
    "fieller",
    "bounds",
    "none",
]

# Two orders closer than this are a tie, not a preference: they differ only by the rounding of logarithms.
_TIE = 1e-9
_STEP = 1e-7  # a tenth of the 1e-6 that is promised, because the channel stretches ends by 1/(p - q)
_OUTWARD = 1e-9  # more than a float loses on the way from a rate to a share
_NEIGHBOURS = 6  # acceptance sets looked at beyond the one that bisection finds
_LEAP = 0.005  # one count more or less at an end may change the coverage of a score interval by this much


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval for a share; `0 <= low <= high <= 1`."""

    low: float
    high: float
    method: Method

    def hull(self, other: "Interval") -> "Interval":
        """The smallest interval around both, under the name of this one."""
        return Interval(min(self.low, other.low), max(self.high, other.high), self.method)

    def complement(self) -> "Interval":
        """The interval for everybody who would give another answer."""
        return Interval(1 - self.high, 1 - self.low, self.method)


class Spread(NamedTuple):
    """The variance of an unbiased estimate as a function of the share: base + slope*share - bend*share^2."""

    base: float
    slope: float
    bend: float

    def at(self, share: float) -> float:
        """The variance when the true share is `share`."""
        return self.base + self.slope * share - self.bend * share * share


NOTHING = Interval(0.0, 1.0, "none")  # no report, or a channel that tells nothing: every share is possible


def normal_quantile(level: float) -> float:
    """z of a two-sided interval: 1.96 at 95 %."""
    return float(ndtri((1 + level) / 2))


def sampling_part(n: int, population: int | None = None, respondents: bool = False) -> float:
    """g, how much of the sampling error counts: 1 for a population, 1 - n/N for a finite one, 0 for these people."""
    if respondents:
        return 0.0
    return 1.0 if population is None else max(0.0, 1 - n / population)


def spread_of(n: int, p: float, q: float, g: float = 1.0) -> Spread:
    """Var(estimate) of n reports, p and q being the chances to support the answer when it is true and when not."""
    delta = p - q
    return Spread(q * (1 - q) / delta**2 / n, ((1 - p - q) / delta + g) / n, g / n)


def score_ends(estimate: float, spread: Spread, z: float) -> tuple[float, float] | None:
    """All shares u with (estimate - u)^2 <= z^2 Var(u), before any clipping; None when there are none."""
    square = 1 + z * z * spread.bend
    middle = estimate + z * z * spread.slope / 2
    root = middle * middle - square * (estimate * estimate - z * z * spread.base)
    if root < 0:
        return None
    return (middle - math.sqrt(root)) / square, (middle + math.sqrt(root)) / square


def share_interval(count: int, n: int, p: float, q: float, level: float = 0.95, g: float = 1.0) -> Interval:
    """The interval of one share from `count` supporting reports of n.

    Law: the score interval, which is Wilson's mapped through the channel when g = 1. Where it leaves
    [0, 1], or where counts are so few that its coverage wavers, Feldman and Cousins' ordering of the
    exact binomial. For g < 1 there is no such binomial: the score interval is clipped, and where
    nothing of it is left inside, the interval of a population (g = 1), which is wider, stands in.
    Source: Wilson 1927; Feldman and Cousins 1998.
    """
    if n == 0 or p == q:
        return NOTHING
    z = normal_quantile(level)
    ends = score_ends((count / n - q) / (p - q), spread_of(n, p, q, g), z)
    if ends and ends[0] >= 0 and ends[1] <= 1 and (g < 1 or coverage_is_steady(count, n, z)):
        return Interval(*ends, "score")
    if ends and g < 1 and ends[0] < 1 and ends[1] > 0:
        return Interval(max(ends[0], 0.0), min(ends[1], 1.0), "score-clipped")
    return feldman_cousins(count, n, p, q, level)


def coverage_is_steady(count: int, n: int, z: float) -> bool:
    """Say whether one count more or less at an end of a score interval changes its coverage by half a point at most."""
    # A binomial's probability of the one count at an end of the interval is about phi(z) / sd(count).
    density = math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
    return density**2 <= _LEAP**2 * count * (n - count) / n


def simultaneous_interval(
    count: int, n: int, p: float, q: float, answers: int, level: float = 0.95
) -> Interval:
    """An interval that holds together with those of the other answers of the question.

    Law: Clopper-Pearson at (1 - level)/answers, mapped through the channel and cut to [0, 1]. It is
    never narrower than the interval of the answer alone. Source: Clopper and Pearson 1934; Bonferroni.
    """
    if n == 0 or p == q:
        return NOTHING
    ends = [(end - q) / (p - q) for end in clopper_pearson(count, n, 1 - (1 - level) / answers)]
    low, high = (min(1.0, max(0.0, end)) for end in sorted(ends))
    return Interval(low, high, "clopper-pearson").hull(share_interval(count, n, p, q, level))


def clopper_pearson(count: int, n: int, level: float) -> tuple[float, float]:
    """The exact equal-tailed interval of a binomial proportion."""
    tail = (1 - level) / 2
    low = float(betaincinv(count, n - count + 1, tail)) if count else 0.0
    high = float(betaincinv(count + 1, n - count, 1 - tail)) if count < n else 1.0
    return low, high


def feldman_cousins(count: int, n: int, p: float, q: float, level: float = 0.95) -> Interval:
    """The hull of all shares that the likelihood-ratio ordering inside [0, 1] accepts for `count`.

    Law: a share is accepted iff the counts y with R(y) > R(count) have probability < level, where
    R(y) = ln P(y | share) - ln P(y | best share in [0, 1] for y). Never empty: the best share has R = 0.
    Errors: ends to 1e-6, on the outer side. Source: Feldman and Cousins 1998.
    """
    low, high = min(p, q), max(p, q)
    top = _upper_end(count, n, low, high, 1 - level)
    bottom = 1 - _upper_end(n - count, n, 1 - high, 1 - low, 1 - level)
    ends = sorted((end - q) / (p - q) for end in (bottom, top))
    return Interval(max(0.0, ends[0] - _OUTWARD), min(1.0, ends[1] + _OUTWARD), "feldman-cousins")


def _upper_end(x: int, n: int, low: float, high: float, alpha: float) -> float:
    """The largest accepted rate of supporting reports; rates lie in [low, high].

    Above the best rate of x, the counts that beat x are x < y < other, where other is the first count
    whose R is again as small. R(other) = R(x) happens at one rate, in closed form, because
    R(y) - R(x) is linear in the log odds of the rate; between two such rates the set stands still and
    its probability first rises, then falls: the hull ends at such a rate or at one crossing before it.
    """
    if x >= n * high:
        return high
    best = max(low, x / n)
    first = max(x + 1, math.floor(n * low))

    def edge(other: int) -> float:
        return best if other < first else min(high, max(best, _equal_rate(x, other, n, low, high)))

    def beaten(other: int, rate: float) -> bool:
        return _at_most(x, n, rate) + _at_least(other, n, rate) <= alpha

    last = _last_true(lambda other: edge(other - 1) < high and not beaten(other, edge(other)), first, n + 1)
    for other in range(min(n + 1, last + _NEIGHBOURS), first - 1, -1):
        left, right = edge(other - 1), edge(other)
        if left < high and not beaten(other, right):
            return right
        if left < high and not beaten(other, left):
            return _crossing(partial(beaten, other), left, right, _STEP * (high - low))
    return best


def _equal_rate(x: int, other: int, n: int, low: float, high: float) -> float:
    """The rate up to which `other` does not beat x."""
    if other > n:
        return 1.0
    odds = _log_odds_gained(x, other, n, low, high) + _TIE / (other - x)
    return 1 / (1 + math.exp(-odds)) if odds > -700 else 0.0


def _log_odds_gained(x: int, other: int, n: int, low: float, high: float) -> float:
    """The difference of ln P(y | its best rate in [low, high]) between y = other and y = x, for each count of it.

    Binomial coefficients are left out.
    """
    best, rate = (min(high, max(low, y / n)) for y in (x, other))
    gained = x * math.log1p((rate - best) / best) if x else 0.0
    if rate == 1:
        return (gained - ((n - x) * math.log1p(-best))) / (other - x)
    # Two logarithms of likelihoods would lose at large n what their difference is about.
    gained += (n - x) * math.log1p(-(rate - best) / (1 - best))
    return gained / (other - x) + math.log(rate) - math.log1p(-rate)


def _at_most(x: int, n: int, rate: float) -> float:
    # Not scipy's bdtr, which takes n as 32 bits and answers nan beyond.
    return float(betaincc(x + 1, n - x, rate))


def _at_least(other: int, n: int, rate: float) -> float:
    return float(betainc(other, n - other + 1, rate)) if other <= n else 0.0


def _last_true(claim: Callable[[int], bool], low: int, high: int) -> int:
    """The last integer of [low, high] for which the claim holds; it holds up to there."""
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if claim(middle) else (low, middle - 1)
    return low


def _crossing(beaten: Callable[[float], bool], left: float, right: float, step: float) -> float:
    """A point right of the last one that is not beaten, by at most `step`."""
    while right - left > step:
        middle = (left + right) / 2
        left, right = (left, middle) if beaten(middle) else (middle, right)
    return right

"""Exact laws of counts, so that coverage is computed and not sampled."""

import math
from collections.abc import Callable

import numpy as np
from scipy.stats import binom

from privacy.estimation.intervals import Interval

Maker = Callable[[int, int, float, float], Interval]

NEGLIGIBLE = 1e-12  # counts less likely than this are counted as missed


def spinner_rates(epsilon: float, choices: int) -> tuple[float, float]:
    """p and q of a spinner with an unrounded wheel."""
    power = math.exp(epsilon)
    return power / (power + choices - 1), 1 / (power + choices - 1)


def coverage(make: Maker, n: int, p: float, q: float, share: float) -> float:
    """The exact probability that the interval of a binomial count holds the true share."""
    law = binom.pmf(np.arange(n + 1), n, q + (p - q) * share)
    covered = 0.0
    for count in np.flatnonzero(law > NEGLIGIBLE):
        interval = make(int(count), n, p, q)
        covered += law[count] * (interval.low <= share <= interval.high)
    return covered


def wald(count: int, n: int, p: float, q: float) -> Interval:
    """The control: estimate plus and minus 1.96 standard errors."""
    share = (count / n - q) / (p - q)
    error = 1.96 * math.sqrt(count / n * (1 - count / n) / n) / abs(p - q)
    return Interval(share - error, share + error, "none")


def clipped_wald(count: int, n: int, p: float, q: float) -> Interval:
    """The control that a page would show: estimate and ends cut to [0, 1], the error around what is shown."""
    share = min(1.0, max(0.0, (count / n - q) / (p - q)))
    rate = q + (p - q) * share
    error = 1.96 * math.sqrt(rate * (1 - rate) / n) / abs(p - q)
    return Interval(max(0.0, share - error), min(1.0, share + error), "none")


def clipped_score(count: int, n: int, p: float, q: float) -> Interval:
    """The naive clip: Wilson's ends through the channel, cut to [0, 1]; it can shrink to a point."""
    rate, z2 = count / n, 1.96**2
    middle, half = rate + z2 / 2 / n, 1.96 * math.sqrt(rate * (1 - rate) / n + z2 / 4 / n**2)
    ends = sorted(((middle + sign * half) / (1 + z2 / n) - q) / (p - q) for sign in (-1, 1))
    return Interval(*(min(1.0, max(0.0, end)) for end in ends), "none")

"""Shares among those who were asked: "no answer", the last answer of a question, is left out."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from privacy.estimation.debias import Support, observed_shares
from privacy.estimation.intervals import Interval, Spread, normal_quantile, score_ends, share_interval
from privacy.estimation.simplex import maximum_likelihood


@dataclass(frozen=True, slots=True)
class AskedShare:
    """The share of one answer among those who gave any."""

    unbiased: float
    standard_error: float
    interval: Interval
    maximum_likelihood: float


def shares_among_asked(counts: Sequence[int], support: Support, level: float = 0.95) -> list[AskedShare] | None:
    """The share of every answer but the last among those who gave one; None when too few were asked to say.

    Law: R = share/(1 - silent share), by the delta method; Fieller's interval, with the variance under
    the ratio that is tried, within [0, 1]. Where that leaves nothing, the bounds of both shares at half
    the error each, which hold together.
    Too few: the share of those asked cannot be told from zero (Fieller's set would be unbounded).
    Source: Fieller 1954.
    """
    n, z = sum(counts), normal_quantile(level)
    if n == 0:
        return None
    observed = observed_shares(counts)
    p, q = support.rates
    silent = float(observed[-1])
    asked = (p - silent) / (p - q)
    if asked <= z * math.sqrt(silent * (1 - silent) / n) / (p - q):
        return None
    best = maximum_likelihood(counts, support)
    return [
        _asked_share(counts, answer, support, level, float(best[answer] / (1 - best[-1])))
        for answer in range(support.choices - 1)
    ]


def _asked_share(counts: Sequence[int], answer: int, support: Support, level: float, best: float) -> AskedShare:
    n, (p, q) = sum(counts), support.rates
    given, silent = counts[answer] / n, counts[-1] / n
    ratio = (given - q) / (p - silent)
    # The covariance of two observed shares is negative.
    variance = given * (1 - given) + ratio**2 * silent * (1 - silent) - 2 * ratio * given * silent
    error = math.sqrt(max(0.0, variance) / n) / (p - silent)
    ends = score_ends(ratio, _spread_of_ratio(n, p, q, silent), normal_quantile(level))
    return AskedShare(ratio, error, _within(ends, counts, answer, (p, q), level), best)


def _spread_of_ratio(n: int, p: float, q: float, silent: float) -> Spread:
    """Var(share - R asked)/asked^2 with the answer's observed share at its expectation under R.

    With the observed share itself the coverage at n = 50 falls to 92 %, as Wald's does beside Wilson's.
    """
    rise = p - silent  # the expected observed share is q + rise R
    scale = n * rise**2
    return Spread(
        q * (1 - q) / scale,
        (rise * (1 - 2 * q) - 2 * q * silent) / scale,
        (rise**2 + 2 * rise * silent - silent * (1 - silent)) / scale,
    )


def _within(
    ends: tuple[float, float] | None, counts: Sequence[int], answer: int, rates: tuple[float, float], level: float
) -> Interval:
    if ends and ends[0] < 1 and ends[1] > 0:
        return Interval(max(0.0, ends[0]), min(1.0, ends[1]), "fieller")
    n, half = sum(counts), (1 + level) / 2
    share = share_interval(counts[answer], n, *rates, half)
    asked = share_interval(counts[-1], n, *rates, half).complement()
    return Interval(
        share.low / asked.high if asked.high else 0.0,
        min(1.0, share.high / asked.low) if asked.low else 1.0,
        "bounds",
    )

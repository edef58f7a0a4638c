"""Shares among those who were asked: "no answer", the last answer of a question, is left out."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from privacy.estimation.intervals import Interval, Spread, normal_quantile, score_ends
from privacy.estimation.pooling import (
    Group,
    Part,
    pooled_error,
    pooled_interval,
    pooled_share,
)


@dataclass(frozen=True, slots=True)
class AskedShare:
    """The share of one answer among those who gave any."""

    unbiased: float
    standard_error: float
    interval: Interval
    simultaneous: Interval
    maximum_likelihood: float


def shares_among_asked(
    groups: Sequence[Group], best: Sequence[float], level: float = 0.95
) -> list[AskedShare] | None:
    """The share of every answer but the last among those who gave one; None when too few were asked to say.

    `groups` are the reports, one group a channel; `best` the maximum-likelihood shares of all answers.
    Law: R = share/(1 - silent share), by the delta method; Fieller's interval, with the variance under
    the ratio that is tried, within [0, 1]. Where that leaves nothing, the bounds of both shares at half
    the error each, which hold together. Simultaneous: the same at a part of the error for each answer
    (Bonferroni); two answers share one interval.
    Too few: the share of those asked cannot be told from zero (Fieller's set would be unbounded).
    Source: Fieller 1954.
    """
    if not groups:
        return None
    silent = [group.part(-1) for group in groups]
    if not _told_from_zero(silent, level) or best[-1] == 1:
        return None
    listed = len(best) - 1
    # Two answers share one interval; of more, each takes its part of the error.
    levels = (level, level if listed == 2 else 1 - (1 - level) / listed)
    return [
        _asked_share([group.part(answer) for group in groups], silent, levels, best[answer] / (1 - best[-1]))
        for answer in range(listed)
    ]


def one_liar_among_asked(groups: Sequence[Group]) -> float | None:
    """How far one report can move a share among those asked, whatever it was and whatever it becomes.

    Law: with share = R asked, the largest |R' - R| over one report of the answer more or fewer, and of
    silence more or fewer; about 1/(n delta asked). None where one report could leave nobody asked.
    """
    total = sum(group.n * float(group.support.delta) ** 2 for group in groups)
    step = max(float(group.support.delta) for group in groups) / total
    silent = [group.part(-1) for group in groups]
    asked = 1 - pooled_share(silent)
    if asked <= step:
        return None
    shares = [pooled_share([group.part(a) for group in groups]) for a in range(groups[0].support.choices - 1)]
    return max(abs(moved - share / asked) for share in shares for moved in _moved(share, asked, step))


def _moved(share: float, asked: float, step: float) -> list[float]:
    # From and to: another answer, the answer itself, silence.
    moves = [(step, 0.0), (-step, 0.0), (step, step), (-step, -step), (0.0, step), (0.0, -step)]
    return [(share + up) / (asked + more) for up, more in moves]


def _told_from_zero(silent: Sequence[Part], level: float) -> bool:
    return 1 - pooled_share(silent) > normal_quantile(level) * pooled_error(silent)


def _asked_share(
    answer: Sequence[Part], silent: Sequence[Part], levels: tuple[float, float], best: float
) -> AskedShare:
    asked = 1 - pooled_share(silent)
    ratio = pooled_share(answer) / asked
    alone, together = (_interval(answer, silent, ratio, level) for level in levels)
    error = _error(answer, silent, ratio) / asked
    return AskedShare(ratio, error, alone, together.hull(alone), best)


def _interval(answer: Sequence[Part], silent: Sequence[Part], ratio: float, level: float) -> Interval:
    asked = 1 - pooled_share(silent)
    # At a higher level than the one that let the share be shown, Fieller's set may be unbounded.
    bounded = _told_from_zero(silent, level)
    ends = score_ends(ratio, _spread_of_ratio(silent, asked), normal_quantile(level)) if bounded else None
    return _within(ends, answer, silent, level)


def _error(answer: Sequence[Part], silent: Sequence[Part], ratio: float) -> float:
    """The standard error of share - R asked."""
    variance = 0.0
    for weight, given, quiet in zip(_squares(answer), answer, silent, strict=True):
        a, s = given.hits / given.n, quiet.hits / quiet.n
        # The covariance of two observed shares is negative.
        variance += weight * (a * (1 - a) + ratio**2 * s * (1 - s) - 2 * ratio * a * s)
    return math.sqrt(max(0.0, variance))


def _spread_of_ratio(silent: Sequence[Part], asked: float) -> Spread:
    """Var(share - R asked)/asked^2 with the answer's observed share at its expectation under R.

    With the observed share itself the coverage at n = 50 falls to 92 %, as Wald's does beside Wilson's.
    """
    base = slope = bend = 0.0
    for weight, (hits, n, p, q) in zip(_squares(silent), silent, strict=True):
        s, rise = hits / n, (p - q) * asked  # the expected observed share is q + rise R
        base += weight * q * (1 - q)
        slope += weight * (rise * (1 - 2 * q) - 2 * q * s)
        bend += weight * (rise**2 + 2 * rise * s - s * (1 - s))
    return Spread(base / asked**2, slope / asked**2, bend / asked**2)


def _squares(parts: Sequence[Part]) -> list[float]:
    """What each part's variance of an observed share counts in the variance of the pooled one."""
    scale = [part.n * (part.p - part.q) ** 2 for part in parts]
    # w^2 / scale with w = scale / total.
    return [size / sum(scale) ** 2 for size in scale]


def _within(
    ends: tuple[float, float] | None, answer: Sequence[Part], silent: Sequence[Part], level: float
) -> Interval:
    if ends and ends[0] < 1 and ends[1] > 0:
        return Interval(max(0.0, ends[0]), min(1.0, ends[1]), "fieller")
    half = (1 + level) / 2
    share, asked = pooled_interval(answer, half), pooled_interval(silent, half).complement()
    return Interval(
        min(1.0, share.low / asked.high) if asked.high else 0.0,
        min(1.0, share.high / asked.low) if asked.low else 1.0,
        "bounds",
    )

"""Intervals for the shares of a channel without symmetry, by the profile of its likelihood."""

from collections.abc import Callable, Sequence

import numpy as np

from privacy.estimation.debias import Floats
from privacy.estimation.intervals import Interval, normal_quantile
from privacy.estimation.simplex import expectation_maximisation, log_likelihood

_STEP = 1e-7
_ROUNDS = 5_000


def profile_intervals(matrix: Floats, counts: Sequence[int], level: float = 0.95) -> list[Interval]:
    """For each truth, the shares that some shares of the others make likely enough; rows of P are reports.

    Law: a share is accepted iff the largest likelihood with it is at least exp(-z^2/2) of the largest of
    all. Both maxima are inside the simplex, so an interval is never empty; a large-sample law that
    accepts too much, not too little, near the bounds. Source: van den Hout and van der Heijden 2002.
    """
    best = expectation_maximisation(matrix, counts)
    least = log_likelihood(matrix, counts, best) - normal_quantile(level) ** 2 / 2
    return [_interval(matrix, counts, best, truth, least) for truth in range(matrix.shape[1])]


def _interval(matrix: Floats, counts: Sequence[int], best: Floats, truth: int, least: float) -> Interval:
    def accepted(share: float) -> bool:
        return _reaches(matrix, np.asarray(counts, dtype=np.float64), best, truth, share, least)

    middle = float(best[truth])
    return Interval(_outermost(accepted, middle, 0.0), _outermost(accepted, middle, 1.0), "likelihood-ratio")


def _outermost(accepted: Callable[[float], bool], inside: float, outside: float) -> float:
    """The last accepted share on the way to `outside`, or at most one step beyond it."""
    if accepted(outside):
        return outside
    while abs(outside - inside) > _STEP:
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if accepted(middle) else (inside, middle)
    return outside


def _reaches(matrix: Floats, weights: Floats, best: Floats, truth: int, share: float, least: float) -> bool:
    """Whether the likelihood reaches `least` with this share held: EM over the others until that is proved."""
    others = np.arange(len(best)) != truth
    shares = np.where(others, np.maximum(best, 1e-6), 0.0)
    shares *= (1 - share) / shares.sum()
    shares[truth] = share
    for _ in range(_ROUNDS):
        reached = log_likelihood(matrix, weights, shares)
        if reached >= least:
            return True
        expected = matrix @ shares
        ratios = np.divide(weights, expected, out=np.zeros_like(weights), where=weights > 0)
        gradient = np.where(others, ratios @ matrix, 0.0)
        # Concave: no shares of the others can climb by more than this.
        if reached + (1 - share) * gradient.max() - gradient @ shares < least:
            return False
        moved = shares * gradient
        if moved.sum() <= 0:
            return False
        shares = moved * (1 - share) / moved.sum()
        shares[truth] = share
    return True

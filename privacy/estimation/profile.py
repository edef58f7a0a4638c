"""Intervals for the shares of a channel without symmetry, by the profile of its likelihood."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from privacy.estimation.debias import Floats
from privacy.estimation.intervals import Interval, normal_quantile
from privacy.estimation.simplex import expectation_maximisation, gradient, log_likelihood

_STEP = 1e-7
_ROUNDS = 5_000


def profile_intervals(matrix: Floats, counts: Sequence[int], level: float = 0.95) -> list[Interval]:
    """For each truth, the shares that some shares of the others make likely enough; rows of P are reports.

    Law: a share is accepted iff the largest likelihood with it is at least exp(-z^2/2) of the largest of
    all. Both maxima are inside the simplex, so an interval is never empty; a large-sample law that
    accepts too much, not too little, near the bounds. Source: van den Hout and van der Heijden 2002.
    """
    test = ProfileTest.of(matrix, counts, level)
    return [
        Interval(
            _outermost(partial(test.accepts, truth), float(share), 0.0),
            _outermost(partial(test.accepts, truth), float(share), 1.0),
            "likelihood-ratio",
        )
        for truth, share in enumerate(test.best)
    ]


@dataclass(frozen=True, slots=True)
class ProfileTest:
    """Which shares of one truth are likely enough, whatever the others are."""

    matrix: Floats
    weights: Floats
    best: Floats
    least: float  # of the log-likelihood

    @classmethod
    def of(cls, matrix: Floats, counts: Sequence[int], level: float) -> "ProfileTest":
        """The likelihood-ratio test at this level."""
        best = expectation_maximisation(matrix, counts)
        least = log_likelihood(matrix, counts, best) - normal_quantile(level) ** 2 / 2
        return cls(matrix, np.asarray(counts, dtype=np.float64), best, least)

    def accepts(self, truth: int, share: float) -> bool:
        """Whether the likelihood is high enough with this share held: EM over the others until that is proved."""
        others = np.arange(len(self.best)) != truth
        shares = np.where(others, np.maximum(self.best, 1e-6), 0.0)
        shares *= (1 - share) / shares.sum()
        shares[truth] = share
        for _ in range(_ROUNDS):
            reached = log_likelihood(self.matrix, self.weights, shares)
            if reached >= self.least:
                return True
            slopes = np.where(others, gradient(self.matrix, self.weights, shares), 0.0)
            # Concave: no shares of the others can climb by more than this.
            if reached + (1 - share) * slopes.max() - slopes @ shares < self.least:
                return False
            moved = shares * slopes
            shares = moved * (1 - share) / moved.sum() if moved.any() else moved
            shares[truth] = share
        return True


def _outermost(accepted: Callable[[float], bool], inside: float, outside: float) -> float:
    """The last accepted share on the way to `outside`, or at most one step beyond it."""
    if accepted(outside):
        return outside
    while abs(outside - inside) > _STEP:
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if accepted(middle) else (inside, middle)
    return outside

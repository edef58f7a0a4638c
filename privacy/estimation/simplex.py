"""Maximum-likelihood shares: the best ones that are shares at all, none negative, adding up to one."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from privacy.estimation.debias import Floats, Support

_GAP = 1e-8  # how far, in log-likelihood, EM may stop below the maximum
_SHORT = 1e-6
_NOISE = 1e-14  # of a sum over n reports
_ROUNDS = 20_000


def maximum_likelihood(counts: Sequence[int], support: Support) -> list[Fraction]:
    """The maximum-likelihood shares of a k-ary channel, exactly; of no reports: all alike.

    Law: keep all answers; while the smallest kept count c has q s > (1 - D q) c, where s is the sum of
    the kept counts and D the number of dropped answers, drop it. A kept share is ((1 - D q) c/s - q)/delta.
    Errors: none, all steps are exact. O(k log k).
    """
    n, k, q = sum(counts), support.choices, support.q
    if n == 0:
        return [Fraction(1, k)] * k
    order = sorted(range(k), key=counts.__getitem__)
    dropped, kept_sum = 0, n
    # In integers, because fractions are slow: q = above/below.
    above, below = q.numerator, q.denominator
    while above * kept_sum > (below - dropped * above) * counts[order[dropped]]:
        kept_sum -= counts[order[dropped]]
        dropped += 1
    shares = [Fraction(0)] * k
    for answer in order[dropped:]:
        shares[answer] = ((1 - dropped * q) * counts[answer] / kept_sum - q) / support.delta
    return shares


def expectation_maximisation(matrix: Floats, counts: Sequence[int], gap: float = _GAP) -> Floats:
    """The maximum-likelihood shares of any channel P[report | truth], rows by report.

    Errors: the log-likelihood is within `gap` of its maximum (`likelihood_gap` is a proof), unless the
    channel is so flat that the rounds run out. Source: Dempster, Laird and Rubin 1977; squared steps
    after Varadhan and Roland 2008.
    """
    weights = np.asarray(counts, dtype=np.float64)
    shares = np.full(matrix.shape[1], 1 / matrix.shape[1])
    if not weights.any():
        return shares
    for _ in range(_ROUNDS):
        once = _step(matrix, weights, shares)
        if likelihood_gap(matrix, weights, once) <= gap + _NOISE * weights.sum():
            return once
        shares = _leap(matrix, weights, shares, once)
    return shares


def log_likelihood(matrix: Floats, counts: Floats | Sequence[int], shares: Floats) -> float:
    """The log-likelihood of the shares, without its constant; minus infinity when a seen report is impossible."""
    weights = np.asarray(counts, dtype=np.float64)
    seen = weights > 0
    with np.errstate(divide="ignore"):
        return float(weights[seen] @ np.log((matrix @ shares)[seen]))


def likelihood_gap(matrix: Floats, counts: Floats | Sequence[int], shares: Floats) -> float:
    """A bound on how far the log-likelihood of the shares lies below its maximum over the simplex.

    Law: the log-likelihood is concave and its gradient times the shares is n, so the maximum exceeds
    this point by at most the largest gradient minus n. Zero is Karush, Kuhn and Tucker's condition.
    """
    weights = np.asarray(counts, dtype=np.float64)
    return float((gradient(matrix, weights, shares)).max() - weights.sum())


def gradient(matrix: Floats, weights: Floats, shares: Floats) -> Floats:
    """How fast the log-likelihood rises with each share."""
    expected = matrix @ shares
    ratios = np.divide(weights, expected, out=np.zeros_like(weights), where=weights > 0)
    return ratios @ matrix


def _step(matrix: Floats, weights: Floats, shares: Floats) -> Floats:
    stepped: Floats = shares * gradient(matrix, weights, shares) / weights.sum()
    return stepped


def _leap(matrix: Floats, weights: Floats, start: Floats, once: Floats) -> Floats:
    """One squared step: two steps of EM, prolonged along their direction where that is no worse."""
    twice = _step(matrix, weights, once)
    first, bend = once - start, twice - 2 * once + start
    size = float(np.linalg.norm(bend))
    if size == 0:
        return twice
    length = float(np.linalg.norm(first)) / size
    if length <= 1:
        return twice
    # A share of zero would stay zero for ever, so a leap that goes beyond stops short of it.
    far = np.maximum(start + 2 * length * first + length * length * bend, _SHORT * twice)
    far = _step(matrix, weights, far / far.sum())
    better = log_likelihood(matrix, weights, far) >= log_likelihood(matrix, weights, twice)
    return far if better else twice

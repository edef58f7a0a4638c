"""Unbiased shares: counts of reports taken back through the channel that made them."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from privacy.errors import PrivacyError
from privacy.mechanisms.catalogue import Mechanism
from privacy.mechanisms.every_box import EveryBox
from privacy.mechanisms.one_box import OneBox
from privacy.mechanisms.spinner import Spinner

Floats = NDArray[np.float64]


class EstimationError(PrivacyError):
    """Something that cannot be estimated was asked for."""

    code = "estimation"


class CountsMalformed(EstimationError):
    """Counts are not whole numbers, one for each answer."""

    code = "counts-malformed"

    def __init__(self, why: str) -> None:
        super().__init__(f"not counts of this question: {why}")
        self.why = why


class ChannelTellsNothing(EstimationError):
    """Reports are equally likely under different truths, so no count says anything about the shares."""

    code = "channel-tells-nothing"

    def __init__(self) -> None:
        super().__init__("the channel cannot be inverted: its reports do not depend on the truth")


@dataclass(frozen=True, slots=True)
class Support:
    """How often a report supports an answer of a k-ary channel: p when it is true, q when another one is; p > q."""

    p: Fraction
    q: Fraction
    choices: int

    def __post_init__(self) -> None:
        if self.p <= self.q:
            raise ChannelTellsNothing

    @classmethod
    def of(cls, mechanism: Mechanism) -> "Support":
        """Read p and q off the integers of the mechanism (of one box, for the box mechanisms)."""
        if isinstance(mechanism, OneBox | EveryBox):
            mechanism = mechanism.spinner
        k = mechanism.choices
        if isinstance(mechanism, Spinner):
            p = Fraction(mechanism.num, 1 << mechanism.digits)
            return cls(p, (1 - p) / (k - 1), k)
        width = mechanism.digits if hasattr(mechanism, "digits") else mechanism.tosses
        delta = Fraction(mechanism.num, 1 << width)
        return cls(delta + (1 - delta) / k, (1 - delta) / k, k)

    @property
    def delta(self) -> Fraction:
        """How much more often the truth is supported than anything else; an estimate's error is 1/delta larger."""
        return self.p - self.q

    @property
    def rates(self) -> tuple[float, float]:
        """p and q as floats."""
        return float(self.p), float(self.q)


def checked_counts(counts: Sequence[int], cells: int) -> list[int]:
    """Return the counts as Python integers, or refuse them."""
    if len(counts) != cells:
        raise CountsMalformed(f"{len(counts)} counts where {cells} are expected")
    whole = [int(count) for count in counts]
    if any(count < 0 or count != given for count, given in zip(whole, counts, strict=True)):
        raise CountsMalformed("a count is a whole number, not negative")
    return whole


def observed_shares(counts: Sequence[int]) -> Floats:
    """The shares of the reports themselves; of no reports: all zero."""
    array = np.asarray(counts, dtype=np.float64)
    return np.divide(array, max(1.0, array.sum()))


def unbiased_shares(counts: Sequence[int], support: Support) -> Floats:
    """Shares whose expectation is the truth; they add up to one and may leave [0, 1].

    Law: (observed - q)/(p - q), the inverse of a k-ary channel (rank one plus diagonal: no matrix is built).
    """
    p, q = support.rates
    return (observed_shares(counts) - q) / (p - q)


def standard_errors(counts: Sequence[int], support: Support) -> Floats:
    """The estimated standard error of each unbiased share: sqrt(l(1 - l)/(n delta^2)), divisor n."""
    observed = observed_shares(counts)
    return np.sqrt(observed * (1 - observed) / max(1, sum(counts))) / abs(float(support.delta))


def covariance(counts: Sequence[int], support: Support) -> Floats:
    """The estimated covariance of the unbiased shares of a k-ary channel."""
    return multinomial_covariance(observed_shares(counts), max(1, sum(counts))) / float(support.delta) ** 2


def multinomial_covariance(observed: Floats, n: int) -> Floats:
    """The covariance of the observed shares of n reports."""
    return (np.diag(observed) - np.outer(observed, observed)) / n


def invert(matrix: Floats, counts: Sequence[int]) -> tuple[Floats, Floats]:
    """Unbiased shares and their covariance through any square channel P[report | truth], rows by report."""
    if np.linalg.matrix_rank(matrix) < matrix.shape[1]:
        raise ChannelTellsNothing
    back = np.linalg.inv(matrix)
    observed = observed_shares(counts)
    return back @ observed, back @ multinomial_covariance(observed, max(1, sum(counts))) @ back.T

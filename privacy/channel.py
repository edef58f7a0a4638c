"""Channels: what a mechanism reports for each truth, as exact fractions."""

from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

from privacy.errors import ChannelMalformed

Matrix = tuple[tuple[Fraction, ...], ...]
Weights = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Channel:
    """A matrix P[report | truth]: one row a report, one column a truth, every column a distribution."""

    matrix: Matrix
    weights: Weights = field(init=False, repr=False, compare=False)  # whole multiples of 1/denominator
    denominator: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        widths = {len(row) for row in self.matrix}
        if len(widths) != 1 or widths == {0}:
            raise ChannelMalformed("rows must be of one length, at least one")
        weights, denominator = _over_one_denominator(self.matrix)
        object.__setattr__(self, "weights", weights)
        object.__setattr__(self, "denominator", denominator)
        if any(min(row) < 0 for row in weights):
            raise ChannelMalformed("a probability is negative")
        if any(sum(column) != denominator for column in zip(*weights, strict=True)):
            raise ChannelMalformed("a truth's probabilities do not add up to one")

    @classmethod
    def symmetric(cls, p: Fraction, q: Fraction, k: int) -> "Channel":
        """Return the channel of k answers: the truth is kept with p, each other answer comes with q."""
        return cls(tuple((q,) * r + (p,) + (q,) * (k - 1 - r) for r in range(k)))

    @classmethod
    def yes_no(cls, yes_if_yes: Fraction, yes_if_no: Fraction) -> "Channel":
        """Return the channel of two answers, yes before no."""
        return cls(((yes_if_yes, yes_if_no), (1 - yes_if_yes, 1 - yes_if_no)))

    @property
    def reports(self) -> int:
        """How many reports there are."""
        return len(self.matrix)

    @property
    def truths(self) -> int:
        """How many truths there are."""
        return len(self.matrix[0])

    def ratio(self) -> Fraction | None:
        """Return e^ε: the largest P[r|t] / P[r|t'] of a report and two truths; None is infinite."""
        # A report that no truth produces is never seen and tells nothing.
        extremes = [(max(row), min(row)) for row in self.weights if any(row)]
        if any(least == 0 for _, least in extremes):
            return None
        return max(Fraction(most, least) for most, least in extremes)


def _over_one_denominator(matrix: Matrix) -> tuple[Weights, int]:
    # A large channel repeats a few values: each is converted once, found again by its identity.
    values: dict[int, Fraction] = {}
    for row in matrix:
        values.update(zip(map(id, row), row, strict=True))
    denominator = lcm(*(value.denominator for value in values.values()))
    whole = {key: value.numerator * (denominator // value.denominator) for key, value in values.items()}
    return tuple(tuple(map(whole.__getitem__, map(id, row))) for row in matrix), denominator

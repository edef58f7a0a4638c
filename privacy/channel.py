"""Channels: what a mechanism reports for each truth, as exact fractions."""

from dataclasses import dataclass
from fractions import Fraction

from privacy.errors import ChannelMalformed

Row = tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Channel:
    """A matrix P[report | truth]: one row a report, one column a truth, every column a distribution."""

    matrix: tuple[Row, ...]

    def __post_init__(self) -> None:
        widths = {len(row) for row in self.matrix}
        if len(widths) != 1 or widths == {0}:
            raise ChannelMalformed("rows must be of one length, at least one")
        if any(value < 0 for row in self.matrix for value in row):
            raise ChannelMalformed("a probability is negative")
        if any(sum(column) != 1 for column in zip(*self.matrix, strict=True)):
            raise ChannelMalformed("a truth's probabilities do not add up to one")

    @classmethod
    def symmetric(cls, p: Fraction, q: Fraction, k: int) -> "Channel":
        """Return the channel of k answers that keeps the truth with p and reports each other answer with q."""
        return cls(tuple(tuple(p if r == t else q for t in range(k)) for r in range(k)))

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
        """Return e^ε, the largest P[r|t] / P[r|t'] of any report and two truths; None where it is infinite."""
        # A report that no truth produces is never seen and tells nothing.
        extremes = [(max(row), min(row)) for row in self.matrix if any(row)]
        if any(least == 0 for _, least in extremes):
            return None
        return max(most / least for most, least in extremes)

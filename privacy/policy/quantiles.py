"""Quantiles by the exponential mechanism over every whole number within the bounds, drawn exactly."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from functools import cache
from itertools import accumulate

from privacy.bits import Bits
from privacy.sampling import below

FIRST = 128  # bits that a draw begins with


@dataclass(frozen=True, slots=True)
class Piece:
    """Neighbouring numbers that are equally far from the quantile: `start` and as many as `length`."""

    start: int
    length: int
    distance: int


@dataclass(frozen=True, slots=True)
class Quantile:
    """The value at rank t = ⌈n·p/q⌉, at least 1, of n values: minimum (p = 0), median and maximum (p = q) are such.

    Law: P[v] proportional to e^(−rate·distance(v)/2) over all whole numbers v within the bounds, where distance(v) says
    how many ranks t is away from those that v has among the values: 0 of the value at rank t.
    Privacy: one value that comes, goes or changes moves a distance by 1 at most; so rate·l1 in ε if the values of all
    groups together change by l1 rows, and rate²·l2²/8 in ρ.
    Exactness: numbers between two values are one piece; weights are whole numbers rounded down and up, and a uniform
    number is read bit by bit until both roundings choose the same piece. No float is involved. OpenDP's own quantile
    takes its candidates one by one, and bounds may hold 10¹⁸ of them.
    Source: McSherry and Talwar 2007; Smith 2011.
    """

    bounds: tuple[int, int]
    place: tuple[int, int]
    rate: Fraction

    def drawn(self, counts: Mapping[int, int], bits: Bits) -> int:
        """Return a number; `counts` says how many rows have which value, those out of bounds are moved into them."""
        pieces = list(self.pieces(counts))
        chosen = pieces[_chosen(pieces, self.rate / 2, bits)]
        return chosen.start + below(chosen.length, bits)

    def exact(self, counts: Mapping[int, int]) -> int | None:
        """Return the value at the rank, None of no values: for figures that are public."""
        values = sorted(clipped(counts, self.bounds).items())
        rank, seen = self._rank(counts), accumulate(number for _, number in values)
        return next((value for (value, _), upto in zip(values, seen, strict=True) if upto >= rank), None)

    def pieces(self, counts: Mapping[int, int]) -> Iterator[Piece]:
        """Give all numbers within the bounds, in order."""
        low, high = self.bounds
        rank, under = self._rank(counts), 0
        for value, number in sorted(clipped(counts, self.bounds).items()):
            if value > low:
                yield Piece(low, value - low, _distance(rank, under, under))
            yield Piece(value, 1, _distance(rank, under, under + number))
            under, low = under + number, value + 1
        if low <= high:
            yield Piece(low, high - low + 1, _distance(rank, under, under))

    def _rank(self, counts: Mapping[int, int]) -> int:
        p, q = self.place
        return max(1, -(-p * sum(counts.values()) // q))


def _distance(rank: int, under: int, upto: int) -> int:
    """Return how far a rank is from those of a number that has so many values below it, and so many up to it."""
    return max(0, under - (rank - 1), rank - upto)


def clipped(counts: Mapping[int, int], bounds: tuple[int, int]) -> Mapping[int, int]:
    """Return the rows by value, those out of bounds moved into them."""
    low, high = bounds
    found: dict[int, int] = {}
    for value, number in counts.items():
        inside = min(max(value, low), high)
        found[inside] = found.get(inside, 0) + number
    return found


def _chosen(pieces: Sequence[Piece], rate: Fraction, bits: Bits) -> int:
    """Return the index of a piece, with probability proportional to length·e^(−rate·distance)."""
    nearest = min(one.distance for one in pieces)
    uniform, known = 0, 0
    precision = FIRST
    while True:
        uniform = uniform << (precision - known) | bits.word(precision - known)
        known = precision
        weighed = list(_weights(pieces, nearest, rate, precision))
        least = [0, *accumulate(low for low, _ in weighed)]
        most = [0, *accumulate(high for _, high in weighed)]
        # The uniform number lies between these two, as a share of the whole weight.
        first, last = uniform * least[-1], (uniform + 1) * most[-1]
        at = bisect_right(most, first >> precision, hi=len(pieces)) - 1
        for one in {at, max(at - 1, 0), min(at + 1, len(pieces) - 1)}:
            if first >= most[one] << precision and last <= least[one + 1] << precision:
                return one
        precision *= 2


def _weights(
    pieces: Sequence[Piece], nearest: int, rate: Fraction, precision: int
) -> Iterator[tuple[int, int]]:
    """Give length·e^(−rate·distance)·2^precision, rounded down and up; distances are measured from the nearest."""
    digits = precision // 3 + 25
    context, unit = Context(prec=digits), 10**digits
    below_one = Decimal(-rate.numerator), Decimal(rate.denominator)
    furthest = precision * rate.denominator // rate.numerator

    @cache  # several pieces are equally far
    def ends(steps: int) -> tuple[int, int]:
        power = context.divide(context.multiply(below_one[0], Decimal(steps)), below_one[1])
        value = int(context.exp(power).scaleb(digits))
        # Units of the last digit that the exponent, the result and the cut may be wrong by.
        slip = 10 * (int(-power) + 3)
        return max(0, value - slip), value + slip

    for piece in pieces:
        steps = piece.distance - nearest
        if steps > furthest:
            # e^(−x)·2^x is less than 1.
            yield 0, piece.length
            continue
        low, high = ends(steps)
        whole = piece.length << precision
        yield low * whole // unit, -(-high * whole // unit)

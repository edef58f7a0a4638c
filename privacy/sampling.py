"""Exact draws from fair bits: no floating point, no modulo."""

from collections.abc import Sequence
from itertools import accumulate

from privacy.bits import Bits
from privacy.errors import NumOutOfRange, RangeEmpty, WeightsMalformed


def bernoulli(num: int, bits: Bits, width: int = 32) -> bool:
    """Return True with probability num / 2**width exactly; reads width bits."""
    if not 0 < num < 1 << width:
        raise NumOutOfRange(num, 1, (1 << width) - 1)
    return bits.word(width) < num


def below(n: int, bits: Bits) -> int:
    """Return one of 0 … n−1, all equally likely; n = 1 reads nothing."""
    if n < 1:
        raise RangeEmpty(n)
    b = (n - 1).bit_length()
    # Values from n on are thrown away, never folded back: a remainder would favour small values.
    while (v := bits.word(b)) >= n:
        pass
    return v


def categorical(weights: Sequence[int], bits: Bits, width: int = 32) -> int:
    """Return r with probability weights[r] / 2**width exactly; reads width bits."""
    ends = list(accumulate(weights))
    if not ends or ends[-1] != 1 << width or min(weights) < 0:
        raise WeightsMalformed(ends[-1] if ends else 0, width)
    u = bits.word(width)
    return next(r for r, end in enumerate(ends) if end > u)

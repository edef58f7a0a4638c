"""What is published about a privacy loss: never less than what the integers really cost."""

import re
from collections.abc import Iterable
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from math import ceil

from privacy.budget import DIGITS, one_unit_around
from privacy.errors import ChannelMalformed, EpsilonInfinite, EpsilonMalformed

_PUBLISHED = re.compile(r"[0-9]{1,6}\.[0-9]{4}")


def published_epsilon(ratio: Fraction | None) -> str:
    """Return ln(ratio) rounded up to four decimals, such as "1.0987"; refuse an infinite one."""
    if ratio is None:
        raise EpsilonInfinite
    if ratio < 1:
        raise ChannelMalformed("a largest ratio is at least one")
    return _text(_ceiling_of_log(ratio))


def total(published: Iterable[str]) -> str:
    """Return the exact sum of published values, in the same form."""
    return _text(sum(map(_units, published)))


def _ceiling_of_log(ratio: Fraction) -> int:
    """Return ⌈10⁴ ln(ratio)⌉."""
    if ratio == 1:
        return 0
    digits = DIGITS
    while True:
        lower, upper = (ceil(10_000 * bound) for bound in _log_bounds(ratio, digits))
        if lower == upper:
            return lower
        # Ends: the logarithm of a fraction other than 1 is irrational.
        digits *= 2


def _log_bounds(ratio: Fraction, digits: int) -> tuple[Fraction, Fraction]:
    down, up = Context(prec=digits, rounding=ROUND_FLOOR), Context(prec=digits, rounding=ROUND_CEILING)
    over, under = Decimal(ratio.numerator), Decimal(ratio.denominator)
    lower, _ = one_unit_around(down.ln(down.divide(over, under)), down)
    _, upper = one_unit_around(up.ln(up.divide(over, under)), up)
    return lower, upper


def _units(text: str) -> int:
    if not isinstance(text, str) or not _PUBLISHED.fullmatch(text):
        raise EpsilonMalformed(text)
    return int(text.replace(".", ""))


def _text(units: int) -> str:
    return f"{units // 10_000}.{units % 10_000:04d}"

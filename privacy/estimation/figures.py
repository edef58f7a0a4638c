"""How figures leave the estimators: counts exact, shares to six decimals, intervals never narrower."""

from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal

from privacy.estimation.intervals import Interval

_PLACES = Decimal("0.000001")


def rounded(value: float) -> float:
    """A share or an error to six decimals, half to even."""
    # Of the shortest decimal text, so that what is read as a half is treated as one.
    return _plain(Decimal(repr(float(value))).quantize(_PLACES, ROUND_HALF_EVEN))


def rounded_outward(interval: Interval) -> list[float]:
    """Both ends to six decimals, away from each other."""
    low = Decimal(repr(float(interval.low))).quantize(_PLACES, ROUND_FLOOR)
    high = Decimal(repr(float(interval.high))).quantize(_PLACES, ROUND_CEILING)
    return [_plain(low), _plain(high)]


def _plain(value: Decimal) -> float:
    return float(value) + 0.0  # no minus zero

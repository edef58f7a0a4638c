"""What noisy numbers say: figures in the argument's own numbers, and intervals that hold with 95 %."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from privacy.policy.algebra import Aggregate

OUTSIDE = Fraction(1, 20)
_DIGITS = 10**12  # square roots are cut off behind so many


@dataclass(frozen=True, slots=True)
class Interval:
    """Both ends belong to it."""

    low: Fraction
    high: Fraction


@dataclass(frozen=True, slots=True)
class Noisy:
    """A number with noise, and where the number without it lies."""

    value: Fraction
    interval: Interval


Parts = Mapping[str, Noisy]  # count, sum, squares: in the argument's numbers


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure; NULL where the noisy count leaves none."""

    value: Fraction | None
    interval: Interval | None


def estimate(one: Aggregate, parts: Parts) -> Estimate:
    """Return the figure that noisy numbers make; intervals of the numbers must hold together.

    What is known of every average and variance of bounded values costs nothing: they lie within what the bounds allow.
    """
    if one.function in ("count", "sum"):
        noisy = parts[one.function]
        return Estimate(noisy.value, noisy.interval)
    bounds = _bounds(one)
    if one.function == "avg":
        return _within(_average(parts), bounds)
    widest = None if bounds is None else _widest(bounds, population=one.population)
    found = _within(_variance(parts, population=one.population), widest)
    if one.function == "var":
        return found
    between = found.interval
    return Estimate(
        None if found.value is None else _root(found.value),
        None if between is None else Interval(_root(between.low), _root(between.high) + Fraction(1, _DIGITS)),
    )


def _bounds(one: Aggregate) -> Interval | None:
    argument = one.argument
    if argument is None or argument.bounds is None:
        return None
    low, high = (Fraction(end, 10**argument.scale) for end in argument.bounds)
    return Interval(low, high)


def _widest(bounds: Interval, *, population: bool) -> Interval:
    """Return what variances of values within bounds can be: half of the values at either end (Popoviciu 1935)."""
    most = (bounds.high - bounds.low) ** 2 / 4
    # Divided by n − 1 it is at most twice as large: of two values.
    return Interval(Fraction(0), most if population else 2 * most)


def _within(found: Estimate, bounds: Interval | None) -> Estimate:
    if bounds is None:
        return found
    value, between = found.value, found.interval
    if value is not None:
        value = min(max(value, bounds.low), bounds.high)
    if between is not None:
        low, high = max(between.low, bounds.low), min(between.high, bounds.high)
        # Noise beyond what is likely leaves nothing: then all that is known are the bounds.
        between = Interval(low, high) if low <= high else bounds
    return Estimate(value, between)


def _average(parts: Parts) -> Estimate:
    total, number = parts["sum"], parts["count"]
    value = total.value / number.value if number.value > 0 else None
    return Estimate(value, _ratio(total.interval, _present(number.interval, 1)))


def _present(number: Interval, fewest: int) -> Interval | None:
    """Return how many rows there are, as there is a figure: of fewer rows there is none."""
    return None if number.high < fewest else Interval(max(number.low, Fraction(fewest)), number.high)


def _ratio(total: Interval, number: Interval | None) -> Interval | None:
    if number is None:
        return None
    ends = [end / by for end in (total.low, total.high) for by in (number.low, number.high)]
    return Interval(min(ends), max(ends))


def _variance(parts: Parts, *, population: bool) -> Estimate:
    total, squares, number = parts["sum"].value, parts["squares"].value, parts["count"].value
    fewest = 0 if population else 1
    value = None
    if number > fewest:
        about = squares / number - (total / number) ** 2
        value = max(Fraction(0), about) * number / (number - fewest)
    return Estimate(value, _spread(parts, fewest))


def _spread(parts: Parts, fewest: int) -> Interval | None:
    number = _present(parts["count"].interval, fewest + 1)
    mean, square = _ratio(parts["sum"].interval, number), _ratio(parts["squares"].interval, number)
    if number is None or mean is None or square is None:
        return None
    ends = (mean.low**2, mean.high**2)
    least = Fraction(0) if mean.low <= 0 <= mean.high else min(ends)
    low, high = max(Fraction(0), square.low - max(ends)), max(Fraction(0), square.high - least)
    return Interval(low * number.high / (number.high - fewest), high * number.low / (number.low - fewest))


def _root(value: Fraction) -> Fraction:
    return Fraction(math.isqrt(value.numerator * _DIGITS**2 // value.denominator), _DIGITS)

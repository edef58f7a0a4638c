"""Intervals of averages and variances hold the truth wherever those of the noisy numbers hold theirs."""

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.policy.algebra import Aggregate, Function
from privacy.policy.estimates import Estimate, Interval, Noisy, estimate
from privacy.policy.expressions import Attribute, Read

LOW, HIGH = -5, 12
VALUES = st.lists(st.integers(LOW, HIGH), min_size=1, max_size=40)
WIDE = st.integers(0, 60)
SLIP = st.fractions(-1, 1, max_denominator=50)


def figure(function: Function, *, population: bool = False) -> Aggregate:
    attribute = Attribute("x", "integer", bounds=(LOW, HIGH))
    return Aggregate(Attribute("f", "decimal"), function, Read(attribute), population=population)


def noisy(truth: int, wide: int, slip: Fraction, claimed: Fraction = Fraction(1)) -> Noisy:
    """Return a number that is off by a part of what its interval allows; `claimed` narrows the interval."""
    value = truth + slip * wide
    return Noisy(value, Interval(value - wide * claimed, value + wide * claimed))


def made(
    one: Aggregate, values: Sequence[int], off: Sequence[tuple[int, Fraction]], **narrower: Fraction
) -> Estimate:
    truths = {"sum": sum(values), "count": len(values), "squares": sum(value**2 for value in values)}
    parts = zip(truths.items(), off, strict=True)
    return estimate(one, {name: noisy(truth, *by, **narrower) for (name, truth), by in parts})


def average(values: Sequence[int]) -> Fraction:
    return Fraction(sum(values), len(values))


def variance(values: Sequence[int], fewer: int) -> Fraction:
    mean = average(values)
    return sum(((value - mean) ** 2 for value in values), Fraction(0)) / (len(values) - fewer)


OFF = st.lists(st.tuples(WIDE, SLIP), min_size=3, max_size=3)


@given(values=VALUES, off=OFF)
def test_an_average_lies_in_its_interval(values: list[int], off: list[tuple[int, Fraction]]) -> None:
    found = made(figure("avg"), values, off)
    assert found.interval is not None
    assert LOW <= found.interval.low <= average(values) <= found.interval.high <= HIGH
    assert found.value is None or LOW <= found.value <= HIGH


@given(values=VALUES, off=OFF, population=st.booleans())
def test_a_variance_lies_in_its_interval(
    values: list[int], off: list[tuple[int, Fraction]], population: bool
) -> None:
    if len(values) == 1 and not population:
        return
    found = made(figure("var", population=population), values, off)
    assert found.interval is not None
    truth = variance(values, 0 if population else 1)
    assert 0 <= found.interval.low <= truth <= found.interval.high
    deviation = made(figure("stddev", population=population), values, off).interval
    assert deviation is not None
    assert deviation.low**2 <= truth <= deviation.high**2


@pytest.mark.parametrize("function", ["avg", "var"])
def test_narrower_intervals_of_the_numbers_would_miss(function: Function) -> None:
    """The control: half of what the numbers may be off by is too little."""
    off = [(20, Fraction(1)), (3, Fraction(-1)), (60, Fraction(1))]
    one, values = figure(function, population=True), [1, 2, 3, 4, 5, 6, 7, 8]
    truth = average(values) if function == "avg" else variance(values, 0)
    whole, half = made(one, values, off), made(one, values, off, claimed=Fraction(1, 8))
    assert whole.interval is not None
    assert half.interval is not None
    assert whole.interval.low <= truth <= whole.interval.high
    assert not half.interval.low <= truth <= half.interval.high


def test_bounds_alone_leave_an_interval_where_noise_drowns_everything() -> None:
    found = made(figure("avg"), [3], [(10_000, Fraction(0)), (10_000, Fraction(-1)), (10_000, Fraction(0))])
    assert (found.value, found.interval) == (None, Interval(Fraction(LOW), Fraction(HIGH)))


def test_of_surely_nobody_there_is_no_interval() -> None:
    found = estimate(figure("avg"), {"sum": noisy(0, 0, Fraction(0)), "count": noisy(0, 0, Fraction(0))})
    assert found == Estimate(None, None)

import math

import pytest

from privacy.estimation.figures import rounded, rounded_outward
from privacy.estimation.intervals import Interval


@pytest.mark.parametrize(
    "value, shown",
    [
        (0.0000005, 0.0),
        (0.0000015, 0.000002),
        (0.0000025, 0.000002),
        (-0.0000015, -0.000002),
        (0.12345649, 0.123456),
    ],
)
def test_a_figure_is_rounded_half_to_even_at_six_decimals(value, shown):
    assert rounded(value) == shown


def test_nothing_is_shown_as_minus_zero():
    assert math.copysign(1, rounded(-0.0000001)) == 1


def test_the_ends_of_an_interval_are_rounded_away_from_each_other():
    assert rounded_outward(Interval(0.1234567, 0.7654321, "score")) == [0.123456, 0.765433]


def test_an_end_that_needs_no_rounding_stays():
    assert rounded_outward(Interval(0.25, 1.0, "score")) == [0.25, 1.0]

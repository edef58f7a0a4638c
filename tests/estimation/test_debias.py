from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from privacy.estimation.debias import (
    ChannelTellsNothing,
    CountsMalformed,
    Support,
    checked_counts,
    covariance,
    invert,
    standard_errors,
    unbiased_shares,
)
from privacy.mechanisms.catalogue import configure

HALF = Support(Fraction(1, 2), Fraction(1, 6), 4)
COUNTS = (400, 300, 200, 100)


@pytest.mark.parametrize("protocol, more", [("spinner", {}), ("spinner-coin", {}), ("coin", {"tosses": 7})])
@pytest.mark.parametrize("choices", [2, 3, 5, 20])
def test_p_and_q_are_those_of_the_channel_that_the_device_uses(protocol, more, choices):
    mechanism = configure(protocol, "1.25", choices, **more)
    matrix, support = mechanism.channel().matrix, Support.of(mechanism)
    assert all(
        matrix[report][truth] == (support.p if report == truth else support.q)
        for report in range(choices)
        for truth in range(choices)
    )


@pytest.mark.parametrize("protocol", ["one-box", "every-box"])
def test_p_and_q_of_a_box_are_those_of_its_wheel(protocol):
    mechanism = configure(protocol, "4", 3, boxes=4)
    matrix, support = mechanism.channel().matrix, Support.of(mechanism)
    assert (matrix[0][0], matrix[0][1], 3) == (support.p, support.q, support.choices)


def test_a_channel_that_favours_no_truth_is_refused():
    with pytest.raises(ChannelTellsNothing):
        Support(Fraction(1, 3), Fraction(1, 3), 3)


def test_the_estimate_is_unbiased_and_its_error_is_the_spread_of_the_estimates():
    n, share = 60, 0.1
    p, q = HALF.rates
    law = binom.pmf(np.arange(n + 1), n, q + (p - q) * share)
    estimates = np.array([unbiased_shares((c, n - c, 0, 0), HALF)[0] for c in range(n + 1)])
    assert law @ estimates == pytest.approx(share, abs=1e-12)
    rate = q + (p - q) * share
    assert law @ (estimates - share) ** 2 == pytest.approx(rate * (1 - rate) / n / (p - q) ** 2, abs=1e-12)


def test_the_estimates_of_all_answers_add_up_to_one():
    assert unbiased_shares((7, 1, 0, 90), HALF).sum() == pytest.approx(1, abs=1e-12)


def test_the_battery_of_four_answers_at_ln_3():
    assert unbiased_shares(COUNTS, HALF) == pytest.approx([0.7, 0.4, 0.1, -0.2], abs=1e-12)
    assert covariance(COUNTS, HALF)[0] == pytest.approx([0.00216, -0.00108, -0.00072, -0.00036], abs=1e-12)
    assert standard_errors(COUNTS, HALF) ** 2 == pytest.approx(np.diag(covariance(COUNTS, HALF)), abs=1e-15)


def test_the_short_inverse_is_the_inverse_of_the_matrix():
    matrix = np.full((4, 4), 1 / 6) + np.eye(4) / 3
    shares, spread = invert(matrix, COUNTS)
    assert shares == pytest.approx(unbiased_shares(COUNTS, HALF), abs=1e-12)
    assert spread == pytest.approx(covariance(COUNTS, HALF), abs=1e-12)


def test_a_channel_without_inverse_is_refused():
    with pytest.raises(ChannelTellsNothing):
        invert(np.full((2, 2), 0.5), (3, 4))


def test_no_reports_divide_by_nothing():
    assert not standard_errors((0, 0, 0, 0), HALF).any()


@pytest.mark.parametrize("counts", [(1, 2), (1, -1, 0), (1, 0.5, 2)])
def test_what_are_no_counts_is_refused(counts):
    with pytest.raises(CountsMalformed):
        checked_counts(counts, 3)


def test_counts_of_numpy_become_whole_numbers_of_python():
    assert [type(count) for count in checked_counts(np.array([1, 2]), 2)] == [int, int]

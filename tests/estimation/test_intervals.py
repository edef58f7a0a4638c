import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr, xlog1py, xlogy
from scipy.stats import binom, multinomial

from privacy.estimation.intervals import (
    Interval,
    clopper_pearson,
    feldman_cousins,
    normal_quantile,
    sampling_part,
    score_ends,
    share_interval,
    simultaneous_interval,
    spread_of,
)
from tests.estimation.laws import clipped_score, clipped_wald, coverage, spinner_rates, wald

SIZES, SHARES, EPSILONS, CHOICES = (50, 200, 1000), (0, 0.05, 0.2, 0.5), (0.5, 1, 2, 3), (2, 5)
GRID = [
    (n, share, epsilon, choices)
    for n in SIZES
    for share in SHARES
    for epsilon in EPSILONS
    for choices in CHOICES
]
LEAST = 0.945


def worst_coverage(make):
    return min(coverage(make, n, *spinner_rates(e, k), share) for n, share, e, k in GRID)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("choices", CHOICES)
def test_an_interval_holds_the_truth_as_often_as_it_says(n, choices):
    for epsilon in EPSILONS:
        for share in (*SHARES, 0.02, 0.1, 0.35, 0.8, 1):
            assert coverage(share_interval, n, *spinner_rates(epsilon, choices), share) >= LEAST


def test_the_coverage_check_catches_walds_interval():
    assert worst_coverage(wald) < LEAST


def test_the_coverage_check_catches_a_clipped_wald_interval():
    assert worst_coverage(clipped_wald) < LEAST


def test_the_coverage_check_catches_walds_formula_mapped_naively_through_small_samples():
    assert worst_coverage(clipped_score) < LEAST


def test_an_interval_is_never_empty_even_where_a_naive_clip_is():
    for n, _, epsilon, choices in GRID:
        p, q = spinner_rates(epsilon, choices)
        for count in (0, 1, n // 50, round(n * q), round(n * p), n - 1, n):
            interval = share_interval(count, n, p, q)
            assert 0 <= interval.low < interval.high <= 1
    emptied = clipped_score(0, 200, *spinner_rates(1, 2))
    assert emptied.low == emptied.high


@settings(max_examples=400)
@given(
    st.integers(1, 10**7),
    st.floats(0, 1),
    st.floats(0.01, 16),
    st.integers(2, 256),
    st.sampled_from([0.9, 0.95, 0.999]),
)
def test_every_count_through_every_spinner_has_an_interval_around_its_best_share(
    n, part, epsilon, choices, level
):
    (p, q), count = spinner_rates(epsilon, choices), round(part * n)
    best = min(1, max(0, (count / n - q) / (p - q)))
    for interval in (
        share_interval(count, n, p, q, level),
        simultaneous_interval(count, n, p, q, choices, level),
    ):
        assert 0 <= interval.low < interval.high <= 1
        assert interval.low - 1e-9 <= best <= interval.high + 1e-9


def is_accepted(share, count, n, p, q, level=0.95):
    """Feldman and Cousins by their definition."""
    counts = np.arange(n + 1)
    best = np.clip(counts / n, min(p, q), max(p, q))
    rate = q + (p - q) * share
    order = (
        xlogy(counts, rate) + xlog1py(n - counts, -rate) - xlogy(counts, best) - xlog1py(n - counts, -best)
    )
    return binom.pmf(counts, n, rate)[order > order[count] + 1e-9].sum() < level


@pytest.mark.parametrize("n", [5, 20, 50, 200])
@pytest.mark.parametrize(
    "rates",
    [
        (0.6225, 0.3775),
        (0.75, 0.25),
        (0.2914, 0.177),
        (0.834, 0.0415),
        (0.9167, 0.1667),
        (1, 0),
        (0.25, 0.75),
    ],
)
def test_feldman_and_cousins_is_the_hull_of_what_their_definition_accepts(n, rates):
    for count in range(0, n + 1, max(1, n // 6)):
        interval = feldman_cousins(count, n, *rates)
        outside = [share for share in np.linspace(0, 1, 201) if not interval.low <= share <= interval.high]
        assert not any(is_accepted(share, count, n, *rates) for share in outside)
        # Each end is that of an accepted share, to a millionth.
        inward = (0, 1e-9, 3e-9, 1e-8, 1e-7, 5e-7, 1e-6)
        assert any(is_accepted(min(1, interval.low + step), count, n, *rates) for step in inward)
        assert any(is_accepted(max(0, interval.high - step), count, n, *rates) for step in inward)


def test_the_score_interval_is_wilsons_through_the_channel():
    n, count, (p, q), z = 5000, 2300, spinner_rates(1, 2), normal_quantile(0.95)
    rate = count / n
    middle = (rate + z * z / 2 / n) / (1 + z * z / n)
    half = z * math.sqrt(rate * (1 - rate) / n + z * z / 4 / n**2) / (1 + z * z / n)
    interval = share_interval(count, n, p, q)
    assert interval.method == "score"
    assert interval.low == pytest.approx((middle - half - q) / (p - q), abs=1e-12)
    assert interval.high == pytest.approx((middle + half - q) / (p - q), abs=1e-12)


def test_both_ends_of_the_score_interval_solve_its_equation_for_every_kind_of_population():
    p, q, z, n = 0.75, 0.25, normal_quantile(0.95), 900
    for g in (1, 0.4, 0):
        spread = spread_of(n, p, q, g)
        for end in score_ends(0.37, spread, z):
            assert (0.37 - end) ** 2 == pytest.approx(z * z * spread.at(end), abs=1e-12)


def test_an_interval_about_these_very_people_is_the_narrowest_and_about_a_finite_population_between():
    p, q = spinner_rates(2, 2)
    widths = [
        interval.high - interval.low
        for interval in (
            share_interval(900, 2000, p, q, 0.95, sampling_part(2000, *who))
            for who in ((None, True), (4000,), (None,))
        )
    ]
    assert widths == sorted(widths)
    assert widths[0] < widths[1] < widths[2]


def respondents_coverage(n, p, q, yes):
    """Exact coverage when the truths of n people are fixed: the count is a sum of two binomials."""
    law = np.convolve(binom.pmf(np.arange(yes + 1), yes, p), binom.pmf(np.arange(n - yes + 1), n - yes, q))
    covered = 0.0
    for count in np.flatnonzero(law > 1e-12):
        interval = share_interval(int(count), n, p, q, g=0.0)
        assert interval.low < interval.high
        covered += law[count] * (interval.low <= yes / n <= interval.high)
    return covered


# One formula, not an exact law: with few reports the steps of the count show.
@pytest.mark.parametrize("n, least", [(200, 0.93), (1000, 0.942)])
def test_an_interval_about_these_very_people_holds_their_share(n, least):
    for epsilon in EPSILONS:
        for share in SHARES:
            assert respondents_coverage(n, *spinner_rates(epsilon, 2), round(n * share)) >= least


def test_a_direct_question_to_everybody_leaves_nothing_open():
    interval = share_interval(30, 100, 1.0, 0.0, g=sampling_part(100, 100))
    assert interval.low == pytest.approx(0.3) == interval.high


def test_where_no_is_favoured_the_ends_change_places():
    for count in (5, 40, 95):
        here, mirrored = share_interval(count, 100, 0.75, 0.25), share_interval(100 - count, 100, 0.25, 0.75)
        assert (here.low, here.high) == pytest.approx((mirrored.low, mirrored.high), abs=2e-7)


def test_yes_and_no_share_one_interval():
    for count in range(0, 101, 5):
        yes, no = share_interval(count, 100, 0.75, 0.25), share_interval(100 - count, 100, 0.75, 0.25)
        assert (yes.low, yes.high) == pytest.approx((no.complement().low, no.complement().high), abs=2e-7)


def test_no_reports_say_that_every_share_is_possible():
    assert share_interval(0, 0, 0.75, 0.25) == Interval(0, 1, "none")
    assert simultaneous_interval(0, 0, 0.75, 0.25, 3) == Interval(0, 1, "none")


def test_clopper_and_pearson_cut_a_tail_each():
    low, high = clopper_pearson(7, 40, 0.9)
    assert binom.sf(6, 40, low) == pytest.approx(0.05)
    assert binom.cdf(7, 40, high) == pytest.approx(0.05)
    assert clopper_pearson(0, 40, 0.9)[0] == 0
    assert clopper_pearson(40, 40, 0.9)[1] == 1


def joint_coverage(make, n, shares, p, q):
    rates = q + (p - q) * np.array(shares)
    covered = 0.0
    for first in range(n + 1):
        for second in range(n - first + 1):
            counts = (first, second, n - first - second)
            chance = multinomial.pmf(counts, n, rates)
            if chance > 1e-7:
                intervals = (make(count, n, p, q) for count in counts)
                covered += chance * all(
                    one.low <= share <= one.high for one, share in zip(intervals, shares, strict=True)
                )
    return covered


def test_simultaneous_intervals_hold_together_and_single_ones_do_not():
    n, (p, q) = 50, spinner_rates(1, 3)
    for shares in ((0.5, 0.3, 0.2), (0.9, 0.1, 0)):
        assert joint_coverage(lambda *a: simultaneous_interval(*a, 3), n, shares, p, q) >= 0.95
    assert joint_coverage(share_interval, n, (0.5, 0.3, 0.2), p, q) < 0.945


def test_a_simultaneous_interval_contains_the_single_one():
    for n, _, epsilon, choices in GRID:
        p, q = spinner_rates(epsilon, choices)
        for count in (0, round(n * q), n // 2, n):
            both = simultaneous_interval(count, n, p, q, choices), share_interval(count, n, p, q)
            assert both[0].low <= both[1].low
            assert both[0].high >= both[1].high


def is_accepted_of_a_normal(mean, measured, level=0.95):
    """Feldman and Cousins by their definition for one normal measurement of a mean that is not negative."""
    order = (min(measured, 0) ** 2 - (measured - mean) ** 2) / 2
    reach = math.sqrt(-2 * order)
    left = mean - reach if mean >= reach else order / mean + mean / 2
    return ndtr(reach) - ndtr(left - mean) < level


@pytest.mark.parametrize("n", [2**31 - 1, 2**31, 4 * 10**9, 2**52])
def test_an_interval_of_very_many_reports_is_that_of_a_normal_mean(n):
    sd = math.sqrt(n * 0.25 * 0.75)  # of the count, when nobody's truth is yes
    for measured in (-2, 0, 1, 3):
        interval = feldman_cousins(round(n / 4 + measured * sd), n, 0.75, 0.25)
        accepted = [mean for mean in np.arange(0.002, 6, 0.002) if is_accepted_of_a_normal(mean, measured)]
        low, high = (end * 0.5 * n / sd for end in (interval.low, interval.high))
        # Ends may lie outward by what is promised, which is much of so narrow an interval.
        outward = 1.1e-7 * 0.5 * n / sd if n < 2**40 else 1.1 * 1e-9 * 0.5 * n / sd
        assert accepted[0] - 0.003 - outward <= low <= accepted[0] + 0.003
        assert accepted[-1] - 0.003 <= high <= accepted[-1] + 0.003 + outward

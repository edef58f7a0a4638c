import math
from fractions import Fraction

import numpy as np
import pytest

from privacy.estimation.debias import Support, unbiased_shares
from privacy.estimation.pooling import channel_matrix
from privacy.estimation.simplex import (
    expectation_maximisation,
    likelihood_gap,
    log_likelihood,
    maximum_likelihood,
)

HALF = Support(Fraction(1, 2), Fraction(1, 6), 4)
COUNTS = (400, 300, 200, 100)
CASES = 1_000
TOLERANCE = 1e-6  # of a log-likelihood
CLIMBED = 1e-5  # how near EM is asked to climb: the last steps are its longest


def spinner(epsilon, choices):
    power = Fraction(math.exp(epsilon))
    return Support(power / (power + choices - 1), 1 / (power + choices - 1), choices)


def random_cases(number):
    generator = np.random.default_rng(7)
    for _ in range(number):
        choices = int(generator.integers(2, 13))
        support = spinner(generator.uniform(0.2, 4), choices)
        truth = generator.dirichlet(np.full(choices, generator.choice([0.1, 0.5, 2])))
        rates = channel_matrix(support) @ truth
        yield (
            support,
            [int(c) for c in generator.multinomial(generator.integers(1, 5000), rates / rates.sum())],
        )


def test_the_closed_form_is_a_maximum_in_a_thousand_cases_by_kkt_and_by_em():
    on_the_edge = 0
    for support, counts in random_cases(CASES):
        matrix = channel_matrix(support)
        closed = np.array(maximum_likelihood(counts, support), dtype=float)
        assert closed.min() >= 0
        assert sum(maximum_likelihood(counts, support)) == 1
        assert likelihood_gap(matrix, counts, closed) <= TOLERANCE
        climbed = expectation_maximisation(matrix, counts, gap=CLIMBED / 2)
        assert (
            abs(log_likelihood(matrix, counts, closed) - log_likelihood(matrix, counts, climbed)) <= CLIMBED
        )
        on_the_edge += closed.min() == 0
    assert on_the_edge >= CASES // 4


def clipped_and_renormalised(counts, support):
    clipped = np.maximum(unbiased_shares(counts, support), 0)
    return clipped / clipped.sum()


def projected(counts, support):
    shares = unbiased_shares(counts, support)
    falling = np.sort(shares)[::-1]
    over = (np.cumsum(falling) - 1) / np.arange(1, len(shares) + 1)
    return np.maximum(shares - over[falling > over][-1], 0)


@pytest.mark.parametrize("naive", [clipped_and_renormalised, projected])
def test_kkt_catches_clipping_and_projecting(naive):
    shares = naive(COUNTS, HALF)
    assert shares.sum() == pytest.approx(1)
    assert likelihood_gap(channel_matrix(HALF), COUNTS, shares) > TOLERANCE


def test_the_battery_of_four_answers_at_ln_3():
    assert maximum_likelihood(COUNTS, HALF) == [Fraction(11, 18), Fraction(1, 3), Fraction(1, 18), 0]
    assert projected(COUNTS, HALF) == pytest.approx([0.633333, 0.333333, 0.033333, 0], abs=1e-6)
    assert clipped_and_renormalised(COUNTS, HALF) == pytest.approx(
        [0.583333, 0.333333, 0.083333, 0], abs=1e-6
    )


def test_inside_the_simplex_it_is_the_unbiased_estimate():
    counts = (300, 260, 240, 200)
    best = np.array(maximum_likelihood(counts, HALF), dtype=float)
    assert best == pytest.approx(unbiased_shares(counts, HALF), abs=1e-12)


def test_no_reports_prefer_no_answer():
    assert maximum_likelihood((0, 0, 0, 0), HALF) == [Fraction(1, 4)] * 4
    assert expectation_maximisation(channel_matrix(HALF), (0, 0, 0, 0)) == pytest.approx([0.25] * 4)


def test_one_report_names_its_own_answer():
    assert maximum_likelihood((0, 1, 0, 0), HALF) == [0, 1, 0, 0]


def test_em_climbs_any_channel():
    matrix = np.array([[0.7, 0.2, 0.1], [0.2, 0.6, 0.3], [0.1, 0.2, 0.6]])
    for counts in ((100, 120, 40), (0, 5, 100), (1000, 0, 0)):
        assert likelihood_gap(matrix, counts, expectation_maximisation(matrix, counts)) <= TOLERANCE

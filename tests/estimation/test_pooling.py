import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from privacy.estimation.debias import Support
from privacy.estimation.intervals import Interval, score_ends, share_interval
from privacy.estimation.pooling import (
    Group,
    Part,
    channel_matrix,
    design_weights,
    likelihood_interval,
    merged,
    pooled_error,
    pooled_interval,
    pooled_maximum_likelihood,
    pooled_share,
    pooled_spread,
)
from privacy.estimation.simplex import likelihood_gap
from tests.estimation.laws import spinner_rates

VERSIONS = [
    ((50, spinner_rates(1, 2)), (50, spinner_rates(2, 2))),
    ((50, spinner_rates(1, 2)), (100, spinner_rates(3, 2))),
    ((50, spinner_rates(0.5, 5)), (60, spinner_rates(3, 5))),
    ((50, spinner_rates(1, 5)), (150, spinner_rates(2, 5))),
]
SHARES = (0, 0.02, 0.05, 0.2, 0.5, 1)


def pairs(versions, share):
    """All pairs of counts of two versions with their exact probabilities."""
    (first, (p1, q1)), (second, (p2, q2)) = versions
    law1 = binom.pmf(np.arange(first + 1), first, q1 + (p1 - q1) * share)
    law2 = binom.pmf(np.arange(second + 1), second, q2 + (p2 - q2) * share)
    for a in np.flatnonzero(law1 > 1e-7):
        for b in np.flatnonzero(law2 > 1e-7):
            yield [Part(int(a), first, p1, q1), Part(int(b), second, p2, q2)], law1[a] * law2[b]


@pytest.mark.parametrize("versions", VERSIONS)
def test_a_pooled_interval_holds_the_truth_at_the_edge_and_inside(versions):
    for share in SHARES:
        covered = 0.0
        for parts, chance in pairs(versions, share):
            interval = pooled_interval(parts)
            assert 0 <= interval.low < interval.high <= 1
            covered += chance * (interval.low <= share <= interval.high)
        assert covered >= 0.945


def coverage(versions, share, interval_of):
    return sum(
        chance
        for parts, chance in pairs(versions, share)
        if (interval := interval_of(parts)).low <= share <= interval.high
    )


def score_alone(parts):
    """The control: the score interval, however few the counts."""
    low, high = score_ends(pooled_share(parts), pooled_spread(parts), 1.959964)
    if low < 0 or high > 1:
        return pooled_interval(parts)
    return Interval(low, high, "score")


def test_few_counts_of_two_versions_do_not_let_the_coverage_waver():
    versions = ((50, spinner_rates(4, 2)), (50, spinner_rates(5, 2)))
    for share in (0.02, 0.05):
        assert coverage(versions, share, pooled_interval) >= 0.935
        assert coverage(versions, share, score_alone) < 0.935


def averaged(parts):
    """The control: one channel with the average p and q of the versions, as some packages do."""
    n = sum(part.n for part in parts)
    p, q = (sum(part.n * rate(part) for part in parts) / n for rate in (lambda x: x.p, lambda x: x.q))
    return Part(sum(part.hits for part in parts), n, p, q)


def test_averaged_channels_would_cost_half_of_the_precision():
    # Versions in which yes and no change places: the average of their channels tells next to nothing.
    parts = [Part(50, 100, 0.8, 0.2), Part(30, 60, 0.3, 0.7)]
    pooled, average = pooled_interval(parts), share_interval(*averaged(parts))
    assert average.high - average.low > 2 * (pooled.high - pooled.low)


def test_the_pooled_share_is_unbiased_and_its_variance_is_the_quadratic():
    versions, share = VERSIONS[1], 0.2
    mean = square = 0.0
    for parts, chance in pairs(versions, share):
        mean += chance * pooled_share(parts)
        square += chance * (pooled_share(parts) - share) ** 2
    assert mean == pytest.approx(share, abs=1e-5)
    assert square == pytest.approx(pooled_spread(parts).at(share), rel=1e-3)


def test_weights_are_those_of_the_design():
    parts = [Part(10, 100, 0.75, 0.25), Part(90, 400, 0.625, 0.375)]
    assert design_weights(parts) == pytest.approx([0.5, 0.5])
    assert pooled_share(parts) == pytest.approx((-0.3 + -0.6) / 2)
    assert pooled_error(parts) == pytest.approx(math.sqrt((0.09 / 100 / 0.25 + 0.174375 / 400 / 0.0625) / 4))


def test_reports_under_the_same_integers_are_one_group():
    same, other = Support(Fraction(3, 4), Fraction(1, 4), 2), Support(Fraction(2, 3), Fraction(1, 3), 2)
    groups = merged([Group(same, (1, 2)), Group(other, (0, 0)), Group(same, (10, 20))])
    assert groups == [Group(same, (11, 22))]
    assert pooled_interval([groups[0].part(0)]) == share_interval(11, 33, 0.75, 0.25)


def test_the_pooled_maximum_satisfies_kkt():
    generator = np.random.default_rng(11)
    for _ in range(100):
        choices = int(generator.integers(2, 7))
        truth = generator.dirichlet(np.full(choices, 0.4))
        groups = []
        for epsilon in generator.uniform(0.5, 3, size=3):
            power = Fraction(math.exp(epsilon))
            support = Support(power / (power + choices - 1), 1 / (power + choices - 1), choices)
            rates = channel_matrix(support) @ truth
            counts = generator.multinomial(generator.integers(50, 3000), rates / rates.sum())
            groups.append(Group(support, tuple(int(count) for count in counts)))
        matrix = np.vstack([channel_matrix(group.support) for group in groups])
        best = np.array(pooled_maximum_likelihood(groups))
        assert best.sum() == pytest.approx(1, abs=1e-9)
        assert likelihood_gap(matrix, [count for group in groups for count in group.counts], best) <= 1e-6


def test_the_likelihood_interval_ends_where_the_likelihood_has_fallen_enough():
    parts = [Part(300, 1000, 0.75, 0.25), Part(180, 500, 0.6, 0.4)]

    def height(share):
        return sum(binom.logpmf(part.hits, part.n, part.q + (part.p - part.q) * share) for part in parts)

    interval = likelihood_interval(parts)
    top = height(np.linspace(0, 1, 100_001)).max()
    assert interval.low == 0 or top - height(interval.low) == pytest.approx(1.959964**2 / 2, abs=1e-4)
    assert top - height(interval.high) == pytest.approx(1.959964**2 / 2, abs=1e-4)


def test_no_groups_leave_every_share_possible():
    assert pooled_interval([]).method == "none"


def test_a_finite_population_narrows_the_pooled_interval():
    parts = [Part(500, 1000, 0.75, 0.25), Part(450, 900, 0.8, 0.2)]
    wide, narrow = pooled_interval(parts), pooled_interval(parts, g=0.2)
    assert wide.low < narrow.low < narrow.high < wide.high

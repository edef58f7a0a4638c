import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.special import gammaln

from privacy.estimation.asked import one_liar_among_asked, shares_among_asked
from privacy.estimation.debias import Support
from privacy.estimation.pooling import Group, pooled_maximum_likelihood

TRUTHS = [(0.1, 0.6, 0.3), (0.3, 0.4, 0.3), (0, 0.5, 0.5), (0.05, 0.9, 0.05), (0.05, 0.15, 0.8)]


def spinner(epsilon, choices=3):
    power = Fraction(math.exp(epsilon))
    return Support(power / (power + choices - 1), 1 / (power + choices - 1), choices)


def asked(counts, support):
    groups = [Group(support, tuple(counts))]
    return shares_among_asked(groups, pooled_maximum_likelihood(groups))


def outcomes(n, truth, support):
    """All counts of n reports with their exact probabilities (of at least 1e-8)."""
    p, q = support.rates
    logs = np.log(q + (p - q) * np.array(truth))
    for first in range(n + 1):
        for last in range(n - first + 1):
            counts = np.array((first, n - first - last, last))
            chance = math.exp(gammaln(n + 1) - gammaln(counts + 1).sum() + counts @ logs)
            if chance > 1e-8:
                yield counts.tolist(), chance


def coverage(n, truth, epsilon, interval):
    """(coverage among published intervals, probability that too few were asked)."""
    covered = withheld = 0.0
    support, ratio = spinner(epsilon), truth[0] / (1 - truth[-1])
    for counts, chance in outcomes(n, truth, support):
        found = asked(counts, support)
        if found is None:
            withheld += chance
        else:
            low, high = interval(found[0])
            covered += chance * (low <= ratio <= high)
    return covered / (1 - withheld), withheld


@pytest.mark.parametrize("n, epsilon", [(50, 2), (50, 3), (120, 1)])
def test_a_share_among_those_asked_lies_in_its_interval_as_often_as_it_says(n, epsilon):
    for truth in TRUTHS:
        held, withheld = coverage(n, truth, epsilon, lambda share: (share.interval.low, share.interval.high))
        # Where most surveys withhold the share, those that do not are the unlucky ones.
        if withheld < 0.5:
            assert held >= 0.945


def test_the_check_catches_the_delta_methods_interval():
    held, _ = coverage(
        50,
        (0.05, 0.9, 0.05),
        2,
        lambda share: (
            share.unbiased - 1.96 * share.standard_error,
            share.unbiased + 1.96 * share.standard_error,
        ),
    )
    assert held < 0.945


def test_an_interval_among_those_asked_is_never_empty():
    for counts, _ in outcomes(30, (0.02, 0.6, 0.38), spinner(1.5)):
        for share in asked(counts, spinner(1.5)) or []:
            assert 0 <= share.interval.low < share.interval.high <= 1


def test_too_few_asked_say_nothing():
    assert asked((5, 5, 190), spinner(1)) is None
    assert shares_among_asked([], [1 / 3] * 3) is None


def test_the_share_among_those_asked_is_the_share_divided_by_the_share_asked():
    yes, no = asked((400, 300, 300), Support(Fraction(3, 5), Fraction(1, 5), 3))
    # Unbiased shares .5, .25 and .25 silent.
    assert (yes.unbiased, no.unbiased) == pytest.approx((2 / 3, 1 / 3), abs=1e-12)
    assert (yes.maximum_likelihood, no.maximum_likelihood) == pytest.approx((2 / 3, 1 / 3), abs=1e-12)
    assert yes.interval.low < 2 / 3 < yes.interval.high


def test_the_error_of_a_ratio_is_that_of_the_delta_method():
    yes, _ = asked((400, 300, 300), Support(Fraction(3, 5), Fraction(1, 5), 3))
    ratio, given, silent, n, delta, share = 2 / 3, 0.4, 0.3, 1000, 0.4, 0.75
    variance = given * (1 - given) + ratio**2 * silent * (1 - silent) - 2 * ratio * given * silent
    assert yes.standard_error == pytest.approx(math.sqrt(variance / (n * delta**2)) / share, abs=1e-12)


def test_both_ends_of_fiellers_interval_solve_its_equation():
    n, p, q, silent, share, delta, z = 1000, 0.6, 0.2, 0.3, 0.5, 0.4, 1.959963984540054
    yes, _ = asked((400, 300, 300), Support(Fraction(3, 5), Fraction(1, 5), 3))
    told = (p - silent) / delta
    for ratio in (yes.interval.low, yes.interval.high):
        # The observed share of yes if the ratio were true, beside the observed silence.
        given = q + delta * ratio * told
        variance = given * (1 - given) + ratio**2 * silent * (1 - silent) - 2 * ratio * given * silent
        assert (share - ratio * told) ** 2 == pytest.approx(z * z * variance / (n * delta**2), rel=1e-9)


def moves(counts, support):
    """Every change of a share among those asked that replacing one report can make."""
    before = asked(counts, support)
    for taken, given in itertools.permutations(range(len(counts)), 2):
        changed = list(counts)
        changed[taken] -= 1
        changed[given] += 1
        for old, new in zip(before, asked(changed, support), strict=True):
            yield abs(new.unbiased - old.unbiased)


@pytest.mark.parametrize("counts", [(400, 300, 300), (150, 300, 550), (20, 500, 480), (150, 150, 150, 550)])
def test_one_liar_moves_a_share_among_those_asked_by_what_is_said(counts):
    support = Support(Fraction(3, 5), Fraction(2, 5) / (len(counts) - 1), len(counts))
    said = one_liar_among_asked([Group(support, counts)])
    assert max(moves(counts, support)) == pytest.approx(said)
    # The control: the move of a share of all respondents is too small.
    assert said > 1 / (sum(counts) * float(support.delta))


def test_shares_among_those_asked_hold_at_once():
    support = Support(Fraction(3, 5), Fraction(2, 15), 4)
    counts = (300, 250, 200, 250)
    together = [share.simultaneous for share in asked(counts, support)]
    alone = [share.interval for share in asked(counts, support)]
    groups = [Group(support, counts)]
    third = shares_among_asked(groups, pooled_maximum_likelihood(groups), 1 - 0.05 / 3)
    assert [(one.low, one.high) for one in together] == [(x.interval.low, x.interval.high) for x in third]
    assert all(wide.low < one.low and wide.high > one.high for wide, one in zip(together, alone, strict=True))
    # Two answers are one question: either interval tells the other.
    for share in asked((400, 300, 300), Support(Fraction(3, 5), Fraction(1, 5), 3)):
        assert share.simultaneous == share.interval

"""The survey of 13,677 real respondents, repeated a thousand times."""

import pytest

from tests.estimation.coverage import REPETITIONS, coverage_of_intervals
from tests.estimation.shared import needs_yrbs
from tests.estimation.yrbs import QUESTIONS, RESPONDENTS, YRBS, true_counts, true_shares, truths

pytestmark = needs_yrbs


def test_ten_questions_of_all_respondents_are_read():
    assert YRBS.exists()
    assert truths().shape == (RESPONDENTS, 10)
    for question, counts in zip(QUESTIONS, true_counts(), strict=True):
        assert counts.sum() == RESPONDENTS
        assert len(counts) == question.answers
        assert counts.min() > 0


def test_the_shares_are_those_of_the_file():
    shares = dict(zip((question.id for question in QUESTIONS), true_shares(), strict=True))
    assert shares["considered"] == pytest.approx([2633 / 13677, 10804 / 13677, 240 / 13677])
    assert shares["cocaine"] == pytest.approx([557 / 13677, 11615 / 13677, 1505 / 13677])
    assert shares["attempted"] == pytest.approx([9453 / 13677, 604 / 13677, 463 / 13677, 3157 / 13677])


@pytest.mark.parametrize("same_people", [False, True])
@pytest.mark.parametrize("epsilon", ["1", "ln(3)", "3"])
def test_intervals_hold_the_true_shares_in_94_to_97_of_a_hundred_surveys(epsilon, same_people):
    found = coverage_of_intervals(true_counts(), epsilon, same_people=same_people)
    assert found.intervals == REPETITIONS * sum(question.answers for question in QUESTIONS)
    assert 0.94 <= found.overall <= 0.97
    # Of a thousand repetitions an exact 95 % interval misses more than 8.5 % with probability 1e-6.
    assert min(min(answers) for answers in found.by_answer) >= 0.915


def test_the_check_catches_intervals_of_a_lower_level():
    assert coverage_of_intervals(true_counts(), "1", level=0.92, repetitions=200).overall < 0.94

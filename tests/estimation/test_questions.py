import json

import pytest

from privacy.estimation.debias import CountsMalformed, Support
from privacy.estimation.questions import estimate_pooled, estimate_question
from privacy.mechanisms.catalogue import configure

FIVE = configure("spinner", "1", 5)
YES_NO = configure("spinner", "ln(3)", 2)
COUNTS = (400, 300, 100, 60, 140)


def test_an_estimate_shows_the_negative_share_and_says_so():
    (estimate,) = estimate_question(FIVE, COUNTS)
    assert estimate.answers[3].unbiased < 0
    assert estimate.answers[3].maximum_likelihood == 0
    assert estimate.answers[3].interval_method == "feldman-cousins"
    assert "negative-estimate" in estimate.notes
    assert sum(answer.unbiased for answer in estimate.answers) == pytest.approx(1)


def test_a_share_above_one_is_named_too():
    (estimate,) = estimate_question(YES_NO, (99, 1))
    assert estimate.notes == ("negative-estimate", "estimate-above-one")


def test_two_answers_share_one_interval_and_need_no_other():
    (estimate,) = estimate_question(YES_NO, (300, 200))
    assert all(answer.simultaneous == answer.interval for answer in estimate.answers)


def test_one_liar_moves_a_share_by_what_is_said():
    (estimate,) = estimate_question(YES_NO, (300, 200))
    (moved,) = estimate_question(YES_NO, (301, 199))
    assert moved.answers[0].unbiased - estimate.answers[0].unbiased == pytest.approx(estimate.one_liar)


def test_one_liar_in_a_pool_moves_it_by_no_more_than_is_said():
    versions = [(YES_NO, (300, 200)), (configure("spinner", "2", 2), (30, 50))]
    moves = []
    for version in (0, 1):
        other = list(versions)
        mechanism, (yes, no) = versions[version]
        other[version] = (mechanism, (yes + 1, no - 1))
        shares = [estimate_pooled(pool)[0].answers[0].unbiased for pool in (versions, other)]
        moves.append(abs(shares[1] - shares[0]))
    assert max(moves) == pytest.approx(estimate_pooled(versions)[0].one_liar)


def test_without_reports_nothing_is_divided():
    (estimate,) = estimate_question(FIVE, (0,) * 5, silence=True)
    assert estimate.notes == ("no-reports", "too-few-asked")
    assert estimate.answers[0].unbiased is None
    assert estimate.to_json()["answers"][0]["interval"] == [0.0, 1.0]
    assert estimate.one_liar is None


@pytest.mark.parametrize("protocol", ["one-box", "every-box"])
def test_each_box_is_estimated_from_those_who_answered_it(protocol):
    mechanism = configure(protocol, "3", 2, boxes=3)
    estimates = estimate_question(mechanism, (40, 60, 20, 30, 5, 15))
    assert [estimate.n for estimate in estimates] == [100, 50, 20]
    assert [estimate.box for estimate in estimates] == [0, 1, 2]
    delta = float(Support.of(mechanism).delta)
    assert [estimate.one_liar for estimate in estimates] == pytest.approx(
        [1 / 100 / delta, 1 / 50 / delta, 1 / 20 / delta]
    )
    assert {estimate.epsilon for estimate in estimates} == {mechanism.epsilon}


def test_a_box_of_three_answers_is_also_estimated_among_those_asked():
    mechanism = configure("one-box", "3", 3, boxes=2)
    estimates = estimate_question(mechanism, (400, 300, 60, 200, 400, 80))
    assert [len(estimate.among_asked) for estimate in estimates] == [2, 2]
    assert sum(share.unbiased for share in estimates[0].among_asked) == pytest.approx(1)


def test_those_asked_are_told_apart_only_where_silence_is_an_answer():
    assert estimate_question(FIVE, COUNTS)[0].among_asked is None
    assert len(estimate_question(FIVE, COUNTS, silence=True)[0].among_asked) == 4


def test_json_carries_rounded_figures_and_intervals_that_never_shrink():
    (estimate,) = estimate_question(FIVE, COUNTS, silence=True)
    shown = json.loads(json.dumps(estimate.to_json(), allow_nan=False))
    for answer, printed in zip(estimate.answers, shown["answers"], strict=True):
        assert printed["count"] == answer.count
        assert printed["unbiased"] == pytest.approx(answer.unbiased, abs=5.1e-7)
        low, high = printed["interval"]
        assert answer.interval.low - 1e-6 <= low <= answer.interval.low
        assert answer.interval.high <= high <= answer.interval.high + 1e-6
    assert shown["epsilon"] == "1.0000"
    assert len(shown["among_asked"]) == 4


def test_two_versions_with_the_same_integers_are_simply_added():
    pooled = estimate_pooled([(FIVE, COUNTS), (FIVE, (1, 2, 3, 4, 5))])
    assert pooled == estimate_question(FIVE, (401, 302, 103, 64, 145))


def test_versions_with_other_integers_are_pooled_under_one_likelihood():
    versions = [(FIVE, COUNTS), (configure("spinner", "2", 5), (300, 200, 30, 20, 40))]
    (estimate,) = estimate_pooled(versions, silence=True)
    assert estimate.n == 1590
    assert estimate.epsilon == "2.0000"
    assert "pooled-versions" in estimate.notes
    assert sum(answer.maximum_likelihood for answer in estimate.answers) == pytest.approx(1)
    assert sum(answer.unbiased for answer in estimate.answers) == pytest.approx(1)
    single = [estimate_question(*version)[0].answers[0] for version in versions]
    assert estimate.answers[0].standard_error < min(answer.standard_error for answer in single)


def test_an_empty_version_changes_nothing_of_a_pool():
    empty = (configure("spinner", "2", 5), (0,) * 5)
    pooled, alone = estimate_pooled([(FIVE, COUNTS), empty]), estimate_question(FIVE, COUNTS)
    assert pooled[0].answers == alone[0].answers


def test_versions_with_other_answers_are_not_pooled():
    with pytest.raises(CountsMalformed):
        estimate_pooled([(FIVE, COUNTS), (YES_NO, (3, 4))])


def test_counts_of_another_question_are_refused():
    with pytest.raises(CountsMalformed):
        estimate_question(FIVE, (1, 2))


def test_intervals_can_be_about_a_finite_population_or_these_people():
    widths = []
    for target in ({}, {"population": 2500}, {"respondents": True}):
        interval = (
            estimate_question(configure("spinner", "2", 2), (900, 1100), **target)[0].answers[0].interval
        )
        widths.append(interval.high - interval.low)
    assert widths[0] > widths[1] > widths[2]

import json

import numpy as np
import pytest
from scipy.stats import multinomial

from privacy.estimation.calculator import CaseInvalid, calculate
from privacy.estimation.intervals import normal_quantile
from privacy.estimation.profile import ProfileTest, profile_intervals
from privacy.estimation.simplex import log_likelihood
from privacy.mechanisms.catalogue import configure

LN3 = {"protocol": "spinner", "epsilon": "ln(3)", "choices": 2}
CASE = {"channel": LN3, "counts": [700, 300]}
TWO_COINS = {"protocol": "coin", "tosses": 1, "truth": 1, "choices": 2}
THREE = [[0.7, 0.2, 0.1], [0.2, 0.6, 0.3], [0.1, 0.2, 0.6]]


def changed(**fields):
    return {**CASE, **fields}


def test_seventy_percent_observed_through_two_coins_are_ninety():
    answer = calculate({"channel": TWO_COINS, "counts": [700, 300]})
    assert [one["unbiased"] for one in answer["estimates"]] == [0.9, 0.1]
    assert answer["observed"] == [0.7, 0.3]
    assert answer["n"] == 1000
    assert answer["epsilon"] == "1.0987"


@pytest.mark.parametrize(
    "channel", [LN3, TWO_COINS, {"protocol": "spinner-coin", "epsilon": "ln(3)", "choices": 2}]
)
def test_every_form_of_one_channel_gives_one_answer(channel):
    plain = calculate({"channel": {"p_yes_if_yes": 0.75, "p_yes_if_no": 0.25}, "counts": [555, 445]})
    matrix = calculate({"channel": {"matrix": [[0.75, 0.25], [0.25, 0.75]]}, "counts": [555, 445]})
    assert plain == matrix == calculate({"channel": channel, "counts": [555, 445]})


def test_fractions_may_be_written_as_such():
    written = calculate({"channel": {"p_yes_if_yes": "11/12", "p_yes_if_no": "1/6"}, "counts": [320, 448]})
    assert written["estimates"][0]["unbiased"] == 0.333333
    assert written["epsilon"] == "2.3026"


def test_an_answer_has_exactly_the_fields_of_the_interface():
    answer = calculate(CASE)
    assert set(answer) == {"n", "epsilon", "observed", "estimates", "notes"}
    fields = {"unbiased", "standard_error", "interval", "interval_method", "maximum_likelihood"}
    assert all(set(one) == fields for one in answer["estimates"])


def test_a_list_of_cases_is_answered_with_a_list():
    assert calculate([CASE, CASE]) == [calculate(CASE)] * 2
    assert calculate([]) == []


def test_a_one_sided_channel_has_no_finite_epsilon():
    answer = calculate(changed(channel={"p_yes_if_yes": 1, "p_yes_if_no": 0.5}))
    assert answer["epsilon"] is None
    assert answer["notes"] == ["infinite-epsilon"]
    assert answer["estimates"][0]["unbiased"] == 0.4


def test_a_crosswise_channel_turns_the_ends_round():
    crosswise = calculate(changed(channel={"p_yes_if_yes": 0.25, "p_yes_if_no": 0.75}, counts=[300, 700]))
    assert crosswise["estimates"] == calculate(CASE)["estimates"]


def test_no_reports_are_answered_without_division():
    for channel in (CASE["channel"], {**LN3, "choices": 3}):
        choices = channel.get("choices", 2)
        answer = calculate(changed(channel=channel, counts=[0] * choices))
        assert (answer["n"], answer["notes"]) == (0, ["no-reports"])
        assert answer["observed"] == [None] * choices
        for estimate in answer["estimates"]:
            assert [estimate[name] for name in ("unbiased", "standard_error", "maximum_likelihood")] == [
                None
            ] * 3
            assert estimate["interval"] == [0, 1]


@pytest.mark.parametrize("count", [10**30, 1 << 53, -1, 1.5])
def test_a_count_that_is_none_is_told_from_where_to_where_counts_go(count):
    with pytest.raises(
        CaseInvalid, match=r"^counts\[1\]: must be a whole number from 0 to 9007199254740991$"
    ):
        calculate(changed(counts=[1, count]))
    # The control: the largest count is calculated.
    assert calculate(changed(counts=[1, (1 << 53) - 1]))["n"] == 1 << 53


def test_respondents_and_finite_populations_narrow_the_interval_and_leave_the_standard_error():
    answers = [
        calculate(changed(**more))["estimates"][0]
        for more in ({}, {"population": 1500}, {"variance": "respondents"})
    ]
    widths = [high - low for low, high in (answer["interval"] for answer in answers)]
    assert widths[0] > widths[1] > widths[2]
    assert len({answer["standard_error"] for answer in answers}) == 1
    assert answers[1]["standard_error_of_target"] > answers[2]["standard_error_of_target"]


def test_a_higher_level_is_a_wider_interval():
    low, high = (calculate(changed(level=level))["estimates"][0]["interval"] for level in (0.9, 0.99))
    assert high[0] < low[0] < low[1] < high[1]


def test_a_channel_without_symmetry_is_inverted_and_its_interval_profiled():
    answer = calculate({"channel": {"matrix": THREE}, "counts": [100, 120, 40]})
    back = np.linalg.inv(THREE) @ np.array([100, 120, 40]) / 260
    assert [one["unbiased"] for one in answer["estimates"]] == pytest.approx(back, abs=1e-6)
    for one in answer["estimates"]:
        assert one["interval"][0] <= one["maximum_likelihood"] <= one["interval"][1]
        assert one["interval_method"] == "likelihood-ratio"


def test_a_profiled_interval_holds_the_truth_as_often_as_it_says():
    n, matrix = 30, np.array(THREE)
    for truth in ((0.5, 0.3, 0.2), (0.7, 0.3, 0)):
        covered, rates = np.zeros(3), matrix @ np.array(truth)
        for first in range(n + 1):
            for second in range(n - first + 1):
                counts = (first, second, n - first - second)
                chance = multinomial.pmf(counts, n, rates)
                # What is less likely is counted as missed: 0.4 % in all.
                if chance > 5e-5:
                    test = ProfileTest.of(matrix, counts, 0.95)
                    covered += chance * np.array(
                        [test.accepts(place, share) for place, share in enumerate(truth)]
                    )
        assert covered.min() >= 0.94


def test_a_profile_is_the_largest_likelihood_with_one_share_held():
    matrix, counts = np.array(THREE), (100, 120, 40)
    low, high = profile_intervals(matrix, counts)[0].low, profile_intervals(matrix, counts)[0].high
    grid = [(a, b, 1 - a - b) for a in (low, high) for b in np.linspace(0, 1 - a, 4001)]
    heights = [log_likelihood(matrix, counts, np.maximum(point, 0)) for point in grid]
    top = max(
        log_likelihood(matrix, counts, np.array((a, b, 1 - a - b)))
        for a in np.linspace(0, 1, 201)
        for b in np.linspace(0, 1 - a, 201)
    )
    for part in (heights[:4001], heights[4001:]):
        assert top - max(part) == pytest.approx(normal_quantile(0.95) ** 2 / 2, abs=5e-3)


def test_a_large_k_ary_case_uses_the_closed_form():
    counts = list(range(64))
    answer = calculate({"channel": {"protocol": "spinner", "epsilon": "1", "choices": 64}, "counts": counts})
    assert len(answer["estimates"]) == 64
    assert sum(one["maximum_likelihood"] for one in answer["estimates"]) == pytest.approx(1, abs=1e-4)
    assert answer["epsilon"] == configure("spinner", "1", 64).epsilon


@pytest.mark.parametrize(
    "case, where",
    [
        (3, "case"),
        ({}, "channel"),
        ([CASE, {}], "[1].channel"),
        (changed(counts=[1]), "counts"),
        (changed(counts="12"), "counts"),
        (changed(counts=[1, -2]), "counts[1]"),
        (changed(counts=[1.5, 2]), "counts[0]"),
        (changed(counts=[True, 2]), "counts[0]"),
        (changed(level=1), "level"),
        (changed(level="0.95"), "level"),
        (changed(population=999), "population"),
        (changed(variance="robust"), "variance"),
        (changed(populaton=5), "populaton"),
        (changed(channel=[]), "channel"),
        (changed(channel={}), "channel"),
        (changed(channel={**LN3, "matrix": THREE}), "channel"),
        (changed(channel={"p_yes_if_yes": 0.5}), "channel.p_yes_if_no"),
        (changed(channel={"p_yes_if_yes": 1.5, "p_yes_if_no": 0}), "channel.p_yes_if_yes"),
        (changed(channel={"p_yes_if_yes": "1e9", "p_yes_if_no": 0}), "channel.p_yes_if_yes"),
        (changed(channel={"p_yes_if_yes": float("nan"), "p_yes_if_no": 0}), "channel.p_yes_if_yes"),
        (changed(channel={"p_yes_if_yes": 0.4, "p_yes_if_no": 0.4}), "channel"),
        (changed(channel={"matrix": [[0.5, 0.5], [0.4, 0.5]]}), "channel.matrix"),
        (changed(channel={"matrix": [[1, 0, 0], [0, 1, 1]]}), "channel.matrix"),
        (changed(channel={"matrix": 3}), "channel.matrix"),
        (changed(channel={"matrix": [[1, None], [0, 1]]}), "channel.matrix[0][1]"),
        (changed(channel={"protocol": "subset", "epsilon": "1", "choices": 2}), "channel.protocol"),
        (changed(channel={"protocol": ["spinner"], "epsilon": "1", "choices": 2}), "channel.protocol"),
        (changed(channel={"protocol": "spinner", "choices": 2}), "channel.epsilon"),
        (changed(channel={**LN3, "epsilon": 1.1}), "channel"),
        (changed(channel={**LN3, "epsilon": "99"}), "channel"),
        (changed(channel={**LN3, "choices": 1}), "channel"),
        (changed(channel={**LN3, "tosses": 1}), "channel.tosses"),
        (changed(channel={**TWO_COINS, "truth": 2}), "channel"),
        ({"channels": [LN3], "table": [[1]]}, "channels"),
        ({"channels": [LN3, LN3], "table": [[1, 2]]}, "table"),
        ({"channels": [LN3, LN3], "table": [[1, 2], [3]]}, "table[1]"),
        ({"channels": [LN3, LN3], "table": [[0, 0], [0, 0]]}, "table"),
        ({"channels": [LN3, {}], "table": [[1, 2], [3, 4]]}, "channels[1]"),
        ({"table": [[1, 2], [3, 4]]}, "channels"),
    ],
)
def test_a_case_that_cannot_be_calculated_says_where_and_why(case, where):
    with pytest.raises(CaseInvalid) as refused:
        calculate(case)
    assert refused.value.where == where
    assert refused.value.why
    assert "\n" not in str(refused.value)


def test_an_answer_can_be_written_as_strict_json():
    for counts in ([0, 0], [1000, 0], [3, 4]):
        json.dumps(calculate(changed(counts=counts)), allow_nan=False)

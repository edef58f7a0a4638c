"""Published randomised-response surveys: estimates and standard errors to the digits that were printed."""

import math
from fractions import Fraction

import numpy as np
import pytest

from privacy.estimation.calculator import calculate
from privacy.estimation.debias import Support, covariance, invert, standard_errors, unbiased_shares
from privacy.estimation.intervals import sampling_part, spread_of
from privacy.estimation.pooling import Part, pooled_error, pooled_share
from tests.estimation.shared import needs_cases, published_cases

CASES = published_cases()
BINARY = [case for case in CASES.values() if "p_yes_if_yes" in case]
FINITE = [case for case in BINARY if "population_N" in case.get("params", {})]

pytestmark = needs_cases


def name(case):
    return case["id"]


def estimated(case):
    """Estimate and standard error with all digits, from p and q as printed."""
    p, q = case["p_yes_if_yes"], case["p_yes_if_no"]
    part = Part(case["yes"], case["n"], p, q)
    return pooled_share([part]), pooled_error([part])


def digits_of(printed):
    """Half a unit of the last printed digit (and what p and q lost by being printed with ten)."""
    text = repr(printed)
    return 0.5 * 10.0 ** -len(text.partition(".")[2]) + 1e-8


def calculated(case, **more):
    channel = {"p_yes_if_yes": case["p_yes_if_yes"], "p_yes_if_no": case["p_yes_if_no"]}
    return calculate({"channel": channel, "counts": [case["yes"], case["n"] - case["yes"]], **more})


def test_the_file_holds_the_surveys_that_are_expected():
    assert len(BINARY) >= 11
    assert len(FINITE) == 3


@pytest.mark.parametrize("case", BINARY, ids=name)
def test_a_published_survey_is_estimated_to_its_printed_digits(case):
    share, error = estimated(case)
    published, recomputed = case["published"], case["recomputed"]
    for printed, ours in ((published.get("estimate"), share), (published.get("se"), error)):
        assert printed is None or ours == pytest.approx(printed, abs=digits_of(printed))
    assert share == pytest.approx(recomputed["estimate"], abs=1e-8)
    assert error == pytest.approx(recomputed["se_n"], abs=1e-8)


@pytest.mark.parametrize("case", BINARY, ids=name)
def test_the_calculator_gives_the_same_to_six_decimals(case):
    yes, no = calculated(case)["estimates"]
    recomputed = case["recomputed"]
    assert yes["unbiased"] == pytest.approx(recomputed["estimate"], abs=6e-7)
    assert yes["standard_error"] == pytest.approx(recomputed["se_n"], abs=6e-7)
    assert yes["maximum_likelihood"] == pytest.approx(recomputed["mle_in_unit_interval"], abs=6e-7)
    assert no["unbiased"] == pytest.approx(1 - recomputed["estimate"], abs=6e-7)
    assert 0 <= yes["interval"][0] < yes["interval"][1] <= 1
    assert yes["interval"][0] <= yes["maximum_likelihood"] <= yes["interval"][1]


def test_the_dice_game_has_a_negative_estimate_and_an_interval_all_the_same():
    answer = calculated(CASES["glmmrr-mturk-forced-cheating-dice-game"])
    yes = answer["estimates"][0]
    assert yes["unbiased"] == -0.019361
    assert yes["interval"][0] == 0
    assert yes["interval_method"] == "feldman-cousins"
    assert "negative-estimate" in answer["notes"]


@pytest.mark.parametrize("case", [case for case in BINARY if case["p_yes_if_no"] == 0], ids=name)
def test_a_direct_question_costs_infinite_epsilon_and_is_calculated(case):
    answer = calculated(case)
    assert answer["epsilon"] is None
    assert "infinite-epsilon" in answer["notes"]


@pytest.mark.parametrize("case", FINITE, ids=name)
def test_a_finite_populations_printed_variance_is_our_formula_with_divisor_n_minus_one(case):
    # Printed: (1 - n/N) s^2/n + mean(r(r - 1))/N with s^2 of divisor n - 1. Ours, g = 1 - n/N, has divisor n:
    # (A + B share + g share (1 - share))/n, less by (1 - n/N) V/(n (n - 1)), V = n times the population variance.
    n, population = case["n"], case["params"]["population_N"]
    share, error = estimated(case)
    g = sampling_part(n, population)
    ours = spread_of(n, case["p_yes_if_yes"], case["p_yes_if_no"], g).at(share)
    assert ours == pytest.approx(case["published"]["variance"], rel=2 / n)
    exactly = ours + g * error**2 / (n - 1)
    # To the printed digits; p and q are printed with ten.
    assert exactly == pytest.approx(case["published"]["variance"], abs=6e-10)


@pytest.mark.parametrize("case", FINITE, ids=name)
def test_the_calculator_takes_the_size_of_a_finite_population(case):
    population = case["params"]["population_N"]
    yes = calculated(case, population=population)["estimates"][0]
    assert yes["standard_error_of_target"] == pytest.approx(
        math.sqrt(case["published"]["variance"]), rel=2 / case["n"]
    )
    assert yes["standard_error"] == pytest.approx(case["recomputed"]["se_n"], abs=6e-7)
    wide = calculated(case)["estimates"][0]["interval"]
    assert wide[1] - wide[0] > yes["interval"][1] - yes["interval"][0]


def test_textbooks_exact_share_is_found():
    assert estimated(CASES["devore-honor-code"])[0] == pytest.approx(0.2, abs=1e-12)


# The crosswise question that was pooled over ten design probabilities.


def crosswise_parts(case):
    return [Part(group["yes"], group["n"], group["p"], 1 - group["p"]) for group in case["groups"]]


def test_the_pooled_crosswise_survey_is_recomputed_with_the_weights_that_it_names():
    # The recomputed numbers weigh each group by its n, not by our n delta^2; the weights are an argument.
    case = CASES["glmmrr-ethbe-copied-crosswise-pooled"]
    parts, recomputed = crosswise_parts(case), case["recomputed"]
    by_size = np.array([part.n for part in parts], dtype=float)
    assert pooled_share(parts, by_size) == pytest.approx(recomputed["estimate_n_weighted"], abs=5e-7)
    assert pooled_error(parts, by_size) == pytest.approx(recomputed["se_n_weighted"], abs=5e-7)
    inverse = np.array([1 / pooled_error([part]) ** 2 for part in parts])
    assert pooled_share(parts, inverse) == pytest.approx(recomputed["estimate_inverse_variance"], abs=5e-6)
    assert pooled_error(parts, inverse) == pytest.approx(recomputed["se_inverse_variance"], abs=5e-7)


def test_design_weights_are_more_precise_than_sizes_and_agree_with_them():
    parts = crosswise_parts(CASES["glmmrr-ethbe-copied-crosswise-pooled"])
    by_size = np.array([part.n for part in parts], dtype=float)
    assert pooled_error(parts) < pooled_error(parts, by_size)
    assert abs(pooled_share(parts) - pooled_share(parts, by_size)) < pooled_error(parts)


def test_the_printed_crosswise_error_is_not_reproduced_because_it_is_wrong():
    case = CASES["glmmrr-ethbe-copied-crosswise-pooled"]
    assert case["published"]["se"] / pooled_error(crosswise_parts(case)) > 2


def test_the_inattentive_crosswise_survey_has_its_naive_estimate():
    case = CASES["cwise-bias-corrected-crosswise"]
    part = Part(case["yes_main"], case["n"], case["params"]["p"], 1 - case["params"]["p"])
    assert pooled_share([part]) == pytest.approx(case["recomputed"]["naive"], abs=5e-8)
    # With n - 1: the printed .0144462.
    assert pooled_error([part]) * math.sqrt(case["n"] / (case["n"] - 1)) == pytest.approx(
        case["recomputed"]["naive_se"], abs=5e-8
    )


# k-ary cases.


def test_the_battery_of_four_answers():
    case = CASES["grr-k4-estimator-battery"]
    answer = calculate(
        {"channel": {"protocol": "spinner", "epsilon": "ln(3)", "choices": 4}, "counts": case["counts"]}
    )
    found = answer["estimates"]
    assert [one["unbiased"] for one in found] == pytest.approx(case["moment"], abs=1e-6)
    assert [one["maximum_likelihood"] for one in found] == pytest.approx(case["mle_closed_form"], abs=1e-6)
    errors = np.sqrt(np.diag(case["cov_moment"]))
    assert [one["standard_error"] for one in found] == pytest.approx(errors, abs=1e-6)
    third = Support(Fraction(1, 2), Fraction(1, 6), 4)
    assert covariance(case["counts"], third) == pytest.approx(np.array(case["cov_moment"]), abs=1e-12)
    assert unbiased_shares(case["counts"], third) == pytest.approx(case["moment"], abs=1e-12)
    assert standard_errors(case["counts"], third) == pytest.approx(errors, abs=1e-12)


def test_the_counts_of_a_bit_vector_are_debiased_as_published():
    case = CASES["opendp-debias-bitvec-unit-test"]
    flip = case["params"]["f"] / 2
    for count, printed in zip(case["bit_counts"], case["published"]["counts"], strict=True):
        assert pooled_share([Part(count, case["n"], 1 - flip, flip)]) * case["n"] == pytest.approx(
            printed, abs=1e-9
        )


# Cross tables.

TABLES = [case for case in CASES.values() if case["id"].startswith("xtab")]


@pytest.mark.parametrize("case", TABLES, ids=name)
def test_a_cross_table_is_estimated_through_both_channels(case):
    channels = [{"matrix": matrix} for matrix in case["channel_rows_response_cols_truth"]]
    answer = calculate({"channels": channels, "table": case["observed"]})
    flat = {key: [value for row in rows for value in row] for key, rows in answer.items()}
    assert flat["unbiased"] == pytest.approx(case["moment_kronecker"], abs=6e-7)
    assert flat["standard_errors"] == pytest.approx(case["se"], abs=6e-7)
    assert flat["maximum_likelihood"] == pytest.approx(case["mle_em"], abs=1.1e-6)


def test_a_cross_tables_margin_is_the_single_estimate():
    case = CASES["xtab-horvitz-bullying-sex"]
    matrix = np.array(case["channel_rows_response_cols_truth"][0])
    shares, _ = invert(matrix, np.array(case["observed"]).sum(axis=1).tolist())
    assert shares[1] == pytest.approx(case["marginals"][0], abs=6e-7)

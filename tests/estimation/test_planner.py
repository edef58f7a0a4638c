import math
from itertools import product

import numpy as np
import pytest

from privacy.estimation.debias import Support
from privacy.estimation.planner import (
    PlanInvalid,
    better_boxes,
    blind_rate,
    central_variance,
    channel_noise,
    guess_rate,
    plan,
    posterior_bound,
    variance_of_one,
)
from privacy.mechanisms.catalogue import configure

YES_NO = configure("spinner", "1", 2)


@pytest.mark.parametrize(
    "epsilon, at_a_tenth, at_a_half",
    [("0.5", 44, 17), ("1", 11, 4.7), ("ln(3)", 9.3, 4), ("2", 3, 1.7), ("3", 1.6, 1.2)],
)
def test_the_factor_against_asking_directly_is_as_published(epsilon, at_a_tenth, at_a_half):
    mechanism = configure("spinner", epsilon, 2)
    factors = [plan(mechanism, prevalence=share).factor_direct for share in (0.1, 0.5)]
    assert factors == pytest.approx([at_a_tenth, at_a_half], rel=0.025)


def test_one_extra_category_costs_sixteen_times_at_epsilon_one():
    assert plan(configure("spinner", "1", 3), prevalence=0.1).factor_direct == pytest.approx(16, abs=0.5)


@pytest.mark.parametrize(
    "epsilon, row",
    [
        ("0.5", {4: 38, 8: 155, 16: 617, 64: 9775}),
        ("1", {4: 7.6, 8: 27, 16: 99, 64: 1439}),
        ("2", {4: 1.2, 8: 3.6, 16: 11, 64: 119}),
    ],
)
def test_the_noise_of_the_spinner_is_as_in_the_table_of_mechanisms(epsilon, row):
    for choices, printed in row.items():
        noise = channel_noise(Support.of(configure("spinner", epsilon, choices)))
        digits = 1 if printed < 10 else 0
        # A little more than half a digit: the table's 119 is 118.496, rounded by way of 118.5.
        assert noise == pytest.approx(printed, abs=0.505 * 10**-digits)


def test_the_noise_of_a_channel_is_the_variance_beyond_that_of_asking_directly():
    support = Support.of(configure("spinner", "1", 4))
    for shares in ((0.25,) * 4, (1, 0, 0, 0), (0.6, 0.3, 0.1, 0)):
        beyond = sum(variance_of_one(support, share) - share * (1 - share) for share in shares)
        assert beyond == pytest.approx(channel_noise(support))


def test_odds_are_told_of_a_hundred_people():
    assert plan(YES_NO).odds == 73


@pytest.mark.parametrize("choices, prevalence", list(product([2, 3, 6], [0.01, 0.2, 0.5, 0.95])))
def test_the_guess_rate_is_the_sum_over_reports_of_the_likeliest_truth(choices, prevalence):
    mechanism = configure("spinner", "1.5", choices)
    matrix = np.array(mechanism.channel().matrix, dtype=float)
    prior = np.array([prevalence] + [(1 - prevalence) / (choices - 1)] * (choices - 1))
    assert guess_rate(Support.of(mechanism), prevalence) == pytest.approx((matrix * prior).max(axis=1).sum())


def test_of_a_rare_answer_one_report_may_tell_no_more_than_a_blind_guess():
    rare = plan(YES_NO, prevalence=0.1)
    assert rare.blind_rate == pytest.approx(0.9) == rare.guess_rate
    assert plan(YES_NO, prevalence=0.5).blind_rate == 0.5 < plan(YES_NO, prevalence=0.5).guess_rate
    assert blind_rate(Support.of(configure("spinner", "1.5", 5)), 0.1) == pytest.approx(0.225)


def test_no_report_moves_a_belief_beyond_its_bound():
    matrix, prior = np.array(YES_NO.channel().matrix, dtype=float), 0.2
    believed = max(prior * row[0] / (prior * row[0] + (1 - prior) * row[1]) for row in matrix)
    bound = posterior_bound(float(YES_NO.epsilon), prior)
    assert believed <= bound <= believed + 1e-4
    assert bound == pytest.approx(0.2 * math.e / (0.2 * math.e + 0.8), abs=1e-4)


def test_the_respondents_needed_reach_the_margin_and_one_fewer_do_not():
    needed = plan(YES_NO, prevalence=0.1, margin=0.03).n_needed
    assert plan(YES_NO, prevalence=0.1, n=needed).expected_margin <= 0.03
    assert plan(YES_NO, prevalence=0.1, n=needed - 1).expected_margin > 0.03


def test_central_noise_is_that_of_the_geometric_mechanism():
    power, n = math.e, 500
    alpha = 1 / power
    noise = sum(2 * k * k * (1 - alpha) / (1 + alpha) * alpha**k for k in range(1, 400))
    assert central_variance(1, 0.1, n) == pytest.approx(0.09 / n + noise / n**2)
    assert central_variance(1, 0.1, n) == pytest.approx(0.09 / n + 2 * power / ((power - 1) ** 2 * n * n))


def test_one_drawn_box_hears_a_part_of_the_respondents():
    one, whole = configure("one-box", "1", 2, boxes=4), YES_NO
    assert plan(one, n=4000).expected_margin == pytest.approx(plan(whole, n=1000).expected_margin)
    assert plan(one, n=4000).one_liar == pytest.approx(plan(whole, n=1000).one_liar)
    assert plan(one, margin=0.05).n_needed == pytest.approx(4 * plan(whole, margin=0.05).n_needed, abs=4)


def test_every_box_is_asked_at_its_part_of_epsilon():
    every, whole = configure("every-box", "4", 2, boxes=4), YES_NO
    assert plan(every, n=1000).expected_margin == pytest.approx(plan(whole, n=1000).expected_margin)
    assert plan(every).epsilon == "4.0000"


def test_the_better_way_to_ask_boxes_is_one_at_small_and_all_at_large_epsilon():
    assert better_boxes("1", 4)["better"] == "one-box"
    assert better_boxes("8", 4)["better"] == "every-box"
    for epsilon in ("1", "8"):
        ways = better_boxes(epsilon, 4, prevalence=0.3)
        errors = {
            name: plan(configure(name, epsilon, 2, boxes=4), prevalence=0.3, n=1000).expected_margin
            for name in ("one-box", "every-box")
        }
        assert min(errors, key=errors.get) == ways["better"]


def test_boxes_too_many_for_their_epsilon_are_drawn():
    assert better_boxes("0.05", 20) == {**better_boxes("0.05", 20), "every-box": None, "better": "one-box"}


def test_a_share_of_nobody_has_no_factor():
    assert plan(YES_NO, prevalence=0).factor_direct is None


def test_without_respondents_and_margin_their_figures_are_left_open():
    shown = plan(YES_NO).to_json()
    assert all(
        shown[name] is None for name in ("n", "expected_margin", "n_needed", "one_liar", "factor_central")
    )


@pytest.mark.parametrize(
    "figures, field",
    [
        ({"prevalence": 1.1}, "prevalence"),
        ({"n": 0}, "n"),
        ({"margin": 0}, "margin"),
        ({"level": 1}, "level"),
        ({"prevalence": math.nan}, "prevalence"),
        ({"margin": math.nan}, "margin"),
        ({"margin": 1e-200}, "margin"),
        ({"n": 10**400}, "n"),
        ({"prevalence": 1e-320}, "prevalence"),
        ({"level": 1e-300}, "level"),
    ],
)
def test_a_figure_out_of_range_is_named(figures, field):
    with pytest.raises(PlanInvalid) as refused:
        plan(YES_NO, **figures)
    assert refused.value.field == field

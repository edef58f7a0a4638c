"""What an admin types becomes integers that never promise more privacy than they keep."""

from decimal import Decimal
from fractions import Fraction
from math import exp, floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.budget import DIGITS, Epsilon, coin_num, floor_between, spinner_num, split
from privacy.errors import EpsilonInvalid, EpsilonMalformed, EpsilonOutOfRange, TossesTooFew, TruthNotFavoured
from privacy.mechanisms.catalogue import configure
from tests.privacy.reference import epsilon_of, exp_bounds, num_of, ratio_of

DECIMALS = st.integers(100, 160_000).map(lambda units: f"{units // 10_000}.{units % 10_000:04d}")
LOGARITHMS = st.integers(2, 8_886_110).map(lambda n: f"ln({n})")
TEXTS = DECIMALS | LOGARITHMS
CHOICES = st.integers(2, 256)


@pytest.mark.parametrize("text", ["0.01", "1", "01", "1.5", "16", "16.0000", "ln(2)", "ln(8886110)"])
def test_an_admin_may_type_a_decimal_or_a_logarithm(text: str) -> None:
    assert Epsilon.parse(text).text == text


@pytest.mark.parametrize(
    "text", ["", "1e0", ".5", "1.", "0.12345", "-1", " 1", "1\n", "１", "ln(2.5)", "ln(02)", None]
)
def test_anything_else_is_malformed(text: str) -> None:
    with pytest.raises(EpsilonMalformed):
        Epsilon.parse(text)


@pytest.mark.parametrize("text", ["0", "0.0099", "16.0001", "99", "ln(1)", "ln(8886111)"])
def test_an_epsilon_out_of_range_is_refused(text: str) -> None:
    with pytest.raises(EpsilonOutOfRange):
        Epsilon(text)


@given(st.text(max_size=8))
def test_no_text_does_anything_but_parse_or_be_refused(text: str) -> None:
    try:
        lower, upper = Epsilon.parse(text).bounds()
    except EpsilonInvalid:
        return
    assert Fraction(1, 100) <= lower <= upper <= 16


@given(TEXTS, CHOICES)
def test_a_spinner_never_costs_more_than_was_configured(text: str, choices: int) -> None:
    num = spinner_num(Epsilon.parse(text), choices)
    assert ratio_of({"name": "spinner", "choices": choices, "num": num, "bits": 32}) <= epsilon_of(text)[0]
    assert {num} == set(num_of("spinner", text, choices, 32))


@given(TEXTS, CHOICES, st.integers(1, 32))
def test_coins_never_cost_more_than_was_configured(text: str, choices: int, width: int) -> None:
    try:
        num = coin_num(Epsilon.parse(text), choices, width)
    except TossesTooFew:
        assert set(num_of("coin", text, choices, width)) == {0}
        return
    assert ratio_of({"name": "coin", "choices": choices, "num": num, "tosses": width}) <= epsilon_of(text)[0]
    assert {num} == set(num_of("coin", text, choices, width))


@given(TEXTS, CHOICES)
def test_one_more_of_the_wheel_would_cost_more_than_was_configured(text: str, choices: int) -> None:
    num = spinner_num(Epsilon.parse(text), choices) + 1
    more = {"name": "spinner", "choices": choices, "num": num, "bits": 32}
    assert num == 1 << 32 or ratio_of(more) > epsilon_of(text)[1]


@given(DECIMALS, st.integers(2, 40), st.sampled_from(["spinner", "spinner-coin"]))
def test_the_published_epsilon_is_never_above_a_configured_decimal(
    text: str, choices: int, protocol: str
) -> None:
    mechanism = configure(protocol, text, choices)
    assert Decimal(mechanism.epsilon) <= Decimal(text)
    ratio = mechanism.channel().ratio()
    assert ratio is not None
    assert ratio <= Epsilon.parse(text).power_bounds()[0]


@given(TEXTS, st.integers(1, 60), st.integers(2, 3))
def test_all_boxes_together_never_cost_more_than_was_configured(text: str, boxes: int, choices: int) -> None:
    try:
        mechanism = configure("every-box", text, choices, boxes=boxes)
    except EpsilonOutOfRange:
        return
    # The true sum: the boxes are independent, so their ratios multiply.
    assert ratio_of(mechanism.manifest()) ** boxes <= epsilon_of(text)[0]
    assert Fraction(mechanism.epsilon) <= Epsilon.parse(text).bounds()[0]


@given(TEXTS, st.integers(1, 256))
def test_parts_never_add_up_to_more_than_the_whole(text: str, parts: int) -> None:
    epsilon = Epsilon.parse(text)
    try:
        part = Fraction(split(epsilon, parts).text)
    except EpsilonOutOfRange:
        assert epsilon.bounds()[0] / parts < Fraction(1, 100)
        return
    assert part * parts <= epsilon.bounds()[0] < (part + Fraction(1, 10_000)) * parts


def test_rounding_to_the_nearest_would_break_the_promise() -> None:
    p = exp(3.0) / (exp(3.0) + 1)
    nearest = round(p * 256)
    assert ratio_of({"name": "spinner", "choices": 2, "num": nearest, "bits": 8}) > epsilon_of("3")[1]
    assert spinner_num(Epsilon.parse("3"), 2, 8) == floor(p * 256) == nearest - 1


def test_digits_are_doubled_until_the_bounds_agree() -> None:
    asked = []

    def bounds(digits: int) -> tuple[Fraction, Fraction]:
        asked.append(digits)
        width = Fraction(1, 10**digits)
        return 3 - width / 2 + Fraction(1, 10**50), 3 + width / 2 + Fraction(1, 10**50)

    assert floor_between(bounds, lambda x: x) == 3
    assert asked == [DIGITS, 2 * DIGITS]


@given(DECIMALS)
def test_the_bounds_enclose_the_power_and_nothing_else(text: str) -> None:
    lower, upper = Epsilon.parse(text).power_bounds()
    assert lower < exp_bounds(Fraction(text))[1]
    assert upper > exp_bounds(Fraction(text))[0]
    assert 0 < upper - lower < upper / 10**38


@pytest.mark.parametrize("text, choices, width", [("0.5", 3, 1), ("0.01", 2, 4), ("0.1", 5, 3)])
def test_a_wheel_that_does_not_favour_the_truth_is_refused(text: str, choices: int, width: int) -> None:
    with pytest.raises(TruthNotFavoured):
        spinner_num(Epsilon.parse(text), choices, width)


def test_too_few_tosses_are_refused_and_one_more_is_enough() -> None:
    with pytest.raises(TossesTooFew):
        configure("coin", "1", 2, tosses=1)
    assert configure("coin", "1", 2, tosses=2).manifest()["num"] == 1


def test_ln_3_gives_the_classic_two_coins() -> None:
    assert coin_num(Epsilon.parse("ln(3)"), 2, 1) == 1
    assert spinner_num(Epsilon.parse("ln(3)"), 2) == 3 << 30

"""ε is read off the exact matrix, and a matrix that would prove a truth is not published."""

from fractions import Fraction as F
from typing import Any

import pytest

from privacy.accounting import published_epsilon, total
from privacy.channel import Channel
from privacy.errors import ChannelMalformed, EpsilonInfinite, EpsilonMalformed
from privacy.mechanisms.catalogue import configure

CLASSIC = Channel.yes_no(F(3, 4), F(1, 4))


def test_the_classic_coins_have_the_ratio_three() -> None:
    assert CLASSIC.ratio() == 3
    assert published_epsilon(CLASSIC.ratio()) == "1.0987"


def test_seventy_percent_observed_are_ninety_percent() -> None:
    (c, d), _ = CLASSIC.matrix
    assert (F(7, 10) - d) / (c - d) == F(9, 10)


def test_a_one_sided_answer_has_an_infinite_epsilon_and_is_not_published() -> None:
    one_sided = Channel.yes_no(F(1), F(1, 2))
    assert one_sided.ratio() is None
    with pytest.raises(EpsilonInfinite):
        published_epsilon(one_sided.ratio())


def test_answering_honestly_has_an_infinite_epsilon() -> None:
    assert Channel.symmetric(F(1), F(0), 3).ratio() is None


def test_a_report_that_no_truth_produces_tells_nothing() -> None:
    assert Channel(((F(3, 4), F(1, 4)), (F(1, 4), F(3, 4)), (F(0), F(0)))).ratio() == 3


def test_the_worst_report_decides() -> None:
    assert Channel(((F(1, 2), F(1, 4)), (F(1, 4), F(1, 4)), (F(1, 4), F(1, 2)))).ratio() == 2
    assert Channel.yes_no(F(9, 10), F(8, 10)).ratio() == 2  # not 9/8


@pytest.mark.parametrize("choices", [2, 3, 5, 20, 100, 256])
@pytest.mark.parametrize("protocol", ["spinner", "spinner-coin"])
def test_the_wheel_and_the_wheel_with_a_coin_are_the_same_channel(protocol: str, choices: int) -> None:
    this, other = (configure(name, "1.5", choices).channel() for name in (protocol, "spinner"))
    assert abs(this.matrix[0][0] - other.matrix[0][0]) <= F(1, 1 << 32)


@pytest.mark.parametrize(
    "matrix",
    [
        (),
        ((),),
        ((F(1, 2),),),
        ((F(3, 2),), (F(-1, 2),)),
        ((F(1), F(1)), (F(0),)),
        ((F(1, 2), F(1, 2)), (F(1, 2), F(1, 3))),
    ],
)
def test_what_is_no_distribution_is_no_channel(matrix: Any) -> None:
    with pytest.raises(ChannelMalformed):
        Channel(matrix)


def test_it_knows_its_size() -> None:
    channel = Channel(((F(1, 2), F(1, 4)), (F(1, 4), F(1, 4)), (F(1, 4), F(1, 2))))
    assert (channel.reports, channel.truths) == (3, 2)


def test_published_values_are_rounded_up_and_add_up_exactly() -> None:
    assert published_epsilon(F(1 << 32 | 1, 1 << 32)) == "0.0001"
    assert published_epsilon(F(2)) == "0.6932"
    assert published_epsilon(F(1)) == "0.0000"
    assert total(["0.1000"] * 3) == "0.3000"  # not 0.30000000000000004
    assert total([]) == "0.0000"


@pytest.mark.parametrize("text", ["1", "1.0", "-1.0000", "1.00000", "1e0", " 1.0000", "١.0000", 1.0])
def test_only_published_values_are_added(text: Any) -> None:
    with pytest.raises(EpsilonMalformed):
        total(["1.0000", text])

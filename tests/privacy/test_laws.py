"""What leaves a respondent's device has exactly the law that is published."""

import pytest

from tests.privacy.laws import check_answers, check_boxes, check_laws, check_samplers, law, outcomes


@pytest.mark.parametrize("width", range(1, 9))
def test_every_word_of_a_sampler_is_counted_once(width: int) -> None:
    check_samplers(width)


@pytest.mark.parametrize("choices", range(2, 9))
def test_the_law_at_eight_bits_is_the_matrix(choices: int) -> None:
    check_answers(choices, 8, range(choices))


@pytest.mark.parametrize("choices", range(9, 35))
def test_the_law_for_many_answers_is_the_matrix(choices: int) -> None:
    check_answers(choices, 4, sorted({0, 1, choices // 2, choices - 1}))


@pytest.mark.parametrize("choices", [63, 64, 65, 66, 127, 128, 129, 130, 200, 254, 255, 256])
def test_the_law_for_very_many_answers_is_the_matrix(choices: int) -> None:
    check_answers(choices, 2, sorted({0, choices // 2, choices - 1}))


def test_the_law_of_one_coin_beside_the_draw_is_the_matrix_for_every_number_of_answers() -> None:
    for choices in range(3, 257):
        check_answers(choices, 1, (0, choices - 1))


@pytest.mark.parametrize("width", range(1, 8))
def test_the_law_of_a_yes_or_no_is_the_matrix_at_every_width(width: int) -> None:
    check_answers(2, width, range(2))


@pytest.mark.parametrize(
    "boxes, choices, width", [(1, 2, 8), (2, 2, 4), (3, 2, 3), (4, 2, 2), (2, 3, 3), (3, 3, 2)]
)
def test_the_joint_law_of_boxes_is_the_product_of_their_matrices(
    boxes: int, choices: int, width: int
) -> None:
    check_boxes(boxes, choices, width)


def test_the_short_check_that_mutants_meet_passes_on_the_product() -> None:
    check_laws()


def test_a_remainder_instead_of_throwing_away_would_be_noticed() -> None:
    folded = law(outcomes(lambda bits: bits.word(3) % 5, 3))
    assert folded[0] == 2 * folded[4]

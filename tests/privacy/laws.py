"""Laws computed, not sampled: every word is enumerated and the outcome compared with the matrix."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from privacy.errors import RandomnessExhausted
from privacy.mechanisms.coin import Coin
from privacy.mechanisms.every_box import EveryBox
from privacy.mechanisms.one_box import OneBox
from privacy.mechanisms.spinner import Spinner
from privacy.mechanisms.spinner_coin import SpinnerCoin
from privacy.sampling import below, bernoulli, categorical

Law = dict[Any, Fraction]


class ExactBits:
    """A bit source of exactly these bits: reading on is how a draw says that it threw a word away."""

    def __init__(self, value: int, length: int) -> None:
        self.used = 0
        self._value, self._length = value, length

    def word(self, b: int, /) -> int:
        """Return the next b bits, the most significant first."""
        remaining = self._length - self.used
        if b > remaining:
            raise RandomnessExhausted(b, remaining)
        self.used += b
        return self._value >> (remaining - b) & (1 << b) - 1


def outcomes(draw: Callable[[ExactBits], Any], length: int) -> list[Any]:
    """Return what each of the 2**length words gives, None where the draw threw words away."""
    found = []
    for value in range(1 << length):
        bits = ExactBits(value, length)
        try:
            found.append(draw(bits))
        except RandomnessExhausted:
            found.append(None)
        else:
            assert bits.used == length, f"{bits.used} bits read, {length} expected"
    return found


def law(found: Iterable[Any]) -> Law:
    """Return the law of the outcomes, given that nothing was thrown away."""
    counts = Counter(outcome for outcome in found if outcome is not None)
    return {outcome: Fraction(count, counts.total()) for outcome, count in counts.items()}


def length_of_below(n: int) -> int:
    """Return how many bits one try of below(n) reads."""
    return (n - 1).bit_length()


def check_one_answer(mechanism: Spinner | SpinnerCoin | Coin, length: int, truths: Iterable[int]) -> None:
    """Compare the law of a mechanism with its matrix, for each truth, and the bits that each path reads."""
    matrix = mechanism.channel().matrix
    thrown_away = set()
    for truth in truths:
        found = outcomes(lambda bits, t=truth: mechanism.report(t, bits), length)  # type: ignore[misc]
        expected = {r: matrix[r][truth] for r in range(mechanism.choices) if matrix[r][truth]}
        assert law(found) == expected, f"{mechanism}, truth {truth}"
        thrown_away.add(tuple(i for i, outcome in enumerate(found) if outcome is None))
    assert len(thrown_away) == 1, f"{mechanism}: the truth decides which words are thrown away"


def check_one_box(mechanism: OneBox) -> None:
    """Compare the law of the drawn box and its answer with the boxes' matrix, for every truth."""
    matrix = mechanism.channel().matrix
    length = length_of_below(mechanism.boxes) + mechanism.digits + length_of_below(mechanism.choices - 1)
    for truth in product(range(mechanism.choices), repeat=mechanism.boxes):
        found = outcomes(lambda bits, t=truth: mechanism.report(t, bits), length)  # type: ignore[misc]
        cells = product(range(mechanism.boxes), range(mechanism.choices))
        assert law(found) == {(i, r): matrix[r][truth[i]] / mechanism.boxes for i, r in cells}, (
            f"{mechanism} {truth}"
        )


def check_every_box(mechanism: EveryBox) -> None:
    """Compare the joint law of all answers with the product of the boxes' matrices, for every truth."""
    matrix = mechanism.channel().matrix
    length = mechanism.boxes * (mechanism.digits + length_of_below(mechanism.choices - 1))
    reports = list(product(range(mechanism.choices), repeat=mechanism.boxes))
    for truth in reports:
        found = outcomes(lambda bits, t=truth: mechanism.report(t, bits), length)  # type: ignore[misc]
        expected = {
            report: prod(matrix[r][t] for r, t in zip(report, truth, strict=True)) for report in reports
        }
        assert law(found) == expected, f"{mechanism} {truth}"


def nums(choices: int, width: int) -> list[int]:
    """Return the least, a middle and the largest bright part that favour the truth."""
    least, most = (1 << width) // choices + 1, (1 << width) - 1
    return sorted({least, (least + most) // 2, most} & set(range(least, most + 1)))


def check_answers(choices: int, width: int, truths: Iterable[int]) -> None:
    """Check the three mechanisms of one answer for so many answers."""
    truths = list(truths)
    for num in nums(choices, width):
        check_one_answer(Spinner(choices, num, width), width + length_of_below(choices - 1), truths)
    for num in sorted({1, 1 << width - 1, (1 << width) - 1}):
        length = width + length_of_below(choices)
        check_one_answer(SpinnerCoin(choices, num, width), length, truths)
        check_one_answer(Coin(choices, width, num), length, truths)


def check_boxes(boxes: int, choices: int, width: int) -> None:
    """Check the two box mechanisms."""
    for num in nums(choices, width):
        check_one_box(OneBox(boxes, choices, num, width))
        check_every_box(EveryBox(boxes, choices, num, width))


def check_samplers(width: int) -> None:
    """Check bernoulli for every numerator, below for every n, categorical for some weights, at this width."""
    half = Fraction(1, 1 << width)
    for num in range(1, 1 << width):
        found = outcomes(lambda bits, n=num: bernoulli(n, bits, width), width)  # type: ignore[misc]
        assert law(found) == {True: num * half, False: 1 - num * half}, f"bernoulli {num}"
    for n in range((1 << width - 1) + 1, (1 << width) + 1):
        found = outcomes(lambda bits, n=n: below(n, bits), width)  # type: ignore[misc]
        assert law(found) == {value: Fraction(1, n) for value in range(n)}, f"below {n}"
    for weights in _weights(width):
        found = outcomes(lambda bits, w=weights: categorical(w, bits, width), width)  # type: ignore[misc]
        assert law(found) == {r: w * half for r, w in enumerate(weights) if w}, f"categorical {weights}"


def _weights(width: int) -> Iterator[list[int]]:
    whole = 1 << width
    yield [whole]
    yield [0, whole, 0]
    yield [1, whole - 1]
    yield [whole // 2, 0, whole // 2 - 1, 1]


def check_laws() -> None:
    """Check a small selection of all of them, in about a second."""
    for width in (1, 2, 3, 5):
        check_samplers(width)
    for choices in (2, 3, 4, 5, 6, 9):
        check_answers(choices, 4, range(choices))
    for boxes, choices in ((1, 2), (2, 2), (3, 2), (2, 3)):
        check_boxes(boxes, choices, 2)

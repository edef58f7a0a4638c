"""The coin: some outcomes of m tosses mean "truth", the others any answer."""

from dataclasses import dataclass

from privacy.accounting import published_epsilon
from privacy.bits import Bits
from privacy.budget import TOSSES, whole
from privacy.channel import Channel
from privacy.errors import NumOutOfRange, TossesOutOfRange
from privacy.mechanisms.answers import AnswerByte, choices_checked
from privacy.mechanisms.spinner_coin import channel_of_truth_or_any, truth_or_any


@dataclass(frozen=True, slots=True)
class Coin(AnswerByte):
    """Toss m coins: num of the 2**m outcomes mean the truth, the others any of all answers, all alike.

    Law: P[r|t] = δ·[r == t] + (1 − δ)/k, δ = num/2**tosses.
    Privacy: ln(1 + kδ/(1 − δ)), rounded up; one toss: ln(1 + k).
    Source: the two-coin protocol after Warner 1965, for real coins and paper.
    """

    choices: int
    tosses: int
    num: int  # of 2**tosses: the outcomes that mean "truth"

    def __post_init__(self) -> None:
        choices_checked(self.choices)
        whole(self.tosses, TOSSES, TossesOutOfRange)
        whole(self.num, (1, (1 << self.tosses) - 1), NumOutOfRange)

    def report(self, truth: int, bits: Bits) -> int:
        """Draw the answer that leaves the device."""
        return truth_or_any(truth, self.choices, self.num, self.tosses, bits)

    def channel(self) -> Channel:
        """Return the exact law."""
        return channel_of_truth_or_any(self.choices, self.num, self.tosses)

    @property
    def epsilon(self) -> str:
        """What one report costs, as published."""
        return published_epsilon(self.channel().ratio())

    def manifest(self) -> dict[str, str | int]:
        """Return the description that travels to the device."""
        return {"name": "coin", "choices": self.choices, "tosses": self.tosses, "num": self.num}

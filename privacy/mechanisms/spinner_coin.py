"""The spinner and a coin: the wheel says whether the truth is told, else any answer is."""

from dataclasses import dataclass
from fractions import Fraction

from privacy.accounting import published_epsilon
from privacy.bits import Bits
from privacy.budget import whole
from privacy.channel import Channel
from privacy.errors import NumOutOfRange
from privacy.mechanisms.answers import NUM_BITS, AnswerByte, choices_checked, truth_checked
from privacy.sampling import below, bernoulli


@dataclass(frozen=True, slots=True)
class SpinnerCoin(AnswerByte):
    """Report the truth when the wheel stops on its bright part, else any of all answers, all alike.

    Law: P[r|t] = δ·[r == t] + (1 − δ)/k, δ = num/2**digits.
    Privacy: ln(1 + kδ/(1 − δ)), rounded up.
    Utility: the spinner's own channel, up to rounding; δ = (E−1)/(E+k−1).
    Source: Warner 1965 in the forced-response form; Kairouz, Oh and Viswanath 2014.
    """

    choices: int
    num: int  # of 2**digits: the bright part
    digits: int = NUM_BITS

    def __post_init__(self) -> None:
        choices_checked(self.choices)
        whole(self.num, (1, (1 << self.digits) - 1), NumOutOfRange)

    def report(self, truth: int, bits: Bits) -> int:
        """Draw the answer that leaves the device."""
        return truth_or_any(truth, self.choices, self.num, self.digits, bits)

    def channel(self) -> Channel:
        """Return the exact law."""
        return channel_of_truth_or_any(self.choices, self.num, self.digits)

    @property
    def epsilon(self) -> str:
        """What one report costs, as published."""
        return published_epsilon(self.channel().ratio())

    def manifest(self) -> dict[str, str | int]:
        """Return the description that travels to the device."""
        return {"name": "spinner-coin", "choices": self.choices, "num": self.num, "bits": self.digits}


def truth_or_any(truth: int, choices: int, num: int, digits: int, bits: Bits) -> int:
    """Return the truth with probability num / 2**digits, else any of all answers, all alike."""
    truth_checked(truth, choices)
    # Both draws on every path: the bits used tell nothing.
    honest = bernoulli(num, bits, digits)
    anyone = below(choices, bits)
    return truth if honest else anyone


def channel_of_truth_or_any(choices: int, num: int, digits: int) -> Channel:
    """Return the exact law of truth_or_any."""
    delta = Fraction(num, 1 << digits)
    lie = (1 - delta) / choices
    return Channel.symmetric(delta + lie, lie, choices)

"""The spinner: a wheel with a bright part that says whether the truth is told."""

from dataclasses import dataclass
from fractions import Fraction

from privacy.accounting import published_epsilon
from privacy.bits import Bits
from privacy.budget import favours_truth, whole
from privacy.channel import Channel
from privacy.errors import NumOutOfRange, TruthNotFavoured
from privacy.mechanisms.answers import NUM_BITS, AnswerByte, choices_checked, truth_checked
from privacy.sampling import below, bernoulli


@dataclass(frozen=True, slots=True)
class Spinner(AnswerByte):
    """Report the truth when the wheel stops on its bright part, else one of the other answers, all alike.

    Law: P[r|t] = p if r == t else (1 − p)/(k − 1), p = num/2**digits.
    Privacy: ln(p (k − 1)/(1 − p)), rounded up.
    Utility: the least variance of all ε-LDP channels with k reports; p = E/(E+k−1).
    Source: Warner 1965; Kairouz, Oh and Viswanath 2014.
    """

    choices: int
    num: int  # of 2**digits: the bright part
    digits: int = NUM_BITS

    def __post_init__(self) -> None:
        choices_checked(self.choices)
        whole(self.num, (1, (1 << self.digits) - 1), NumOutOfRange)
        if not favours_truth(self.num, self.choices, self.digits):
            raise TruthNotFavoured(self.choices, self.num, self.digits)

    def report(self, truth: int, bits: Bits) -> int:
        """Draw the answer that leaves the device."""
        truth_checked(truth, self.choices)
        # Both draws on every path: the bits used tell nothing.
        honest = bernoulli(self.num, bits, self.digits)
        other = below(self.choices - 1, bits)
        return truth if honest else other + (other >= truth)

    def channel(self) -> Channel:
        """Return the exact law."""
        p = Fraction(self.num, 1 << self.digits)
        return Channel.symmetric(p, (1 - p) / (self.choices - 1), self.choices)

    @property
    def epsilon(self) -> str:
        """What one report costs, as published."""
        return published_epsilon(self.channel().ratio())

    def manifest(self) -> dict[str, str | int]:
        """Return the description that travels to the device."""
        return {"name": "spinner", "choices": self.choices, "num": self.num, "bits": self.digits}

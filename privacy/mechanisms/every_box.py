"""Every box: each box of a multiple choice is answered with a spinner of its own."""

from collections.abc import Sequence
from dataclasses import dataclass

from privacy.accounting import total
from privacy.bits import Bits
from privacy.channel import Channel
from privacy.mechanisms.answers import NUM_BITS, answer_checked, boxes_checked, length_checked
from privacy.mechanisms.one_box import boxes_answered
from privacy.mechanisms.spinner import Spinner


@dataclass(frozen=True, slots=True)
class EveryBox:
    """Spin the wheel once for each box, in order, and report every answer.

    Law: the product of the boxes' spinners. Answers of a box: 0 ticked, 1 not ticked, 2 "no answer".
    Privacy: boxes × what one spinner costs.
    Utility: every respondent answers every box, each at ε/boxes.
    """

    boxes: int
    choices: int  # of one box
    num: int  # of 2**digits: the bright part
    digits: int = NUM_BITS

    def __post_init__(self) -> None:
        boxes_checked(self.boxes, self.choices)
        self.spinner  # noqa: B018  (refuses what is no spinner)

    @property
    def spinner(self) -> Spinner:
        """The wheel that answers each box."""
        return Spinner(self.choices, self.num, self.digits)

    def report(self, truth: Sequence[int], bits: Bits) -> tuple[int, ...]:
        """Draw the answers that leave the device; truth has one answer for each box."""
        boxes_answered(truth, self.boxes, self.choices)
        spinner = self.spinner
        return tuple(spinner.report(answer, bits) for answer in truth)

    def channel(self) -> Channel:
        """Return the exact law of the answer to one box."""
        return self.spinner.channel()

    @property
    def epsilon(self) -> str:
        """What one report costs, as published: every box counts."""
        return total([self.spinner.epsilon] * self.boxes)

    @property
    def width(self) -> int:
        """How many bytes a report takes on the wire: one a box."""
        return self.boxes

    @property
    def cells(self) -> int:
        """How many counts a tally keeps: one an answer of a box, box after box."""
        return self.boxes * self.choices

    def encode(self, report: Sequence[int]) -> bytes:
        """Return the report's bytes."""
        data = bytes(answer_checked(answer, self.choices) for answer in report)
        length_checked(data, self.boxes)
        return data

    def decode(self, data: bytes) -> tuple[int, ...]:
        """Return the answers that the bytes name, or raise ReportInvalid."""
        length_checked(data, self.boxes)
        return tuple(answer_checked(answer, self.choices) for answer in data)

    def valid(self, data: bytes) -> bool:
        """Say whether the bytes are a report."""
        return len(data) == self.boxes and max(data) < self.choices

    def manifest(self) -> dict[str, str | int]:
        """Return the description that travels to the device."""
        return {
            "name": "every-box",
            "boxes": self.boxes,
            "choices": self.choices,
            "num": self.num,
            "bits": self.digits,
        }

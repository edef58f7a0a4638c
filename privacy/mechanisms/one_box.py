"""One box: of a multiple choice, one box is drawn and answered with a spinner."""

from collections.abc import Sequence
from dataclasses import dataclass

from privacy.bits import Bits
from privacy.channel import Channel
from privacy.errors import TruthMalformed
from privacy.mechanisms.answers import (
    NUM_BITS,
    answer_checked,
    boxes_checked,
    length_checked,
    truth_checked,
)
from privacy.mechanisms.spinner import Spinner
from privacy.sampling import below


@dataclass(frozen=True, slots=True)
class OneBox:
    """Draw one of the boxes, whatever is ticked, and report what a spinner makes of it.

    Law: P[(i, r)|t] = P_spinner[r|tᵢ] / boxes. Answers of a box: 0 ticked, 1 not ticked, 2 "no answer".
    Privacy: that of the spinner, for the whole question.
    Utility: each box is answered by 1/boxes of the respondents at the full ε.
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
        """The wheel that answers the drawn box."""
        return Spinner(self.choices, self.num, self.digits)

    def report(self, truth: Sequence[int], bits: Bits) -> tuple[int, int]:
        """Draw the box and the answer that leave the device; truth has one answer for each box."""
        boxes_answered(truth, self.boxes, self.choices)
        box = below(self.boxes, bits)
        return box, self.spinner.report(truth[box], bits)

    def channel(self) -> Channel:
        """Return the exact law of the answer to a drawn box."""
        return self.spinner.channel()

    @property
    def epsilon(self) -> str:
        """What one report costs, as published."""
        return self.spinner.epsilon

    @property
    def width(self) -> int:
        """How many bytes a report takes on the wire: box, answer."""
        return 2

    @property
    def cells(self) -> int:
        """How many counts a tally keeps: one an answer of a box, box after box."""
        return self.boxes * self.choices

    def encode(self, report: tuple[int, int]) -> bytes:
        """Return the report's bytes."""
        box, answer = report
        return bytes((answer_checked(box, self.boxes, "box"), answer_checked(answer, self.choices)))

    def decode(self, data: bytes) -> tuple[int, int]:
        """Return the box and answer that the bytes name, or raise ReportInvalid."""
        length_checked(data, 2)
        return answer_checked(data[0], self.boxes, "box"), answer_checked(data[1], self.choices)

    def valid(self, data: bytes) -> bool:
        """Say whether the bytes are a report."""
        return len(data) == 2 and data[0] < self.boxes and data[1] < self.choices

    def manifest(self) -> dict[str, str | int]:
        """Return the description that travels to the device."""
        return {
            "name": "one-box",
            "boxes": self.boxes,
            "choices": self.choices,
            "num": self.num,
            "bits": self.digits,
        }


def boxes_answered(truth: Sequence[int], boxes: int, choices: int) -> None:
    """Refuse true answers that do not give each box one of its answers."""
    if len(truth) != boxes:
        raise TruthMalformed(boxes)
    for answer in truth:
        truth_checked(answer, choices)

"""What mechanisms share whose report is an answer: one byte on the wire, one cell an answer."""

from privacy.budget import BOXES, CHOICES, whole
from privacy.errors import (
    BoxesOutOfRange,
    ChoicesOutOfRange,
    ReportOutOfRange,
    ReportWrongLength,
    TruthOutOfRange,
)

NUM_BITS = 32  # of every num on the wire
BOX_CHOICES = (2, 3)  # ticked, not ticked and perhaps "no answer"


class AnswerByte:
    """A report that is the index of an answer, sent as one byte."""

    __slots__ = ()
    choices: int

    @property
    def width(self) -> int:
        """How many bytes a report takes on the wire."""
        return 1

    @property
    def cells(self) -> int:
        """How many counts a tally keeps: one an answer, in order."""
        return self.choices

    def encode(self, report: int) -> bytes:
        """Return the report's bytes."""
        return bytes((answer_checked(report, self.choices),))

    def decode(self, data: bytes) -> int:
        """Return the report that the bytes name, or raise ReportInvalid."""
        length_checked(data, 1)
        return answer_checked(data[0], self.choices)

    def valid(self, data: bytes) -> bool:
        """Say whether the bytes are a report."""
        return len(data) == 1 and data[0] < self.choices


def choices_checked(choices: int) -> int:
    """Return the number of answers of a question, or refuse it."""
    return whole(choices, CHOICES, ChoicesOutOfRange)


def boxes_checked(boxes: int, choices: int) -> None:
    """Refuse no boxes, too many boxes, or a box with other answers than yes, no and silence."""
    whole(boxes, BOXES, BoxesOutOfRange)
    whole(choices, BOX_CHOICES, ChoicesOutOfRange)


def truth_checked(truth: int, choices: int) -> int:
    """Return the true answer, or refuse it before any bit is read."""
    # Not by way of whole(): this is asked at every draw.
    if type(truth) is not int or not 0 <= truth < choices:
        raise TruthOutOfRange(truth, 0, choices - 1)
    return truth


def answer_checked(answer: int, choices: int, what: str = "answer") -> int:
    """Return the index of a reported answer (or box), or refuse it."""
    if not 0 <= answer < choices:
        raise ReportOutOfRange(what, answer, choices)
    return answer


def length_checked(data: bytes, expected: int) -> None:
    """Refuse a report of another length."""
    if len(data) != expected:
        raise ReportWrongLength(len(data), expected)

"""Counts of packed reports: how many reports name each answer, read straight off the bytes."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from privacy.errors import PrivacyError
from privacy.mechanisms.catalogue import Mechanism
from privacy.mechanisms.every_box import EveryBox
from privacy.mechanisms.one_box import OneBox

Bytes = NDArray[np.uint8]
Counts = NDArray[np.int64]

_BYTE = 256
_PAIR = np.dtype("<u2")  # two bytes of a row, the first one the low one, are counted in one look
_ROWS = 1 << 20  # at once, so that memory does not grow with n


class ReportsCorrupt(PrivacyError):
    """Stored bytes that were checked when they arrived are no longer reports of their mechanism."""

    code = "reports-corrupt"

    def __init__(self, why: str) -> None:
        super().__init__(f"stored reports are corrupt: {why}")
        self.why = why


def count(mechanism: Mechanism, packed: Bytes) -> Counts:
    """The tally of one question's reports, (n, width) bytes, in the cells of its mechanism."""
    return count_packed([mechanism], packed)[0]


def count_packed(mechanisms: Sequence[Mechanism], packed: Bytes) -> list[Counts]:
    """The tallies of whole reports, (n, total width) bytes, one for each question in order.

    Errors: ReportsCorrupt when the width is wrong or a byte names no answer; nothing else is checked,
    because every report was checked when it was accepted.
    """
    widths = [mechanism.width for mechanism in mechanisms]
    if packed.ndim != 2 or packed.shape[1] != sum(widths):
        raise ReportsCorrupt(f"rows of shape {packed.shape[1:]} where {sum(widths)} bytes are expected")
    if sum(widths) <= 1:
        return [_cells(mechanism, 0, {0: _one_column(packed)}) for mechanism in mechanisms]
    questions = list(zip(mechanisms, np.cumsum([0, *widths]).tolist(), strict=False))
    looks = _looks(questions)
    seen = _joint_counts(np.ascontiguousarray(packed, dtype=np.uint8), looks)
    columns = _columns(looks, seen)
    return [
        _one_box_cells(mechanism, seen[start])
        if isinstance(mechanism, OneBox)
        else _cells(mechanism, start, columns)
        for mechanism, start in questions
    ]


def _one_column(packed: Bytes) -> Counts:
    """How often each value was seen in a single column: two rows are one look."""
    column = np.ascontiguousarray(packed[:, 0], dtype=np.uint8)
    even = len(column) // 2 * 2
    joint = _joint_counts(column[:even].reshape(-1, 2), [(0, 2)])[0]
    seen: Counts = joint.sum(axis=0) + joint.sum(axis=1) + np.bincount(column[even:], minlength=_BYTE)
    return seen


def _looks(questions: Sequence[tuple[Mechanism, int]]) -> list[tuple[int, int]]:
    """(first byte, bytes) of each look: two bytes wherever possible, a drawn box always with its answer."""
    kept = {start for mechanism, start in questions if isinstance(mechanism, OneBox)}
    mechanism, start = questions[-1]
    end, looks, at = start + mechanism.width, [], 0
    while at < end:
        size = 2 if at in kept or (at + 1 < end and at + 1 not in kept) else 1
        looks.append((at, size))
        at += size
    return looks


def _joint_counts(packed: Bytes, looks: Sequence[tuple[int, int]]) -> dict[int, Counts]:
    """For each look, how often each pair was seen, as [first byte, second byte] (second byte 0 of a single)."""
    totals = {at: np.zeros(_BYTE**size, dtype=np.int64) for at, size in looks}
    for first in range(0, len(packed), _ROWS):
        rows = packed[first : first + _ROWS]
        for at, size in looks:
            values = rows[:, at : at + size].view(_PAIR if size == 2 else np.uint8).ravel()
            totals[at] += np.bincount(values, minlength=_BYTE**size)
    return {at: total.reshape(-1, _BYTE).T for at, total in totals.items()}


def _columns(looks: Sequence[tuple[int, int]], seen: dict[int, Counts]) -> dict[int, Counts]:
    """How often each value was seen in each byte of a report."""
    columns = {}
    for at, size in looks:
        columns[at] = seen[at].sum(axis=1)
        if size == 2:
            columns[at + 1] = seen[at].sum(axis=0)
    return columns


def _cells(mechanism: Mechanism, start: int, columns: dict[int, Counts]) -> Counts:
    """One byte an answer, or one byte a box."""
    boxes = mechanism.boxes if isinstance(mechanism, EveryBox) else 1
    found = [columns[start + box] for box in range(boxes)]
    if any(column[mechanism.choices :].any() for column in found):
        raise ReportsCorrupt(f"an answer beyond the {mechanism.choices} of its question")
    return np.concatenate([column[: mechanism.choices] for column in found])


def _one_box_cells(mechanism: OneBox, joint: Counts) -> Counts:
    """Two bytes: the drawn box and its answer."""
    cells = joint[: mechanism.boxes, : mechanism.choices]
    if cells.sum() != joint.sum():
        raise ReportsCorrupt(f"an answer beyond {mechanism.boxes} boxes of {mechanism.choices} answers")
    return cells.ravel()

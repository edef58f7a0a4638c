"""The packed bytes of a report: every question at its fixed width, checked before anything is kept."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import lt
from typing import Any

from privacy.errors import ReportInvalid
from privacy.mechanisms.catalogue import Mechanism, mechanism_from
from privacy.mechanisms.every_box import EveryBox
from privacy.mechanisms.one_box import OneBox
from surveys.errors import ReportMalformed

_LOWER_HEX = re.compile(r"[0-9a-f]*")


@dataclass(frozen=True, slots=True)
class Slot:
    """Where one question's report lies among the packed bytes."""

    question: str
    mechanism: Mechanism
    offset: int

    @property
    def width(self) -> int:
        """How many bytes it takes."""
        return self.mechanism.width


class Layout:
    """The slots of a version, in manifest order, and the check of reports against them."""

    def __init__(self, slots: Sequence[Slot]) -> None:
        self.slots = tuple(slots)
        self.width = sum(slot.width for slot in self.slots)
        self._digits = [2 * slot.width for slot in self.slots]
        # Every byte is bounded by itself, so one comparison a byte decides (a test walks all values).
        self._limits = [limit for slot in self.slots for limit in byte_limits(slot.mechanism)]

    @classmethod
    def of(cls, manifest: Mapping[str, Any]) -> "Layout":
        """Return the layout of a manifest: a slot for each question that has a mechanism."""
        asked = [question for question in manifest["questions"] if "mechanism" in question]
        mechanisms = [mechanism_from(question["mechanism"]) for question in asked]
        offsets = accumulate((mechanism.width for mechanism in mechanisms), initial=0)
        return cls([Slot(q["id"], m, o) for q, m, o in zip(asked, mechanisms, offsets, strict=False)])

    def pack(self, reports: Sequence[str]) -> bytes:
        """Return the packed bytes of lower-case hexadecimal texts, or raise ReportMalformed."""
        try:
            text = "".join(reports)
            packed = bytes.fromhex(text)
        except (TypeError, ValueError):
            raise self._refusal(reports) from None
        # fromhex lets capitals and spaces through; only the canonical spelling is its own inverse.
        if (
            list(map(len, reports)) != self._digits
            or packed.hex() != text
            or not all(map(lt, packed, self._limits))
        ):
            raise self._refusal(reports)
        return packed

    def unpack(self, packed: bytes) -> list[Any]:
        """Return each question's report, or raise ReportInvalid."""
        return [slot.mechanism.decode(packed[slot.offset : slot.offset + slot.width]) for slot in self.slots]

    def _refusal(self, reports: object) -> ReportMalformed:
        if not isinstance(reports, list | tuple):
            return ReportMalformed("reports", "expected a list of hexadecimal texts")
        if len(reports) != len(self.slots):
            return ReportMalformed("reports", f"expected {len(self.slots)} reports, got {len(reports)}")
        for at, (slot, text) in enumerate(zip(self.slots, reports, strict=True)):
            if (reason := _what_is_wrong(slot, text)) is not None:
                return ReportMalformed(f"reports[{at}]", reason)
        raise AssertionError("every report alone is well formed, yet all together are not")


def byte_limits(mechanism: Mechanism) -> tuple[int, ...]:
    """Return, for each byte of a report, how many values it may take: 0 … limit − 1."""
    if isinstance(mechanism, OneBox):
        return mechanism.boxes, mechanism.choices
    if isinstance(mechanism, EveryBox):
        return (mechanism.choices,) * mechanism.boxes
    return (mechanism.choices,)


def _what_is_wrong(slot: Slot, text: object) -> str | None:
    if not isinstance(text, str):
        return "expected a text of hexadecimal digits"
    if len(text) != 2 * slot.width:
        return f"expected {2 * slot.width} hexadecimal digits, got {len(text)}"
    if not _LOWER_HEX.fullmatch(text):
        return "expected lower-case hexadecimal digits"
    try:
        slot.mechanism.decode(bytes.fromhex(text))
    except ReportInvalid as error:
        return str(error)
    return None

"""Bars with intervals on an axis of numbers, as positions in per cent of the drawing's width."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, log10
from typing import Any

from surveys.pages.console_plan import number_text

MARKS = 4  # about so many on an axis
# In pixels: how wide a drawing is on a phone at least, one character of a label, and between two labels.
PHONE, CHARACTER, APART = 160, 7.5, 8
FARTHEST = 1e300
LONG, RAISED = 1e9, str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
Interval = tuple[float, float]


def short_text(value: float) -> str:
    """Return a number as a drawing has room for it; the table beside it has every digit."""
    if abs(value) < LONG:
        return number_text(value)
    digits, power = f"{value:.2e}".split("e")
    return f"{digits}·10{str(int(power)).translate(RAISED)}".replace("-", "−")


@dataclass(frozen=True, slots=True)
class Bar:
    """One row of a drawing: its label, its value (None: there is none), and its interval."""

    label: str
    value: float | None
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class Axis:
    """The range of numbers drawn; 0 is always in it."""

    low: float
    high: float

    @classmethod
    def of(cls, numbers: Iterable[float]) -> "Axis":
        """Return the axis that holds these numbers."""
        kept = [min(max(one, -FARTHEST), FARTHEST) for one in numbers]
        low, high = min([0.0, *kept]), max([0.0, *kept])
        return cls(low, high if high > low else low + 1)

    def at(self, number: float) -> str:
        """Return where a number lies."""
        inside = min(max(number, self.low), self.high)
        return f"{100 * (inside - self.low) / (self.high - self.low):.3f}%"

    def wide(self, start: float, end: float) -> str:
        """Return how wide a stretch is drawn."""
        return f"{100 * abs(end - start) / (self.high - self.low):.3f}%"

    def ticks(self) -> list[dict[str, str]]:
        """Return the marks, at round numbers."""
        return [{"x": self.at(one.number), "label": one.label, "end": one.end} for one in self.marks()]

    def marks(self) -> list["Mark"]:
        """Return as many marks as have room; the last resort is the 0 alone."""
        return next(found for wanted in (MARKS, 3, 2, 1, 0.5) if apart(found := self.about(wanted)))

    def about(self, wanted: float) -> list["Mark"]:
        """Return about so many marks, whether or not there is room for them."""
        step = _round_step((self.high - self.low) / wanted)
        numbers = [at * step for at in range(ceil(self.low / step), floor(self.high / step) + 1)]
        wide = self.high - self.low
        return [Mark(one, (one - self.low) / wide, short_text(one), self._end(one)) for one in numbers]

    def _end(self, mark: float) -> str:
        # A label near either edge must not be cut off.
        place = (mark - self.low) / (self.high - self.low)
        return "start" if place < 0.1 else "end" if place > 0.9 else "middle"


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark of an axis: its number, its place from 0 to 1, its label, and which end of the label is there."""

    number: float
    place: float
    label: str
    end: str

    @property
    def stretch(self) -> Interval:
        """From where to where the label goes on a phone, in pixels."""
        wide = CHARACTER * len(self.label)
        before = {"start": 0.0, "middle": wide / 2, "end": wide}[self.end]
        return PHONE * self.place - before, PHONE * self.place - before + wide


def apart(marks: Sequence[Mark]) -> bool:
    """Say whether no two labels touch on a phone."""
    stretches = [mark.stretch for mark in marks]
    return all(before[1] + APART <= after[0] for before, after in pairwise(stretches))


def chart(bars: Sequence[Bar]) -> dict[str, Any]:
    """Return what a drawing consists of."""
    axis = Axis.of(
        number for bar in bars for number in (bar.value, *(bar.interval or ())) if number is not None
    )
    return {"ticks": axis.ticks(), "zero": axis.at(0), "rows": [_row(axis, bar) for bar in bars]}


def _row(axis: Axis, bar: Bar) -> dict[str, Any]:
    told: dict[str, Any] = {"label": bar.label, "bar": None, "interval": None, "value": "–"}
    if bar.value is not None:
        start, end = sorted((0.0, bar.value))
        told["bar"] = {"x": axis.at(start), "width": axis.wide(start, end), "below": bar.value < 0}
        told["value"] = short_text(bar.value)
    if bar.interval is not None and bar.interval[0] != bar.interval[1]:
        told["interval"] = {"low": axis.at(bar.interval[0]), "high": axis.at(bar.interval[1])}
    return told


def _round_step(about: float) -> float:
    power = 10.0 ** floor(log10(about))
    return power * next(nice for nice in (1, 2, 5, 10) if nice * power >= about)

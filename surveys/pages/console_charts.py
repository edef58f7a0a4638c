"""Bars with intervals on an axis of numbers, as positions in per cent of the drawing's width."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Any

from surveys.pages.console_plan import number_text

MARKS = 4  # about so many on an axis: they must not touch on a phone
FARTHEST = 1e300
Interval = tuple[float, float]


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
        step = _round_step((self.high - self.low) / MARKS)
        marks = [at * step for at in range(ceil(self.low / step), floor(self.high / step) + 1)]
        return [{"x": self.at(one), "label": number_text(one), "end": self._end(one)} for one in marks]

    def _end(self, mark: float) -> str:
        # A label near either edge must not be cut off.
        place = (mark - self.low) / (self.high - self.low)
        return "start" if place < 0.1 else "end" if place > 0.9 else "middle"


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
        told["value"] = number_text(bar.value)
    if bar.interval is not None and bar.interval[0] != bar.interval[1]:
        told["interval"] = {"low": axis.at(bar.interval[0]), "high": axis.at(bar.interval[1])}
    return told


def _round_step(about: float) -> float:
    power = 10.0 ** floor(log10(about))
    return power * next(nice for nice in (1, 2, 5, 10) if nice * power >= about)

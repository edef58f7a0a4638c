"""Bars with intervals, as positions in per cent of the drawing's width; texts keep their size on any screen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Any

Part = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Axis:
    """The range of shares drawn: 0 to 1, and as far beyond as an estimate lies."""

    low: float
    high: float

    def at(self, share: float) -> str:
        """Return where a share lies."""
        inside = min(max(share, self.low), self.high)
        return f"{100 * (inside - self.low) / (self.high - self.low):.3f}%"

    def wide(self, start: float, end: float) -> str:
        """Return how wide a stretch is drawn."""
        return f"{100 * abs(end - start) / (self.high - self.low):.3f}%"

    def ticks(self) -> list[dict[str, str]]:
        """Return the marks of the axis, a quarter apart."""
        steps = range(ceil(self.low * 4), floor(self.high * 4) + 1)
        return [
            {"x": self.at(i / 4), "label": f"{i * 25}".replace("-", "−"), "end": self._end(i / 4)}
            for i in steps
        ]

    def _end(self, share: float) -> str:
        # A label at either edge must not be cut off.
        return {self.low: "start", self.high: "end"}.get(share, "middle")


def chart(part: Part) -> dict[str, Any]:
    """Return what the drawing of one question, or of one box, consists of."""
    axis = _axis(part["answers"])
    return {"ticks": axis.ticks(), "zero": axis.at(0), "rows": [_row(axis, a) for a in part["answers"]]}


def _axis(answers: Sequence[Mapping[str, Any]]) -> Axis:
    shares = [answer["unbiased"] for answer in answers if answer["unbiased"] is not None]
    low, high = min([0.0, *shares]), max([1.0, *shares])
    # At most one whole width beyond either end: further out the figure tells it.
    return Axis(max(-1.0, floor(low * 20) / 20), min(2.0, ceil(high * 20) / 20))


def _row(axis: Axis, answer: Mapping[str, Any]) -> dict[str, Any]:
    share, (low, high) = answer["unbiased"], answer["interval"]
    bar = None
    if share is not None:
        shown = min(max(share, axis.low), axis.high)
        bar = {"x": axis.at(min(0.0, shown)), "width": axis.wide(0.0, shown), "below": share < 0}
    return {
        "answer": answer,
        "bar": bar,
        "low": axis.at(low),
        "high": axis.at(high),
        "likely": axis.at(answer["maximum_likelihood"]),
    }

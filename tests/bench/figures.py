"""A figure of the bench, its goal, and the table of all of them."""

import os
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Figure:
    """One measured number; `goal` is a text such as "≥ 0.5", empty where the number only stands beside another."""

    group: str
    name: str
    value: float | None
    unit: str = ""
    goal: str = ""
    note: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the goal is met; None without a goal or a value."""
        if not self.goal or self.value is None:
            return None
        sign, _, limit = self.goal.partition(" ")
        return self.value >= float(limit) if sign == "≥" else self.value <= float(limit)

    def to_json(self) -> dict[str, Any]:
        """Return the members with the verdict."""
        return {**asdict(self), "met": self.met}


def median(values: Sequence[float]) -> float:
    """Return the middle value."""
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def machine() -> dict[str, Any]:
    """Return what the numbers were measured on."""
    model = next(
        (line.partition(":")[2].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")),
        "",
    )
    memory = next((line.split()[1] for line in _lines("/proc/meminfo") if line.startswith("MemTotal")), "0")
    return {
        "processor": model or platform.machine(),
        "cores": os.cpu_count(),
        "memory_gib": round(int(memory) / 2**20, 1),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        # The share of other people's work, at the moment of asking.
        "load": os.getloadavg()[0],
    }


def table(figures: Sequence[Figure]) -> str:
    """Return the figures as text."""
    lines = []
    for group in dict.fromkeys(figure.group for figure in figures):
        lines += ["", group]
        lines += [_row(figure) for figure in figures if figure.group == group]
    return "\n".join(lines[1:])


def _row(figure: Figure) -> str:
    value = (
        "–"
        if figure.value is None
        else f"{figure.value:,.4g}"
        if figure.value < 1e4
        else f"{figure.value:,.0f}"
    )
    verdict = {True: "met", False: "MISSED", None: ""}[figure.met]
    return (
        f"  {figure.name:<66}{value:>12} {figure.unit:<10}{figure.goal:<9}{verdict:<7}{figure.note}".rstrip()
    )


def _lines(path: str) -> list[str]:
    try:
        with open(path) as file:
            return file.readlines()
    except OSError:
        return []

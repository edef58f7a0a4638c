"""The answer of a query as it is stored and handed over: JSON, ends of intervals rounded outwards."""

import math
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

from privacy.policy.after import Cell
from privacy.policy.answer import Answer, FigureNote, PartNote
from privacy.policy.estimates import Interval
from surveys.services.ledger import MICRO, epsilon_text

CONFIDENCE = 0.95
_LARGEST = 2**53  # whole numbers up to here are exact in every reader of JSON


def answer_document(answer: Answer, trace: Sequence[str]) -> dict[str, Any]:
    """Return an answer with its noise explained: rows of cells, intervals in their places, figures, trace."""
    return {
        "columns": list(answer.columns),
        "rows": [[cell_json(one) for one in row] for row in answer.rows],
        "intervals": [[interval_json(one) for one in row] for row in answer.intervals],
        "figures": [_figure(one) for one in answer.figures],
        "epsilon": decimal_text(answer.epsilon),
        "delta": decimal_text(answer.delta or Fraction(0)),
        "public": answer.public,
        "confidence": CONFIDENCE,
        "trace": list(trace),
    }


def cell_json(cell: Cell) -> Any:
    """Return a cell: numbers as numbers where JSON's readers keep them, else as text; days in ISO's form."""
    if isinstance(cell, Fraction):
        return _number(cell)
    return cell.isoformat() if isinstance(cell, date) else cell


def decimal_text(value: Fraction) -> str:
    """Return a number that has finitely many decimals, all of them; or the fraction."""
    places = next((at for at in range(19) if (value * 10**at).denominator == 1), None)
    if places is None:
        return str(value)
    return f"{Decimal(int(value * 10**places)).scaleb(-places):f}"


def interval_json(one: Interval | None) -> list[Any] | None:
    """Return both ends as JSON, each as it is or rounded outwards."""
    return None if one is None else [_end(one.low, -math.inf), _end(one.high, math.inf)]


def _number(value: Fraction) -> int | float | str:
    if value.denominator == 1:
        return int(value) if abs(value) <= _LARGEST else str(int(value))
    try:
        return float(value)
    except OverflowError:
        return str(int(value))


def _end(value: Fraction, towards: float) -> int | float | str:
    found = _number(value)
    if not isinstance(found, float):
        return found
    # What is handed over is the text: 0.1 there is a tenth.
    written = Fraction(repr(found))
    inside = written > value if towards < 0 else written < value
    return math.nextafter(found, towards) if inside else found


def _figure(one: FigureNote) -> dict[str, Any]:
    return {
        "name": one.name,
        "function": one.function,
        "sensitivity": _number(one.sensitivity),
        "epsilon": _upwards(one.epsilon),
        "public": one.public,
        "parts": [_part(part) for part in one.parts],
    }


def _part(one: PartNote) -> dict[str, Any]:
    return {
        "figure": one.figure,
        "law": one.law,
        "sensitivity": _number(one.sensitivity),
        "scale": None if one.scale is None else _end(one.scale, math.inf),
        "half_width": _end(one.half_width, math.inf),
        "epsilon": _upwards(one.epsilon),
    }


def _upwards(value: Fraction) -> str:
    """Return a share of ε with six digits, never less than it is."""
    return epsilon_text(math.ceil(value * MICRO))

"""An answer as a table, as bars with their intervals, and as a file; and how it was hidden, in words."""

import csv
import io
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext_lazy as _

from surveys.exports.formats import neutral
from surveys.pages.console_charts import Bar, Interval, chart
from surveys.pages.console_left import plain
from surveys.pages.console_plan import PARTS, function_text, number_text
from surveys.pages.console_words import trace_words

Answer = Mapping[str, Any]
SHOWN = 200  # groups on the page; all are in the download
LAWS = {
    "none": _("none: public"),
    "laplace": _("discrete Laplace"),
    "gaussian": _("discrete Gaussian"),
    "exponential": _("exponential mechanism"),
}


def answer_context(answer: Answer, distinct: Sequence[bool] = ()) -> dict[str, Any]:
    """Return what the page shows of an answer; `distinct` says of each figure whether equal values count once."""
    rows, intervals = answer["rows"], answer.get("intervals") or []
    measured = _measured(answer)
    shown = list(zip(rows, _filled(intervals, rows), strict=True))[:SHOWN]
    return {
        "columns": [
            {"name": name, "number": measured[at], "intervals": any(_wide(row[at]) for _, row in shown)}
            for at, name in enumerate(answer["columns"])
        ],
        "rows": [
            [
                {"name": answer["columns"][at], **_cell(*pair, number=measured[at])}
                for at, pair in enumerate(_pairs(*row))
            ]
            for row in shown
        ],
        "groups": len(rows),
        "cut": len(rows) > SHOWN,
        # NULL beside an interval: a figure that there is, of which the noise left nothing.
        "drowned": any(
            value is None and _wide(interval) for row in shown for value, interval in _pairs(*row)
        ),
        "shown": SHOWN,
        "charts": [
            {"name": name, "chart": chart(_bars(shown, at, measured))}
            for at, name in enumerate(answer["columns"])
            if measured[at] and shown
        ],
        "figures": [
            _figure(one, distinct=at < len(distinct) and distinct[at])
            for at, one in enumerate(answer.get("figures", ()))
        ],
        "public": answer.get("public", False),
        "trace": trace_words(answer.get("trace", ())),
    }


def answer_csv(answer: Answer, *, mark: bool = False) -> bytes:
    """Return every group: UTF-8, after a byte order mark for Excel; both ends of intervals in columns of their own."""
    rows, intervals = answer["rows"], _filled(answer.get("intervals") or [], answer["rows"])
    columns = answer["columns"]
    ends = [at for at in range(len(columns)) if any(row[at] is not None for row in intervals)]
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    heads = [head for at, name in enumerate(columns) for head in (name, *_ends(name) * (at in ends))]
    writer.writerow(map(neutral, heads))
    for row, bounds in zip(rows, intervals, strict=True):
        cells = [
            one for at, cell in enumerate(row) for one in (cell, *(bounds[at] or (None, None)) * (at in ends))
        ]
        writer.writerow([neutral(_plain(one)) for one in cells])
    return (b"\xef\xbb\xbf" if mark else b"") + file.getvalue().encode()


def _ends(name: str) -> tuple[str, str]:
    return f"{name} (95 % low)", f"{name} (95 % high)"


def _plain(cell: Any) -> Any:
    return str(cell).lower() if isinstance(cell, bool) else cell


def _measured(answer: Answer) -> list[bool]:
    """Say of each column whether it is a figure: it has intervals, or the name of one."""
    named = {one["name"] for one in answer.get("figures", ())}
    intervals = answer.get("intervals") or []
    return [
        name in named or any(row[at] is not None for row in intervals)
        for at, name in enumerate(answer["columns"])
    ]


def _filled(intervals: Sequence[Any], rows: Sequence[Sequence[Any]]) -> Sequence[Sequence[Any]]:
    return intervals or [[None] * len(row) for row in rows]


def _pairs(row: Sequence[Any], intervals: Sequence[Any]) -> Sequence[tuple[Any, Any]]:
    return list(zip(row, intervals, strict=True))


def _wide(interval: Any) -> bool:
    return interval is not None and bool(interval[0] != interval[1])


def _cell(value: Any, interval: Any, *, number: bool) -> Mapping[str, Any]:
    told = _text(value) if number else key_text(value)
    ends = None
    if _wide(interval):
        ends = f"{_text(interval[0])} – {_text(interval[1])}"
    return {"text": told, "interval": ends, "number": number, "null": value is None}


def _text(value: Any) -> str:
    # What is too large for JSON's numbers comes as a text.
    found = _number(value)
    return key_text(value) if found is None else number_text(int(value) if isinstance(value, str) else value)


def key_text(value: Any) -> str:
    """Return a key as it is; numbers of keys have no groups of digits, NULL is called so."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if value != "" else "''"


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return float(value)
    except (ValueError, OverflowError):
        return None


def _bars(
    rows: Sequence[tuple[Sequence[Any], Sequence[Any]]], at: int, measured: Sequence[bool]
) -> list[Bar]:
    keys = [place for place, figure in enumerate(measured) if not figure]
    return [
        Bar(
            " · ".join(key_text(cells[place]) for place in keys),
            _number(cells[at]),
            _interval(intervals[at]),
        )
        for cells, intervals in rows
    ]


def _interval(given: Any) -> Interval | None:
    if given is None:
        return None
    low, high = map(_number, given)
    return None if low is None or high is None else (low, high)


def _figure(one: Mapping[str, Any], *, distinct: bool) -> Mapping[str, Any]:
    return {
        "name": one["name"],
        "function": function_text(str(one["function"]), distinct=distinct),
        "sensitivity": _text(one["sensitivity"]),
        "epsilon": plain(Decimal(one["epsilon"])),
        "public": one["public"],
        "parts": [
            {
                "figure": PARTS.get(part["figure"], part["figure"]),
                "law": LAWS.get(part["law"], part["law"]),
                "scale": None if part["scale"] is None else _text(part["scale"]),
                # An answer of an earlier version has none.
                "half_width": _text(part["half_width"]) if "half_width" in part else None,
                "sensitivity": _text(part["sensitivity"]),
                "epsilon": plain(Decimal(part["epsilon"])),
            }
            for part in one["parts"]
        ],
    }

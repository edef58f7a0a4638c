"""What a cell of a workbook shows, as text."""

import re
from datetime import date, datetime, time, timedelta
from typing import Any

Cell = Any  # of openpyxl, read-only or empty

# What a spreadsheet keeps of a number.
_EXACT = 10**15
# Literal text, the digits, literal text: "R-"0000, 000\-0000, #,##0.00, 0%.
_LITERAL = r'(?:"[^"]*"|\\.|[-/ ()])*'
_NUMBER = re.compile(
    rf'(?P<before>{_LITERAL})(?P<digits>(?:#,##)?0(?:"[^"]*"|\\.|[-0])*)(?P<places>\.0+)?(?P<after>%?{_LITERAL})'
)


def text_of(cell: Cell) -> str:
    """Return what a cell shows: numbers by the usual formats, else with up to 15 digits; dates as 2026-03-31."""
    value = cell.value
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int | float):
        return _number(value, cell.number_format or "General")
    return _moment(value)


def error_of(cell: Cell) -> str | None:
    """Return the code of what keeps a cell from being read, if anything does."""
    if cell.data_type == "e":
        return "cell-error"
    if type(cell.value) in (int, float) and abs(cell.value) >= _EXACT:
        return "number-rounded"
    return None


def _number(value: int | float, pattern: str) -> str:
    form = _NUMBER.fullmatch(pattern.split(";")[0])
    if form is None or value < 0 or value >= _EXACT:
        return _general(value)
    percent = form["after"].startswith("%")
    places = len(form["places"] or ".") - 1
    digits = f"{value * (100 if percent else 1):.{places}f}"
    whole, point, rest = digits.partition(".")
    shown = _placed(whole, _plain(form["digits"]))
    return _plain(form["before"]) + shown + point + rest + _plain(form["after"])


def _placed(whole: str, pattern: str) -> str:
    """Put digits into the places of a pattern, from the right; those that are left over stand in front."""
    if pattern.startswith("#,##"):
        return f"{int(whole):,}"
    left, shown = list(whole.zfill(pattern.count("0"))), ""
    for mark in reversed(pattern):
        shown = (left.pop() if mark == "0" else mark) + shown
    return "".join(left) + shown


def _plain(literal: str) -> str:
    return re.sub(r'"([^"]*)"|\\(.)', lambda found: found[1] or found[2] or "", literal)


def _general(value: int | float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < _EXACT else f"{value:.15g}"


def _moment(value: object) -> str:
    if isinstance(value, datetime):
        day = value.date().isoformat()
        return day if value.time() == time() else f"{day} {value:%H:%M}"
    if isinstance(value, timedelta):
        minutes = int(value.total_seconds()) // 60
        return f"{minutes // 60}:{minutes % 60:02}"
    return (
        value.strftime("%H:%M")
        if isinstance(value, time)
        else date.isoformat(value)
        if isinstance(value, date)
        else str(value)
    )

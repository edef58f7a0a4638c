"""Tables in workbooks (XLSX): the values that cells show; formulas and macros never run."""

import io
import re
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from openpyxl import load_workbook

from surveys.errors import ImportRefused
from surveys.imports import table
from surveys.imports.cells import Cell, error_of, text_of
from surveys.imports.table import Line, Table, refused, table_of, too_large

MOST_MEMBERS = 1_000
LAST_ROW = 1_048_576  # of any worksheet
_PLAIN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 1
_FORMULA = re.compile(rb"<(?:\w+:)?f[\s/>]")
_MERGED = re.compile(rb"<(?:\w+:)?mergeCell\s[^>]*?ref=[\"']([A-Z]+)(\d+):")


def workbook_read(data: bytes) -> Table:
    """Return the table on the one visible sheet that holds something; raises ImportRefused."""
    _archive_checked(data)
    with _damage_told(), _quiet():
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        try:
            sheet = _sheet(book)
            found = _Wrong()
            made = table_of(_lines(sheet, found), ragged=True)
            # A private name: nothing public says which part of the file a sheet is.
            raw = zipfile.ZipFile(io.BytesIO(data)).read(sheet._worksheet_path)
        finally:
            book.close()
        if _FORMULA.search(raw):
            _uncalculated_into(found, data, sheet.title)
        _merged_into(found, raw)
        return Table(made.headers, made.rows, found.in_table(made))


def _archive_checked(data: bytes) -> None:
    """Refuse what would unpack to more than is read, before anything is unpacked."""
    try:
        members = zipfile.ZipFile(io.BytesIO(data)).infolist()
    except (zipfile.BadZipFile, ValueError, EOFError, OSError, NotImplementedError):
        raise refused("workbook-damaged") from None
    # The sizes may lie: zipfile gives no more than they say, and then finds the sum wrong.
    if len(members) > MOST_MEMBERS or sum(one.file_size for one in members) > table.MOST_UNPACKED:
        raise too_large()
    # Others unpack in steps that have no limit.
    if any(one.compress_type not in _PLAIN or one.flag_bits & _ENCRYPTED for one in members):
        raise refused("workbook-damaged")
    if any(one.filename.lower().endswith("vbaproject.bin") for one in members):
        raise refused("file-macros")


@contextmanager
def _damage_told() -> Iterator[None]:
    try:
        yield
    except ImportRefused:
        raise
    # A file may be wrong in any way, and its reader fails in as many: nothing of that is a fault of ours.
    except Exception as error:
        raise refused("workbook-damaged") from error


@contextmanager
def _quiet() -> Iterator[None]:
    # Warnings would name cells with their values in the log.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _sheet(book: Any) -> Any:
    visible = [one for one in book.worksheets if one.sheet_state == "visible"]
    for one in visible:
        # What a file says of its size may be wrong, and rows would be missing.
        one.reset_dimensions()
    holding = [one for one in visible if _holds_something(one)]
    if len(holding) > 1:
        raise refused("sheets-many", sheets=", ".join(one.title for one in holding))
    if not holding:
        raise refused("file-empty")
    return holding[0]


def _rows(sheet: Any) -> Iterator[tuple[int, tuple[Cell, ...]]]:
    for line, cells in enumerate(sheet.iter_rows(), 1):
        if line > LAST_ROW:
            raise too_large(line)
        yield line, cells


def _holds_something(sheet: Any) -> bool:
    return any(cell.value is not None for _, cells in _rows(sheet) for cell in cells)


class _Wrong:
    """Cells that hold no value that could be read, by line and column."""

    def __init__(self) -> None:
        self.cells: dict[tuple[int, int], str] = {}

    def in_table(self, made: Table) -> tuple[tuple[int, str, str], ...]:
        # What stands right of the headers is refused with its row.
        named = [(at, code) for at, code in sorted(self.cells.items()) if at[1] < len(made.headers)]
        return tuple((line, made.headers[column], code) for (line, column), code in named)


def _lines(sheet: Any, found: _Wrong) -> Iterator[Line]:
    for line, cells in _rows(sheet):
        for at, cell in enumerate(cells):
            if code := error_of(cell):
                found.cells[line, at] = code
        yield line, [text_of(cell) for cell in cells]


def _uncalculated_into(found: _Wrong, data: bytes, title: str) -> None:
    """Look at the formulas themselves, beside their values: one that was never calculated looks like an empty cell."""
    pair = [load_workbook(io.BytesIO(data), read_only=True, data_only=only) for only in (False, True)]
    sheets = [book[title] for book in pair]
    for sheet in sheets:
        sheet.reset_dimensions()
    for (line, formulas), (_, values) in zip(*map(_rows, sheets), strict=True):
        for at, (formula, value) in enumerate(zip(formulas, values, strict=True)):
            # A formula that gives an empty text has the type of a text.
            if formula.data_type == "f" and value.value is None and value.data_type == "n":
                found.cells[line, at] = "formula-uncalculated"
    for book in pair:
        book.close()


def _merged_into(found: _Wrong, raw: bytes) -> None:
    for name, line in _MERGED.findall(raw)[: table.MOST_ROWS]:
        column = 0
        for one in name[:3]:
            column = column * 26 + one - ord("A") + 1
        found.cells[int(line[:7]), column - 1] = "cells-merged"

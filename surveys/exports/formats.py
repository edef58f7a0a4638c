"""The formats of a download: JSON, CSV, CSV for Excel, XLSX with a codebook."""

import csv
import io
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import xlsxwriter

from surveys.exports.rows import COLUMNS, NAMES, Cell, Row, rows_of
from surveys.notes import NOTES, notes_in
from surveys.selectors import Results

# A spreadsheet takes a text that begins so for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


@dataclass(frozen=True, slots=True)
class Format:
    """How results become a file."""

    write: Callable[[Results], bytes]
    content_type: str
    ending: str


def to_json(results: Results) -> bytes:
    """Return the rows, and the documents that they were made from."""
    survey = results.survey
    document = {
        "survey": survey.slug,
        "state": str(survey.state),
        "rows": list(rows_of(results)),
        "documents": results.documents,
    }
    return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1).encode()


def to_csv(results: Results) -> bytes:
    """Return RFC 4180 text: UTF-8, commas, CRLF."""
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow(NAMES)
    writer.writerows([neutral(value) for value in row.values()] for row in rows_of(results))
    return file.getvalue().encode()


def to_csv_excel(results: Results) -> bytes:
    """Return the same after a byte order mark, by which Excel knows UTF-8.

    Commas: Excel in Korean and English splits at them, and a `sep=` line would make it ignore the mark.
    """
    return b"\xef\xbb\xbf" + to_csv(results)


def to_xlsx(results: Results) -> bytes:
    """Return a workbook of two sheets: the estimates, and a codebook of their columns."""
    file = io.BytesIO()
    with xlsxwriter.Workbook(
        file, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    ) as book:
        bold = book.add_format({"bold": True})
        decimals = book.add_format({"num_format": "0.0000"})
        _estimates(book.add_worksheet("estimates"), list(rows_of(results)), bold, decimals)
        _codebook(book.add_worksheet("codebook"), bold)
    return file.getvalue()


def neutral(value: Cell) -> Cell:
    """Return a text that no spreadsheet takes for a formula; numbers stay numbers."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def _estimates(sheet: Any, rows: list[Row], bold: Any, decimals: Any) -> None:
    sheet.freeze_panes(1, 0)
    for at, name in enumerate(NAMES):
        sheet.write_string(0, at, name, bold)
        sheet.set_column(at, at, max(12, len(name) + 2))
    for down, row in enumerate(rows, 1):
        for at, (name, value) in enumerate(row.items()):
            if name == "epsilon":
                sheet.write_number(down, at, float(str(value)), decimals)  # four decimals survive as a float
            else:
                _write(sheet, down, at, value)


def _codebook(sheet: Any, bold: Any) -> None:
    sheet.set_column(0, 0, 22)
    sheet.set_column(1, 2, 70)
    columns = [("column", "meaning", "뜻"), *((column.name, column.en, column.ko) for column in COLUMNS)]
    codes = [
        ("note", "meaning", "뜻"),
        *((code, notes_in("en", [code]), notes_in("ko", [code])) for code in NOTES),
    ]
    for down, line in enumerate([*columns, ("", "", ""), *codes]):
        for at, text in enumerate(line):
            sheet.write_string(down, at, text, bold if line in (columns[0], codes[0]) else None)


def _write(sheet: Any, down: int, at: int, value: Cell) -> None:
    if isinstance(value, str):
        sheet.write_string(down, at, value)  # never a formula
    elif value is not None:
        sheet.write_number(down, at, value)


FORMATS: Mapping[str, Format] = {
    "json": Format(to_json, "application/json", "json"),
    "csv": Format(to_csv, "text/csv; charset=utf-8", "csv"),
    "csv-excel": Format(to_csv_excel, "text/csv; charset=utf-8", "csv"),
    "xlsx": Format(to_xlsx, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"),
}

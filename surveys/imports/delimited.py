"""Tables in text: UTF-8 or CP949, cells between commas, semicolons or tabs."""

import csv
import io
from collections.abc import Iterator

from surveys.imports.table import Line, Table, refused, table_of

SEPARATORS = ",;\t"


def delimited_read(data: bytes) -> Table:
    """Return the table in a file of text; raises ImportRefused."""
    text = _text(data)
    return table_of(_lines(text, _separator(text)))


def _text(data: bytes) -> str:
    # What is UTF-8 is hardly ever sensible CP949, so it is tried first.
    for encoding in ("utf-8-sig", "cp949"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise refused("file-unreadable")


def _separator(text: str) -> str:
    """Return what divides the headers into most cells; a comma, where nothing divides them."""
    head = next((line for line in io.StringIO(text) if line.strip()), "")
    return max(SEPARATORS, key=lambda one: len(next(csv.reader([head[:10_000]], delimiter=one))))


def _lines(text: str, separator: str) -> Iterator[Line]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    begins = 1
    try:
        for cells in reader:
            yield begins, cells
            begins = reader.line_num + 1
    except csv.Error:
        raise refused("quotes-wrong", begins) from None

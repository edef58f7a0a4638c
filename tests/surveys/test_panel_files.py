"""Workbooks are read as a person sees them; what is damaged, disguised or too much is refused with words."""

import io
import re
import struct
import zipfile
from collections.abc import Callable
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from typing import Any

import openpyxl
import pytest
import xlsxwriter
from hypothesis import given, settings
from hypothesis import strategies as some

from surveys.errors import BodyTooLarge, ImportRefused
from surveys.imports import table
from surveys.imports.reading import table_read
from surveys.imports.table import Table

HEADERS = ("번호", "지역")
SHEET = "xl/worksheets/sheet1.xml"


def book(*rows: tuple[Any, ...], change: Callable[[Any], None] | None = None) -> bytes:
    """Return a workbook of one sheet."""
    made = openpyxl.Workbook()
    for row in rows:
        made.active.append(row)
    if change is not None:
        change(made)
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def formatted(value: Any, number_format: str) -> str:
    def change(made: Any) -> None:
        made.active["A2"].number_format = number_format

    return table_read(book(("a",), (value,), change=change)).rows[0][1][0]


def repacked(data: bytes, members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return an archive with some members put in the place of its own."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w", method) as new:
        for name in {*old.namelist(), *members}:
            new.writestr(name, members[name] if name in members else old.read(name))
    return file.getvalue()


def sheet_of(data: bytes) -> bytes:
    return zipfile.ZipFile(io.BytesIO(data)).read(SHEET)


def refusals(data: bytes) -> list[str]:
    with pytest.raises(ImportRefused) as caught:
        table_read(data)
    return [one.code for one in caught.value.rows]


PLAIN = book(HEADERS, ("r1", "서울"), ("r2", None))


def test_a_workbook_is_read_like_text() -> None:
    assert table_read(PLAIN) == Table(HEADERS, ((2, ("r1", "서울")), (3, ("r2", ""))))


def test_lines_are_those_that_the_spreadsheet_shows() -> None:
    made = table_read(book((), ("설문 대상자", "지역"), (), ("r1",), (), ("r2", "부산")))
    assert made.rows == ((4, ("r1", "")), (6, ("r2", "부산")))


@pytest.mark.parametrize(
    ("value", "number_format", "shown"),
    [
        (1.0, "General", "1"),
        (17, "General", "17"),
        (0.1 + 0.2, "General", "0.3"),
        (-3, "General", "-3"),
        ("007", "General", "007"),
        ("007", "@", "007"),
        (7, "000", "007"),
        (7, '"R-"000', "R-007"),
        (10203, "0\\-00-00", "1-02-03"),
        (1234567, "#,##0", "1,234,567"),
        (2.5, "0.00", "2.50"),
        (0.25, "0%", "25%"),
        (-7, "000", "-7"),
        (True, "General", "TRUE"),
        (date(2026, 3, 31), "yyyy-mm-dd", "2026-03-31"),
        (datetime(2026, 3, 31, 9, 5), "yyyy-mm-dd h:mm", "2026-03-31 09:05"),
        (time(9, 5), "h:mm", "09:05"),
        (timedelta(hours=30), "[h]:mm", "30:00"),
    ],
)
def test_a_cell_is_what_it_shows(value: Any, number_format: str, shown: str) -> None:
    assert formatted(value, number_format) == shown


def test_only_the_values_of_formulas_are_read() -> None:
    file = io.BytesIO()
    with xlsxwriter.Workbook(file) as made:
        sheet = made.add_worksheet()
        sheet.write_row(0, 0, HEADERS)
        sheet.write_formula(1, 0, '="r"&1', None, "r1")
        sheet.write_formula(1, 1, '=IF(1,"","x")', None, "")
    data = file.getvalue()
    # As a spreadsheet marks a formula that gives an empty text.
    data = repacked(data, {SHEET: sheet_of(data).replace(b'<c r="B2">', b'<c r="B2" t="str">')})
    read = table_read(data)
    assert (read.rows, read.wrong) == (((2, ("r1", "")),), ())


def test_a_formula_without_a_value_is_no_empty_cell() -> None:
    read = table_read(book(HEADERS, ("r1", "=A2"), ("r2", "=A3")))
    assert read.wrong == ((2, "지역", "formula-uncalculated"), (3, "지역", "formula-uncalculated"))


def test_an_error_is_no_value() -> None:
    assert table_read(book(HEADERS, ("r1", "#N/A"))).wrong == ((2, "지역", "cell-error"),)


def test_a_number_that_lost_its_last_digits_is_named() -> None:
    assert table_read(book(HEADERS, (1234567890123456, "서울"))).wrong == ((2, "번호", "number-rounded"),)
    assert table_read(book(HEADERS, (123456789012345, "서울"))).wrong == ()


def test_merged_cells_are_named_where_they_begin() -> None:
    def merge(made: Any) -> None:
        made.active.merge_cells("B2:B3")

    read = table_read(book(HEADERS, ("r1", "서울"), ("r2", None), change=merge))
    assert read.wrong == ((2, "지역", "cells-merged"),)


def test_two_sheets_are_one_too_many() -> None:
    def another(made: Any) -> None:
        made.create_sheet("둘째").append(["r3", "서울"])

    def hidden(made: Any) -> None:
        another(made)
        made["둘째"].sheet_state = "hidden"

    def empty(made: Any) -> None:
        made.create_sheet("둘째")

    assert refusals(book(HEADERS, ("r1", "서울"), change=another)) == ["sheets-many"]
    for change in (hidden, empty):
        assert len(table_read(book(HEADERS, ("r1", "서울"), change=change)).rows) == 1


def test_a_workbook_with_macros_is_refused() -> None:
    assert refusals(repacked(PLAIN, {"xl/vbaProject.bin": b"x"})) == ["file-macros"]


@pytest.mark.parametrize("rows", [(), (HEADERS,), ((None, None), HEADERS)])
def test_a_workbook_without_a_person_is_empty(rows: Any) -> None:
    assert refusals(book(*rows)) == ["file-empty"]


def test_what_unpacks_to_too_much_is_refused_before_it_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = repacked(PLAIN, {"xl/media/a.bin": bytes(table.MOST_UNPACKED)})
    assert len(bomb) < 100_000
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda *_, **__: pytest.fail("it was unpacked"))
    assert refusals(bomb) == ["file-too-large"]


def test_a_size_that_lies_is_not_believed() -> None:
    """Said to be small, it is cut there, and no longer a workbook."""
    sheet = sheet_of(PLAIN)
    bomb = bytearray(repacked(PLAIN, {SHEET: sheet.replace(b"<sheetData>", b"<sheetData>" + b" " * 10**7)}))
    at = bomb.rindex(SHEET.encode()) - 46
    assert bomb[at : at + 4] == b"PK\x01\x02"
    struct.pack_into("<I", bomb, at + 24, 1000)
    assert refusals(bytes(bomb)) == ["workbook-damaged"]


def test_compression_without_a_limit_is_refused() -> None:
    for method in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        assert refusals(repacked(PLAIN, {}, method)) == ["workbook-damaged"]


def test_an_archive_of_very_many_parts_is_refused() -> None:
    assert refusals(repacked(PLAIN, {f"a{at}": b"" for at in range(1001)})) == ["file-too-large"]


def test_entities_that_multiply_are_refused() -> None:
    lines = "".join(f'<!ENTITY e{at} "{f"&e{at - 1};" * 10}">' for at in range(1, 9))
    laughs = f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e0 "ha">{lines}]>'.encode()
    sheet = sheet_of(PLAIN).replace(b"<t>r1</t>", b"<t>&e8;</t>")
    assert refusals(repacked(PLAIN, {SHEET: laughs + sheet})) == ["workbook-damaged"]


def test_rows_that_no_sheet_has_are_refused() -> None:
    far = (
        sheet_of(PLAIN)
        .replace(b'<row r="3"', b'<row r="99999999999"')
        .replace(b'r="A3"', b"")
        .replace(b'r="B3"', b"")
    )
    assert refusals(repacked(PLAIN, {SHEET: far})) == ["file-too-large"]


def test_a_dimension_that_lies_hides_no_row() -> None:
    short = re.sub(rb'<dimension ref="[^"]*"', b'<dimension ref="A1:A1"', sheet_of(PLAIN))
    assert len(table_read(repacked(PLAIN, {SHEET: short})).rows) == 2


def test_a_row_more_than_may_be_is_refused() -> None:
    def text(rows: int) -> bytes:
        return b"reference\n" + b"".join(b"r%d\n" % at for at in range(rows))

    assert len(table_read(text(100_000)).rows) == 100_000
    assert refusals(text(100_001)) == ["file-too-large"]


def test_a_row_more_than_may_be_is_refused_in_a_workbook(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "MOST_ROWS", 2)
    assert len(table_read(PLAIN).rows) == 2
    assert refusals(book(HEADERS, ("r1",), ("r2",), ("r3",))) == ["file-too-large"]


def test_nine_megabytes_are_refused() -> None:
    with pytest.raises(BodyTooLarge):
        table_read(b"a" * 9_000_000)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "file-empty"),
        (b"   \r\n\n", "file-empty"),
        (b"\xef\xbb\xbf", "file-empty"),
        (b"\xff\xd8\xff\xe0" + bytes(range(256)) * 9, "file-unreadable"),
        ("번호,지역\nr1,서울\n".encode("utf-16"), "file-unreadable"),
        ("番号,地域\nr1,東京\n".encode("euc-jp") + b"\xff", "file-unreadable"),
        (b"PK\x03\x04" + bytes(100), "workbook-damaged"),
        (b"PK\x05\x06" + bytes(18), "workbook-damaged"),
    ],
)
def test_what_is_no_table_is_refused_in_words(data: bytes, code: str) -> None:
    assert refusals(data) == [code]


def test_another_archive_is_no_workbook() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        made.writestr("report.txt", "hello")
    assert refusals(file.getvalue()) == ["workbook-damaged"]


def test_a_cell_with_a_zero_byte_is_told_apart_from_a_workbook() -> None:
    assert table_read(b"PKW,b\nr\x001,x\n").headers == ("PKW", "b")


@settings(max_examples=150)
@given(some.data())
def test_a_damaged_workbook_is_refused_or_read(data: some.DataObject) -> None:
    """Whatever byte is wrong: never a fault of the service."""
    sheet = bytearray(sheet_of(PLAIN))
    for _ in range(data.draw(some.integers(1, 4))):
        sheet[data.draw(some.integers(0, len(sheet) - 1))] = data.draw(some.integers(0, 255))
    with suppress(ImportRefused):
        table_read(repacked(PLAIN, {SHEET: bytes(sheet)}))

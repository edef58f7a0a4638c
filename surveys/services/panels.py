"""Panels of respondents: made, filled from a file all or nothing, emptied, forgotten in time."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from surveys.errors import BodyTooLarge, Finding, ImportRefused, RowFinding, SettingInvalid
from surveys.models import Organisation, Panel, Respondent
from surveys.models.participation import TRAITS
from surveys.permissions import may_configure, required
from surveys.services.audit import audit_append
from surveys.sources.service import service_source_changed

MOST_BYTES, MOST_ROWS = 8_000_000, 100_000
LONGEST = 80  # characters of a reference or a value
MOST_VALUES = 200  # of a trait
REFERENCE = "reference"
FIELDS = (REFERENCE, *TRAITS)
# How the headers of files call the fields, in either language.
HEADERS: Mapping[str, tuple[str, ...]] = {
    REFERENCE: (
        "reference",
        "id",
        "external id",
        "참조",
        "참조번호",
        "식별번호",
        "식별자",
        "응답자번호",
        "번호",
    ),
    "region": ("region", "area", "지역", "거주지역", "시도"),
    "age_band": ("age band", "age group", "age", "연령대", "나이대", "연령"),
    "sex": ("sex", "gender", "성별"),
    "language": ("language", "언어", "사용언어"),
    "segment": ("segment", "group", "집단", "구분", "그룹", "세그먼트"),
}
_KNOWN = {name.replace(" ", ""): field for field, names in HEADERS.items() for name in names}


@dataclass(frozen=True, slots=True)
class Preview:
    """What an import would do: the field of each column (None: not read), its rows, and what is wrong with them."""

    columns: tuple[tuple[str, str | None], ...]
    rows: tuple[Mapping[str, str | None], ...]
    errors: tuple[RowFinding, ...]


@dataclass(frozen=True, slots=True)
class _Table:
    headers: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]  # with the line that each begins on


def panel_create(
    *, actor: Any, organisation: Organisation, name: str, domains: Mapping[str, Sequence[str]],
    retained_until: date | None = None,
) -> Panel:  # fmt: skip
    """Make an empty panel that declares the values of its respondents' traits; raises SettingInvalid."""
    required(may_configure(actor), actor, "make panels")
    kept = _domains(domains)
    try:
        with transaction.atomic():
            panel = Panel.objects.create(
                organisation=organisation, name=name, domains=kept, retained_until=retained_until
            )
            audit_append(actor=actor, action="panel.create", subject=name, facts={"domains": kept})
            service_source_changed()
    except IntegrityError:
        raise SettingInvalid([Finding("name-taken", "name")]) from None
    return panel


def panel_preview(*, panel: Panel, data: bytes, mapping: Mapping[str, str] | None = None) -> Preview:
    """Read a file without keeping anything of it.

    `mapping` names the field of each column, by its header; without it, headers are recognised in English and
    Korean. Raises ImportRefused where there is no table in the file, BodyTooLarge above the limit.
    """
    table = _table(data)
    fields = _fields_of(table.headers, mapping)
    errors = list(_headers_wrong(panel, table.headers, fields, mapping))
    if errors:
        return Preview(tuple(zip(table.headers, fields, strict=True)), (), tuple(errors))
    rows: list[Mapping[str, str | None]] = []
    lines: dict[str, int] = {}
    for line, cells in table.rows:
        row, wrong = _row(panel, table.headers, fields, line, cells, lines)
        rows.append(row)
        errors += wrong
    errors += _taken(panel, table.headers[fields.index(REFERENCE)], lines)
    errors.sort(key=lambda one: one.line)
    return Preview(tuple(zip(table.headers, fields, strict=True)), tuple(rows), tuple(errors))


def panel_import(*, actor: Any, panel: Panel, data: bytes, mapping: Mapping[str, str] | None = None) -> int:
    """Add every respondent of a file to a panel, or none: raises ImportRefused with each row that is wrong."""
    required(may_configure(actor), actor, "import respondents")
    with transaction.atomic():
        kept = Panel.objects.select_for_update().get(pk=panel.pk)
        preview = panel_preview(panel=kept, data=data, mapping=mapping)
        if preview.errors:
            raise ImportRefused(preview.errors)
        Respondent.objects.bulk_create(
            (Respondent(panel=kept, **row) for row in preview.rows), batch_size=2000
        )
        # How many is in the audit log: an admin who imports a file knows it anyway.
        facts = {"rows": len(preview.rows)}
        audit_append(actor=actor, action="panel.import", subject=kept.name, facts=facts)
        service_source_changed()
    return len(preview.rows)


def respondent_erase(*, actor: Any, panel: Panel, reference: str) -> bool:
    """Erase one person with their invitations; say whether they were there. Who it was is noted nowhere."""
    required(may_configure(actor), actor, "erase respondents")
    with transaction.atomic():
        erased, _ = Respondent.objects.filter(panel=panel, reference=reference).delete()
        if erased:
            audit_append(actor=actor, action="respondent.erase", subject=panel.name)
            service_source_changed()
    return bool(erased)


def panels_expire(*, today: date | None = None) -> int:
    """Erase the respondents of every panel whose time is over; return how many panels that were."""
    day, emptied = today or timezone.localdate(), 0
    for panel in Panel.objects.filter(retained_until__lt=day):
        with transaction.atomic():
            erased, _ = Respondent.objects.filter(panel=panel).delete()
            if erased:
                audit_append(actor=None, action="panel.expire", subject=panel.name)
                service_source_changed()
                emptied += 1
    return emptied


def _domains(given: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    for trait, values in given.items():
        fits = trait in TRAITS and isinstance(values, list | tuple) and 0 < len(values) <= MOST_VALUES
        if not fits or len(set(values)) != len(values) or not all(map(_shown, values)):
            raise SettingInvalid([Finding("domain-malformed", trait)])
    return {trait: list(values) for trait, values in given.items()}


def _shown(value: object) -> bool:
    return (
        isinstance(value, str)
        and 0 < len(value) <= LONGEST
        and value.isprintable()
        and value == value.strip()
    )


def _table(data: bytes) -> _Table:
    if len(data) > MOST_BYTES:
        raise BodyTooLarge(MOST_BYTES)
    reader = csv.reader(io.StringIO(_text(data), newline=""), strict=True)
    lines: list[tuple[int, tuple[str, ...]]] = []
    begins = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                lines.append((begins, tuple(cell.strip() for cell in cells)))
            begins = reader.line_num + 1
    except csv.Error:
        raise ImportRefused([RowFinding(begins, "", "file-unreadable")]) from None
    if len(lines) < 2:
        raise ImportRefused([RowFinding(1, "", "file-empty")])
    if len(lines) - 1 > MOST_ROWS:
        limits = (("rows", MOST_ROWS), ("bytes", MOST_BYTES))
        raise ImportRefused([RowFinding(MOST_ROWS + 2, "", "file-too-large", limits)])
    return _Table(lines[0][1], tuple(lines[1:]))


def _text(data: bytes) -> str:
    # What is UTF-8 is hardly ever sensible CP949, so it is tried first.
    for encoding in ("utf-8-sig", "cp949"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise ImportRefused([RowFinding(1, "", "file-unreadable")])


def _fields_of(headers: Sequence[str], mapping: Mapping[str, str] | None) -> list[str | None]:
    if mapping is not None:
        return [mapping.get(header) for header in headers]
    return [_KNOWN.get("".join(header.lower().replace("_", " ").split())) for header in headers]


def _headers_wrong(
    panel: Panel,
    headers: Sequence[str],
    fields: Sequence[str | None],
    mapping: Mapping[str, str] | None,
) -> Iterator[RowFinding]:
    for named, wanted in (mapping or {}).items():
        if named not in headers or wanted not in FIELDS:
            yield RowFinding(1, named, "column-unknown")
    if REFERENCE not in fields:
        yield RowFinding(1, "", "column-missing")
    for at, (header, field) in enumerate(zip(headers, fields, strict=True)):
        if field is not None and field in fields[:at]:
            yield RowFinding(1, header, "column-repeated")
        elif field in TRAITS and field not in panel.domains:
            yield RowFinding(1, header, "column-undeclared")


def _row(
    panel: Panel,
    headers: Sequence[str],
    fields: Sequence[str | None],
    line: int,
    cells: Sequence[str],
    lines: dict[str, int],
) -> tuple[Mapping[str, str | None], list[RowFinding]]:
    """Return a row's fields and what is wrong with them; `lines` keeps where each reference was met first."""
    if len(cells) != len(headers):
        counts = (("count", len(cells)), ("expected", len(headers)))
        return {}, [RowFinding(line, "", "cells-count", counts)]
    row: dict[str, str | None] = {}
    wrong: list[RowFinding] = []
    for header, field, cell in zip(headers, fields, cells, strict=True):
        if field == REFERENCE:
            row[field] = cell
            wrong += _reference_wrong(header, line, cell, lines)
        elif field is not None:
            row[field] = cell or None
            if cell and cell not in panel.domains[field]:
                values = ", ".join(panel.domains[field][:20])
                wrong.append(RowFinding(line, header, "value-undeclared", (("values", values),)))
    return row, wrong


def _reference_wrong(header: str, line: int, text: str, lines: dict[str, int]) -> Iterator[RowFinding]:
    if not text:
        yield RowFinding(line, header, "reference-empty")
    elif len(text) > LONGEST:
        yield RowFinding(line, header, "reference-too-long", (("most", LONGEST),))
    elif not text.isprintable():
        yield RowFinding(line, header, "reference-unprintable")
    elif text in lines:
        yield RowFinding(line, header, "reference-repeated", (("line", lines[text]),))
    else:
        lines[text] = line


def _taken(panel: Panel, header: str, lines: Mapping[str, int]) -> Iterator[RowFinding]:
    known = Respondent.objects.filter(panel=panel).values_list("reference", flat=True)
    for reference in known.iterator():
        if reference in lines:
            yield RowFinding(lines[reference], header, "reference-taken")

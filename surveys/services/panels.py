"""Organisations and panels of respondents: made, filled from a file all or nothing, emptied, forgotten in time."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from unicodedata import normalize

from django.db import IntegrityError, transaction
from django.utils import timezone

from surveys.errors import Finding, ImportRefused, RowFinding, SettingInvalid
from surveys.imports.columns import REFERENCE, columns_wrong, fields_of, fields_once
from surveys.imports.reading import table_read
from surveys.imports.rows import LONGEST, Domain, Reader, Row
from surveys.imports.table import Table
from surveys.models import Organisation, Panel, Respondent
from surveys.models.participation import TRAITS
from surveys.permissions import may_configure, required
from surveys.services.audit import audit_append
from surveys.sources.service import service_source_changed

MOST_VALUES = 200  # of a trait
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,59}")


@dataclass(frozen=True, slots=True)
class Preview:
    """What an import would do: the field of each column (None: not read), its rows, and what is wrong with them."""

    columns: tuple[tuple[str, str | None], ...]
    rows: tuple[Row, ...]
    errors: tuple[RowFinding, ...]


def organisation_create(*, actor: Any, name: str, kind: str, region: str = "") -> Organisation:
    """Name a place that respondents come from, for everybody to see; raises SettingInvalid."""
    required(may_configure(actor), actor, "name organisations")
    findings = [*_text_wrong("name", name, 200), *_text_wrong("region", region, LONGEST, may_be_empty=True)]
    if kind not in Organisation.Kind.values:
        findings.append(Finding("organisation-kind-unknown", "kind"))
    if findings:
        raise SettingInvalid(findings)
    try:
        with transaction.atomic():
            made = Organisation.objects.create(name=name, kind=kind, region=region)
            audit_append(actor=actor, action="organisation.create", subject=name)
            service_source_changed()
    except IntegrityError:
        raise SettingInvalid([Finding("name-taken", "name")]) from None
    return made


def panel_create(
    *, actor: Any, organisation: Organisation, name: str, domains: Mapping[str, Sequence[str]],
    retained_until: date | None = None,
) -> Panel:  # fmt: skip
    """Make an empty panel that declares the values of its respondents' traits; raises SettingInvalid."""
    required(may_configure(actor), actor, "make panels")
    findings = list(_domains_wrong(domains))
    if not _NAME.fullmatch(name):
        findings.append(Finding("name-malformed", "name"))
    if findings:
        raise SettingInvalid(findings)
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


def panel_update(
    *, actor: Any, panel: Panel, domains: Mapping[str, Sequence[str]], retained_until: date | None
) -> Panel:
    """Declare more values, and set the day; raises SettingInvalid.

    No value is taken back: whether that is possible would tell whether somebody has it.
    """
    required(may_configure(actor), actor, "change panels")
    findings = list(_domains_wrong(domains))
    if findings:
        raise SettingInvalid(findings)
    with transaction.atomic():
        kept = Panel.objects.select_for_update().get(pk=panel.pk)
        given = _domains(domains)
        lost = [trait for trait, values in kept.domains.items() if set(values) - set(given.get(trait, ()))]
        if lost:
            raise SettingInvalid([Finding("domain-narrowed", trait) for trait in lost])
        kept.domains, kept.retained_until, kept.expired = given, retained_until, False
        kept.save(update_fields=("domains", "retained_until", "expired"))
        facts = {"domains": given, "retained_until": str(retained_until or "")}
        audit_append(actor=actor, action="panel.update", subject=kept.name, facts=facts)
        service_source_changed()
    return kept


def domains_found(table: Table) -> dict[str, list[str]]:
    """Return the values that a file holds of each trait whose column is recognised (the first one), sorted.

    Their order in the file would tell who of the list has which.
    """
    found: dict[str, set[str]] = {}
    for at, field in enumerate(fields_once(table.headers)):
        if field in TRAITS:
            values = found.setdefault(field, set())
            values.update(row[at] for _, row in table.rows if at < len(row) and row[at])
    return {trait: sorted(values) for trait, values in found.items() if values}


def panel_preview(*, panel: Panel, data: bytes | Table, mapping: Mapping[str, str] | None = None) -> Preview:
    """Read a file without keeping anything of it; who is in the panel already plays no part.

    `mapping` names the field of each column, by its header; without it, headers are recognised in English and
    Korean. Raises ImportRefused where there is no table in the file, BodyTooLarge above the limit.
    """
    table = data if isinstance(data, Table) else table_read(data)
    fields = fields_of(table.headers, mapping)
    columns = tuple(zip(table.headers, fields, strict=True))
    errors = list(columns_wrong(table.headers, fields, mapping, panel.domains))
    if panel.retained_until is not None and panel.retained_until < timezone.localdate():
        errors.append(RowFinding(1, "", "panel-over"))
    if errors:
        return Preview(columns, (), tuple(errors))
    reader = Reader(fields, {trait: Domain.of(values) for trait, values in panel.domains.items()})
    rows = reader.read(table)
    return Preview(columns, tuple(rows), tuple(sorted(reader.wrong, key=lambda one: one.line)))


def panel_import(
    *, actor: Any, panel: Panel, data: bytes | Table, mapping: Mapping[str, str] | None = None
) -> None:
    """Add the respondents of a file to a panel, or none: raises ImportRefused with each row that is wrong.

    Who is in the panel already stays as they are, and nothing says who that was, or how many.
    """
    required(may_configure(actor), actor, "import respondents")
    with transaction.atomic():
        kept = Panel.objects.select_for_update().get(pk=panel.pk)
        preview = panel_preview(panel=kept, data=data, mapping=mapping)
        if preview.errors:
            raise ImportRefused(preview.errors)
        known = set(Respondent.objects.filter(panel=kept).values_list("reference", flat=True).iterator())
        new = [Respondent(panel=kept, **row) for row in preview.rows if row[REFERENCE] not in known]
        Respondent.objects.bulk_create(new, batch_size=2000)
        # Not how many: who reads the log later would learn a number that only the console may answer, with noise.
        audit_append(actor=actor, action="panel.import", subject=kept.name)
        service_source_changed()


def respondent_erase(*, actor: Any, panel: Panel, reference: str) -> None:
    """Erase one person with their invitations. Neither who it was nor whether they were there is told or noted."""
    required(may_configure(actor), actor, "erase respondents")
    with transaction.atomic():
        Respondent.objects.filter(panel=panel, reference=reference).delete()
        audit_append(actor=actor, action="respondent.erase", subject=panel.name)
        service_source_changed()


def panels_expire(*, today: date | None = None) -> int:
    """Erase the respondents of every panel whose time is over; return how many panels that were.

    Each is noted once, whether there was somebody in it or not.
    """
    over = Panel.objects.filter(retained_until__lt=today or timezone.localdate(), expired=False)
    return sum(map(_panel_expire, over.values_list("pk", flat=True)))


def _panel_expire(number: int) -> bool:
    with transaction.atomic():
        # Whoever is being imported now is in it before it is emptied.
        panel = Panel.objects.select_for_update().filter(pk=number, expired=False).first()
        if panel is None:
            return False
        Respondent.objects.filter(panel=panel).delete()
        panel.expired = True
        panel.save(update_fields=("expired",))
        audit_append(actor=None, action="panel.expire", subject=panel.name)
        service_source_changed()
    return True


def _domains_wrong(given: Mapping[str, Sequence[str]]) -> list[Finding]:
    return [Finding("domain-malformed", trait) for trait, values in given.items() if not _fits(trait, values)]


def _fits(trait: str, values: Sequence[str]) -> bool:
    fits = trait in TRAITS and isinstance(values, list | tuple) and 0 < len(values) <= MOST_VALUES
    return fits and all(map(_shown, values)) and len(set(_normal(values))) == len(values)


def _domains(given: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    return {trait: _normal(values) for trait, values in given.items()}


def _normal(values: Sequence[str]) -> list[str]:
    # As files are read: what looks alike is alike.
    return [normalize("NFC", value) for value in values]


def _shown(value: object) -> bool:
    return (
        isinstance(value, str)
        and 0 < len(value) <= LONGEST
        and value.isprintable()
        and value == value.strip()
    )


def _text_wrong(field: str, text: str, most: int, *, may_be_empty: bool = False) -> list[Finding]:
    if not text:
        return [] if may_be_empty else [Finding("required", field)]
    if len(text) > most:
        return [Finding("too-long", field, params=(("most", most),))]
    return [] if text.isprintable() else [Finding("unprintable", field)]

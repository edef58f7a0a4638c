"""Respondents are imported all or none, with every wrong row named, and leave when they shall."""

import io
from datetime import date, timedelta
from itertools import permutations
from typing import Any
from unicodedata import normalize

import pytest
from django.core.management import call_command
from django.utils import timezone
from django.utils.translation import override

from aggregator import tasks
from surveys.errors import BodyTooLarge, ImportRefused, NotAllowed, RowFinding, SettingInvalid
from surveys.imports import table
from surveys.imports.columns import fields_of, headers_known
from surveys.imports.messages import ROWS, row_message, row_remedy
from surveys.imports.reading import table_read
from surveys.models import AuditEntry, InboxReport, Invitation, Report, Respondent, Spent, Tally
from surveys.models import Panel as PanelTable
from surveys.services.panels import (
    domains_found,
    organisation_create,
    panel_import,
    panel_preview,
    panel_update,
    panels_expire,
    respondent_erase,
)
from tests import people

KOREAN = "응답자 번호,지역,성별,연령대\n가1,서울,여,30-49\n가2,부산,남,-29\n"


@pytest.fixture
def ward(owner: Any) -> Any:
    return people.panel(owner)


def codes(panel: Any, text: str, mapping: dict[str, str] | None = None) -> list[tuple[int, str, str]]:
    found = panel_preview(panel=panel, data=text.encode(), mapping=mapping).errors
    return [(one.line, one.column, one.code) for one in found]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp949"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_korean_files_are_read_as_spreadsheets_write_them(ward: Any, encoding: str, ends: str) -> None:
    preview = panel_preview(panel=ward, data=KOREAN.replace("\n", ends).encode(encoding))
    assert preview.errors == ()
    assert dict(preview.columns) == {
        "응답자 번호": "reference",
        "지역": "region",
        "성별": "sex",
        "연령대": "age_band",
    }
    assert preview.rows[0] == {"reference": "가1", "region": "서울", "sex": "여", "age_band": "30-49"}


def test_a_preview_keeps_nothing(owner: Any, ward: Any) -> None:
    before = AuditEntry.objects.count()
    panel_preview(panel=ward, data=KOREAN.encode())
    assert (Respondent.objects.count(), AuditEntry.objects.count()) == (0, before)


def test_an_import_adds_every_row(owner: Any, ward: Any) -> None:
    panel_import(actor=owner, panel=ward, data=KOREAN.encode("cp949"))
    assert Respondent.objects.count() == 2
    kept = Respondent.objects.get(reference="가2")
    assert (kept.region, kept.sex, kept.age_band, kept.language) == ("부산", "남", "-29", None)
    # That somebody imported is on record; how many people came in is not.
    assert AuditEntry.objects.get(action="panel.import").facts == {}


def test_one_wrong_row_keeps_all_out(owner: Any, ward: Any) -> None:
    before = people.service().data_version
    with pytest.raises(ImportRefused) as caught:
        panel_import(actor=owner, panel=ward, data=(KOREAN + "가3,제주,여,-29\n").encode())
    assert [(one.line, one.column, one.code) for one in caught.value.rows] == [
        (4, "지역", "value-undeclared")
    ]
    assert (Respondent.objects.count(), people.service().data_version) == (0, before)


def test_every_wrong_row_is_named_with_its_line(ward: Any) -> None:
    text = 'reference,region,sex\nr1,서울,여\nr1,부산,남\n,서울,여\nr4,Paris,?\n"r\n5",서울,여\nr6,서울\n' + (
        "x" * 81 + ",서울,여\n"
    )
    assert codes(ward, text) == [
        (3, "reference", "reference-repeated"),
        (4, "reference", "reference-empty"),
        (5, "region", "value-undeclared"),
        (5, "sex", "value-undeclared"),
        (6, "reference", "reference-unprintable"),
        (8, "", "cells-count"),
        (9, "reference", "reference-too-long"),
    ]


def test_who_is_there_already_stays_as_they_are(owner: Any, ward: Any) -> None:
    panel_import(actor=owner, panel=ward, data=KOREAN.encode())
    panel_import(actor=owner, panel=ward, data="번호,지역\n가0,서울\n가2,서울\n".encode())
    kept = Respondent.objects.order_by("reference").values_list("reference", "region")
    assert list(kept) == [("가0", "서울"), ("가1", "서울"), ("가2", "부산")]
    # In another panel the same reference is another person.
    other = people.panel(owner, "other")
    panel_import(actor=owner, panel=other, data="번호\n가2\n".encode())
    assert Respondent.objects.filter(panel=other).count() == 1


def test_a_file_of_every_possible_reference_tells_nobody_of_a_panel(owner: Any, ward: Any) -> None:
    everybody = ("reference\n" + "".join(f"{at}\n" for at in range(300))).encode()
    empty = panel_preview(panel=ward, data=everybody)
    panel_import(
        actor=owner, panel=ward, data=("reference\n" + "".join(f"{at}\n" for at in range(0, 300, 7))).encode()
    )
    assert panel_preview(panel=ward, data=everybody) == empty
    before = people.service().data_version
    panel_import(actor=owner, panel=ward, data=everybody)
    panel_import(actor=owner, panel=ward, data=everybody)
    # Neither does the version of the data, nor the log.
    assert people.service().data_version == before + 2
    noted = AuditEntry.objects.filter(action="panel.import").values_list("subject", "facts")
    assert list(noted) == [("ward", {})] * 3


def test_columns_are_named_by_hand_where_headers_are_strange(ward: Any) -> None:
    text = "col 1;x,b\nr1,서울\n"
    assert codes(ward, text) == [(1, "", "column-missing")]
    assert codes(ward, text, {"col 1;x": "reference", "b": "region"}) == []
    assert codes(ward, text, {"col 1;x": "reference", "b": "reference"}) == [(1, "b", "column-repeated")]
    assert codes(ward, text, {"col 1;x": "reference", "c": "region"}) == [(1, "c", "column-unknown")]
    assert codes(ward, text, {"col 1;x": "reference", "b": "id"}) == [
        (1, "b", "column-unknown"),
    ]


def test_a_trait_without_declared_values_is_not_taken(ward: Any) -> None:
    assert codes(ward, "reference,language\nr1,ko\n") == [(1, "language", "column-undeclared")]


def test_headers_are_known_in_both_languages() -> None:
    headers = ("학번", "나이", "학년", "성별", "거주 지역", "사용언어", "Age_Group", "이름", "성명", "name")
    fields = ["reference", "age_band", "segment", "sex", "region", "language", "age_band", None, None, None]
    assert fields_of(headers) == fields
    # What is shown to people is what is recognised, and each name stands for one field.
    told = [name for _, names in headers_known() for name in names.split(", ")]
    assert None not in fields_of(told)
    assert len(set(told)) == len(told)


def test_a_column_nobody_asked_for_is_left_out(ward: Any) -> None:
    """Names and addresses that a spreadsheet holds are never kept."""
    preview = panel_preview(panel=ward, data="이름,번호\n홍길동,r1\n".encode())
    assert preview.columns == (("이름", None), ("번호", "reference"))
    assert preview.rows == ({"reference": "r1"},)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "file-empty"),
        (b"reference\n", "file-empty"),
        (b"\xff\xfe\x00", "file-unreadable"),
        (b'reference\n"r1\n', "quotes-wrong"),
        (b'reference\n"r1"x\n', "quotes-wrong"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "file-old"),
        (",".join(map(str, range(101))).encode() + b"\n1\n", "columns-many"),
    ],
)
def test_what_is_no_table_is_refused(ward: Any, data: bytes, code: str) -> None:
    with pytest.raises(ImportRefused) as caught:
        panel_preview(panel=ward, data=data)
    assert [one.code for one in caught.value.rows] == [code]


def test_a_character_that_is_none_is_named(ward: Any) -> None:
    assert codes(ward, "reference\nr1\nr\x002\n") == [(3, "reference", "reference-unprintable")]


def test_a_file_that_is_too_large_is_refused(ward: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "MOST_BYTES", 100)
    with pytest.raises(BodyTooLarge):
        panel_preview(panel=ward, data=b"x" * 101)
    monkeypatch.setattr(table, "MOST_ROWS", 2)
    with pytest.raises(ImportRefused) as caught:
        panel_preview(panel=ward, data=b"reference\na\nb\nc\n")
    assert caught.value.rows[0].code == "file-too-large"
    assert panel_preview(panel=ward, data=b"reference\na\n\nb\n").errors == ()


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_cells_are_divided_as_spreadsheets_divide_them(ward: Any, separator: str) -> None:
    preview = panel_preview(panel=ward, data=KOREAN.replace(",", separator).encode())
    assert preview.rows[0] == {"reference": "가1", "region": "서울", "sex": "여", "age_band": "30-49"}


def test_what_looks_alike_is_alike(ward: Any) -> None:
    """A Mac writes Korean letters in pieces."""
    assert codes(ward, normalize("NFD", KOREAN)) == []


def test_two_columns_of_one_name_are_told_apart_by_their_letters(ward: Any) -> None:
    text = "번호,지역,지역,\nr1,서울,부산,\n"
    assert codes(ward, text) == [(1, "지역 [C]", "column-repeated")]
    preview = panel_preview(
        panel=ward, data=text.encode(), mapping={"번호": "reference", "지역 [C]": "region"}
    )
    assert preview.rows == ({"reference": "r1", "region": "부산"},)
    assert [header for header, _ in preview.columns] == ["번호", "지역", "지역 [C]", "[D]"]


def test_a_panel_whose_time_is_over_takes_nobody(owner: Any) -> None:
    gone = people.panel(owner, "gone", retained_until=date(2020, 3, 31))
    assert codes(gone, "reference\nr1\n") == [(1, "", "panel-over")]


def test_values_are_declared_later_and_never_taken_back(owner: Any, ward: Any) -> None:
    more = {**people.DOMAINS, "sex": ["여", "남", "?"], "language": ["ko"]}
    before = people.service().data_version
    panel_update(actor=owner, panel=ward, domains=more, retained_until=date(2099, 1, 1))
    ward.refresh_from_db()
    assert (ward.domains, ward.retained_until) == (more, date(2099, 1, 1))
    assert people.service().data_version == before + 1
    assert people.service().schema["respondent"]["columns"]["language"]["domain"] == ["ko"]
    for less in ({**more, "sex": ["여"]}, {"region": more["region"]}):
        with pytest.raises(SettingInvalid) as caught:
            panel_update(actor=owner, panel=ward, domains=less, retained_until=None)
        assert {one.code for one in caught.value.findings} == {"domain-narrowed"}
    ward.refresh_from_db()
    assert ward.domains == more


def test_the_values_of_a_file_are_found_in_an_order_that_tells_nothing_of_its_rows() -> None:
    rows = ["1,여,부산,홍", "2,남,,길", "3,여,서울,동"]
    for order in permutations(rows):
        found = domains_found(table_read("\n".join(["번호,성별,지역,이름", *order]).encode()))
        assert found == {"sex": ["남", "여"], "region": ["부산", "서울"]}


def test_an_organisation_has_a_name_of_its_own(owner: Any, researcher: Any) -> None:
    before = people.service().data_version
    made = organisation_create(actor=owner, name="서울병원", kind="hospital", region="서울")
    assert (made.name, made.kind, made.region) == ("서울병원", "hospital", "서울")
    assert people.service().data_version == before + 1
    for wrong in ({"name": ""}, {"name": "서울병원"}, {"name": "a" * 201}, {"name": "a\n"}, {"kind": "?"}):
        with pytest.raises(SettingInvalid):
            organisation_create(actor=owner, **{"name": "other", "kind": "other", **wrong})
    with pytest.raises(NotAllowed):
        organisation_create(actor=researcher, name="mine", kind="other")


@pytest.mark.parametrize("name", ["", "Ward", "병동", "-ward", "ward one", "a" * 61, "ward\n"])
def test_a_panel_is_named_by_letters_and_digits(owner: Any, name: str) -> None:
    with pytest.raises(SettingInvalid) as caught:
        people.panel(owner, name)
    assert [one.code for one in caught.value.findings] == ["name-malformed"]


def test_only_admins_see_to_panels(researcher: Any, owner: Any, ward: Any) -> None:
    with pytest.raises(NotAllowed):
        people.panel(researcher, "mine")
    with pytest.raises(NotAllowed):
        panel_import(actor=researcher, panel=ward, data=KOREAN.encode())
    with pytest.raises(NotAllowed):
        respondent_erase(actor=researcher, panel=ward, reference="r1")


@pytest.mark.parametrize(
    "domains",
    [{"name": ["x"]}, {"sex": []}, {"sex": ["a", "a"]}, {"sex": "ab"}, {"sex": [""]}, {"sex": [" a"]},
     {"sex": [1]}, {"sex": ["a" * 81]}, {"sex": ["a\n"]}, {"sex": [str(at) for at in range(201)]}],
)  # fmt: skip
def test_a_domain_that_is_none_is_refused(owner: Any, domains: Any) -> None:
    with pytest.raises(SettingInvalid):
        people.panel(owner, domains=domains)
    assert not PanelTable.objects.exists()


def test_the_schema_of_the_service_lists_every_declared_value(owner: Any) -> None:
    people.panel(owner, "one", domains={"region": ["서울", "부산"]})
    people.panel(owner, "two", domains={"region": ["부산", "제주"], "sex": ["f", "m"]})
    columns = people.service().schema["respondent"]["columns"]
    assert columns["region"]["domain"] == ["서울", "부산", "제주"]
    assert columns["sex"]["domain"] == ["f", "m"]
    assert "domain" not in columns["segment"]


def test_who_is_erased_leaves_no_trace(owner: Any, ward: Any, version: Any) -> None:
    panel_import(actor=owner, panel=ward, data=b"reference\nmarker-1\nr2\n")
    who = Respondent.objects.get(reference="marker-1")
    Invitation.objects.create(survey=version.survey, respondent=who, code=b"0" * 32)
    before = people.service().data_version
    respondent_erase(actor=owner, panel=ward, reference="marker-1")
    respondent_erase(actor=owner, panel=ward, reference="marker-1")
    # Nor does anything tell whether there was somebody to erase.
    assert people.service().data_version == before + 2
    assert AuditEntry.objects.filter(action="respondent.erase", subject="ward", facts={}).count() == 2
    dumped = io.StringIO()
    call_command("dumpdata", stdout=dumped)
    assert "marker-1" not in dumped.getvalue()
    assert (Respondent.objects.count(), Invitation.objects.count()) == (1, 0)


def test_a_panel_is_empty_after_its_day(owner: Any) -> None:
    kept = people.panel(owner, "kept")
    gone = people.panel(owner, "gone")
    for one in (kept, gone):
        panel_import(actor=owner, panel=one, data=b"reference\nr1\n")
    PanelTable.objects.filter(pk=gone.pk).update(retained_until=date(2026, 3, 31))
    assert panels_expire(today=date(2026, 3, 31)) == 0
    assert panels_expire(today=date(2026, 4, 1)) == 1
    assert [one.panel_id for one in Respondent.objects.all()] == [kept.pk]
    assert panels_expire(today=date(2026, 4, 1)) == 0


@pytest.mark.parametrize("rows", [b"", b"reference\nr1\n"])
def test_the_end_of_a_panel_is_noted_once_whether_it_held_somebody_or_not(owner: Any, rows: bytes) -> None:
    panel = people.panel(owner, "gone")
    if rows:
        panel_import(actor=owner, panel=panel, data=rows)
    PanelTable.objects.update(retained_until=date(2026, 3, 31))
    before = people.service().data_version
    for _ in range(3):
        panels_expire(today=date(2026, 4, 1))
    assert people.service().data_version == before + 1
    assert AuditEntry.objects.filter(action="panel.expire").count() == 1
    # With a later day it fills again, and ends again.
    panel_update(actor=owner, panel=panel, domains=people.DOMAINS, retained_until=date(2099, 1, 1))
    panel_import(actor=owner, panel=panel, data=b"reference\nr2\n")
    assert panels_expire(today=date(2099, 1, 2)) == 1
    assert not Respondent.objects.exists()


def test_the_sweep_empties_panels_whose_time_is_over(owner: Any) -> None:
    kept, gone = people.filled(owner, "kept"), people.filled(owner, "gone")
    PanelTable.objects.filter(pk=gone.pk).update(retained_until=timezone.localdate() - timedelta(days=1))
    PanelTable.objects.filter(pk=kept.pk).update(retained_until=timezone.localdate())
    tasks.sweep()
    assert set(Respondent.objects.values_list("panel", flat=True)) == {kept.pk}


def test_people_and_answers_know_nothing_of_each_other() -> None:
    """No foreign key leads from a table of people to one of answers, or back."""
    known = {PanelTable, Respondent, Invitation}
    answers = {InboxReport, Report, Spent, Tally}
    for model in known | answers:
        others = answers if model in known else known
        assert not [field.name for field in model._meta.get_fields() if field.related_model in others]


def test_every_wrong_row_has_words_in_both_languages() -> None:
    names = (
        "rows",
        "megabytes",
        "unpacked",
        "count",
        "expected",
        "most",
        "line",
        "value",
        "values",
        "sheets",
        "field",
    )
    finding_facts = tuple((name, 1) for name in names)
    for code in ROWS:
        said = []
        for language in ("en", "ko"):
            with override(language):
                finding = RowFinding(1, "x", code, finding_facts)
                said.append((row_message(finding), row_remedy(finding)))
        assert said[0][0] != said[1][0], code
        assert said[0][1] != said[1][1], code
        assert "%" not in "".join(said[0] + said[1])

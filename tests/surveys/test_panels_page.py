"""The pages of panels: what is shown is what was sent; nothing of it is kept before an admin says so."""

import csv
import io
import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.files.uploadhandler import TemporaryFileUploadHandler
from django.test import Client

from surveys.models import AuditEntry, Panel, Respondent
from surveys.pages import panels_upload
from tests import cast, people

pytestmark = pytest.mark.usefixtures("built")
GOOD = "번호,지역,이름\nmarker-1,서울,홍길동\nmarker-2,부산,성춘향\n"
WRONG = "번호,지역\nr1,서울\nr1,부산\nr3,제주\n"


def file(text: str | bytes, name: str = "people.csv") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text.encode() if isinstance(text, str) else text)


def looks(desk: Client, panel: Panel, text: str | bytes, **more: Any) -> Any:
    return desk.post(f"/panels/{panel.pk}/import", {"file": file(text), **more})


def carried(answer: Any) -> dict[str, str]:
    """Return what the form of a preview sends on, as a browser would."""
    body = answer.content.decode()
    form = answer.context["form"]
    fields = {name: field.initial for name, field in form.fields.items()}
    return {
        **dict(re.findall(r'<input type="hidden" name="(table|seen|kept)" value="([^"]*)"', body)),
        **fields,
    }


def sends(desk: Client, panel: Panel, answer: Any, act: str, **more: Any) -> Any:
    return desk.post(f"/panels/{panel.pk}/import", {**carried(answer), "act": act, **more})


def test_a_file_is_looked_at_and_then_added(desk: Client, ward: Panel) -> None:
    shown = looks(desk, ward, GOOD)
    assert shown.status_code == 200
    assert "The file has 2 rows" in shown.content.decode()
    assert Respondent.objects.count() == 0
    assert sends(desk, ward, shown, "import").headers["Location"] == f"/panels/{ward.pk}/"
    assert {one.reference: one.region for one in Respondent.objects.all()} == {
        "marker-1": "서울",
        "marker-2": "부산",
    }


def test_before_it_is_added_nothing_of_a_file_is_anywhere(
    desk: Client, ward: Panel, monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path
) -> None:
    """Not in the session, not in a cookie, and never in a file: a temporary one would be one."""
    settings.FILE_UPLOAD_TEMP_DIR = str(tmp_path)
    monkeypatch.setattr(TemporaryFileUploadHandler, "new_file", lambda *_, **__: pytest.fail("a file"))
    audit = AuditEntry.objects.count()
    rows = "".join(f"marker-{at},서울,{'x' * 60}\n" for at in range(40_000))
    assert len(rows) > 2_621_440
    shown = looks(desk, ward, "번호,지역,메모\n" + rows)
    assert "The file has 40,000 rows" in shown.content.decode()
    kept = [session.get_decoded() for session in Session.objects.all()]
    assert "marker" not in f"{kept} {desk.cookies}"
    assert (Respondent.objects.count(), AuditEntry.objects.count()) == (0, audit)
    assert "no-store" in shown["Cache-Control"]


def test_what_django_does_by_itself_would_be_noticed(desk: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: elsewhere, a large file becomes one on the disk."""
    began: list[str] = []
    monkeypatch.setattr(TemporaryFileUploadHandler, "new_file", lambda *_, **__: began.append("a file"))
    with pytest.raises(AttributeError):
        desk.post("/panels/organisations/new", {"file": file(b"x" * 3_000_000)})
    assert began == ["a file"]


def test_wrong_rows_are_told_with_line_and_remedy(desk: Client, ward: Panel) -> None:
    shown = looks(desk, ward, WRONG)
    body = shown.content.decode()
    assert shown.status_code == 422
    for told in ("Line 3", "The row of line 2 has the same reference", "Line 4", "does not declare “제주”"):
        assert told in body
    assert "The file has" not in body
    assert sends(desk, ward, shown, "import").status_code == 422
    assert Respondent.objects.count() == 0


def test_the_report_is_a_file_without_formulas(desk: Client, ward: Panel) -> None:
    shown = looks(desk, ward, '번호,지역\nr1,"=HYPERLINK(1)"\n,서울\n')
    report = sends(desk, ward, shown, "report")
    assert report["Content-Disposition"] == 'attachment; filename="ward-errors.csv"'
    assert report.content.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(report.content.decode("utf-8-sig"))))
    assert [row[:2] for row in rows] == [["Line", "Column"], ["2", "지역"], ["3", "번호"]]
    assert not [cell for row in rows for cell in row if cell[:1] in "=+-@" and cell]
    shown = looks(desk, ward, '번호,지역,"=1+1"\nr1,제주,x\nr2,제주,x\n')
    shown = sends(desk, ward, shown, "look", column_1="", column_2="region")
    cells = list(csv.reader(io.StringIO(sends(desk, ward, shown, "report").content.decode("utf-8-sig"))))
    assert cells[1][1] == "'=1+1"


def test_columns_are_chosen_by_hand(desk: Client, ward: Panel) -> None:
    shown = looks(desk, ward, "누구,사는 곳\nr1,서울\n")
    assert "No column holds the reference" in shown.content.decode()
    shown = sends(desk, ward, shown, "look", column_0="reference", column_1="region")
    assert "The file has 1 row," in shown.content.decode()
    sends(desk, ward, shown, "import")
    assert Respondent.objects.get().region == "서울"


def test_columns_that_are_not_read_are_named(desk: Client, ward: Panel) -> None:
    """Nobody is told that all is well while a column is left out."""
    text = "번호,지역,성별,키,이름,비고\nr1,서울,여,170,홍길동,\nr2,부산,남,180,성춘향,\n"
    shown = looks(desk, ward, text)
    body = shown.content.decode()
    assert "2 columns of the file are not read:" in body
    assert "<li>키</li><li>이름</li></ul>" in body
    assert "note good" not in body
    assert "all of them can be imported as they are" not in body
    # The columns can be chosen at once.
    assert '<details class="card" open>' in body
    wrong = looks(desk, ward, text.replace("서울", "제주"))
    assert "<li>키</li><li>이름</li></ul>" in wrong.content.decode()


def test_what_a_column_is_taken_for_is_told_where_it_cannot_be(desk: Client, ward: Panel) -> None:
    body = looks(desk, ward, "번호,학년,반\nr1,1,2\n").content.decode()
    assert "The panel declares no values for the field that this would fill: Segment." in body
    assert "Two columns would fill one field: Segment." in body


def test_a_file_that_is_read_whole_is_told_so(desk: Client, ward: Panel) -> None:
    """The control: nothing is said to be left out where nothing is, or only what is empty."""
    body = looks(desk, ward, "번호,지역,,비고\nr1,서울,,\nr2,부산,,\n").content.decode()
    assert "not read:" not in body
    assert "note good" in body
    assert "all of them can be imported as they are" in body


def test_where_a_file_is_chosen_the_known_columns_are_told(desk: Client, ward: Panel) -> None:
    for path in (f"/panels/{ward.pk}/", "/panels/new"):
        body = desk.get(path).content.decode()
        assert "Columns of any other name can be read too" in body
        assert "학번" in body
        assert "age group" in body


def test_what_is_wrong_in_many_rows_is_told_once(desk: Client, ward: Panel) -> None:
    rows = "".join(f"r{at},{'제주' if at % 3 else '서울'},여\n" for at in range(60))
    shown = looks(desk, ward, "번호,지역,성별\n" + rows + "r60,독도,?\n")
    body = shown.content.decode()
    assert len(shown.context["errors"]) == 3
    assert "40 rows · 지역" in body
    assert "lines 3, 4, 6, 7, 9, …" in body
    assert "Line 62 · 지역" in body
    # Where values are declared is one step away; the report has every row.
    assert body.count(f'<a href="/panels/{ward.pk}/edit">Settings of the panel</a>') == 3
    report = sends(desk, ward, shown, "report").content.decode("utf-8-sig")
    assert len(report.splitlines()) == 43


def test_rows_that_are_wrong_in_other_ways_stay_apart(desk: Client, ward: Panel) -> None:
    shown = looks(desk, ward, "번호,지역\nr1,서울\nr2,서울\nr1,제주\nr2,부산\n")
    told = [(one["line"], one["rows"]) for one in shown.context["errors"]]
    assert told == [(4, 1), (4, 1), (5, 1)]
    assert "Settings of the panel" in shown.content.decode()
    assert "Settings of the panel" not in looks(desk, ward, "번호\nr1\nr1\n").content.decode()


def test_only_what_was_shown_is_added(desk: Client, ward: Panel) -> None:
    shown = looks(desk, ward, GOOD)
    # Other columns than those of the page before.
    again = sends(desk, ward, shown, "import", column_1="")
    assert again.status_code == 200
    # Another file.
    assert sends(desk, ward, shown, "import", file=file("번호\nother\n")).status_code == 200
    # Nothing was shown at all.
    assert looks(desk, ward, GOOD, act="import").status_code == 200
    assert Respondent.objects.count() == 0
    assert sends(desk, ward, again, "import").status_code == 302
    assert set(Respondent.objects.values_list("region", flat=True)) == {None}


def test_who_is_there_already_shows_on_no_page(desk: Client, ward: Panel) -> None:
    def seen(answer: Any) -> str:
        return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", answer.content.decode())

    shown = looks(desk, ward, GOOD)
    assert "Who is in the panel already stays as they are" in seen(shown)
    first = sends(desk, ward, shown, "import")
    told = seen(desk.get(first.headers["Location"]))
    again = looks(desk, ward, GOOD)
    assert (again.status_code, seen(again)) == (200, seen(shown))
    second = sends(desk, ward, shown, "import")
    assert second.status_code == first.status_code == 302
    assert seen(desk.get(second.headers["Location"])) == told
    assert "who was there already stayed as they were" in told
    assert Respondent.objects.count() == 2


def test_a_file_that_the_form_cannot_carry_is_chosen_again(
    desk: Client, ward: Panel, monkeypatch: pytest.MonkeyPatch
) -> None:
    from surveys.pages import panels_import

    monkeypatch.setattr(panels_import, "MOST_KEPT", 10)
    shown = looks(desk, ward, GOOD)
    assert "kept" not in carried(shown)
    assert "The same file once more" in shown.content.decode()
    assert sends(desk, ward, shown, "import").status_code == 422
    assert sends(desk, ward, shown, "import", file=file(GOOD)).status_code == 302
    assert Respondent.objects.count() == 2


@pytest.mark.parametrize("kept", ["", "!", "AAAA", "eJwDAAAAAAE=", "x" * 100])
def test_what_comes_back_broken_is_refused(desk: Client, ward: Panel, kept: str) -> None:
    answer = desk.post(f"/panels/{ward.pk}/import", {"kept": kept, "act": "import"})
    assert answer.status_code == 422
    assert "No file was chosen" in answer.content.decode()


def test_a_packed_bomb_is_not_unpacked(desk: Client, ward: Panel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(panels_upload, "MOST_UNPACKED", 1000)
    shown = looks(desk, ward, "번호\n" + "".join(f"{at:050}\n" for at in range(1000)))
    assert sends(desk, ward, shown, "import").status_code == 422
    assert Respondent.objects.count() == 0


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "No row below"),
        (b"x" * 9_000_000, "At most 100,000 rows"),
        (b"\xff\xd8\xff\xe0" + bytes(range(256)) * 40, "neither a workbook"),
        (b"PK\x03\x04" + bytes(1000), "damaged"),
        (b"reference\n", "no row below"),
        (b"reference\nr\x001\n", "cannot be shown"),
        ("reference\n" + "r\n" * 100_001, "At most 100,000 rows"),
    ],
)
def test_bad_files_are_refused_on_the_page(desk: Client, ward: Panel, data: Any, told: str) -> None:
    answer = looks(desk, ward, data)
    body = answer.content.decode()
    assert answer.status_code == 422
    assert told.lower() in body.lower()
    assert "Choose the corrected file" in body
    assert Respondent.objects.count() == 0


def test_many_findings_are_cut_on_the_page_and_whole_in_the_report(desk: Client, ward: Panel) -> None:
    shown = looks(desk, ward, "번호,지역\n" + "".join(f"r{at},섬 {at}\n" for at in range(1200)))
    assert "The first 50 of 1,200" in shown.content.decode()
    assert shown.content.decode().count("<li><b") == 50
    report = sends(desk, ward, shown, "report").content.decode("utf-8-sig")
    assert len(report.splitlines()) == 1201


def test_a_form_from_elsewhere_is_refused(owner: Any, ward: Panel) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(owner)
    for path in (f"/panels/{ward.pk}/import", "/panels/new"):
        assert strict.post(path, {"file": file(GOOD)}).status_code == 403
    page = strict.get(f"/panels/{ward.pk}/").content.decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
    assert token is not None
    sent = {"file": file(GOOD), "csrfmiddlewaretoken": token[1]}
    assert strict.post(f"/panels/{ward.pk}/import", sent).status_code == 200


def test_no_page_lists_or_counts_people(desk: Client, owner: Any) -> None:
    panel = people.filled(
        owner, rows="reference,region\n" + "".join(f"mark-{at},서울\n" for at in range(737))
    )
    for path in ("/panels/", f"/panels/{panel.pk}/", f"/panels/{panel.pk}/edit", "/panels/new"):
        body = desk.get(path).content.decode()
        assert "mark-" not in body
        assert "737" not in body
    assert 'href="/sources/service/"' in desk.get(f"/panels/{panel.pk}/").content.decode()


def test_pages_of_a_full_and_an_empty_panel_are_alike(desk: Client, owner: Any, ward: Panel) -> None:
    def shown(path: str) -> str:
        return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", desk.get(path).content.decode())

    paths = ("/panels/", f"/panels/{ward.pk}/", f"/panels/{ward.pk}/edit")
    before = list(map(shown, paths))
    Respondent.objects.create(panel=ward, reference="r1")
    assert list(map(shown, paths)) == before


def test_nobody_is_erased_before_it_is_asked_once_more(desk: Client, owner: Any) -> None:
    panel = people.filled(owner)
    path = f"/panels/{panel.pk}/erase"
    asked = set()
    for anybody in ("r1", "nobody"):
        body = desk.post(path, {"reference": anybody}).content.decode()
        assert "Erase this person for ever?" in body
        assert f'name="reference" value="{anybody}"' in body
        asked.add(re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", body).replace(anybody, "?"))
    # Whether there is somebody is not told before either.
    assert len(asked) == 1
    assert Respondent.objects.count() == 3
    assert not AuditEntry.objects.filter(action="respondent.erase").exists()


def test_a_person_is_erased_by_reference(desk: Client, owner: Any) -> None:
    panel = people.filled(owner)
    path = f"/panels/{panel.pk}/erase"
    sent = {"reference": " r2 ", "act": "erase"}
    assert desk.post(path, sent, follow=True).status_code == 200
    assert set(Respondent.objects.values_list("reference", flat=True)) == {"r1", "r3"}
    entry = AuditEntry.objects.get(action="respondent.erase")
    assert "r2" not in f"{entry.subject} {entry.facts}"
    told = set()
    for anybody in ("r2", "R1", "r1"):
        answer = desk.post(path, {"reference": anybody, "act": "erase"}, follow=True)
        assert "If this person was there, they are erased now" in answer.content.decode()
        told.add(re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", answer.content.decode()))
    assert len(told) == 1
    for act in ("", "erase"):
        assert 'aria-invalid="true"' in desk.post(path, {"reference": "", "act": act}).content.decode()
    assert Respondent.objects.count() == 1


def test_a_panel_whose_time_is_over_says_so(desk: Client, ward: Panel) -> None:
    Panel.objects.update(retained_until=date(2020, 1, 1))
    body = desk.get(f"/panels/{ward.pk}/").content.decode()
    assert "The panel's time is over" in body.replace("&#x27;", "'")
    assert 'type="file"' not in body


def test_what_is_opened_again_by_its_address_leads_to_the_panel(desk: Client, ward: Panel) -> None:
    """As the links to the other language do."""
    for page in ("import", "erase"):
        assert desk.get(f"/panels/{ward.pk}/{page}?lang=ko").headers["Location"] == f"/panels/{ward.pk}/"
    for number in (999, 10**30):
        assert desk.get(f"/panels/{number}/").status_code == 404


def test_others_are_told_nothing(client: Client, researcher: Any, owner: Any, ward: Panel) -> None:
    client.force_login(researcher)
    for path in ("/panels/", f"/panels/{ward.pk}/", "/panels/999/", "/panels/new"):
        assert client.get(path).status_code == 403
    assert looks(client, ward, GOOD).status_code == 403
    assert client.post(f"/panels/{ward.pk}/erase", {"reference": "r1"}).status_code == 403
    assert "/panels/" not in client.get("/surveys/").content.decode()
    client.force_login(cast.person("second", "admin"))
    assert 'href="/panels/"' in client.get("/surveys/").content.decode()

"""The pages of panels: what is shown is what was sent; nothing of it is kept before an admin says so."""

import csv
import io
import re
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.files.uploadhandler import TemporaryFileUploadHandler
from django.test import Client
from django.utils import timezone

from surveys.models import AuditEntry, Organisation, Panel, Respondent
from surveys.pages import panels_upload
from tests import cast, people

pytestmark = pytest.mark.usefixtures("built")
GOOD = "번호,지역,이름\nmarker-1,서울,홍길동\nmarker-2,부산,성춘향\n"
WRONG = "번호,지역\nr1,서울\nr1,부산\nr3,제주\n"


@pytest.fixture
def desk(owner: Any, client: Client) -> Client:
    """Return the owner at a desk."""
    client.force_login(owner)
    client.cookies["django_language"] = "en"
    return client


@pytest.fixture
def ward(owner: Any) -> Panel:
    return people.panel(owner)


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
    shown = looks(desk, ward, "사번,사는 곳\nr1,서울\n")
    assert "No column holds the reference" in shown.content.decode()
    shown = sends(desk, ward, shown, "look", column_0="reference", column_1="region")
    assert "The file has 1 row," in shown.content.decode()
    sends(desk, ward, shown, "import")
    assert Respondent.objects.get().region == "서울"


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
    shown = looks(desk, ward, "번호,지역\n" + "".join(f"r{at},제주\n" for at in range(1200)))
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


def test_a_person_is_erased_by_reference(desk: Client, owner: Any) -> None:
    panel = people.filled(owner)
    path = f"/panels/{panel.pk}/erase"
    assert desk.post(path, {"reference": " r2 "}, follow=True).status_code == 200
    assert set(Respondent.objects.values_list("reference", flat=True)) == {"r1", "r3"}
    entry = AuditEntry.objects.get(action="respondent.erase")
    assert "r2" not in f"{entry.subject} {entry.facts}"
    told = set()
    for anybody in ("r2", "R1", "r1"):
        answer = desk.post(path, {"reference": anybody}, follow=True)
        assert "If this person was there, they are erased now" in answer.content.decode()
        told.add(re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", answer.content.decode()))
    assert len(told) == 1
    assert 'aria-invalid="true"' in desk.post(path, {"reference": ""}).content.decode()
    assert Respondent.objects.count() == 1


def test_an_organisation_and_a_panel_are_made(desk: Client) -> None:
    assert desk.get("/panels/new").headers["Location"] == "/panels/organisations/new"
    desk.post("/panels/organisations/new", {"name": "서울병원", "kind": "hospital", "region": ""})
    organisation = Organisation.objects.get()
    day = timezone.localdate() + timedelta(days=9)
    typed = {"organisation": organisation.pk, "name": "nurses", "retained_until": day.isoformat()}
    made = desk.post("/panels/new", {**typed, "region": "서울\r\n\r\n 부산 \r\n", "act": "make"})
    panel = Panel.objects.get()
    assert made.headers["Location"] == f"/panels/{panel.pk}/"
    assert (panel.domains, panel.retained_until) == ({"region": ["서울", "부산"]}, day)
    again = desk.post("/panels/new", {**typed, "act": "make"}).content.decode()
    assert "This name is taken." in again
    past = desk.post("/panels/new", {**typed, "name": "old", "retained_until": "2020-01-01", "act": "make"})
    assert "Give a day that is not past." in past.content.decode()
    assert Panel.objects.count() == 1


def test_values_of_a_file_are_filled_in_and_declared_only_when_confirmed(desk: Client, ward: Panel) -> None:
    typed = {"organisation": ward.organisation_id, "name": "nurses", "region": "제주", "act": "look"}
    looked = desk.post(
        "/panels/new", {**typed, "file": file("번호,지역,성별\nmarker-1,서울,여\nr2,제주,남\n")}
    )
    form, body = looked.context["form"], looked.content.decode()
    assert form["region"].value() == "제주\n서울"
    assert form["sex"].value() == "남\n여"
    assert "Every value that stays in a list becomes public" in body
    assert form["name"].value() == "nurses"
    assert "filled in below: Region, Sex" in body
    assert "marker-1" not in body
    assert Panel.objects.count() == 1


def test_a_column_of_too_many_values_is_not_filled_in(desk: Client, ward: Panel) -> None:
    text = "번호,지역\n" + "".join(f"{at},주소 {at}\n" for at in range(201))
    looked = desk.post("/panels/new", {"act": "look", "file": file(text)})
    assert "not filled in: Region" in looked.content.decode()
    assert looked.context["form"]["region"].value() == ""
    nothing = desk.post("/panels/new", {"act": "look"})
    assert "No file was chosen" in nothing.content.decode()


def test_settings_are_added_to(desk: Client, ward: Panel) -> None:
    path = f"/panels/{ward.pk}/edit"
    values = {trait: "\n".join(listed) for trait, listed in people.DOMAINS.items()}
    assert desk.post(path, {**values, "language": "ko"}).status_code == 302
    less = desk.post(path, {**values, "region": "서울"})
    assert "A value that was declared stays" in less.content.decode()
    ward.refresh_from_db()
    assert ward.domains == {**people.DOMAINS, "language": ["ko"]}
    desk.post(path, {**values, "language": "ko", "retained_until": "2099-12-31"})
    ward.refresh_from_db()
    assert ward.retained_until == date(2099, 12, 31)


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

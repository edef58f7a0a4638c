"""How organisations and panels are made and changed on their pages."""

from datetime import date, timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from surveys.models import Organisation, Panel
from tests import people

pytestmark = pytest.mark.usefixtures("built")


def file(text: str) -> SimpleUploadedFile:
    return SimpleUploadedFile("people.csv", text.encode())


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
    assert "filled in below: Region (지역), Sex (성별)" in body
    assert "not read:" not in body
    assert "marker-1" not in body
    assert Panel.objects.count() == 1


def test_columns_whose_values_are_not_filled_in_are_named(desk: Client, ward: Panel) -> None:
    looked = desk.post("/panels/new", {"act": "look", "file": file("번호,학년,반,이름\n1,2,3,홍길동\n")})
    body = looked.content.decode()
    assert "filled in below: Segment (학년)." in body
    assert looked.context["form"]["segment"].value() == "2"
    assert "<li>반</li><li>이름</li></ul>" in body
    assert "note good" not in body
    assert "홍길동" not in body


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

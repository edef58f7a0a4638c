"""An admin brings people into the service and takes one out again, at a real browser."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from playwright.sync_api import Browser, Page, expect

from surveys.models import Organisation, Panel, Respondent
from tests import cast, people
from tests.journeys.browser import axe_violations
from tests.journeys.staff import Staff

HEADERS = ("응답자 번호", "지역", "연령대", "이름")
WRONG = (
    ("가1", "서울", "30-49", "홍길동"),
    ("가1", "부산", "-29", "성춘향"),
    ("가3", "제주", "50-", "임꺽정"),
)
RIGHT = (
    ("가1", "서울", "30-49", "홍길동"),
    ("가2", "부산", "-29", "성춘향"),
    ("가3", "서울", "50-", "임꺽정"),
)


@pytest.fixture
def owner_account(transactional_db: None) -> Any:
    return cast.person("owner", "admin")


@pytest.fixture
def admin_at(owner_account: Any, browser: Browser, live_server: Any) -> Iterator[Any]:
    """Return an admin, logged in, at a window of any width."""
    staff: list[Staff] = []

    def at(width: int = 1280, **options: Any) -> Staff:
        staff.append(Staff(browser, live_server.url, width, **options))
        staff[-1].logs_in("owner")
        return staff[-1]

    yield at
    for one in staff:
        one.context.close()


def korean_csv(folder: Path, rows: Any, headers: tuple[str, ...] = HEADERS) -> Path:
    path = folder / "명부.csv"
    path.write_bytes("".join(",".join(row) + "\r\n" for row in (headers, *rows)).encode("cp949"))
    return path


def korean_xlsx(folder: Path, rows: Any) -> Path:
    book, file = openpyxl.Workbook(), io.BytesIO()
    for row in (HEADERS, *rows):
        book.active.append(row)
    book.save(file)
    (folder / "명부.xlsx").write_bytes(file.getvalue())
    return folder / "명부.xlsx"


def looks(admin: Staff, path: Path) -> Page:
    """Choose a file on the panel's page and look at it."""
    admin.page.set_input_files("#id_file", path)
    return admin.presses("파일 확인")


@pytest.mark.parametrize("options", [{}, {"java_script_enabled": False}], ids=["", "without JavaScript"])
def test_people_are_brought_in_and_one_is_taken_out(
    admin_at: Any, tmp_path: Path, options: dict[str, Any]
) -> None:
    admin = admin_at(**options)
    page = admin.opens("/surveys/?lang=ko")
    admin.presses("패널", ".nav")
    admin.presses("새 기관")
    page.fill("#id_name", "서울병원")
    page.select_option("#id_kind", "hospital")
    admin.presses("기관 추가")
    assert Organisation.objects.get().name == "서울병원"

    admin.presses("새 패널")
    page.fill("#id_name", "nurses-2026")
    page.set_input_files("#id_file", korean_csv(tmp_path, RIGHT))
    admin.presses("값 채우기")
    assert page.input_value("#id_region") == "부산\n서울"
    assert page.input_value("#id_name") == "nurses-2026"
    admin.presses("패널 만들기")
    assert Panel.objects.get().domains == {"region": ["부산", "서울"], "age_band": ["-29", "30-49", "50-"]}

    looks(admin, korean_csv(tmp_path, WRONG))
    findings = page.locator(".findings li")
    expect(findings).to_have_count(2)
    expect(findings.nth(0)).to_contain_text("3행 · 응답자 번호")
    expect(findings.nth(1)).to_contain_text("패널이 선언하지 않은 값입니다: “제주”.")
    with page.expect_download() as download:
        page.click('button[value="report"]')
    assert len(Path(download.value.path()).read_text("utf-8-sig").splitlines()) == 3
    assert Respondent.objects.count() == 0

    looks(admin, korean_xlsx(tmp_path, RIGHT))
    expect(page.get_by_text("파일에 3행이 있으며")).to_be_visible()
    expect(page.locator(".note .words")).to_have_text("이름")
    expect(page.locator("table")).not_to_contain_text("홍길동")
    assert Respondent.objects.count() == 0
    admin.presses("파일의 사람들 추가")
    expect(page.get_by_role("status")).to_contain_text("파일의 사람들이 패널에 있습니다.")
    assert Respondent.objects.count() == 3

    page.fill("#id_reference", "가2")
    admin.presses("이 사람 삭제…")
    expect(page.get_by_role("heading", level=1)).to_have_text("이 사람을 영구히 삭제하시겠습니까?")
    admin.presses("그대로 두기")
    assert Respondent.objects.count() == 3
    page.fill("#id_reference", "가2")
    admin.presses("이 사람 삭제…")
    expect(page.locator("dd")).to_have_text("가2")
    admin.presses("영구히 삭제")
    expect(page.get_by_role("status")).to_contain_text("이 사람이 있었다면 이제 초대와 함께 삭제되었습니다.")
    assert set(Respondent.objects.values_list("reference", flat=True)) == {"가1", "가3"}
    page.fill("#id_reference", "가2")
    admin.presses("이 사람 삭제…")
    admin.presses("영구히 삭제")
    # Whether there was somebody is not told.
    expect(page.get_by_role("status")).to_contain_text("이 사람이 있었다면")
    assert Respondent.objects.count() == 2
    # Without scripts nobody listens for what the policy refuses.
    assert options or admin.refused() == []


# Each language and each width meets axe once.
@pytest.mark.looks
@pytest.mark.parametrize(
    ("language", "width", "judged", "scheme"),
    [
        ("ko", 360, True, "light"),
        ("ko", 1280, False, "light"),
        ("en", 1280, True, "dark"),
        ("en", 360, False, "light"),
    ],
)
def test_every_page_of_panels_is_clean(
    admin_at: Any, owner_account: Any, tmp_path: Path, language: str, width: int, judged: bool, scheme: str
) -> None:
    panel = people.filled(owner_account)
    wrong: dict[str, Any] = {}
    admin = admin_at(width, color_scheme=scheme)

    def look(state: str) -> None:
        found = {
            "axe": axe_violations(admin.page) if judged else [],
            "refused by the policy": admin.refused(),
            "sideways": admin.sideways(),
            "too small": admin.small_targets(),
            "language": admin.page.get_attribute("html", "lang") != language,
        }
        if any(found.values()):
            wrong[state] = {what: told for what, told in found.items() if told}

    for path in ("organisations/new", "new", "", f"{panel.pk}/edit", f"{panel.pk}/"):
        admin.opens(f"/panels/{path}?lang={language}")
        for closed in admin.page.locator("main summary").all():
            closed.click()
        look(path)
    long = ("응답자 번호", "지역아닌것" * 16, "연령대" * 20, "이름" * 30)
    known = (HEADERS[0], "지역", "연령대", "직업")
    sheets = {"long": (WRONG, long), "undeclared": (RIGHT, known), "wrong": (WRONG,), "right": (RIGHT,)}
    for state, sheet in sheets.items():
        admin.opens(f"/panels/{panel.pk}/")
        admin.page.set_input_files("#id_file", korean_csv(tmp_path, *sheet))
        admin.sends(f'form[action$="/{panel.pk}/import"]')
        look(state)
    admin.page.select_option("#id_column_0", "")
    with admin.page.expect_navigation():
        admin.page.click('button[value="look"]')
    look("no reference")
    admin.opens(f"/panels/{panel.pk}/")
    admin.page.fill("#id_reference", "nobody" * 12)
    admin.sends(f'form[action$="/{panel.pk}/erase"]')
    look("nobody")
    admin.sends(f'form[action$="/{panel.pk}/erase"]')
    look("erased")
    assert wrong == {}

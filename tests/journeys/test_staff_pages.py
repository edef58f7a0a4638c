"""Every page of staff: usable by all, in both languages, on a phone and a desk, under its strict policy."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from playwright.sync_api import Browser

from surveys.models import Grant, Survey
from surveys.services.publishing import survey_close
from surveys.services.results import VersionTally, results_documents
from surveys.wire.manifest import manifest_build
from tests import cast
from tests.journeys.browser import axe_violations
from tests.journeys.staff import Staff

SHOWN = {**cast.SINGLE, "visible_if": {"any": [{"question": "q1", "is": ["yes"]}]}}
PHONE = {
    **cast.YES_NO,
    "text_en": "What is your phone number?",
    "text_ko": "전화번호가 무엇입니까?",
    "epsilon": "4",
}
PUBLIC = (
    "/",
    "/limits/",
    "/problems/key-reused",
    "/nothing-here",
    "/accounts/login/",
    "/accounts/password/reset/",
)
ACCOUNT = (
    "/accounts/2fa/",
    "/accounts/2fa/totp/activate/",
    "/accounts/2fa/webauthn/",
    "/accounts/2fa/webauthn/add/",
    "/accounts/password/change/",
    "/accounts/token/",
    "/accounts/reauthenticate/",
    "/accounts/logout/",
)
SURVEYS = (
    "/surveys/",
    "/surveys/new",
    "/surveys/draft/edit",
    "/surveys/draft/questions/new?kind=likert",
    "/surveys/draft/questions/q2/edit",
    "/surveys/draft/questions/q4/edit",
    "/surveys/draft/questions/q6/edit",
    "/surveys/draft/questions/q1/delete",
    "/surveys/draft/publish",
    "/surveys/draft/delete",
    "/surveys/draft/grants",
    "/surveys/draft/try",
    "/surveys/open/edit",
    "/surveys/open/share",
    "/surveys/open/close",
    "/surveys/open/results",
    "/surveys/done/results",
    "/audit/",
)
PAGES = (*PUBLIC, *SURVEYS, *ACCOUNT)


@pytest.fixture
def house(transactional_db: None, live_server: Any) -> str:
    """Return the address of a service with a draft, an open and a closed survey."""
    owner, researcher = cast.person("owner", "admin"), cast.person("researcher", "researcher")
    every = (cast.YES_NO, SHOWN, cast.LIKERT, cast.MULTIPLE, cast.NOTE, cast.COIN, PHONE)
    cast.draft(owner, "draft", every, epsilon_ceiling="16")
    cast.published(owner, "open", (cast.YES_NO,), target=500)
    done = cast.published(owner, "done", (cast.YES_NO, cast.LIKERT, cast.MULTIPLE)).survey
    survey_close(actor=owner, survey=done)
    publish_results(done)
    Grant.objects.create(survey=done, researcher=researcher)
    return live_server.url


def publish_results(survey: Survey) -> None:
    """Store results as the workers would, with a share below zero among them."""
    survey.estimates.all().delete()
    manifest = manifest_build(survey, survey.questions.all(), 1)
    counts = {
        "q1": [150, 400, 90],
        "q2": [120, 110, 160, 90, 60, 100],
        "q3": [80, 90, 40, 60, 80, 70, 70, 90, 60],
    }
    version = survey.versions.get()
    for number, body in results_documents([VersionTally(manifest, 640, counts)], minimum=50).items():
        of = None if number is None else version
        survey.estimates.create(version=of, n=640, body=body, code_version="test")


@pytest.fixture
def owner_at(house: str, browser: Browser) -> Iterator[Any]:
    """Return the owner, logged in, at a window of any width."""
    staff: list[Staff] = []

    def at(width: int) -> Staff:
        staff.append(Staff(browser, house, width))
        staff[-1].logs_in("owner")
        return staff[-1]

    yield at
    for one in staff:
        one.context.close()


# Each language and each width meets axe, the slow judge, once; everything else is looked at in all four.
@pytest.mark.looks
@pytest.mark.parametrize(
    ("language", "width", "judged"),
    [("ko", 360, True), ("ko", 1280, False), ("en", 1280, True), ("en", 360, False)],
)
def test_every_page_is_clean(owner_at: Any, language: str, width: int, judged: bool) -> None:
    owner, wrong = owner_at(width), {}
    for path in PAGES:
        page = owner.opens(f"{path}{'&' if '?' in path else '?'}lang={language}")
        found = {
            "axe": axe_violations(page) if judged else [],
            "refused by the policy": owner.refused(),
            "sideways": owner.sideways(),
            "too small": owner.small_targets(),
            "language": page.get_attribute("html", "lang") != language,
        }
        if any(found.values()):
            wrong[path] = {what: told for what, told in found.items() if told}
    assert wrong == {}


def test_strangers_pages_are_clean(house: str, browser: Browser) -> None:
    stranger = Staff(browser, house, 360)
    for path in ("/", "/accounts/login/?lang=ko", "/accounts/password/reset/"):
        page = stranger.opens(path)
        assert (axe_violations(page), stranger.refused(), stranger.small_targets()) == ([], [], [])


def test_what_these_tests_look_for_is_found(house: str, browser: Browser) -> None:
    """The control: a page spoilt in every way is caught in every way."""
    stranger = Staff(browser, house, 360)
    page = stranger.opens("/limits/")
    page.evaluate(
        """() => {
          const image = document.createElement("img");
          image.setAttribute("width", "900");
          image.setAttribute("style", "color: red");
          document.querySelector("main").append(image, document.createElement("button"));
          try { image.innerHTML = "<b></b>"; } catch { /* refused, and reported as such */ }
        }"""
    )
    page.wait_for_function("window.refused.length > 1")
    assert axe_violations(page)
    assert {line.split()[0] for line in stranger.refused()} == {"style-src-attr", "require-trusted-types-for"}
    assert stranger.sideways() > 0
    assert stranger.small_targets()


def test_djangos_admin_is_clean_under_its_relaxed_policy(owner_at: Any, house: str) -> None:
    """Reached from every page of those who may use it."""
    get_user_model().objects.filter(username="owner").update(is_staff=True, is_superuser=True)
    somebody, owner, wrong = get_user_model().objects.get(username="researcher"), owner_at(1280), {}
    owner.presses("People", ".nav")
    assert owner.page.url.endswith("/admin/")
    one = f"/admin/auth/user/{somebody.pk}"
    users = ("/admin/auth/user/", "/admin/auth/user/add/", f"{one}/change/", f"{one}/password/")
    for path in ("/admin/", "/admin/surveys/grant/add/", *users):
        page = owner.opens(path)
        if found := [*axe_violations(page), *owner.refused()]:
            wrong[path] = found
    assert wrong == {}


def test_who_may_not_use_djangos_admin_is_not_sent_there(owner_at: Any) -> None:
    assert owner_at(1280).page.locator('a[href="/admin/"]').count() == 0


def test_the_relaxed_policy_stays_with_djangos_admin(client: Any, db: None) -> None:
    boss = cast.person("boss", "admin")
    type(boss).objects.filter(pk=boss.pk).update(is_staff=True, is_superuser=True)
    client.force_login(boss)
    relaxed, strict = (client.get(path)["Content-Security-Policy"] for path in ("/admin/", "/surveys/"))
    assert "trusted-types" not in relaxed
    assert "require-trusted-types-for 'script'" in strict
    assert "unsafe" not in strict


def test_the_admin_asks_strangers_to_log_in_where_the_second_step_is_asked(client: Any, db: None) -> None:
    assert client.get("/admin/", follow=True).redirect_chain[-1][0].startswith("/accounts/login/")


def test_a_language_switch_keeps_the_address(owner_at: Any) -> None:
    owner = owner_at(1280)
    page = owner.opens("/surveys/draft/questions/new?kind=likert&lang=en")
    owner.presses("한국어", ".langs")
    assert page.url.endswith("/surveys/draft/questions/new?kind=likert&lang=ko")
    assert page.get_attribute("html", "lang") == "ko"
    owner.opens("/surveys/")
    assert page.get_attribute("html", "lang") == "ko"


@pytest.mark.looks
@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize(("width", "rows"), [(360, 2), (704, 1), (1280, 1)])
def test_the_head_of_a_page_is_low(owner_at: Any, language: str, width: int, rows: int) -> None:
    owner = owner_at(width)
    page = owner.opens(f"/surveys/?lang={language}")
    assert page.locator(".top").bounding_box()["height"] <= 1 + max(64, 44 * rows)
    assert (
        page.locator(".nav").is_visible() is (width > 960) is not page.locator(".menu summary").is_visible()
    )


def test_a_narrow_page_unfolds_its_menu_without_a_script(house: str, browser: Browser) -> None:
    plain = Staff(browser, house, 360, java_script_enabled=False)
    page = plain.logs_in("owner")
    page.locator(".menu summary").click()
    assert page.locator(".menu a:visible").count() >= 4
    plain.presses("What is not promised", ".menu")
    plain.context.close()


def test_an_unfolded_menu_is_clean(owner_at: Any) -> None:
    owner = owner_at(360)
    page = owner.opens("/surveys/")
    page.locator(".menu summary").click()
    page.locator(".menu a").first.wait_for()
    assert (axe_violations(page), owner.sideways(), owner.small_targets()) == ([], 0, [])

"""A manifest that is not the announced one, or whose odds are untrue, asks nothing."""

import copy
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.journeys.fixture import Server
from tests.journeys.questionnaires import every_kind, sealed, two_questions
from tests.journeys.respondent import Respondent


@pytest.fixture
def minji(browser: Browser, server: Server) -> Iterator[Respondent]:
    one = Respondent(browser, server)
    yield one
    one.close()


def changed(change: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    manifest = copy.deepcopy(every_kind())
    change(manifest)
    return manifest


def with_integer(manifest: dict[str, Any]) -> None:
    manifest["questions"][0]["mechanism"]["num"] += 1


def with_text(manifest: dict[str, Any]) -> None:
    manifest["questions"][0]["text"]["ko"] += "."


def with_closing(manifest: dict[str, Any]) -> None:
    manifest["closes"] = "2032-01-01T00:00:00Z"


@pytest.mark.parametrize("change", [with_integer, with_text, with_closing])
@pytest.mark.parametrize("resealed", [False, True])
def test_one_changed_integer_text_or_date_is_refused(
    minji: Respondent, server: Server, change: Callable[[dict[str, Any]], None], resealed: bool
) -> None:
    manifest = changed(change)
    server.announced["every"] = every_kind()["fingerprint"]
    minji.visit(sealed(manifest) if resealed else manifest)
    assert minji.page.locator("h1").text_content() in (minji.say("mismatch"), minji.say("unsound"))
    assert minji.page.locator("input").count() == 0


def test_control_the_unchanged_manifest_is_asked(minji: Respondent, server: Server) -> None:
    server.announced["every"] = every_kind()["fingerprint"]
    minji.visit(every_kind())
    assert minji.page.get_by_role("button", name=minji.say("begin")).is_visible()


def test_the_links_fingerprint_must_fit(minji: Respondent) -> None:
    manifest = two_questions()
    minji.visit(manifest, extra="#f=" + manifest["fingerprint"])
    assert minji.page.get_by_role("button", name=minji.say("begin")).is_visible()
    minji.page.goto("about:blank")
    minji.visit(manifest, extra="#f=" + "0" * 64)
    minji.heading("mismatch")


def test_a_mismatch_offers_no_way_around_it_and_a_reload_is_none(minji: Respondent) -> None:
    minji.visit(two_questions(), extra="#f=" + "0" * 64)
    minji.heading("mismatch")
    assert minji.page.locator("main .page button").count() == 0
    minji.page.reload()
    minji.heading("mismatch")
    minji.page.get_by_role("button", name="한국어").click()
    minji.page.reload()
    minji.page.get_by_role("heading", name="공지된 설문과 다릅니다").wait_for()


def test_what_fitted_once_is_compared_again_after_a_reload(minji: Respondent, server: Server) -> None:
    manifest = two_questions()
    minji.visit(manifest, extra="#f=" + manifest["fingerprint"])
    minji.heading_of(manifest)
    server.serve(sealed({**manifest, "title": manifest["intro"]}))
    minji.page.reload()
    minji.heading("mismatch")


def test_another_link_opened_in_the_same_tab_is_compared_too(minji: Respondent) -> None:
    manifest = two_questions()
    minji.visit(manifest, extra="#f=" + manifest["fingerprint"])
    minji.heading_of(manifest)
    minji.page.evaluate("location.hash = '#f=' + '0'.repeat(64)")
    minji.heading("mismatch")


def untrue_epsilon(manifest: dict[str, Any]) -> None:
    manifest["questions"][0]["epsilon"] = "0.5000"


def untrue_total(manifest: dict[str, Any]) -> None:
    manifest["epsilon_total"] = "1.0000"


def too_large(manifest: dict[str, Any]) -> None:
    manifest["questions"][0]["mechanism"]["num"] = 2**32 - 1
    manifest["questions"][0]["epsilon"] = "22.1808"


@pytest.mark.parametrize("change", [untrue_epsilon, untrue_total, too_large])
def test_an_epsilon_that_is_not_that_of_the_integers_or_too_large_is_refused(
    minji: Respondent, change: Callable[[dict[str, Any]], None]
) -> None:
    minji.visit(sealed(changed(change)))
    minji.heading("unsound")
    assert minji.page.locator("input").count() == 0


def test_a_manifest_of_another_survey_is_refused(minji: Respondent, server: Server) -> None:
    address = server.serve(two_questions())
    server.manifests["two"] = two_questions("other")
    minji.open(address)
    minji.heading("mismatch")


@pytest.mark.parametrize("state", ["paused", "closed"])
def test_a_survey_that_is_not_open_asks_nothing(minji: Respondent, state: str) -> None:
    minji.visit(two_questions(state=state))
    minji.heading(state)
    assert minji.page.locator("input").count() == 0


def test_an_unknown_survey_and_a_server_that_fails_are_told_apart(minji: Respondent, server: Server) -> None:
    minji.open(f"{server.base}/s/nowhere/")
    minji.heading("missing")
    minji.context.route("**/api/**", lambda route: route.fulfill(status=500))
    minji.visit(two_questions())
    minji.heading("offline")
    minji.context.unroute("**/api/**")
    minji.press("again")
    minji.page.get_by_role("button", name=minji.say("begin")).wait_for()

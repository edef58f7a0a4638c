"""Whatever fails: the same bytes again, or none."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.journeys.fixture import Server
from tests.journeys.questionnaires import sealed, texts, two_questions
from tests.journeys.respondent import Respondent


@pytest.fixture
def minji(browser: Browser, server: Server) -> Iterator[Respondent]:
    one = Respondent(browser, server)
    yield one
    one.close()


def at_review(minji: Respondent, page: Page | None = None) -> str:
    """Answer and draw; return the body shown."""
    minji.visit(two_questions(), page)
    minji.answer((0,), (1,), page=page)
    minji.finish(page)
    return minji.shown_body(page)


def one_body(server: Server, body: str, times: int) -> None:
    """Check that all reports that arrived are this one, so many times."""
    assert server.posts() == [body.encode()] * times


# How a report can fail, and what the page then says.
FAILURES: list[tuple[Any, str]] = [
    (422, "refused"),
    (400, "refused"),
    ("key-reused", "reused"),
    ("survey-closed", "closed"),
    (404, "missing"),
    (500, "unsent"),
    ("drop", "unsent"),
    ("lost", "unsent"),
]


def fails_then_succeeds(minji: Respondent, server: Server, failure: Any, said: str) -> str:
    """Let a report fail once, come back by a reload, and send again; return the body drawn first."""
    body = at_review(minji)
    server.failures = [failure]
    minji.press("send")
    minji.heading(said)
    minji.page.reload()
    minji.page.locator("h1").wait_for()
    if minji.page.locator(".words").count():
        # Only a page that has lost its report asks again.
        minji.answer((0,), (1,))
        minji.finish()
    minji.press("send")
    minji.heading("thanks")
    return body


@pytest.mark.parametrize(("failure", "said"), FAILURES)
def test_after_a_failure_and_a_reload_the_same_bytes_are_sent(
    minji: Respondent, server: Server, failure: Any, said: str
) -> None:
    body = fails_then_succeeds(minji, server, failure, said)
    one_body(server, body, 2)
    assert list(server.stored.values()) == [body.encode()]


def test_control_a_page_that_draws_again_is_caught(browser: Browser, server: Server) -> None:
    forgetful = Respondent(browser, server, scripts=("indexedDB.deleteDatabase('deniable')",))
    body = fails_then_succeeds(forgetful, server, 422, "refused")
    forgetful.close()
    with pytest.raises(AssertionError):
        one_body(server, body, 2)


@pytest.mark.parametrize("failure", [500, "drop", "lost"])
def test_the_button_after_a_failure_sends_the_same_bytes(
    minji: Respondent, server: Server, failure: Any
) -> None:
    body = at_review(minji)
    server.failures = [failure]
    minji.press("send")
    minji.heading("unsent")
    assert minji.page.get_by_text(minji.say("safe")).is_visible()
    minji.press("again")
    minji.heading("thanks")
    one_body(server, body, 2)


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_server_is_asked_again_by_itself(minji: Respondent, server: Server, status: int) -> None:
    body = at_review(minji)
    server.failures = [status, status]
    minji.press("send")
    expect(minji.page.get_by_role("status")).to_have_text(minji.say("wait", n=2))
    minji.press("again")
    minji.heading("thanks")
    one_body(server, body, 3)


def test_a_receipt_that_belongs_to_other_bytes_is_not_believed(minji: Respondent, server: Server) -> None:
    body = at_review(minji)
    minji.context.route(
        "**/reports/", lambda route: route.fulfill(status=201, json={"receipt": "0" * 32}), times=1
    )
    minji.press("send")
    minji.heading("unsent")
    assert minji.page.get_by_text(minji.say("receiptWrong")).is_visible()
    minji.press("again")
    minji.heading("thanks")
    one_body(server, body, 1)


def test_a_second_tab_shows_the_first_tabs_report_and_forgets_its_own_answers(minji: Respondent) -> None:
    second = minji.tab()
    minji.visit(two_questions(), second)
    minji.press("begin", second)
    second.locator("input").first.check()
    body = at_review(minji)
    minji.heading("review", second)
    assert second.get_by_text(minji.say("before")).is_visible()
    assert minji.shown_body(second) == body


def test_of_two_tabs_that_draw_at_once_one_report_remains(minji: Respondent) -> None:
    second = minji.tab()
    for page in (minji.page, second):
        minji.visit(two_questions(), page)
        minji.answer((0,), (1,), page=page)
        page.locator(".choice input").check()
    # Only where the other tab's report has not arrived yet: at the review the same place says "Send".
    draw = "setTimeout(() => document.querySelector('.choice input') && "
    draw += "document.querySelector('.actions .button').click(), 200)"
    for page in (minji.page, second):
        page.evaluate(draw)
    for page in (minji.page, second):
        minji.heading("review", page)
    assert minji.shown_body() == minji.shown_body(second)


def test_of_two_tabs_that_send_at_once_both_see_one_receipt(minji: Respondent, server: Server) -> None:
    body = at_review(minji)
    second = minji.tab()
    minji.visit(two_questions(), second)
    for page in (minji.page, second):
        page.evaluate("setTimeout(() => document.querySelector('.actions .button').click(), 200)")
    for page in (minji.page, second):
        page.locator(".tick").wait_for()
    assert minji.page.locator("code.code").text_content() == second.locator("code.code").text_content()
    assert set(server.posts()) == {body.encode()}
    assert len(server.stored) == 1


def test_while_one_tab_sends_another_waits_for_it(minji: Respondent, server: Server) -> None:
    body = at_review(minji)
    second = minji.tab()
    minji.visit(two_questions(), second)
    held: list[Any] = []
    minji.context.route("**/reports/", lambda route: held.append(route), times=1)
    minji.press("send")
    minji.heading("sending")
    minji.press("send", second)
    expect(second.get_by_role("status")).to_have_text(minji.say("otherTab"))
    held[0].continue_()
    minji.heading("thanks")
    second.locator(".tick").wait_for()
    one_body(server, body, 1)


def test_a_paused_survey_still_takes_what_was_drawn_before(minji: Respondent, server: Server) -> None:
    body = at_review(minji)
    minji.visit(two_questions(state="paused"))
    minji.heading("review")
    minji.press("send")
    minji.heading("thanks")
    one_body(server, body, 1)


def second_version() -> dict[str, Any]:
    second = two_questions()
    second["questions"].reverse()
    return sealed({**second, "version": 2, "title": texts("Second", "두 번째")})


@pytest.mark.parametrize("kept", [True, False])
def test_a_report_of_an_earlier_version_is_shown_and_sent_as_it_was_drawn(
    minji: Respondent, server: Server, kept: bool
) -> None:
    body = at_review(minji)
    slip = minji.page.locator(".slip").inner_text()
    server.older = [two_questions()] if kept else []
    minji.visit(second_version())
    minji.heading("review")
    assert minji.page.get_by_text(minji.say("older")).is_visible()
    assert minji.shown_body() == body
    # In its own version's words, or in bytes; never in another version's words.
    assert minji.page.get_by_text(minji.say("unread")).is_visible() != kept
    if kept:
        assert minji.page.locator(".slip").inner_text() == slip
    else:
        assert minji.page.locator(".slip code").all_text_contents() == json.loads(body)["reports"]
    minji.press("send")
    minji.heading("thanks")
    one_body(server, body, 1)
    assert json.loads(body)["version"] == 1


def test_the_link_of_an_earlier_version_still_leads_to_the_report_drawn_under_it(
    minji: Respondent, server: Server
) -> None:
    body = at_review(minji)
    server.older = [two_questions()]
    minji.page.goto("about:blank")
    minji.visit(second_version(), extra="#f=" + two_questions()["fingerprint"])
    minji.heading("review")
    assert minji.shown_body() == body


@pytest.mark.parametrize(("failure", "said"), [(422, "refused"), ("survey-closed", "closed")])
def test_a_report_that_is_not_taken_can_be_deleted_with_its_key(
    minji: Respondent, server: Server, failure: Any, said: str
) -> None:
    body = at_review(minji)
    server.failures = [failure]
    minji.press("send")
    minji.heading(said)
    assert json.loads(body)["key"] in minji.stored()
    minji.press("erase")
    minji.heading("erased")
    assert json.loads(body)["key"] not in minji.stored()


def test_who_comes_back_to_a_closed_survey_can_delete_the_report(minji: Respondent) -> None:
    body = at_review(minji)
    minji.visit(two_questions(state="closed"))
    minji.heading("closed")
    minji.press("erase")
    minji.heading("erased")
    assert json.loads(body)["key"] not in minji.stored()


def test_who_has_answered_sees_the_receipt_again_and_no_form(minji: Respondent, server: Server) -> None:
    at_review(minji)
    minji.press("send")
    minji.heading("thanks")
    receipt = minji.page.locator("code.code").text_content()
    minji.page.reload()
    minji.heading("already")
    assert minji.page.locator("code.code").text_content() == receipt
    minji.visit(two_questions(state="closed"))
    minji.heading("already")
    assert minji.page.locator("input").count() == 0

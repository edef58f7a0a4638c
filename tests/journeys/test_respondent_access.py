"""Every state of the page, in both languages and widths: no finding of axe, nothing cut off, no breach."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.journeys.browser import axe_violations
from tests.journeys.fixture import Server
from tests.journeys.questionnaires import every_kind, sealed, texts, two_questions
from tests.journeys.respondent import Respondent
from tests.journeys.test_respondent_flow import EVERY_ANSWER

SMALL = """() => [...document.querySelectorAll("button, summary, .choice")]
  .map((one) => [one.textContent, one.getBoundingClientRect()])
  .filter(([, {width, height}]) => height < 43.9 || width < 43.9).map(([text]) => text)"""


def findings(someone: Respondent, state: str) -> list[str]:
    """Return all that is wrong with the state that the page is in."""
    page = someone.page
    found = [f"{state}: {one['id']} {one['nodes']}" for one in axe_violations(page)]
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        found.append(f"{state}: scrolls sideways")
    found += [f"{state}: small target {text}" for text in page.evaluate(SMALL)]
    found += [f"{state}: {breach}" for breach in someone.breaches()]
    return found + [f"{state}: {said}" for said in someone.complaints]


@pytest.fixture(params=["en", "ko"])
def lang(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(params=[360, 1280])
def width(request: pytest.FixtureRequest) -> int:
    return request.param


def test_the_way_to_the_receipt_is_accessible_in_every_state(
    browser: Browser, server: Server, lang: str, width: int
) -> None:
    scheme = "dark" if (lang, width) in (("ko", 1280), ("en", 360)) else "light"
    options = {"reduced_motion": "reduce", "color_scheme": scheme}
    minji = Respondent(browser, server, lang, width, options=options)
    found: list[str] = []

    def look(state: str) -> None:
        found.extend(findings(minji, state))

    minji.visit(every_kind())
    look("welcome")
    minji.page.locator("summary").click()
    look("exact numbers")
    minji.press("begin")
    minji.press("next")
    look("an answer is missing")
    for place, answers in enumerate(EVERY_ANSWER):
        for answer in answers:
            minji.page.locator(".choice input").nth(answer).check()
        if minji.page.locator("summary").count():
            minji.page.locator("summary").click()
        look(f"question {place}")
        minji.press("next")
    look("ready")
    minji.press("done")
    for turn in range(8):
        minji.page.locator(".sent").first.wait_for()
        look(f"wheel {turn}")
        minji.press("next" if turn < 7 else "check")
    minji.page.locator("summary").click()
    look("review")
    server.failures = [503]
    minji.press("send")
    minji.page.get_by_role("button", name=minji.say("again")).wait_for()
    look("busy")
    minji.press("again")
    minji.heading("thanks")
    look("receipt")
    minji.page.reload()
    minji.heading("already")
    look("already")
    minji.close()
    assert found == []


def test_while_the_wheel_turns_the_page_is_accessible(browser: Browser, server: Server) -> None:
    minji = Respondent(browser, server)
    minji.visit(two_questions())
    minji.answer((0,), (1,))
    minji.press("done")
    assert findings(minji, "turning") == []
    minji.close()


def drawn(minji: Respondent, server: Server) -> None:
    minji.visit(two_questions())
    minji.answer((0,), (1,))
    minji.finish()


def leaves(minji: Respondent, server: Server) -> None:
    drawn(minji, server)
    minji.press("leave")


def erases(minji: Respondent, server: Server) -> None:
    leaves(minji, server)
    minji.press("erase")
    minji.heading("erased")


def comes_back(minji: Respondent, server: Server) -> None:
    drawn(minji, server)
    minji.page.reload()
    minji.heading("review")


def comes_back_later(minji: Respondent, server: Server) -> None:
    drawn(minji, server)
    minji.visit(sealed({**two_questions(), "version": 2, "title": texts("Second", "두 번째")}))


def previews(minji: Respondent, server: Server) -> None:
    server.previews.add("two")
    drawn(minji, server)


def failing(failure: Any, said: str) -> Callable[[Respondent, Server], None]:
    def act(minji: Respondent, server: Server) -> None:
        drawn(minji, server)
        server.failures = [failure]
        minji.press("send")
        minji.heading(said)

    return act


def state_of(name: str) -> Callable[[Respondent, Server], None]:
    return lambda minji, server: minji.visit(two_questions(state=name))


def targeted(minji: Respondent, server: Server) -> None:
    server.announced["two"] = "0" * 64
    minji.visit(two_questions())


def untrue(minji: Respondent, server: Server) -> None:
    minji.visit(sealed({**two_questions(), "epsilon_total": "1.0000"}))


def nowhere(minji: Respondent, server: Server) -> None:
    minji.open(f"{server.base}/s/nowhere/")


def offline(minji: Respondent, server: Server) -> None:
    minji.context.route("**/api/**", lambda route: route.fulfill(status=500))
    minji.visit(two_questions())


SIDE_WAYS: dict[str, Callable[[Respondent, Server], None]] = {
    "left": leaves,
    "erased": erases,
    "back again": comes_back,
    "back with a new version": comes_back_later,
    "preview": previews,
    "refused": failing(422, "refused"),
    "reused": failing("key-reused", "reused"),
    "closed meanwhile": failing("survey-closed", "closed"),
    "not sent": failing("drop", "unsent"),
    "paused": state_of("paused"),
    "closed": state_of("closed"),
    "not the announced one": targeted,
    "untrue": untrue,
    "nowhere": nowhere,
    "offline": offline,
}


# The way to the receipt meets Korean on a desktop too; it is the narrow window where words run over.
@pytest.mark.parametrize(("lang", "width"), [("ko", 360), ("en", 360), ("en", 1280)])
def test_every_side_way_is_accessible(browser: Browser, server: Server, lang: str, width: int) -> None:
    found: list[str] = []
    for state, go in SIDE_WAYS.items():
        server.failures.clear()
        server.previews.clear()
        server.announced.clear()
        minji = Respondent(browser, server, lang, width)
        go(minji, server)
        found += findings(minji, state)
        minji.close()
    poor = Respondent(browser, server, lang, width, scripts=("delete Navigator.prototype.locks",))
    poor.visit(two_questions())
    poor.heading("unsafe")
    found += findings(poor, "unsafe")
    poor.close()
    assert found == []


@pytest.mark.parametrize(
    ("harm", "finding"),
    [
        ("document.querySelector('.soft').animate({color: ['#999', '#999']}, 1e6)", "color-contrast"),
        ("document.querySelector('svg[role=img]').removeAttribute('aria-label')", "svg-img-alt"),
        ("document.querySelector('h1').remove()", "page-has-heading-one"),
        ("document.querySelector('h1').animate({width: ['900px', '900px']}, 1e6)", "scrolls sideways"),
        ("document.querySelector('.button').animate({minHeight: [0, 0], padding: [0, 0]}, 1e6)", "small"),
        ("document.querySelector('h1').setAttribute('style', 'color: red')", "style-src"),
    ],
)
def test_control_a_harmed_page_is_found(browser: Browser, server: Server, harm: str, finding: str) -> None:
    minji = Respondent(browser, server)
    minji.visit(two_questions())
    minji.page.evaluate(harm)
    minji.page.wait_for_timeout(50)
    assert any(finding in found for found in findings(minji, "harmed"))
    minji.close()

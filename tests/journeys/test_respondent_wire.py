"""What leaves the device, byte by byte: one body of one length, and nothing in it or beside it tells an answer."""

import json
import os
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import Browser
from scipy.stats import binom

from tests.journeys.fixture import Server
from tests.journeys.questionnaires import two_questions
from tests.journeys.respondent import Respondent

SETS = int(os.environ.get("DENIABLE_WIRE_SETS", "60"))
# Every bit 1: no coin says "own answer", and whatever chance picks is always the same.
ONES = "Crypto.prototype.getRandomValues = (array) => array.fill(255);"
# Answers at the speed of a machine: [truth, truth] → the body shown at the review.
ANSWER = """async ([first, second]) => {
  const until = async (found) => {
    for (let n = 0; n < 2000; n++) {
      const it = found();
      if (it) return it;
      await new Promise((done) => setTimeout(done, 2));
    }
    throw new Error("waited in vain");
  };
  const press = (at) => document.querySelectorAll(".actions .button")[at].click();
  await until(() => document.querySelector(".words"));
  press(0);
  for (const truth of [first, second]) {
    document.querySelectorAll(".choice input")[truth].click();
    press(0);
  }
  document.querySelector(".choice input").click();
  press(0);
  const body = (await until(() => document.querySelector(".code"))).textContent;
  press(0);
  await until(() => document.querySelector(".tick"));
  return body;
}"""


@pytest.fixture
def minji(browser: Browser, server: Server) -> Iterator[Respondent]:
    one = Respondent(browser, server)
    yield one
    one.close()


def trace(browser: Browser, server: Server, truths: tuple[int, int], *scripts: str) -> tuple[Any, ...]:
    """Return all that can be seen of a whole visit: requests to the byte, and what is stored at each step."""
    server.seen.clear()
    server.stored.clear()
    minji = Respondent(browser, server, scripts=(ONES, *scripts))
    minji.visit(two_questions(protocol="coin"))
    stored = []
    minji.press("begin")
    for truth in truths:
        minji.choose(truth)
        stored.append(minji.stored())
    minji.finish()
    stored.append(minji.stored())
    minji.press("send")
    minji.heading("thanks")
    stored.append(minji.stored())
    minji.close()
    # What a page loads at once comes in any order.
    return sorted(seen.everything() for seen in server.seen), stored


def differences(browser: Browser, server: Server, *scripts: str) -> int:
    """Return how many of the four pairs of answers leave other traces than the first."""
    first, *others = [trace(browser, server, pair, *scripts) for pair in product((0, 1), repeat=2)]
    return sum(other != first for other in others)


def test_where_no_coin_lets_an_answer_through_every_answer_leaves_the_same_bytes(
    browser: Browser, server: Server
) -> None:
    assert differences(browser, server) == 0


@pytest.mark.parametrize(
    "leak",
    [
        "addEventListener('change', (e) => { localStorage.last = places().indexOf(e.target) })",
        "addEventListener('change', (e) => { sessionStorage.last = places().indexOf(e.target) })",
        "addEventListener('change', (e) => { history.replaceState(places().indexOf(e.target), '') })",
        "addEventListener('change', (e) => { document.title = places().indexOf(e.target) })",
        "addEventListener('change', (e) => { fetch('/api/v1/surveys/two/?' + places().indexOf(e.target)) })",
        "addEventListener('change', (e) => { if (places().indexOf(e.target)) fetch('/api/v1/surveys/two/') })",
    ],
)
def test_control_a_page_that_lets_an_answer_slip_out_is_caught(
    browser: Browser, server: Server, leak: str
) -> None:
    places = "const places = () => [...document.querySelectorAll('input[type=radio]')];"
    assert differences(browser, server, places + leak) > 0


def sent(server: Server) -> list[int]:
    return [int(report, 16) for report in json.loads(server.posts()[-1])["reports"]]


def test_many_answer_sets_leave_one_length_one_pattern_and_the_announced_share_of_lies(
    browser: Browser, server: Server
) -> None:
    address = server.serve(two_questions())
    own = 0
    patterns, lengths = set(), set()
    minji = Respondent(browser, server)
    for turn in range(SETS):
        server.seen.clear()
        truths = (turn % 2, turn // 2 % 2)
        minji.page.goto(address + "?lang=en")
        body = minji.page.evaluate(ANSWER, list(truths))
        assert server.posts() == [body.encode()]
        own += sum(truth == report for truth, report in zip(truths, sent(server), strict=True))
        lengths.add(len(body))
        api = [seen for seen in server.seen if seen.path.startswith("/api/")]
        patterns.add(tuple((seen.method, seen.path, seen.headers) for seen in api))
        # Another person's device.
        minji.page.evaluate("indexedDB.deleteDatabase('deniable')")
        minji.page.goto("about:blank")
    minji.close()
    assert len(lengths) == 1
    assert len(patterns) == 1
    # Of 2·SETS draws at p = 3/4 as many are true as chance allows, with a false alarm of 1e-6.
    assert binom.ppf(5e-7, 2 * SETS, 0.75) <= own <= binom.ppf(1 - 5e-7, 2 * SETS, 0.75)


def test_a_report_travels_without_cookies_referrer_or_anything_about_the_person(
    minji: Respondent, server: Server
) -> None:
    address = server.serve(two_questions())
    minji.context.add_cookies([{"name": "session", "value": "marker", "url": server.base}])
    minji.open(address)
    minji.answer((0,), (0,))
    minji.finish()
    minji.press("send")
    minji.heading("thanks")
    calls = [seen for seen in server.seen if seen.path.startswith("/api/")]
    assert [seen.method for seen in calls] == ["GET", "POST"]
    for seen in calls:
        assert "cookie" not in seen.headers.lower()
        assert "referer" not in seen.headers.lower()


def test_the_report_is_on_the_device_before_it_is_sent_and_its_key_is_gone_after_the_receipt(
    minji: Respondent, server: Server
) -> None:
    minji.visit(two_questions())
    minji.press("begin")
    minji.choose(0)
    assert '"slug"' not in minji.stored()
    minji.choose(1)
    minji.finish()
    body = json.loads(minji.shown_body())
    assert body["key"] in minji.stored()
    minji.press("send")
    minji.heading("thanks")
    assert body["key"] not in minji.stored()
    assert "reports" not in minji.stored()
    assert server.seen[-1].method == "POST"


def test_an_answer_leaves_memory_with_the_page(minji: Respondent) -> None:
    minji.visit(two_questions())
    minji.press("begin")
    minji.page.locator("input").nth(0).check()
    minji.page.goto("about:blank")
    minji.page.go_back()
    minji.page.get_by_role("button", name=minji.say("begin")).wait_for()
    minji.press("begin")
    assert minji.page.locator("input:checked").count() == 0


def test_a_reload_brings_back_no_answer(minji: Respondent) -> None:
    minji.visit(two_questions())
    minji.press("begin")
    minji.page.locator("input").nth(1).check()
    name = minji.page.locator("input").first.get_attribute("name")
    minji.page.reload()
    minji.press("begin")
    assert minji.page.locator("input:checked").count() == 0
    # Nothing that a browser could have stored something under.
    assert minji.page.locator("input").first.get_attribute("name") != name
    assert minji.page.locator("form, input[value]").count() == 0

"""A respondent goes from the invitation to the receipt."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from surveys.wire.packing import Layout
from tests.journeys.fixture import Server
from tests.journeys.questionnaires import (
    OFTEN,
    SUBSTANCES,
    YES_NO,
    every_kind,
    manifest,
    question,
    texts,
    two_questions,
)
from tests.journeys.respondent import Respondent

# In order: yes, twice, (note), agree, no, no, left out, tobacco and pills, none.
EVERY_ANSWER = ((0,), (1,), (), (3,), (1,), (1,), (), (0, 3), (4,))

Person = Callable[..., Respondent]


@pytest.fixture
def person(browser: Browser, server: Server) -> Iterator[Person]:
    opened: list[Respondent] = []

    def make(**options: Any) -> Respondent:
        opened.append(Respondent(browser, server, **options))
        return opened[-1]

    yield make
    for one in opened:
        one.close()


@pytest.fixture
def minji(person: Person) -> Respondent:
    return person()


@pytest.mark.parametrize("lang", ["en", "ko"])
def test_a_respondent_answers_every_kind_of_question_and_gets_a_receipt(
    person: Person, server: Server, lang: str
) -> None:
    minji = person(lang=lang, options={"reduced_motion": "reduce"})
    manifest = every_kind()
    minji.visit(manifest)
    minji.answer(*EVERY_ANSWER)
    minji.press("done")
    for turn in range(8):
        expect(minji.page.locator(".sent").first).to_be_visible()
        minji.press("next" if turn < 7 else "check")
    body = minji.shown_body()
    minji.press("send")
    minji.heading("thanks")
    assert server.posts() == [body.encode()]
    report = json.loads(body)
    assert list(report) == ["version", "reports", "key"]
    assert len(Layout.of(manifest).pack(report["reports"])) == 12
    assert re.fullmatch(r"[0-9a-f]{32}", minji.page.locator("code.code").text_content() or "")
    assert minji.complaints == []
    assert minji.breaches() == []


def test_the_wheel_stops_on_the_bright_part_exactly_when_the_own_answer_goes(minji: Respondent) -> None:
    minji.visit(every_kind())
    minji.answer(*EVERY_ANSWER)
    minji.press("done")
    result = minji.page.get_by_role("status")
    expect(result).to_contain_text(re.compile(minji.say("own") + "|" + minji.say("other")), timeout=8000)
    own = minji.say("own") in (result.text_content() or "")
    turned = minji.page.locator(".disc > g").get_attribute("transform") or ""
    share = -float(re.findall(r"rotate\((-?[\d.e-]+)", turned)[0]) / 360
    assert (share < 0.75) == own
    expect(minji.page.locator(".sent")).to_have_text("Yes" if own else "No")


def test_the_animation_is_not_seen_where_motion_is_not_wanted(person: Person) -> None:
    calm = person(options={"reduced_motion": "reduce"})
    calm.visit(two_questions())
    calm.answer((0,), (0,))
    calm.press("done")
    expect(calm.page.locator(".sent")).to_be_visible(timeout=1000)
    assert calm.page.evaluate("document.getAnimations().length") == 0


def test_control_where_motion_is_wanted_the_wheel_turns(minji: Respondent) -> None:
    minji.visit(two_questions())
    minji.answer((0,), (0,))
    minji.press("done")
    minji.page.wait_for_function("document.getAnimations().length === 1")
    assert minji.page.locator(".sent").count() == 0


def test_going_on_before_the_wheel_rests_does_not_lead_back(minji: Respondent) -> None:
    minji.visit(two_questions())
    minji.answer((0,), (0,))
    minji.press("done")
    minji.press("next")
    expect(minji.page.get_by_role("status")).to_contain_text("answer goes", timeout=8000)
    assert minji.page.locator("h1").text_content() == "Marked question second?"


def test_the_report_sent_is_the_one_shown_question_by_question(minji: Respondent, server: Server) -> None:
    manifest = two_questions()
    minji.visit(manifest)
    minji.answer((0,), (1,))
    minji.finish()
    shown = minji.page.locator(".slip b").all_text_contents()
    minji.press("send")
    minji.heading("thanks")
    sent = Layout.of(manifest).unpack(bytes.fromhex("".join(json.loads(server.posts()[0])["reports"])))
    assert [["Yes", "No"][answer] for answer in sent] == shown


def test_a_required_question_says_next_to_the_field_what_is_missing(minji: Respondent) -> None:
    minji.visit(two_questions())
    minji.press("begin")
    minji.press("next")
    expect(minji.page.get_by_role("alert")).to_have_text(minji.say("choose"))
    assert minji.page.evaluate("document.activeElement.type") == "radio"


def test_a_question_whose_condition_fails_is_not_asked_but_sent(minji: Respondent, server: Server) -> None:
    manifest = every_kind()
    minji.visit(manifest)
    minji.answer((1,), (), (3,), (1,), (1,), (), (0,), ())
    minji.finish()
    assert minji.page.get_by_text(minji.say("silent")).is_visible()
    assert len(json.loads(minji.shown_body())["reports"]) == 8


def test_the_browsers_back_button_goes_one_question_back(minji: Respondent) -> None:
    minji.visit(two_questions())
    minji.press("begin")
    minji.choose(0)
    minji.page.go_back()
    expect(minji.page.locator("h1")).to_have_text("Marked question first?")
    expect(minji.page.locator("input").first).to_be_checked()
    assert minji.page.evaluate("[history.length, history.state]") == [3, None]


def test_everything_works_with_the_keyboard_alone(minji: Respondent) -> None:
    minji.visit(two_questions())
    keys = minji.page.keyboard
    minji.page.get_by_role("button", name=minji.say("begin")).focus()
    keys.press("Enter")
    for _ in range(2):
        assert minji.page.evaluate("document.activeElement.localName") == "h1"
        keys.press("Tab")
        keys.press("Space")
        keys.press("ArrowDown")
        expect(minji.page.locator("input").nth(1)).to_be_checked()
        keys.press("Tab")
        keys.press("Enter")
    minji.heading("ready")
    keys.press("Tab")
    keys.press("Space")
    keys.press("Tab")
    keys.press("Enter")
    minji.heading("review")


def test_none_of_these_and_rather_not_say_take_back_the_ticks(minji: Respondent) -> None:
    minji.visit(every_kind())
    minji.press("begin")
    for answers in EVERY_ANSWER[:8]:
        minji.choose(*answers)
    boxes = minji.page.locator(".choice input")
    boxes.nth(0).check()
    boxes.nth(5).check()
    expect(boxes.nth(0)).not_to_be_checked()
    boxes.nth(4).check()
    expect(boxes.nth(5)).not_to_be_checked()
    boxes.nth(2).check()
    expect(boxes.nth(4)).not_to_be_checked()


def test_the_language_can_be_switched_in_the_middle_without_losing_an_answer(minji: Respondent) -> None:
    minji.visit(two_questions())
    minji.press("begin")
    minji.page.locator("input").nth(1).check()
    minji.page.get_by_role("button", name="한국어").click()
    expect(minji.page.locator("h1")).to_have_text("표시 문항 first")
    expect(minji.page.locator("input").nth(1)).to_be_checked()
    assert minji.page.evaluate("document.documentElement.lang") == "ko"
    assert minji.page.url.endswith("?lang=ko")


def test_no_request_is_made_between_the_first_question_and_the_report(
    minji: Respondent, server: Server
) -> None:
    minji.visit(every_kind())
    before = len(server.seen)
    minji.answer(*EVERY_ANSWER)
    minji.page.get_by_role("button", name="한국어").click()
    minji.page.get_by_role("button", name="English").click()
    minji.finish()
    assert len(server.seen) == before


def test_who_leaves_finds_the_same_report_again(minji: Respondent, server: Server) -> None:
    manifest = two_questions()
    minji.visit(manifest)
    minji.answer((0,), (0,))
    minji.finish()
    body = minji.shown_body()
    minji.press("leave")
    minji.heading("left")
    assert minji.page.get_by_text(minji.say("nothing")).is_visible()
    minji.visit(manifest)
    minji.heading("review")
    assert minji.page.get_by_text(minji.say("before")).is_visible()
    assert minji.shown_body() == body
    assert server.posts() == []


def test_who_deletes_the_report_cannot_answer_again_from_this_device(minji: Respondent) -> None:
    manifest = two_questions()
    minji.visit(manifest)
    minji.answer((0,), (0,))
    minji.finish()
    minji.press("leave")
    minji.press("erase")
    minji.heading("erased")
    minji.visit(manifest)
    minji.heading("erased")
    assert '"body"' not in minji.stored()


def test_a_preview_stores_and_sends_nothing(minji: Respondent, server: Server) -> None:
    server.previews.add("two")
    minji.visit(two_questions())
    assert minji.page.get_by_text(minji.say("preview")).is_visible()
    minji.answer((0,), (1,))
    minji.finish()
    assert minji.page.get_by_role("button", name=minji.say("send"), exact=True).count() == 0
    assert server.posts() == []
    assert minji.page.evaluate("indexedDB.databases()") == []
    back = minji.page.get_by_role("link", name=minji.say("design"))
    assert back.get_attribute("href") == "/surveys/two/edit"
    minji.press("restart")
    minji.heading_of(two_questions())


def test_a_respondent_without_javascript_is_told_why_nothing_is_asked(person: Person, server: Server) -> None:
    plain = person(options={"java_script_enabled": False})
    plain.page.goto(server.serve(two_questions()))
    assert "JavaScript" in plain.page.locator("body").inner_text()
    assert plain.page.get_by_role("heading", level=1).inner_text() == "JavaScript가 꺼져 있습니다"
    assert plain.page.locator(".mark svg").is_visible()
    assert plain.page.locator("form, input, button").count() == 0
    # One reason is enough.
    assert not plain.page.locator(".late").is_visible()


def test_a_respondent_whose_browser_cannot_run_the_page_is_told_after_a_while(
    person: Person, server: Server
) -> None:
    minji = person()
    minji.page.route("**/*.js", lambda route: route.abort())
    minji.page.goto(server.serve(two_questions()))
    said = minji.page.locator(".late")
    assert not said.is_visible()
    said.wait_for(state="visible")
    assert [p.get_attribute("lang") for p in said.locator("p").all()] == ["ko", "en"]
    minji.page.unroute("**/*.js")
    minji.page.reload()
    minji.page.get_by_role("heading", level=1).wait_for()
    assert said.count() == 0


def test_of_a_multiple_choice_the_odds_told_are_those_of_a_box(minji: Respondent) -> None:
    minji.visit(every_kind())
    welcome = minji.page.locator(".promise .odds").text_content() or ""
    assert welcome.startswith(minji.say("oddsRange", low="", high="").split("about")[0])
    assert welcome.endswith(minji.say("perBox"))
    minji.press("begin")
    told = []
    for answers in EVERY_ANSWER:
        summary = minji.page.locator("summary")
        if summary.count():
            summary.click()
            told.append(minji.page.locator(".beside p").last.text_content() or "")
        minji.choose(*answers)
    kinds = ["odds"] * 6 + ["oddsOne", "oddsEvery"]
    for sentence, kind in zip(told, kinds, strict=True):
        assert re.fullmatch(re.escape(minji.say(kind, n="@")).replace("@", "[0-9]+"), sentence)


def test_the_count_of_questions_says_up_to_and_its_end_never_moves(minji: Respondent) -> None:
    minji.visit(every_kind())
    most = minji.say("upTo", n=8)
    assert minji.page.get_by_text(minji.say("count", n=most)).is_visible()
    minji.press("begin")
    bar = minji.page.locator("progress")
    values = []
    for answers in ((1,), (), (3,), (1,), (1,), (), (0,), ()):
        if bar.count():
            values.append(bar.evaluate("(one) => [one.value, one.max]"))
        minji.choose(*answers)
    assert values == [[place, 8] for place in (1, 3, 4, 5, 6, 7, 8)]


def test_each_wheel_of_every_box_says_whose_it_is(person: Person) -> None:
    minji = person(options={"reduced_motion": "reduce"})
    minji.visit(every_kind())
    minji.answer(*EVERY_ANSWER)
    minji.press("done")
    for _ in range(7):
        minji.page.locator(".sent").first.wait_for()
        minji.press("next")
    boxes = [choice["text"]["en"] for choice in every_kind()["questions"][-1]["choices"]]
    expect(minji.page.locator("figcaption")).to_have_text(boxes)
    labels = [wheel.get_attribute("aria-label") or "" for wheel in minji.page.locator(".wheel").all()]
    assert [label.split(":")[0] for label in labels] == boxes


def test_where_all_together_protects_little_the_page_does_not_promise_more(minji: Respondent) -> None:
    strong = [question(f"q{n}", texts("?", "?"), "yes_no", YES_NO, epsilon="2") for n in range(3)]
    minji.visit(manifest("strong", strong))
    assert minji.page.get_by_text(minji.say("unsure")).is_visible()
    assert minji.page.get_by_text(minji.say("deny")).count() == 0
    minji.visit(two_questions())
    assert minji.page.get_by_text(minji.say("deny")).is_visible()


def test_an_answer_of_the_surveys_own_is_not_offered_twice(minji: Respondent) -> None:
    own = [*SUBSTANCES, ("none", texts("None of these.", "해당 없음"))]
    rather = [*OFTEN, ("rather", texts("I would rather not say", "답하고 싶지 않음"))]
    questions = [
        question("used", texts("?", "?"), "multiple", own, "one-box"),
        question("often", texts("?", "?"), "single", rather, required=False),
    ]
    minji.visit(manifest("twins", questions))
    minji.press("begin")
    assert minji.page.locator(".choice").count() == 5
    minji.choose(4)
    assert minji.page.locator(".choice").count() == 5


@pytest.mark.parametrize(
    "missing",
    [
        "Object.defineProperty(globalThis, 'isSecureContext', {value: false})",
        "crypto.getRandomValues = undefined; Crypto.prototype.getRandomValues = undefined",
        "Object.defineProperty(Crypto.prototype, 'subtle', {value: undefined})",
        "Object.defineProperty(globalThis, 'indexedDB', {value: undefined})",
        "IDBFactory.prototype.open = () => { throw new DOMException('', 'SecurityError') }",
        "Object.defineProperty(Navigator.prototype, 'locks', {value: undefined})",
    ],
)
def test_without_what_protects_answers_nothing_is_asked(person: Person, missing: str) -> None:
    poor = person(scripts=(missing,))
    poor.visit(two_questions())
    poor.heading("unsafe")
    assert "이 브라우저에서는 답변을 보호할 수 없습니다" in poor.page.locator("main").inner_text()
    assert poor.page.locator("form, input").count() == 0


def test_over_plain_http_from_another_host_nothing_is_asked(person: Person, server: Server) -> None:
    address = server.serve(two_questions()).replace("127.0.0.1", "survey.invalid")
    abroad = person()
    # The name leads to this machine, as a proxy would, so the page comes over http and not from localhost.
    abroad.context.route(
        re.compile(r"^http://survey\.invalid"),
        lambda route: route.fulfill(
            response=route.fetch(url=route.request.url.replace("survey.invalid", "127.0.0.1"))
        ),
    )
    abroad.open(address)
    abroad.heading("unsafe")

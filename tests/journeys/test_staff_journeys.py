"""What staff do with the service from the first log-in to the results, at a real browser."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from surveys.models import Account, AuditEntry, Question, Survey
from surveys.services.surveys import grant_add
from surveys.wire.fingerprint import fingerprint_words
from tests import cast
from tests.journeys.staff import Staff, figure

NEW_PASSWORD = "another long passphrase"


@pytest.fixture
def owner_account(transactional_db: None) -> Any:
    return cast.person("owner", "admin")


@pytest.fixture
def owner(owner_account: Any, browser: Browser, live_server: Any) -> Iterator[Staff]:
    staff = Staff(browser, live_server.url)
    staff.logs_in("owner")
    yield staff
    staff.context.close()


def adds(owner: Staff, of: str, **typed: str) -> Page:
    """Add a question of a kind, ready to be saved, through its page."""
    page = owner.opens(f"/surveys/habits/questions/new?kind={of}")
    for name, value in typed.items():
        control = page.locator(f"#id_{name}")
        if control.evaluate("one => one.tagName") == "SELECT":
            control.select_option(value)
        else:
            control.fill(value)
    return page


def types_answers(page: Page, *answers: str) -> None:
    """Type answers row by row; rows are added while typing."""
    for at, answer in enumerate(answers):
        page.locator('[name="answer_en"]').nth(at).fill(answer)


def test_an_admin_configures_publishes_and_closes_a_survey(owner: Staff) -> None:
    page = owner.opens("/surveys/new")
    page.fill("#id_slug", "habits")
    page.fill("#id_title_en", "Habits")
    page.fill("#id_title_ko", "습관")
    page.fill("#id_target", "200")
    owner.sends()

    adds(owner, "yes_no", text_en="Have you ever cheated?", text_ko="부정행위를 한 적이 있습니까?")
    owner.presses("Save question")
    page = adds(owner, "single", text_en="How often?", epsilon="1")
    types_answers(page, "never", "once", "twice", "often", "always")
    page.check('[name="visible_if"][value="any"]')
    page.check('[name="is_q1"][value="yes"]')
    owner.presses("Save question")
    page = adds(owner, "likert", text_en="It is common here.", protocol="spinner-coin")
    owner.presses("Agreement, 7 points")
    owner.presses("Save question")
    page = adds(owner, "multiple", text_en="In which subjects?")
    types_answers(page, "maths", "English", "science")
    owner.presses("Save question")
    adds(owner, "note", text_en="Thank you.")
    owner.presses("Save question")
    adds(owner, "yes_no", text_en="Once more?", protocol="coin")
    owner.presses("Save question")

    kinds = list(Question.objects.values_list("kind", "protocol", "tosses"))
    assert kinds == [
        ("yes_no", "spinner", None),
        ("single", "spinner", None),
        ("likert", "spinner-coin", None),
        ("multiple", "one-box", None),
        ("note", "", None),
        ("yes_no", "coin", 1),
    ]
    assert Question.objects.get(name="q2").visible_if == {"any": [{"question": "q1", "is": ["yes"]}]}
    assert len(Question.objects.get(name="q3").choices) == 7

    page = owner.opens("/surveys/habits/publish")
    foreseen = page.locator(".words[lang=en] li").all_text_contents()
    owner.presses("Publish version 1 and open")
    version = Survey.objects.get().versions.get()
    assert foreseen == fingerprint_words(version.fingerprint, "en")
    assert "/s/habits/#f=" in page.input_value("#link")

    owner.opens("/surveys/habits/edit")
    expect(page.get_by_text("This survey is open")).to_be_visible()
    owner.presses("Close…")
    owner.presses("Close for ever")
    assert Survey.objects.get().state == "closed"
    assert page.url.endswith("/results")
    assert owner.refused() == []


def test_the_plan_follows_what_is_typed(owner: Staff, owner_account: Any) -> None:
    cast.draft(owner_account)
    page = adds(owner, "yes_no", text_en="Once more?")
    expect(figure(page, "odds")).to_have_text("75")
    expect(figure(page, "n_needed")).to_have_text("3,586")
    expect(figure(page, "factor_direct")).to_have_text("9.3 ×")
    three_quarters = page.get_attribute("[data-wheel]", "d")
    page.fill("#id_epsilon", "1")
    expect(figure(page, "odds")).to_have_text("73")
    expect(figure(page, "p")).to_have_text("73.1 %")
    expect(figure(page, "delta")).to_have_text("0.462")
    expect(figure(page, "total")).to_have_text("2.0987")
    assert page.get_attribute("[data-wheel]", "d") != three_quarters
    page.uncheck("#id_required")
    expect(figure(page, "odds")).to_have_text("58")
    page.fill("#plan_n", "4000")
    expect(figure(page, "expected_margin")).to_have_text("± 3.7 points")
    page.select_option("#id_protocol", "coin")
    expect(page.locator("[data-plan-state]")).to_contain_text("toss more coins")
    page.check("#id_required")
    page.fill("#id_epsilon", "ln(3)")
    expect(page.locator(".plan [data-plan-coins] svg")).to_have_count(2)
    page.fill("#id_epsilon", "ln(1)")
    expect(page.locator("[data-plan-state]")).to_contain_text("cannot be computed yet")
    expect(figure(page, "odds")).to_be_hidden()


def test_wheel_and_figures_stay_in_sight_on_a_phone(owner: Staff, owner_account: Any) -> None:
    cast.draft(owner_account)
    # What a keyboard on the screen leaves of a phone.
    owner.page.set_viewport_size({"width": 360, "height": 420})
    page = adds(owner, "yes_no", text_en="Once more?")
    page.fill("#id_epsilon", "1")
    for field in ("#id_epsilon", "#plan_n", "#plan_prevalence", "#plan_margin"):
        page.focus(field)
        expect(page.locator(".brief .wheel")).to_be_in_viewport(ratio=1)
        expect(page.locator(".brief dl")).to_be_in_viewport(ratio=1)
    expect(page.locator('[data-brief="odds"]')).to_have_text("73")


def test_warnings_come_while_typing(owner: Staff, owner_account: Any) -> None:
    cast.draft(owner_account)
    page = adds(owner, "yes_no", text_en="Your phone?", text_ko="괜찮습니까?")
    expect(page.locator("#id_text_en_warnings")).to_contain_text("ask for a phone number")
    page.fill("#id_text_en", "Fine?")
    expect(page.locator("#id_text_en_warnings")).to_be_hidden()
    assert owner.refused() == []


def test_the_plan_of_many_boxes_names_the_better_way(owner: Staff, owner_account: Any) -> None:
    cast.draft(owner_account)
    page = adds(owner, "multiple", text_en="Which?", epsilon="1")
    types_answers(page, "a", "b", "c", "d")
    expect(page.get_by_text("one drawn box has the smaller error")).to_be_visible()
    page.fill("#id_epsilon", "16")
    expect(page.get_by_text("every box at ε/m has the smaller error")).to_be_visible()


def test_what_was_typed_is_kept_when_it_is_wrong(owner: Staff, owner_account: Any) -> None:
    cast.draft(owner_account)
    page = adds(owner, "single", text_en="How often?", epsilon="17")
    types_answers(page, "never")
    owner.presses("Save question")
    assert "between 0.01 and 16" in owner.errors_of("id_epsilon") or "from 2 to 255" in owner.errors_of(
        "id_choices"
    )
    assert page.input_value("#id_text_en") == "How often?"
    assert page.locator('[name="answer_en"]').first.input_value() == "never"
    types_answers(page, "never", "often")
    owner.presses("Save question")
    assert "between 0.01 and 16" in owner.errors_of("id_epsilon")
    assert page.get_attribute("#id_epsilon", "aria-invalid") == "true"
    assert page.input_value("#id_epsilon") == "17"
    page.fill("#id_epsilon", "1.5")
    owner.presses("Save question")
    assert Question.objects.get(name="q2").epsilon == "1.5"


def test_a_wrong_survey_keeps_what_was_typed(owner: Staff, owner_account: Any) -> None:
    cast.draft(owner_account)
    page = owner.opens("/surveys/new?lang=ko")
    page.fill("#id_slug", "habits")
    page.fill("#id_title_ko", "또 하나의 설문")
    owner.sends()
    assert owner.errors_of("id_slug") == "다른 설문이 이미 쓰고 있는 주소입니다."
    assert page.input_value("#id_title_ko") == "또 하나의 설문"


def test_a_question_is_made_without_javascript(owner: Staff, owner_account: Any, live_server: Any) -> None:
    cast.draft(owner_account)
    plain = Staff(owner.context.browser, live_server.url, java_script_enabled=False)  # type: ignore[arg-type]
    plain.logs_in("owner")
    page = adds(plain, "yes_no", text_en="How much do you like it?", kind="likert", epsilon="2")
    plain.presses("Show the fields of this kind")
    plain.presses("Satisfaction, 7 points")
    assert page.locator('[name="answer_en"]').first.input_value() == "Very dissatisfied"
    plain.presses("Compute")
    expect(figure(page, "epsilon")).to_have_text("2.0000")
    plain.presses("Save question")
    kept = Question.objects.get(name="q2")
    assert (kept.kind, len(kept.choices), kept.text_en) == ("likert", 7, "How much do you like it?")


def test_questions_are_moved_copied_and_deleted(owner: Staff, owner_account: Any) -> None:
    cast.draft(owner_account, questions=(cast.YES_NO, cast.NOTE))
    page = owner.opens("/surveys/habits/edit")
    owner.presses("Move up", "#q2")
    assert [q.name for q in Question.objects.all()] == ["q2", "q1"]
    owner.presses("Duplicate", "#q1")
    assert [q.name for q in Question.objects.all()] == ["q2", "q1", "q3"]
    owner.presses("Delete", "#q1")
    owner.presses("Delete", "main form")
    assert [q.name for q in Question.objects.all()] == ["q2", "q3"]
    assert page.url.endswith("/surveys/habits/edit")


def test_a_question_that_identifies_is_warned_of_beside_its_field(owner: Staff, owner_account: Any) -> None:
    cast.draft(owner_account, questions=({**cast.YES_NO, "text_ko": "전화번호가 무엇입니까?"},))
    page = owner.opens("/surveys/habits/questions/q1/edit?lang=ko")
    assert "전화번호를 묻는 문항" in (page.text_content("#id_text_ko_warnings") or "")
    assert page.get_attribute("#id_text_ko", "aria-describedby") == "id_text_ko_warnings"


def test_a_draft_is_tried_on_simulated_people(owner: Staff, owner_account: Any) -> None:
    cast.draft(owner_account, questions=(cast.YES_NO, cast.MULTIPLE))
    page = owner.opens("/surveys/habits/try")
    page.fill("#id_n", "400")
    page.click("main summary")
    page.fill("#id_share_q1_yes", "20")
    page.fill("#id_share_q1_no", "80")
    owner.presses("Simulate")
    expect(page.locator(".banner").first).to_have_text("SIMULATED – nobody was asked")
    expect(page.locator(".bars svg.chart").first).to_be_visible()
    assert page.input_value("#id_share_q1_yes") == "20"
    page.fill("#id_n", "0")
    owner.presses("Simulate")
    assert owner.errors_of("id_n")


def test_deleting_asks_for_the_address(owner: Staff, owner_account: Any) -> None:
    cast.draft(owner_account)
    page = owner.opens("/surveys/habits/delete")
    page.fill("#id_address", "habit")
    owner.presses("Delete", "main form")
    assert owner.errors_of("id_address") == "This is not the address of this survey."
    page.fill("#id_address", "habits")
    owner.presses("Delete", "main form")
    assert not Survey.objects.exists()


def test_a_paused_survey_is_published_again_as_a_new_version(owner: Staff, owner_account: Any) -> None:
    cast.published(owner_account)
    owner.opens("/surveys/habits/edit")
    owner.presses("Pause")
    page = owner.opens("/surveys/habits/questions/q1/edit")
    page.fill("#id_text_en", "Have you cheated this year?")
    owner.presses("Save question")
    owner.opens("/surveys/habits/publish")
    owner.presses("Publish version 2 and open")
    assert list(Survey.objects.get().versions.values_list("number", flat=True)) == [1, 2]


def test_a_researcher_sees_granted_surveys_only(
    browser: Browser, owner_account: Any, live_server: Any
) -> None:
    cast.published(owner_account, "secret")
    granted = cast.published(owner_account, "granted", title_en="Granted").survey
    grant_add(actor=owner_account, survey=granted, researcher=cast.person("reader", "researcher"))
    reader = Staff(browser, live_server.url)
    page = reader.logs_in("reader")
    assert page.locator(".surveys h2").all_text_contents() == ["Granted open"]
    assert page.goto(f"{live_server.url}/surveys/granted/results").status == 200  # type: ignore[union-attr]
    expect(page.get_by_text("Hidden until the survey closes")).to_be_visible()
    for path in ("secret/results", "granted/edit", "granted/publish", "secret/try", "granted/grants"):
        assert page.goto(f"{live_server.url}/surveys/{path}").status == 403, path  # type: ignore[union-attr]
    reader.context.close()


def test_access_is_granted_and_taken_back(owner: Staff, owner_account: Any) -> None:
    survey = cast.draft(owner_account)
    cast.person("reader", "researcher")
    page = owner.opens("/surveys/habits/grants")
    page.check("text=reader")
    owner.presses("Save access")
    assert survey.grants.count() == 1
    page.uncheck("text=reader")
    owner.presses("Save access")
    assert survey.grants.count() == 0


def test_a_one_time_password_is_replaced_before_anything_else(
    browser: Browser, owner_account: Any, live_server: Any
) -> None:
    Account.objects.create(user=owner_account, must_change_password=True)
    fresh = Staff(browser, live_server.url)
    page = fresh.logs_in("owner")
    fresh.opens("/surveys/")
    assert page.url.endswith("/accounts/password/change/?next=%2Fsurveys%2F")
    page.fill("#id_oldpassword", cast.PASSWORD)
    page.fill("#id_password1", NEW_PASSWORD)
    page.fill("#id_password2", NEW_PASSWORD)
    fresh.sends()
    fresh.opens("/surveys/")
    assert page.url.endswith("/surveys/")
    fresh.context.close()


def test_the_auditor_reads_a_chain_that_holds_or_where_it_broke(
    browser: Browser, owner_account: Any, live_server: Any
) -> None:
    cast.published(owner_account)
    cast.person("auditor", "auditor")
    auditor = Staff(browser, live_server.url)
    page = auditor.logs_in("auditor")
    assert page.url.endswith("/audit/")
    expect(page.get_by_text(re.compile(r"The chain holds: all \d+ entries"))).to_be_visible()
    AuditEntry.objects.filter(number=2).update(actor="somebody")
    auditor.opens("/audit/")
    expect(page.get_by_role("alert")).to_contain_text("broken at entry 2")
    auditor.context.close()

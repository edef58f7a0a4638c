"""What admins and researchers do with a source at a real browser: plan, be refused, run, share, label."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connections
from playwright.sync_api import Browser, Page, expect

from aggregator import tasks
from aggregator.queries import query_run
from surveys.models import Budget, QueryRun, Share, Source, SourcePolicy
from tests import cast, people
from tests.journeys.browser import axe_violations
from tests.journeys.staff import Staff

CONSOLE = "/sources/service/"
BY_REGION = "SELECT region, COUNT(*)\nFROM respondent\nGROUP BY region"


@pytest.fixture
def owner_account(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Any:
    # The test itself is the worker.
    monkeypatch.setattr(tasks, "wake_query", lambda run_id: None)
    owner = cast.person("owner", "admin")
    people.filled(owner)
    return owner


@pytest.fixture
def at_window(browser: Browser, live_server: Any) -> Iterator[Any]:
    """Return somebody, logged in, at a window of their own."""
    everybody: list[Staff] = []

    def opened(name: str, width: int = 1280, **options: Any) -> Staff:
        everybody.append(Staff(browser, live_server.url, width, **options))
        everybody[-1].logs_in(name)
        return everybody[-1]

    yield opened
    for one in everybody:
        one.context.close()


def asks(somebody: Staff, sql: str, do: str, epsilon: str = "0.5") -> Page:
    """Type a query into the console and press one of its buttons."""
    page = somebody.page if somebody.page.locator("#id_sql").count() else somebody.opens(CONSOLE)
    page.fill("#id_sql", sql)
    page.fill("#id_epsilon", epsilon)
    somebody.presses({"plan": "Plan (free)", "ask": "Run…"}[do], "[data-console]")
    return page


def hidden_sideways(page: Page) -> list[str]:
    """Return the tables of which something is out of sight to the right."""
    found: list[str] = page.evaluate(
        "[...document.querySelectorAll('.scroll')].filter((one) => one.scrollWidth > one.clientWidth)"
        ".map((one) => one.getAttribute('aria-label'))"
    )
    return found


def works() -> None:
    """Do what a worker does with every charged query, in a thread with connections of its own as a worker has."""
    runs = [*QueryRun.objects.filter(state="charged").values_list("pk", flat=True)]

    def work() -> None:
        try:
            for run in runs:
                query_run(run)
        finally:
            connections.close_all()

    worker = threading.Thread(target=work)
    worker.start()
    worker.join()


def test_an_admin_plans_is_refused_runs_reads_and_shares(owner_account: Any, at_window: Any) -> None:
    researcher = cast.person("researcher", "researcher")
    owner = at_window("owner")
    owner.presses("Sources", ".nav")
    owner.presses("Ask")

    page = asks(owner, BY_REGION.replace("respondent", "respondents"), "plan")
    expect(page.locator("#refusal")).to_contain_text("Line 2, column 6: there is no relation respondents")
    chosen = page.evaluate("document.getSelection().toString()")
    assert chosen == "respondents"

    page = asks(owner, BY_REGION, "plan")
    expect(page.locator("#plan")).to_contain_text("± 6")
    assert page.evaluate("document.activeElement.id") == "plan-heading"
    assert Budget.objects.get().spent == 0

    asks(owner, BY_REGION, "ask")
    expect(page.get_by_text("This run costs ε 0.5")).to_be_visible()
    owner.presses("Run and charge ε 0.5")
    expect(page.get_by_role("heading", name="Being computed")).to_be_visible()
    works()
    # The page looks by itself until the answer is there.
    expect(page.locator("table.answer tbody tr")).to_have_count(3, timeout=10_000)
    expect(page.locator(".bars.figures .bar-row")).to_have_count(4)
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV", exact=True).click()
    assert download.value.path().read_text("utf-8").startswith("region,count,count (95 % low)")

    page = owner.opens("/sources/service/ledger/")
    page.select_option("#id_researcher", label="researcher")
    page.fill("#id_share", "1")
    owner.presses("Save share")
    assert Share.objects.get().researcher == researcher
    expect(page.locator("main")).to_contain_text("Share saved.")
    assert owner.refused() == []


def test_a_researcher_runs_within_the_share_and_is_refused_beyond(owner_account: Any, at_window: Any) -> None:
    people.share(owner_account, cast.person("researcher", "researcher"), 1_000_000)
    researcher = at_window("researcher", width=360)
    asks(researcher, BY_REGION, "ask", "0.75")
    researcher.presses("Run and charge ε 0.75")
    works()
    expect(researcher.page.locator("table.answer")).to_be_visible(timeout=10_000)

    page = asks(researcher, people.COUNT, "ask", "0.5")
    expect(page.get_by_text("Your share is not enough")).to_be_visible()
    assert page.locator('button[value="run"]').count() == 0
    # The same query as before is free.
    asks(researcher, BY_REGION.lower(), "ask", "0.75")
    researcher.presses("Show the answer")
    expect(page.locator("table.answer")).to_be_visible()
    assert Share.objects.get().spent == 750_000


def test_a_policy_is_edited_and_prices_change(owner_account: Any, at_window: Any) -> None:
    owner = at_window("owner")
    page = owner.opens("/sources/service/policy/")
    page.locator('[name="label-invitation"][value="PUB"]').check()
    owner.presses("Check and compare")
    expect(page.locator("#refusal")).to_contain_text("labels.invitation")
    page.locator('[name="label-invitation"][value="DEL"]').check()
    page.locator('[name="label-respondent"][value="REP"]').check()
    page.locator('fieldset.relation:has(legend:text-is("respondent")) summary').click()
    page.locator('[name="columns-respondent"][value="region"]').check()
    owner.presses("Check and compare")
    first = page.locator("table.prices tbody tr").first
    expect(first.locator("td").nth(0)).to_have_text("1")
    expect(first.locator("td").nth(1)).to_contain_text("public")
    assert SourcePolicy.objects.count() == 1
    owner.presses("Save as a new version")
    expect(page.get_by_role("alert")).to_contain_text("What becomes public")
    assert SourcePolicy.objects.count() == 1
    page.locator('[name="known"]').check()
    owner.presses("Save as a new version")
    expect(page.locator("table.prices tbody tr").first.locator("td").first).to_contain_text("public")
    page = asks(owner, people.COUNT, "plan")
    expect(page.locator("#plan")).to_contain_text("the answer is public, exact and free")


def test_a_plan_is_asked_for_with_the_keyboard_alone(owner_account: Any, at_window: Any) -> None:
    owner = at_window("owner")
    page = owner.opens(CONSOLE)
    page.focus("#id_sql")
    page.keyboard.type(people.COUNT)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "id_epsilon"
    page.keyboard.press("Shift+Tab")
    with page.expect_navigation():
        page.keyboard.press("Control+Enter")
    expect(page.locator("#plan")).to_be_visible()


def test_everything_works_without_scripts(owner_account: Any, at_window: Any) -> None:
    owner = at_window("owner", java_script_enabled=False)
    page = asks(owner, BY_REGION, "plan")
    expect(page.locator("#plan-heading")).to_be_in_viewport()
    page = asks(owner, BY_REGION, "ask")
    owner.presses("Run and charge ε 0.5")
    works()
    QueryRun.objects.update(released_at=None)
    owner.presses("Look again")
    expect(page.locator("table.answer")).to_be_visible()
    owner.presses("Open in the editor")
    owner.presses("Stop answering queries…")
    owner.presses("Back to the console")
    owner.opens(f"{CONSOLE}?run={QueryRun.objects.get().pk}")
    assert page.input_value("#id_sql") == BY_REGION


def never_checked() -> None:
    """Register a source that nobody checked yet: what it declares can be corrected on a page."""
    service = people.service()
    fresh = Source.objects.create(name="fresh", kind="sqlite", schema=service.schema, policy_version=1)
    document = SourcePolicy.objects.filter(source=service).latest("version").document
    SourcePolicy.objects.create(source=fresh, entity="respondent", version=1, document=document)


# Each language and each width meets axe, the slow judge, once; everything else is looked at in all four.
@pytest.mark.looks
@pytest.mark.parametrize(
    ("language", "width", "judged"),
    [("ko", 360, True), ("ko", 1280, False), ("en", 1280, True), ("en", 360, False)],
)
def test_every_page_of_a_source_is_clean(
    owner_account: Any, at_window: Any, language: str, width: int, judged: bool
) -> None:
    people.share(owner_account, cast.person("researcher", "researcher"), 1_000_000)
    owner, wrong = at_window("owner", width), {}

    def judge(where: str) -> None:
        found = {
            "axe": axe_violations(owner.page) if judged else [],
            "refused by the policy": owner.refused(),
            "sideways": owner.sideways(),
            "tables sideways": hidden_sideways(owner.page),
            "too small": owner.small_targets(),
            "language": owner.page.get_attribute("html", "lang") != language,
        }
        if any(found.values()):
            wrong[where] = {what: told for what, told in found.items() if told}

    def press(value: str) -> None:
        with owner.page.expect_navigation():
            owner.page.locator(f'button[value="{value}"]').first.click()

    page = owner.opens(f"{CONSOLE}?lang={language}&example=2")
    for relation in page.locator("details.relation summary").all():
        relation.click()
    judge("console")
    press("plan")
    judge("plan")
    press("ask")
    judge("question")
    press("run")
    judge("waiting")
    works()
    QueryRun.objects.update(released_at=None)
    page.reload()
    judge("answer")
    owner.opens(CONSOLE)
    page.fill("#id_sql", "SELECT COUNT(*), wrong FROM respondent WHERE region LIKE 'a%' AND sex = '여'")
    press("plan")
    judge("refusal")
    never_checked()
    pages = ("/sources/", "/sources/new/", *(f"{CONSOLE}{one}" for one in ("ledger/", "policy/", "close")))
    for path in (*pages, "/sources/fresh/declaration/"):
        owner.opens(path)
        judge(path)
    owner.opens("/sources/service/policy/")
    press("preview")
    judge("preview")
    owner.opens("/sources/service/policy/?as=text")
    page.fill("#id_text", "entity: respondent\nlabels: {}")
    press("preview")
    judge("policy as a text")
    assert wrong == {}

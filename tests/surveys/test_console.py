"""The console of a source: what it tells before a charge, that looking costs nothing, and what an answer shows."""

import re
from typing import Any

import pytest
from django.test import Client

from aggregator import answering, tasks
from aggregator.queries import query_run
from privacy.policy.errors import QueryRefused
from surveys.models import Budget, QueryRun, Share, Source
from surveys.pages.console_refusal import refusal_context
from surveys.services.queries import query_fail
from surveys.services.sources import source_close
from tests import people

CONSOLE = "/sources/service/"
BY_REGION = "SELECT region, COUNT(*) FROM respondent GROUP BY region"
PUBLIC = "SELECT COUNT(*) FROM survey"
HALF = 500_000
FIGURE = {"name": "n", "function": "count", "sensitivity": 1, "epsilon": "0.500000", "public": False}
PART = {"figure": "count", "law": "laplace", "sensitivity": 1, "scale": 2, "epsilon": "0.500000"}
ANSWER = {
    "columns": ["region", "count"],
    "rows": [["서울", 4], ["부산", 0], [None, 2]],
    "intervals": [[None, [-2, 10]], [None, [-6, 6]], [None, [-4, 8]]],
    "figures": [{**FIGURE, "name": "count", "parts": [PART]}],
    "public": False,
    "trace": ["respondent: 1 row of one respondent may be absent"],
}


@pytest.fixture(autouse=True)
def asleep(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no broker be asked: the test itself runs what is charged."""
    monkeypatch.setattr(tasks, "wake_query", lambda run_id: None)


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answer without touching data: those are looked at in other tests."""
    monkeypatch.setattr(answering, "engine", lambda *plan, **noise: lambda: ANSWER)


@pytest.fixture
def admin(client: Client, owner: Any, engine: None) -> Client:
    people.filled(owner)
    client.force_login(owner)
    return client


@pytest.fixture
def granted(owner: Any, researcher: Any, engine: None) -> Client:
    """A researcher with a share of ε 1 at a browser."""
    people.panel(owner, "desk")
    people.share(owner, researcher, 2 * HALF)
    browser = Client()
    browser.force_login(researcher)
    return browser


def posts(browser: Client, do: str, sql: str = BY_REGION, epsilon: str = "0.5", delta: str = "") -> Any:
    return browser.post(CONSOLE, {"sql": sql, "epsilon": epsilon, "delta": delta, "do": do})


def text(response: Any) -> str:
    """Return what is read on a page."""
    inside = response.content.decode().partition("<main")[2]
    return " ".join(re.sub("<[^>]+>", " ", inside).split())


def spent() -> int:
    return Budget.objects.get().spent


def answered(browser: Client, **query: str) -> str:
    """Have a query run and return the address of its answer."""
    address: str = posts(browser, "run", **query)["Location"]
    query_run(QueryRun.objects.latest("pk").pk)
    QueryRun.objects.update(released_at=None)
    return address


# Planning.


def test_a_plan_tells_error_price_and_reason_and_costs_nothing(admin: Client) -> None:
    told = text(posts(admin, "plan"))
    # Laplace noise of scale 2: 95 % of it lies within 6.
    assert "count COUNT 1 ± 6" in told
    assert "Total sensitivity 1 Price of a run ε 0.5 charged to respondent" in told
    assert "2 times the error at the same ε, or ε 1 for the same error" in told
    assert "respondent: 1 row of one respondent may be absent" in told
    assert (spent(), QueryRun.objects.count()) == (0, 0)


def test_a_public_query_is_said_to_be_exact_and_free(admin: Client) -> None:
    told = text(posts(admin, "plan", PUBLIC))
    assert "the answer is public, exact and free" in told
    assert "Price of a run free" in told


def test_the_error_of_an_average_is_told_by_its_parts(admin: Client) -> None:
    sql = "SELECT AVG(CASE WHEN sex = '여' THEN 1 ELSE 0 END) FROM respondent"
    assert re.search(r"AVG 2 sum ± \d+ number of rows ± \d+", text(posts(admin, "plan", sql)))


def test_a_refusal_shows_the_line_the_place_and_what_to_do(admin: Client) -> None:
    page = posts(admin, "plan", "SELECT COUNT(*)\nFROM respondents").content.decode()
    assert "Line 2, column 6:" in page
    assert (
        'FROM <span class="place"><mark>respondents</mark><span class="caret" aria-hidden="true">^</span>'
        in page
    )
    assert "did you mean respondent?" in page
    # The editor selects the same place.
    assert 'data-refused-at="21" data-refused-length="11"' in page


def test_a_place_far_along_a_line_is_cut_out_of_it() -> None:
    error = QueryRefused("no", "", 1, 101)
    excerpt = refusal_context(error, "x" * 99 + " " + "wrong " + "y" * 500)["excerpt"]
    assert excerpt["before"] == "… " + "x" * 23 + " "
    assert (excerpt["word"], len(excerpt["after"])) == ("wrong", 82)


@pytest.mark.parametrize("line", [None, 0, 9])
def test_a_refusal_without_a_place_has_no_excerpt(line: int | None) -> None:
    assert "excerpt" not in refusal_context(QueryRefused("no", "", line, 1), "SELECT 1")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("epsilon", one) for one in ("", "0", "-1", "1e3", "101", "ln(0)", "½")),
        *(("delta", one) for one in ("1", "x", "-1e-9", "1e-400")),
        *(("sql", one) for one in ("", "   ", "SELECT \0")),
    ],
)
def test_what_cannot_be_read_is_told_beside_its_field(admin: Client, field: str, value: str) -> None:
    response = posts(admin, "run", **{field: value})
    assert response.status_code == 200
    assert list(response.context["form"].errors) == [field]
    assert QueryRun.objects.count() == 0


def test_a_megabyte_of_text_is_refused(admin: Client) -> None:
    assert "longer than 20,000 characters" in text(posts(admin, "plan", "SELECT " * 150_000))


def test_what_cannot_be_read_is_no_saving(admin: Client) -> None:
    told = text(posts(admin, "plan", ""))
    assert "The query cannot be asked like this" in told
    assert "saved" not in told


def test_the_page_opens_at_what_became_of_the_query(admin: Client) -> None:
    for sql in (BY_REGION, "SELECT nonsense", ""):
        page = posts(admin, "plan", sql).content.decode()
        assert 'action="/sources/service/#outcome"' in page
        assert page.index('id="outcome"') < page.index('id="ask-heading"')
    assert 'id="outcome"' not in admin.get(CONSOLE).content.decode()


def test_distinct_values_are_counted_in_plan_and_answer(admin: Client) -> None:
    sql = "SELECT COUNT(DISTINCT sex) FROM respondent"
    assert "COUNT DISTINCT 1 ±" in text(posts(admin, "plan", sql))
    assert "COUNT DISTINCT" in text(admin.get(answered(admin, sql=sql)))
    assert "COUNT DISTINCT" not in text(admin.get(answered(admin)))


def test_no_markup_of_a_query_reaches_the_page(admin: Client) -> None:
    page = posts(admin, "plan", "SELECT COUNT(*) FROM <script>alert(1)</script>").content.decode()
    assert "<script>alert" not in page
    assert "&lt;script&gt;" in page


# The question before a charge.


def test_the_question_before_a_run_tells_the_price_and_what_is_left(admin: Client) -> None:
    told = text(posts(admin, "ask"))
    assert "This run costs ε 0.5" in told
    assert "respondent ε 10 ε 9.5" in told
    assert "never refunded" in told
    assert "Run and charge ε 0.5" in told
    assert (spent(), QueryRun.objects.count()) == (0, 0)


def test_a_run_that_does_not_fit_cannot_be_confirmed(admin: Client, owner: Any) -> None:
    people.budget(owner, HALF - 1)
    told = text(posts(admin, "ask"))
    assert "What is left is not enough" in told
    assert "Run and charge" not in told


def test_a_public_run_is_confirmed_as_free(admin: Client) -> None:
    told = text(posts(admin, "ask", PUBLIC))
    assert "Run, free of charge" in told
    assert "This run costs" not in told


def test_what_is_short_is_named(admin: Client, owner: Any) -> None:
    page = posts(admin, "ask", delta="1e-4")
    told = text(page)
    assert "respondent ε 10 δ 1e-6 ε 9.5 δ: not enough" in told
    assert "Ask with a smaller δ, or with none" in told
    assert "Ask with a smaller ε" not in told
    assert "The δ that is left is not enough" in text(posts(admin, "plan", delta="1e-4"))
    people.budget(owner, HALF - 1)
    told = text(posts(admin, "ask", delta="1e-7"))
    assert "ε: not enough δ 9e-7" in told
    assert "Ask with a smaller ε" in told
    assert "Ask with a smaller δ" not in told
    # Without δ nothing is said of it.
    assert " δ " not in text(posts(admin, "ask"))


def test_what_was_answered_before_is_confirmed_as_free(admin: Client, owner: Any) -> None:
    answered(admin)
    people.budget(owner, HALF)
    told = text(posts(admin, "ask", BY_REGION.lower()))
    assert "This was asked before" in told
    assert "Show the answer" in told
    told = text(posts(admin, "plan"))
    assert "Price of a run free: answered before" in told
    assert "charged to" not in told
    answered(admin, sql=BY_REGION.lower())
    assert (spent(), QueryRun.objects.count()) == (HALF, 1)


# Running.


def test_a_confirmed_run_is_charged_and_leads_to_its_answer(admin: Client) -> None:
    response = posts(admin, "run")
    run = QueryRun.objects.get()
    assert response["Location"] == f"/sources/service/queries/{run.pk}/"
    assert spent() == HALF
    waiting = admin.get(response["Location"])
    assert "Being computed" in text(waiting)
    assert f'data-run="/api/v1/queries/{run.pk}/"' in waiting.content.decode()
    query_run(run.pk)
    QueryRun.objects.update(released_at=None)
    told = text(admin.get(response["Location"]))
    assert "discrete Laplace" in told
    assert "서울" in told


def test_a_failed_run_says_one_sentence_in_both_languages(admin: Client) -> None:
    address = posts(admin, "run")["Location"]
    query_fail(run_id=QueryRun.objects.get().pk)
    QueryRun.objects.update(released_at=None)
    assert "Why is told to nobody" in text(admin.get(address))
    assert "아무에게도 알리지 않습니다" in text(admin.get(f"{address}?lang=ko"))


def test_a_budget_that_ends_meanwhile_is_told_and_the_query_kept(admin: Client, owner: Any) -> None:
    people.budget(owner, HALF - 1)
    told = text(posts(admin, "run"))
    assert "The budget is not enough for this query" in told
    assert BY_REGION in told
    assert QueryRun.objects.count() == 0


def test_a_closed_source_plans_and_runs_nothing(admin: Client, owner: Any) -> None:
    source_close(actor=owner, source=people.service())
    assert "this query is answered" in text(posts(admin, "plan"))
    assert "answers no queries now" in text(posts(admin, "run"))
    assert spent() == 0


def test_a_source_is_closed_after_a_question_only(admin: Client) -> None:
    told = text(admin.get("/sources/service/close"))
    assert "Stop answering queries?" in told
    assert people.service().state == "open"
    admin.post("/sources/service/close")
    assert people.service().state == "closed"


def test_a_query_is_opened_again_from_the_history(admin: Client) -> None:
    answered(admin, epsilon="0.25", delta="1e-9")
    run = QueryRun.objects.get()
    assert f"Query {run.pk}" in text(admin.get(CONSOLE))
    form = admin.get(f"{CONSOLE}?run={run.pk}").context["form"]
    assert form.initial == {"sql": BY_REGION, "epsilon": "0.25", "delta": "1e-9"}


@pytest.mark.parametrize(
    "asked", ["?run=999", "?run=x", f"?run={9**25}", "?example=99", "?example=-1", "?example=²"]
)
def test_the_editor_starts_empty_where_there_is_nothing_to_open(admin: Client, asked: str) -> None:
    assert admin.get(CONSOLE + asked).context["form"].initial["sql"] == ""


def test_an_example_is_put_into_the_editor(admin: Client) -> None:
    sql = admin.get(f"{CONSOLE}?example=1").context["form"].initial["sql"]
    assert "this query is answered" in text(posts(admin, "plan", sql))


# Who sees what.


def test_a_researcher_asks_within_the_share_and_not_beyond(granted: Client) -> None:
    assert "respondent ε 1 ε 0.5" in text(posts(granted, "ask"))
    answered(granted)
    assert Share.objects.get().spent == HALF
    assert "Your share is not enough" in text(posts(granted, "ask", epsilon="0.6"))
    assert "share of the budget is not enough" in text(posts(granted, "run", epsilon="0.6"))
    assert Share.objects.get().spent == HALF


def test_a_researcher_sees_neither_queries_nor_answers_of_others(admin: Client, granted: Client) -> None:
    address = answered(admin)
    run = QueryRun.objects.get()
    assert granted.get(address).status_code == 403
    assert granted.get(f"{address}answer.csv").status_code == 403
    assert (
        "Query" not in text(granted.get(CONSOLE)).partition("What you asked")[2].partition("What is left")[0]
    )
    assert granted.get(f"{CONSOLE}?run={run.pk}").context["form"].initial["sql"] == ""
    # Who asks the same reads the same answer, in the own words.
    own = posts(granted, "run", BY_REGION.lower())["Location"]
    assert own == address
    assert BY_REGION.lower() in text(granted.get(own))
    assert Share.objects.get().spent == 0


def test_an_auditor_is_led_to_the_ledger_and_asks_nothing(client: Client, auditor: Any) -> None:
    client.force_login(auditor)
    assert client.get(CONSOLE)["Location"] == "/sources/service/ledger/"
    told = text(client.get("/sources/service/ledger/"))
    assert "Save budget" not in told
    assert "ε left 10" in told
    assert posts(client, "run")["Location"] == "/sources/service/ledger/"
    assert client.post("/sources/service/budget", {"entity": "respondent", "total": "1"}).status_code == 403
    assert QueryRun.objects.count() == 0


def test_the_list_has_what_an_account_may_ask(admin: Client, researcher: Any, stranger: Any) -> None:
    assert "service" in text(admin.get("/sources/"))
    for somebody in (researcher, stranger):
        other = Client()
        other.force_login(somebody)
        assert "No source was shared" in text(other.get("/sources/"))


def test_another_sources_query_is_not_shown_under_this_one(admin: Client) -> None:
    answered(admin)
    Source.objects.create(name="other", kind="sqlite", schema=people.service().schema)
    run = QueryRun.objects.get()
    assert admin.get(f"/sources/other/queries/{run.pk}/").status_code == 404
    assert admin.get(f"/sources/service/queries/{2**70}/").status_code == 404


def test_a_source_without_a_policy_has_pages(admin: Client) -> None:
    Source.objects.create(name="bare", kind="sqlite", schema=people.service().schema)
    for path in ("", "ledger/", "policy/"):
        assert admin.get(f"/sources/bare/{path}").status_code == 200

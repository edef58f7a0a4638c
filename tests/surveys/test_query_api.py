"""What a researcher's script asks, and is told, over HTTP."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from aggregator import queries, tasks
from surveys.models import QueryRun
from surveys.services.sources import source_close
from tests import cast, people
from tests.surveys.test_api import of, problem

HALF = 500_000


@pytest.fixture(autouse=True)
def asleep(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no broker be asked: the test itself runs what is charged."""
    monkeypatch.setattr(tasks, "wake_query", lambda run_id: None)


def post(client: Client, user: Any, where: str = "queries", source: str = "service", **body: Any) -> Any:
    sent = {"sql": people.COUNT, **({"epsilon": "0.5"} if where == "queries" else {}), **body}
    return client.post(
        f"/api/v1/sources/{source}/{where}/", json.dumps(sent), content_type="application/json", **of(user)
    )


def test_a_plan_is_free_and_says_why(client: Client, owner: Any) -> None:
    told = post(client, owner, "plans").json()
    assert (told["sensitivity"], told["public"], told["entities"]) == (1.0, False, ["respondent"])
    assert told["baselines"]["unbounded"] == 1.0
    assert any("respondent" in line for line in told["trace"])
    assert (people.micro_spent(), QueryRun.objects.count()) == (0, 0)


def test_a_plan_at_an_epsilon_says_how_far_off_the_answer_will_be(client: Client, owner: Any) -> None:
    (told,) = post(client, owner, "plans", epsilon="0.5").json()["aggregates"]
    # At scale 2, |noise| > 6 is the first that has at most 1 in 20: 2r⁷/(1 + r) = .038, r = e^(−1/2).
    assert (told["expected_error"], told["part_errors"]) == (6.0, [{"figure": "count", "half_width": 6.0}])
    (ranked,) = post(client, owner, "plans", sql="SELECT MEDIAN(id) FROM respondent", epsilon="0.5").json()[
        "aggregates"
    ]
    assert ranked["expected_error"] is None
    assert ranked["part_errors"][0]["figure"] == "rank"
    refused = problem(post(client, owner, "plans", epsilon="much"), 400, "parameter-invalid")
    assert refused["field"] == "epsilon"


def test_a_refusal_says_where_and_what_instead(client: Client, owner: Any) -> None:
    refused = problem(post(client, owner, sql="SELECT region FROM respondent"), 422, "query-refused")
    assert refused["detail"]
    broken = problem(post(client, owner, sql="DELETE FROM respondent"), 422, "query-refused")
    assert (broken["line"], broken["column"]) == (1, 1)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"sql": 3}, "sql"),
        ({"sql": "SELECT '\0'"}, "sql"),
        ({"sql": "SELECT '\ud800'"}, "sql"),
        ({"epsilon": 0.5}, "epsilon"),
        ({"epsilon": "0"}, "epsilon"),
        ({"delta": "1"}, "delta"),
        ({"epsilom": "1"}, "epsilom"),
    ],
)
def test_a_value_that_makes_no_sense_is_named(
    client: Client, owner: Any, body: dict[str, Any], field: str
) -> None:
    assert problem(post(client, owner, **body), 400, "parameter-invalid")["field"] == field


@pytest.mark.parametrize("body", ["[]", "3", "null", "{", '"x"'])
def test_what_is_no_object_is_refused(client: Client, owner: Any, body: str) -> None:
    for where in ("queries", "plans"):
        address = f"/api/v1/sources/service/{where}/"
        response = client.post(address, body, content_type="application/json", **of(owner))
        problem(response, 400, "request-malformed")


def test_an_exhausted_budget_is_a_problem_of_its_own(client: Client, owner: Any, researcher: Any) -> None:
    people.share(owner, researcher, 1)
    problem(post(client, researcher), 409, "share-exhausted")
    people.budget(owner, 1)
    problem(post(client, owner), 409, "budget-exhausted")
    problem(post(client, owner, delta="0.001"), 409, "budget-exhausted")
    source_close(actor=owner, source=people.service())
    problem(post(client, owner), 409, "source-closed")


def test_a_source_not_granted_is_not_told_from_none(client: Client, owner: Any, researcher: Any) -> None:
    for where in ("queries", "plans"):
        there = problem(post(client, researcher, where), 403, "not-allowed")
        missing = problem(post(client, researcher, where, "nothing"), 403, "not-allowed")
        assert there == missing
    problem(post(client, owner, source="nothing"), 404, "source-unknown")


def test_a_database_that_is_gone_is_a_problem_of_its_own(client: Client, owner: Any, settings: Any) -> None:
    settings.SOURCE_CONNECTIONS = {"service": "sqlite:////nowhere/at/all"}
    answer = post(client, owner)
    told = problem(answer, 503, "source-unreachable")
    assert (answer["Retry-After"], "nothing was charged" in told["detail"]) == ("60", True)
    assert (people.micro_spent(), QueryRun.objects.count()) == (0, 0)


def test_everybody_reads_of_the_ledger_what_is_theirs(
    client: Client, owner: Any, researcher: Any, auditor: Any, stranger: Any
) -> None:
    people.share(owner, researcher, 2 * HALF)
    people.ask(owner)
    people.ask(researcher, epsilon="0.25")

    def ledger(user: Any) -> Any:
        return client.get("/api/v1/sources/service/ledger/", **of(user))

    whole = ledger(owner).json()
    assert whole == ledger(auditor).json()
    sums = {"total": "10.000000", "spent": "0.750000", "left": "9.250000"}
    deltas = {"delta_total": "1e-6", "delta_spent": "0", "delta_left": "1e-6"}
    assert whole["budgets"] == [{"entity": "respondent", **sums, **deltas}]
    assert [one["delta"] for one in whole["charges"]] == ["0", "0"]
    assert [one["actor"] for one in whole["charges"]] == ["researcher", "owner"]
    own = ledger(researcher).json()
    assert (own["budgets"], [one["actor"] for one in own["charges"]]) == ([], ["researcher"])
    assert [one["left"] for one in own["shares"]] == ["0.750000"]
    problem(ledger(stranger), 403, "not-allowed")


def test_an_auditor_reads_the_ledger_and_asks_nothing(client: Client, auditor: Any) -> None:
    problem(post(client, auditor), 403, "not-allowed")
    problem(post(client, auditor, "plans"), 403, "not-allowed")


@pytest.mark.django_db(transaction=True)
class TestRunning:
    """Workers open the source on a connection of their own: nothing may be left in a transaction."""

    @pytest.fixture(autouse=True)
    def cast(self, transactional_db: None) -> Any:
        self.owner = cast.person("owner", "admin")
        self.researcher = cast.person("researcher", "researcher")
        with people.engine_of(people.drawing()):
            yield

    def test_the_api_charges_and_answers(self, client: Client) -> None:
        people.share(self.owner, self.researcher, HALF)
        first = post(client, self.researcher)
        assert first.status_code == 201
        number = first.json()["id"]
        assert first.json() == {"id": number, "state": "charged"}
        again = post(client, self.owner, sql="select count(*) from respondent r")
        assert (again.status_code, again.json()["id"]) == (200, number)
        queries.query_run(number)
        QueryRun.objects.update(released_at=timezone.now() - timedelta(seconds=1))
        answer = client.get(f"/api/v1/queries/{number}/", **of(self.researcher))
        assert answer.json()["answer"]["rows"]
        assert (answer.json()["charged"], answer.json()["sql"]) == ("0.500000", people.COUNT)
        assert answer["Cache-Control"] == "private, no-store"
        owners = client.get(f"/api/v1/queries/{number}/", **of(self.owner)).json()
        assert owners["answer"] == answer.json()["answer"]
        assert owners["sql"] == "select count(*) from respondent r"

    def test_an_answer_is_not_read_before_its_second(self, client: Client) -> None:
        number = post(client, self.owner).json()["id"]
        queries.query_run(number)
        QueryRun.objects.update(released_at=timezone.now() + timedelta(seconds=9))
        told = client.get(f"/api/v1/queries/{number}/", **of(self.owner)).json()
        assert (told["state"], told["answer"]) == ("running", None)

"""Over the API bad input is a problem with line, column and hint: never a traceback, a charge or a statement."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from aggregator import answering, tasks
from aggregator.queries import query_run
from surveys.models import Budget, QueryRun, Respondent
from surveys.services.queries import policies_of
from surveys.sources.service import service_source_changed
from tests import cast, people
from tests.policy.fuzz.bad import LARGE, Bad, bad_input
from tests.policy.fuzz.comparing import Fixed, hidden
from tests.policy.fuzz.grammar import Grammar
from tests.surveys.test_api import of, problem

REGIONS, SEXES, BANDS = ("서울", "부산", ""), ("여", "남"), ("-29", "30-49", "50-", "")
SOME = "reference,region,sex,age_band\n" + "".join(
    f"r{at},{REGIONS[at % 3]},{SEXES[at % 2]},{BANDS[at % 4]}\n" for at in range(9)
)
FAMILIES: dict[str, list[Bad]] = {}
for _one in bad_input():
    FAMILIES.setdefault(_one.family, []).append(_one)


@pytest.fixture(autouse=True)
def asleep(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "wake_query", lambda run_id: None)


@pytest.fixture
def asked(client: Client, owner: Any) -> Iterator[Any]:
    """Ask at both places; afterwards nothing may be charged, and no respondent have been read."""
    people.filled(owner)

    def ask(sql: object, *places: str) -> list[Any]:
        return [_posted(client, owner, where, sql) for where in places or ("plans", "queries")]

    with CaptureQueriesContext(connection) as seen:
        yield ask
    assert not [one["sql"] for one in seen.captured_queries if '"surveys_respondent"' in one["sql"]]
    assert (QueryRun.objects.count(), Budget.objects.get().spent) == (0, 0)


def _posted(client: Client, owner: Any, where: str, sql: object) -> Any:
    body = json.dumps({"sql": sql, **({"epsilon": "0.5"} if where == "queries" else {})})
    address = f"/api/v1/sources/service/{where}/"
    return client.post(address, body, content_type="application/json", **of(owner))


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_bad_input_is_a_problem_with_place_and_hint(family: str, asked: Any) -> None:
    for at, bad in enumerate(FAMILIES[family]):
        # A plan takes the same way, up to the charge.
        for response in asked(bad.text, "queries", *(["plans"] if at % 4 == 0 else [])):
            if "\0" in bad.text:
                assert problem(response, 400, "parameter-invalid")["field"] == "sql"
                continue
            told = problem(response, 422, "query-refused")
            assert (told["line"], told["column"]) == (bad.line, bad.column), bad.text
            assert bad.reason in told["detail"]
            assert told["hint"]


@pytest.mark.parametrize("name", sorted(LARGE))
def test_large_input_is_a_problem(name: str, asked: Any) -> None:
    text, reason = LARGE[name]
    for response in asked(text):
        told = problem(response, 422, "query-refused")
        assert reason in told["detail"]
        assert len(response.content) < 3_000


@pytest.mark.parametrize(
    "text", ["\ud800", "SELECT '\udfff'", "SELECT '\0'", None, True, 1, 1.5, [], {}, ["SELECT 1"]]
)
def test_what_is_no_text_is_named(text: object, asked: Any) -> None:
    for response in asked(text):
        assert problem(response, 400, "parameter-invalid")["field"] == "sql"


@pytest.mark.parametrize(
    "body",
    [
        b"\xff\xfe",
        b"{",
        b"[" * 100_000,
        b'{"sql": "SELECT 1", "sql": ',
        b'{"sql": ' + b"9" * 10_000 + b"}",
        b'{"sql": NaN}',
        b'{"sql": "\xed\xa0\x80"}',
        b"sql=SELECT",
        b"",
    ],
    ids=ascii,
)
def test_a_body_that_is_no_json_is_a_problem(client: Client, owner: Any, body: bytes) -> None:
    for where in ("plans", "queries"):
        address = f"/api/v1/sources/service/{where}/"
        response = client.post(address, body, content_type="application/json", **of(owner))
        assert response.status_code == 400, response.content[:300]
        assert response["Content-Type"] == "application/problem+json"
    assert QueryRun.objects.count() == 0


def test_what_is_accepted_is_charged(client: Client, owner: Any) -> None:
    """The control: the same requests with a query in them do charge."""
    assert _posted(client, owner, "queries", people.COUNT).status_code == 201
    assert (QueryRun.objects.count(), Budget.objects.get().spent) == (1, 500_000)


@pytest.mark.django_db(transaction=True)
def test_neighbours_are_not_told_apart_over_the_api(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sample of the grammar, asked and answered by a worker, with a respondent more and with one less."""
    owner = cast.person("owner", "admin")
    people.filled(owner, rows=SOME)
    people.budget(owner, 10**11)
    monkeypatch.setattr(answering, "SecureNoise", Fixed)
    grammar = Grammar(Random(20261203), policies_of(people.service())[0].schema)
    texts = [grammar.query() for _ in range(80)]
    with hidden():
        with_all = [_seen(client, owner, sql) for sql in texts]
        Respondent.objects.order_by("pk").last().delete()
        service_source_changed_now()
        with_less = [_seen(client, owner, sql) for sql in texts]
    assert with_all == with_less
    states = [one[0] for one in with_all]
    assert set(states) == {"done", "refused"}
    assert states.count("done") > 15


def service_source_changed_now() -> None:
    with transaction.atomic():
        service_source_changed()


def _seen(client: Client, owner: Any, sql: str) -> tuple[str, Any]:
    asked = _posted(client, owner, "queries", sql)
    if asked.status_code == 422:
        return "refused", problem(asked, 422, "query-refused")
    assert asked.status_code in (200, 201), (sql, asked.content)
    number = asked.json()["id"]
    query_run(number)
    QueryRun.objects.update(released_at=timezone.now())
    told = client.get(f"/api/v1/queries/{number}/", **of(owner)).json()
    assert told["state"] == "done", sql
    return "done", told["answer"]

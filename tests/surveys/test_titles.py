"""Two ask the same in other words: there is one answer, and each reads it in words of their own."""

from typing import Any

import pytest
from django.test import Client

from aggregator import tasks
from aggregator.queries import query_run
from surveys.models import QueryRun, Source
from surveys.services.titles import answer_titled
from tests import people
from tests.surveys.test_api import of

FIRST = "SELECT sex AS suspicion, COUNT(*) AS ward_seven, COUNT(region) AS told FROM respondent GROUP BY sex"
SECOND = "SELECT sex s, COUNT(*) AS n, COUNT(region) FROM respondent AS x GROUP BY 1"
PRIVATE = ("suspicion", "ward_seven", "told")


@pytest.fixture
def run(owner: Any, researcher: Any, monkeypatch: pytest.MonkeyPatch) -> QueryRun:
    """Return a run that the researcher was given, and the owner paid."""
    monkeypatch.setattr(tasks, "wake_query", lambda run_id: None)
    people.filled(owner)
    people.share(owner, researcher, 1_000_000)
    made = people.ask(owner, FIRST)
    query_run(made.run.pk)
    assert people.ask(researcher, SECOND).run.pk == made.run.pk
    QueryRun.objects.update(released_at=None)
    return QueryRun.objects.get(pk=made.run.pk)


def _told(client: Client, user: Any, run: QueryRun) -> Any:
    return client.get(f"/api/v1/queries/{run.pk}/", **of(user))


def test_who_asks_the_same_later_reads_titles_of_their_own(
    client: Client, owner: Any, researcher: Any, run: QueryRun
) -> None:
    told = _told(client, researcher, run)
    answer = told.json()["answer"]
    assert answer["columns"] == ["s", "n", "count"]
    assert [one["name"] for one in answer["figures"]] == ["n", "count"]
    assert any(line.startswith("n: its count") for line in answer["trace"])
    assert not any(word in told.content.decode() for word in PRIVATE)
    first = _told(client, owner, run).json()["answer"]
    assert first["columns"] == list(PRIVATE)
    assert first["rows"] == answer["rows"]


def test_page_and_file_show_them_too(client: Client, researcher: Any, run: QueryRun) -> None:
    client.force_login(researcher)
    page = client.get(f"/sources/service/queries/{run.pk}/").content.decode()
    file = client.get(f"/sources/service/queries/{run.pk}/answer.csv").content.decode()
    assert file.startswith("s,n,n (95 % low)")
    assert not any(f">{word}" in page or word in file for word in PRIVATE)


def test_figures_in_another_order_keep_their_names(run: QueryRun) -> None:
    run.sql = "SELECT COUNT(*) + MEDIAN(id) AS first FROM respondent"
    told = answer_titled(run, "SELECT MEDIAN(id) + COUNT(*) AS own FROM respondent")
    assert told is not None
    assert [one["name"] for one in told["figures"]] == ["count", "median"]


def test_when_the_schema_is_another_nobody_reads_the_words_of_the_first(run: QueryRun) -> None:
    Source.objects.update(schema={"else": {"key": ["a"], "columns": {"a": {"type": "integer"}}}})
    told = answer_titled(QueryRun.objects.get(pk=run.pk), SECOND)
    assert told is not None
    assert (told["columns"], told["trace"]) == (["1", "2", "3"], [])

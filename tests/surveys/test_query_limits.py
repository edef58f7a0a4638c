"""A query asks for nothing that goes on for ever, nor is it charged where there is no database to ask."""

import sqlite3
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import IntegrityError
from django.test import Client

from aggregator import answering
from privacy.policy.errors import QueryRefused
from surveys.errors import SourceClosed, SourceUnreachable
from surveys.models import Budget, QueryRun, Source
from surveys.services import queries as services
from surveys.services.ledger import budget_set
from surveys.services.queries import Submitted, query_plan, query_submit
from surveys.services.sources import source_check, source_register
from surveys.sources.connecting import Reach
from tests import people


def test_a_database_that_refuses_for_another_reason_is_not_asked_for_ever(
    owner: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[int] = []

    def broken(**_: Any) -> None:
        tries.append(1)
        assert len(tries) < 100
        raise IntegrityError("a constraint of another table")

    monkeypatch.setattr(services, "budget_charge", broken)
    with pytest.raises(IntegrityError):
        people.ask(owner)
    assert QueryRun.objects.count() == 0


def test_a_source_that_never_rests_is_not_asked_for_ever(owner: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "_unchanged", lambda source: False)
    with pytest.raises(SourceClosed):
        people.ask(owner)
    assert (QueryRun.objects.count(), people.micro_spent()) == (0, 0)


@pytest.fixture
def school(owner: Any, settings: Any, tmp_path: Path) -> Source:
    """An open source with a budget, in a file of SQLite."""
    path = tmp_path / "school.sqlite3"
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("CREATE TABLE student (id INTEGER)")
    settings.SOURCE_CONNECTIONS = {"school": f"sqlite:///{path}"}
    schema = {"student": {"key": ["id"], "columns": {"id": {"type": "integer"}}}}
    policy = {"entity": "student", "labels": {"student": "DEL"}}
    source = source_register(actor=owner, name="school", kind="", schema=schema, policies=[policy])
    budget_set(actor=owner, source=source, entity="student", total=1_000_000)
    return source_check(actor=owner, source=source)


def ask(owner: Any, source: Source, epsilon: str = "0.5") -> Submitted:
    return query_submit(actor=owner, source=source, sql="SELECT COUNT(*) FROM student", epsilon=epsilon)


def spent(source: Source) -> int:
    return Budget.objects.get(source=source).spent


@pytest.mark.parametrize("lost", ["file", "content", "connection"])
def test_a_database_that_cannot_be_reached_is_found_out_before_the_charge(
    school: Source, owner: Any, settings: Any, tmp_path: Path, lost: str
) -> None:
    earlier = ask(owner, school)
    assert (earlier.fresh, spent(school)) == (True, 500_000)
    path = tmp_path / "school.sqlite3"
    if lost == "connection":
        settings.SOURCE_CONNECTIONS = {}
    else:
        path.rename(tmp_path / "elsewhere")
    if lost == "content":
        path.write_text("this is no database" * 100)
    with pytest.raises(SourceUnreachable, match="nothing was charged; ask the operator"):
        ask(owner, school, "0.25")
    assert (spent(school), QueryRun.objects.count()) == (500_000, 1)
    assert path.exists() == (lost != "file")
    # What is stored needs no database.
    assert ask(owner, school).run == earlier.run


def test_console_and_command_say_that_there_is_no_database_now(
    school: Source, owner: Any, client: Client, settings: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.SOURCE_CONNECTIONS = {"school": "sqlite:////nowhere/at/all"}
    client.force_login(owner)
    sql = "SELECT COUNT(*) FROM student"
    page = client.post("/sources/school/", {"sql": sql, "epsilon": "0.5", "do": "run"})
    assert "The database of this source cannot be reached now. Nothing was charged." in page.content.decode()
    with pytest.raises(SystemExit):
        call_command("dpsql", "school", sql, "--epsilon", "0.5")
    assert "cannot be reached now; nothing was charged; ask the operator" in capsys.readouterr().err
    assert spent(school) == 0


def test_only_the_database_itself_is_looked_at_before_a_charge(
    school: Source, owner: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    reading = Reach.rows
    monkeypatch.setattr(Reach, "rows", lambda reach, text: said.append(text) or reading(reach, text))
    assert ask(owner, school).fresh
    assert said == ["SELECT COUNT(*) FROM sqlite_master"]


def test_how_many_groups_an_answer_may_have_is_a_setting(owner: Any, settings: Any) -> None:
    people.filled(owner)
    sql = "SELECT issued, COUNT(*) FROM invitation GROUP BY issued"
    assert query_plan(source=people.service(), sql=sql).plan.sources
    settings.MOST_GROUPS = 1
    with pytest.raises(QueryRefused, match="more than 1 groups"):
        query_plan(source=people.service(), sql=sql)


def test_a_worker_keeps_to_it_too(owner: Any, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.MOST_GROUPS = 7
    seen: list[Any] = []
    monkeypatch.setattr(answering, "measured", lambda *given: seen.append(given[-1]))
    plan = query_plan(source=people.service(), sql=people.COUNT).plan
    answering.engine(plan, Reach(None, "sqlite"), {}, epsilon=Fraction(1), delta=Fraction(0))
    assert seen == [7]

"""Nothing that a query asks for goes on for ever: neither its rounds of charging nor its groups."""

from fractions import Fraction
from typing import Any

import pytest
from django.db import IntegrityError

from aggregator import answering
from privacy.policy.errors import QueryRefused
from surveys.errors import SourceClosed
from surveys.models import QueryRun
from surveys.services import queries as services
from surveys.services.queries import query_plan
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

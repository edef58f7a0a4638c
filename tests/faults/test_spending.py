"""Threads that ask at the same moment: as many answers as the budget has, and one charge for what is the same."""

from typing import Any

import pytest

from aggregator import tasks
from surveys.models import Budget, QueryRun
from surveys.services.queries import query_submit
from tests import cast, people
from tests.faults.spending import together

HALF = 500_000
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def asleep(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "wake_query", lambda run_id: None)


def ask(sql: str) -> Any:
    return query_submit(actor=None, source=people.service(), sql=sql, epsilon="0.5")


def test_threads_that_ask_get_as_many_answers_as_the_budget_has() -> None:
    people.budget(cast.person("owner", "admin"), 7 * HALF + HALF - 1)
    numbers = iter(range(16))
    got = together(16, 1, lambda: ask(f"SELECT COUNT(*) FROM respondent WHERE id > {next(numbers) + 1}"))
    assert (got.answers, got.refused, got.failures) == (7, 9, [])
    assert (Budget.objects.get().spent, QueryRun.objects.count()) == (7 * HALF, 7)


def test_threads_that_ask_the_same_are_charged_once() -> None:
    people.budget(cast.person("owner", "admin"), 100 * HALF)
    got = together(16, 2, lambda: ask(people.COUNT))
    assert (got.answers, got.refused, got.failures) == (32, 0, [])
    assert (Budget.objects.get().spent, QueryRun.objects.count()) == (HALF, 1)

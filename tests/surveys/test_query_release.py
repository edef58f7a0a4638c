"""When and how a query ends tells nothing: it shows at a time that was known when it was charged, and few may fail."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone

from aggregator import queries
from surveys.errors import SourceResting
from surveys.models import QueryRun
from surveys.services import queries as services
from surveys.services.queries import query_answer, run_state
from tests import cast, people

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("asleep")]
HALF = 500_000
State = QueryRun.State


@pytest.fixture
def owner(transactional_db: None) -> Any:
    return cast.person("owner", "admin")


def test_a_failed_query_may_be_asked_and_charged_again_once_that_is_seen(owner: Any, engine: None) -> None:
    first = people.ask(owner).run
    QueryRun.objects.filter(pk=first.pk).update(state=State.FAILED)
    # As long as nobody sees that it failed, it runs: a second charge would tell.
    again = people.ask(owner)
    assert (again.fresh, again.run.pk, people.micro_spent()) == (False, first.pk, HALF)
    assert run_state(again.run) == "running"
    QueryRun.objects.update(released_at=timezone.now())
    assert people.answered(owner).pk != first.pk
    assert people.micro_spent() == 2 * HALF


def test_how_a_run_ended_shows_when_it_was_meant_to(owner: Any, engine: None) -> None:
    meant = people.ask(owner).run.released_at
    assert meant is not None
    assert meant.microsecond == 0
    left = meant - timezone.now()
    assert timedelta(0) < left <= timedelta(seconds=settings.QUERY_SECONDS + 1)
    run = people.answered(owner)
    assert (run.state, run.released_at) == (State.DONE, meant)
    assert (run_state(run, meant - timedelta(milliseconds=1)), run_state(run, meant)) == (
        "running",
        "done",
    )


@pytest.mark.parametrize("state", [State.DONE, State.FAILED])
def test_a_late_run_shows_a_whole_number_of_times_later(owner: Any, engine: None, state: str) -> None:
    step = timedelta(seconds=settings.QUERY_SECONDS)
    run = people.ask(owner).run
    meant = timezone.now() - 2.4 * step
    QueryRun.objects.update(released_at=meant)
    if state == State.FAILED:
        services.query_fail(run_id=run.pk)
    else:
        queries.query_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.released_at) == (state, meant + 3 * step)


def test_what_is_public_is_shown_at_once(owner: Any, engine: None) -> None:
    run = people.answered(owner, sql="SELECT COUNT(*) FROM survey")
    assert run_state(run) == "done"


def test_nobody_waits_while_noise_is_drawn(owner: Any) -> None:
    run = people.ask(owner).run
    seen: list[bool] = []

    def draw() -> Any:
        seen.append(connection.in_atomic_block)
        return {"rows": []}

    assert query_answer(run_id=run.pk, draw=draw)
    assert seen == [False]


def test_after_three_failures_a_source_rests_for_a_day(owner: Any, engine: None) -> None:
    people.budget(owner, 20 * HALF)
    for at in range(3):
        run = people.ask(owner, epsilon=f"0.{at + 1}").run
        services.query_fail(run_id=run.pk)
    # Until they are seen, they count for nothing that could be seen.
    assert people.ask(owner).fresh
    before = people.micro_spent()
    seen = QueryRun.objects.filter(state=State.FAILED)
    seen.update(released_at=timezone.now() - timedelta(hours=23))
    with pytest.raises(SourceResting):
        people.ask(owner, epsilon="0.7")
    # What is known already is told all the same.
    assert not people.ask(owner).fresh
    assert people.micro_spent() == before
    seen.update(released_at=timezone.now() - timedelta(hours=25))
    assert people.ask(owner, epsilon="0.7").fresh

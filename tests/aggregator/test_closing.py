"""A survey ends when its time or its target comes, and is finished from wherever a crash left it."""

import threading
from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from celery.exceptions import OperationalError as BrokerLost
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from aggregator import closing, tasks
from aggregator.closing import estimates_refresh, survey_finish, surveys_due, surveys_unfinished
from surveys.models import AuditEntry, Estimate, Report, Survey, WorkerSeen
from surveys.pages.drawing import document_drawings
from surveys.services.publishing import survey_close
from tests.aggregator.inbox import (
    archived,
    arrive,
    close,
    finish,
    pause_over,
    payload,
    recounted,
    tallies,
    told_apart,
    waiting,
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def many(owner: Any) -> Any:
    return told_apart(owner)


@pytest.fixture
def woken(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Note who is woken up instead of waking anybody."""
    heard: list[tuple[str, int]] = []
    for task in (tasks.finish_closing, tasks.drain_inbox):
        name = task.name.rpartition(".")[2]
        monkeypatch.setattr(
            task, "apply_async", lambda args, name=name, **_: heard.append((name, args[0])), raising=True
        )
    return heard


def test_closing_wakes_a_worker_once(many: Any, owner: Any, woken: Any) -> None:
    survey_close(actor=owner, survey=many.survey)
    assert woken == [("finish_closing", many.survey_id)]


def test_a_broker_that_is_away_does_not_keep_a_survey_from_closing(
    many: Any, owner: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(*_: Any, **__: Any) -> None:
        raise BrokerLost("away")

    monkeypatch.setattr(tasks.finish_closing, "apply_async", lost)
    survey_close(actor=owner, survey=many.survey)
    assert Survey.objects.get().state == "closed"


def test_the_sweep_finds_what_a_lost_message_left(many: Any, woken: Any) -> None:
    arrive(many, range(60))
    close(many)
    tasks.sweep()
    assert woken == [("finish_closing", many.survey_id)]
    survey_finish(many.survey_id)
    woken.clear()
    tasks.sweep()
    assert woken == []


def test_the_sweep_wakes_a_drain_when_company_is_complete(many: Any, woken: Any) -> None:
    arrive(many, range(99))
    tasks.sweep()
    assert woken == []
    arrive(many, range(99, 100))
    tasks.sweep()
    assert woken == [("drain_inbox", many.survey_id)]


def test_the_sweep_says_that_a_worker_lives(woken: Any) -> None:
    tasks.sweep()
    assert WorkerSeen.objects.count() == 1


def test_a_survey_whose_time_has_come_is_closed(many: Any, woken: Any) -> None:
    tasks.close_due()
    assert Survey.objects.get().state == "open"
    Survey.objects.update(closes_at=timezone.now() - timedelta(seconds=1))
    tasks.close_due()
    tasks.close_due()
    assert Survey.objects.get().state == "closed"
    assert AuditEntry.objects.filter(action="survey.close").count() == 1


def test_a_survey_whose_target_is_reached_is_closed(owner: Any, woken: Any) -> None:
    version = told_apart(owner, closes_at=None, target=10)
    arrive(version, range(9))
    assert list(surveys_due()) == []
    arrive(version, range(9, 10))
    tasks.close_due()
    assert Survey.objects.get().state == "closed"


def test_the_sweep_counts_no_spent_digests(owner: Any, woken: Any) -> None:
    version = told_apart(owner, closes_at=None, target=200)
    arrive(version, range(150))
    tasks.drain_inbox(version.survey_id)
    with CaptureQueriesContext(connection) as asked:
        assert surveys_due() == []
    assert asked
    assert not any("surveys_spent" in one["sql"] for one in asked)
    arrive(version, range(150, 200))
    assert surveys_due() == [version.survey]


def test_a_paused_survey_ends_in_time_too(many: Any, woken: Any) -> None:
    Survey.objects.update(state="paused", closes_at=timezone.now() - timedelta(seconds=1))
    tasks.close_due()
    assert Survey.objects.get().state == "closed"


def test_nothing_is_estimated_before_the_survey_is_closed(many: Any) -> None:
    arrive(many, range(200))
    tasks.drain_inbox(many.survey_id)
    estimates_refresh(many.survey_id)
    survey_finish(many.survey_id)
    assert Estimate.objects.count() == 0
    # The control: closed, it is.
    close(many)
    survey_finish(many.survey_id)
    assert Estimate.objects.count() == 2


def test_the_results_are_drawn_once_where_they_are_computed(many: Any) -> None:
    arrive(many, range(60))
    close(many)
    survey_finish(many.survey_id)
    for estimate in Estimate.objects.all():
        assert set(estimate.drawings) == {"edition", "en", "ko"}
        assert "95 % interval" in estimate.drawings["en"]
        # What the page reads back is what was drawn, in whatever order the database keeps its fields.
        assert document_drawings(estimate.body) == estimate.drawings


def test_estimates_wait_for_the_rewrite(many: Any) -> None:
    arrive(many, range(60))
    close(many)
    estimates_refresh(many.survey_id)
    assert Estimate.objects.count() == 0


def test_results_of_few_people_are_withheld_with_their_number(many: Any) -> None:
    arrive(many, range(49))
    close(many)
    survey_finish(many.survey_id)
    assert {(e.n, e.body.get("withheld")) for e in Estimate.objects.all()} == {(0, "too-few")}


def test_finishing_twice_changes_nothing(many: Any) -> None:
    arrive(many, range(120))
    close(many)
    survey_finish(many.survey_id)
    before = (list(Report.objects.order_by("key").values_list("key", flat=True)), tallies(many))
    survey_finish(many.survey_id)
    tasks.drain_inbox(many.survey_id)
    assert before == (list(Report.objects.order_by("key").values_list("key", flat=True)), tallies(many))
    assert Estimate.objects.count() == 2


@pytest.mark.parametrize("step", ["inbox_drain", "answers_rewrite", "results_documents", "tables_compact"])
def test_a_closing_that_dies_anywhere_is_finished_by_the_next(
    many: Any, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrive(many, range(120))
    close(many)

    def die(*_: Any, **__: Any) -> None:
        raise SystemExit("killed")

    with monkeypatch.context() as patched:
        patched.setattr(closing, step, die)
        with pytest.raises(SystemExit):
            survey_finish(many.survey_id)
    pause_over()
    assert list(surveys_unfinished()) == [many.survey]
    finish(many)
    assert list(surveys_unfinished()) == []
    assert Survey.objects.get().compact_at is None
    assert archived() == Counter(payload(number) for number in range(120))
    assert tallies(many) == recounted(many)
    assert Estimate.objects.get(version=None).n == 120


def test_six_workers_at_once_finish_one_closing(many: Any) -> None:
    arrive(many, range(600))
    close(many)
    failures: list[BaseException] = []

    def work() -> None:
        try:
            survey_finish(many.survey_id)
        except BaseException as error:
            failures.append(error)
        finally:
            connections.close_all()

    workers = [threading.Thread(target=work) for _ in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert failures == []
    assert not waiting()
    assert archived() == Counter(payload(number) for number in range(600))
    assert tallies(many) == recounted(many)
    assert (Survey.objects.get().rewritten, Estimate.objects.count()) == (True, 2)

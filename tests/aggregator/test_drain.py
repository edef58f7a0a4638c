"""A drain moves a random company of reports, counts each once, and leaves the pool behind."""

import threading
from collections import Counter
from typing import Any

import pytest
from django.db import connections

from aggregator import drain
from aggregator.drain import drawn, inbox_drain
from privacy.estimation.counting import ReportsCorrupt
from surveys.models import InboxReport, Report, Tally
from tests.aggregator.inbox import archived, arrive, close, payload, recounted, tallies, told_apart, waiting

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def many(owner: Any) -> Any:
    return told_apart(owner)


def test_the_pool_stays_behind() -> None:
    for waits in range(400):
        goes = drawn(waits, pool=50, closing=False, batch=1000)
        assert goes == (waits - 50 if waits >= 100 else 0)
        assert drawn(waits, pool=50, closing=True, batch=1000) == waits


def test_a_small_batch_never_digs_into_the_pool() -> None:
    for waits in range(100, 400):
        assert waits - drawn(waits, pool=50, closing=False, batch=60) >= 50


def test_too_few_reports_wait_for_company(many: Any) -> None:
    arrive(many, range(99))
    assert inbox_drain(many.survey_id) == 0
    assert (len(waiting()), len(archived())) == (99, 0)


def test_enough_reports_go_and_the_pool_stays(many: Any) -> None:
    arrive(many, range(100))
    assert inbox_drain(many.survey_id) == 50
    assert (len(waiting()), len(archived())) == (50, 50)
    assert waiting() + archived() == Counter(payload(number) for number in range(100))


def test_a_closed_survey_keeps_nothing_back(many: Any) -> None:
    arrive(many, range(7))
    close(many)
    assert inbox_drain(many.survey_id) == 7
    assert archived() == Counter(payload(number) for number in range(7))


def test_many_small_batches_do_what_one_does(many: Any) -> None:
    arrive(many, range(500))
    inbox_drain(many.survey_id, batch=60)
    assert 50 <= len(waiting()) < 100
    close(many)
    inbox_drain(many.survey_id, batch=13)
    assert archived() == Counter(payload(number) for number in range(500))
    assert tallies(many) == recounted(many)


def test_tallies_say_what_the_archive_says(many: Any) -> None:
    for first in (0, 300, 600):
        arrive(many, range(first, first + 300))
        inbox_drain(many.survey_id)
        assert tallies(many) == recounted(many)
    assert {n for n, _ in tallies(many).values()} == {850}


def test_who_goes_is_drawn_anew(many: Any) -> None:
    """Of 200 that wait 150 go; the first 100 to come are 75 of them, give or take: hypergeometric, 1e-6."""
    arrive(many, range(200))
    inbox_drain(many.survey_id)
    early = sum(number in archived() for number in map(payload, range(100)))
    assert 75 - 15 <= early <= 75 + 15


def test_keys_are_drawn_anew_and_tell_nothing_of_the_inbox(many: Any) -> None:
    arrive(many, range(200))
    before = set(InboxReport.objects.values_list("key", flat=True))
    inbox_drain(many.survey_id)
    assert not before & set(Report.objects.values_list("key", flat=True))


def test_another_surveys_inbox_is_left_alone(many: Any, owner: Any) -> None:
    other = told_apart(owner, slug="other")
    arrive(other, range(1000, 1200))
    assert inbox_drain(many.survey_id) == 0
    assert len(waiting()) == 200


def test_eight_workers_at_once_count_each_report_once(many: Any) -> None:
    arrive(many, range(2000))
    close(many)
    failures: list[BaseException] = []

    def work() -> None:
        try:
            inbox_drain(many.survey_id, batch=70)
        except BaseException as error:
            failures.append(error)
        finally:
            connections.close_all()

    workers = [threading.Thread(target=work) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    # A worker may find nothing left; the sweep sends another.
    inbox_drain(many.survey_id)
    assert failures == []
    assert archived() == Counter(payload(number) for number in range(2000))
    assert tallies(many) == recounted(many)


@pytest.mark.parametrize("step", ["inbox_move", "tallies_add", "_tally"])
def test_a_worker_that_dies_midway_leaves_everything_as_it_was(
    many: Any, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrive(many, range(200))

    def die(*_: Any) -> None:
        raise SystemExit("killed")

    with monkeypatch.context() as patched:
        patched.setattr(drain, step, die)
        with pytest.raises(SystemExit):
            inbox_drain(many.survey_id)
    assert (len(waiting()), Report.objects.count(), Tally.objects.count()) == (200, 0, 0)
    inbox_drain(many.survey_id)
    assert tallies(many) == recounted(many)


def test_bytes_that_rotted_are_not_counted(many: Any) -> None:
    arrive(many, range(10))
    InboxReport.objects.filter(payload=payload(3)).update(payload=b"\xff" * 16)
    close(many)
    with pytest.raises(ReportsCorrupt):
        inbox_drain(many.survey_id)
    assert (len(waiting()), len(archived())) == (10, 0)

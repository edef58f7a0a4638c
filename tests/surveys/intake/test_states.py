"""A survey takes reports until it closes, and closing is a line that no report crosses."""

import asyncio
import json
import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, connections, transaction
from django.utils import timezone

from surveys.intake.application import Intake
from surveys.intake.postgresql import PostgresStore
from surveys.intake.sqlite import SqliteStore
from surveys.intake.store import Stored
from surveys.intake.submission import Submission
from surveys.intake.target import Targets
from surveys.models import InboxReport, Survey
from surveys.services.publishing import survey_close, survey_pause
from tests import cast
from tests.surveys.intake.asgi import Answer, post, run, send_all, stored

pytestmark = pytest.mark.django_db(transaction=True)


def bodies_of(version: Any, number: int) -> list[dict[str, Any]]:
    return [cast.report(json.loads(version.manifest), [0]) for _ in range(number)]


def test_a_paused_survey_takes_what_was_drawn_before(version: Any, owner: Any) -> None:
    survey_pause(actor=owner, survey=version.survey)
    assert send_all("habits", *bodies_of(version, 1))[0].status == 201
    assert stored() == (1, 1, 0)


def test_a_closed_survey_takes_no_new_report(version: Any, owner: Any) -> None:
    survey_close(actor=owner, survey=version.survey)
    answer = send_all("habits", *bodies_of(version, 1))[0]
    assert (answer.status, answer.type) == (409, "survey-closed")
    assert stored() == (0, 0, 0)


def test_after_the_closing_time_nothing_is_taken_though_no_worker_ran(version: Any) -> None:
    Survey.objects.update(closes_at=timezone.now() - timedelta(milliseconds=5))
    answer = send_all("habits", *bodies_of(version, 1))[0]
    assert (answer.status, answer.type) == (409, "survey-closed")
    assert stored() == (0, 0, 0)


def test_before_the_closing_time_reports_are_taken(version: Any) -> None:
    Survey.objects.update(closes_at=timezone.now() + timedelta(minutes=1))
    assert send_all("habits", *bodies_of(version, 1))[0].status == 201


def test_a_target_is_reached_and_not_passed(owner: Any) -> None:
    version = cast.published(owner, closes_at=None, target=5)

    async def story(app: Intake) -> list[Answer]:
        return await asyncio.gather(*(post(app, "habits", body) for body in bodies_of(version, 12)))

    answers = run(story)
    assert sorted(answer.status for answer in answers) == [201] * 5 + [409] * 7
    assert {answer.type for answer in answers if answer.status == 409} == {"survey-closed"}
    assert stored() == (5, 5, 0)


def test_a_server_that_starts_late_counts_what_is_there(owner: Any) -> None:
    version = cast.published(owner, closes_at=None, target=5)
    first = send_all("habits", *bodies_of(version, 4))
    later = send_all("habits", *bodies_of(version, 3))
    assert [a.status for a in (*first, *later)] == [201] * 5 + [409] * 2


def test_two_surveys_in_one_flush_each_have_their_own_fate(version: Any, owner: Any) -> None:
    other = cast.published(owner, slug="other")
    survey_close(actor=owner, survey=other.survey)

    async def story(app: Intake) -> list[Answer]:
        pairs = zip(bodies_of(version, 5), bodies_of(other, 5), strict=True)
        asked = [
            post(app, slug, b) for pair in pairs for slug, b in zip(("habits", "other"), pair, strict=True)
        ]
        return await asyncio.gather(*asked)

    assert [answer.status for answer in run(story)] == [201, 409] * 5


def test_no_report_slips_in_after_a_closing_that_is_under_way(version: Any, owner: Any) -> None:
    """A closing that holds the survey's row is waited for, and then seen."""
    locked, go = threading.Event(), threading.Event()

    def close() -> None:
        with transaction.atomic():
            survey_close(actor=owner, survey=version.survey)
            locked.set()
            go.wait(10)
        connections.close_all()

    async def story(app: Intake) -> tuple[Answer, int]:
        await post(app, "habits", bodies_of(version, 1)[0])
        closing = asyncio.create_task(asyncio.to_thread(close))
        await asyncio.to_thread(locked.wait, 10)
        sent = asyncio.create_task(post(app, "habits", bodies_of(version, 1)[0]))
        # The report is on its way to a database that cannot decide yet.
        done, _ = await asyncio.wait([sent], timeout=0.3)
        go.set()
        await closing
        return await sent, len(done)

    answer, early = run(story)
    assert (answer.type, early) == ("survey-closed", 0)
    assert stored() == (1, 1, 0)


def test_the_naive_write_would_let_it_slip_in(version: Any, owner: Any) -> None:
    """The control: a state that is read, and not locked, is no guard on a server with many writers."""
    if connection.vendor == "sqlite":
        pytest.skip("SQLite has one writer at a time: there is no second transaction to overlook")
    seen = Survey.objects.get(slug="habits").state

    def close() -> None:
        survey_close(actor=owner, survey=version.survey)
        connections.close_all()

    closer = threading.Thread(target=close)
    closer.start()
    closer.join()
    if seen == Survey.State.OPEN:
        InboxReport.objects.create(version=version, payload=b"\0")
    assert InboxReport.objects.filter(version__survey__state="closed").exists()


def test_any_number_of_repeats_is_answered_just_below_a_target(version: Any) -> None:
    """With room for one, each repeat goes alone: a store that called itself for the rest would break here."""
    store = PostgresStore() if connection.vendor == "postgresql" else SqliteStore()
    sent = [
        Submission("habits", version.survey_id, version.pk, at.to_bytes(32, "big"), b"s" * 32, b"\0")
        for at in range(1_200)
    ]

    async def story() -> list[Any]:
        try:
            return [await store.write(sent), await lower_target(), await store.write(sent)]
        finally:
            await store.close()

    async def lower_target() -> None:
        await asyncio.to_thread(lambda: (Survey.objects.update(target=1_201), connections.close_all()))
        store._targets = Targets()

    first, _, again = asyncio.run(story())
    assert (set(first), set(again)) == ({Stored.NOW}, {Stored.BEFORE})
    assert stored() == (1_200, 1_200, 0)

"""After closing, PostgreSQL's tables lie in new files that hold nothing of what was deleted."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from aggregator import archive
from aggregator.closing import survey_finish, surveys_unfinished
from surveys.models import Survey
from tests.aggregator.inbox import arrive, close, finish, pause_over, told_apart

pytestmark = pytest.mark.django_db(transaction=True)
TABLES = ("surveys_report", "surveys_spent", "surveys_inboxreport")
only_postgresql = pytest.mark.usefixtures("postgresql")


@pytest.fixture
def postgresql(db: None) -> None:
    """Skip where there is nothing to compact."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite overwrites what is deleted, and its file is used again")


@pytest.fixture
def many(transactional_db: None, owner: Any) -> Any:
    """Return the version of a survey that was closed with 3,000 answers."""
    version = told_apart(owner)
    arrive(version, range(3_000))
    close(version)
    return version


@contextmanager
def meanwhile(*statements: str) -> Iterator[None]:
    """Keep a second transaction open that began with these statements."""
    with closing(connection.copy()) as other, other.cursor() as cursor:
        cursor.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        for statement in statements:
            cursor.execute(statement)
        yield
        cursor.execute("ROLLBACK")


def size_of(table: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_total_relation_size(%s)", [table])
        return int(cursor.fetchone()[0])


def loose() -> bool:
    """Say whether the survey is still to be compacted."""
    return Survey.objects.get(slug="habits").compact_at is not None


@only_postgresql
def test_a_closed_survey_takes_no_more_room_than_tables_written_once(many: Any) -> None:
    finish(many)
    assert not loose()
    left = {table: size_of(table) for table in TABLES}
    with connection.cursor() as cursor:
        for table in TABLES:
            cursor.execute(f"VACUUM FULL {table}")
    assert left == {table: size_of(table) for table in TABLES}


@only_postgresql
def test_plain_vacuum_would_leave_the_room_of_the_old_order(
    many: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control."""

    def vacuum(cursor: Any, table: str) -> int:
        cursor.execute(f"VACUUM (ANALYZE) {table}")
        return 0

    monkeypatch.setattr(archive, "_written_anew", vacuum)
    survey_finish(many.survey_id)
    left = size_of("surveys_report")
    with connection.cursor() as cursor:
        cursor.execute("VACUUM FULL surveys_report")
    assert left > 1.5 * size_of("surveys_report")


@only_postgresql
@pytest.mark.parametrize(
    "statement", ["SELECT 1", "LOCK TABLE surveys_spent IN ACCESS SHARE MODE"], ids=["an old view", "a lock"]
)
def test_what_somebody_still_holds_is_compacted_later(many: Any, statement: str) -> None:
    with meanwhile(statement):
        survey_finish(many.survey_id)
        assert loose()
        # Results do not wait for it, and no worker comes back at once.
        assert many.survey.estimates.exists()
        assert list(surveys_unfinished()) == []
    pause_over()
    assert list(surveys_unfinished()) == [many.survey]
    finish(many)
    assert not loose()
    assert list(surveys_unfinished()) == []


@only_postgresql
def test_a_large_table_waits_until_nobody_answers(
    many: Any, owner: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "WHOLE_MILLISECONDS", 1)
    other = told_apart(owner, slug="other")
    survey_finish(many.survey_id)
    assert loose()
    close(other)
    pause_over()
    finish(many)
    assert not loose()


@only_postgresql
def test_the_time_limits_end_with_the_compacting(many: Any) -> None:
    survey_finish(many.survey_id)
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('lock_timeout'), current_setting('statement_timeout')")
        assert cursor.fetchone() == ("0", "0")


def test_one_pass_serves_every_survey_that_was_rewritten(many: Any, owner: Any) -> None:
    Survey.objects.filter(pk=told_apart(owner, slug="other").survey_id).update(
        state="closed", rewritten=True, compact_at=timezone.now()
    )
    finish(many)
    assert not Survey.objects.filter(compact_at__isnull=False).exists()


def test_a_second_worker_leaves_the_first_alone(many: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    survey_finish(many.survey_id)
    Survey.objects.update(compact_at=timezone.now() + timedelta(minutes=1))
    monkeypatch.setattr("aggregator.closing.tables_compact", lambda **_: pytest.fail("compacted twice"))
    survey_finish(many.survey_id)

"""The store in SQLite: one thread, one connection, one transaction and one fsync a batch."""

import asyncio
import sqlite3
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from django.db import connection as configured

from surveys.intake.store import Outcome, Stored, StoreLost, StoreRefused, outcomes_of
from surveys.intake.submission import Submission
from surveys.intake.target import Targets
from surveys.rowkeys import random_keys

# closes_at is text in UTC; the clock is the database's.
STATES = """
SELECT id, state, state IN ('open', 'paused')
    AND (closes_at IS NULL OR closes_at > strftime('%Y-%m-%d %H:%M:%f', 'now'))
FROM surveys_survey WHERE id IN ({})
"""
TARGET = "SELECT target FROM surveys_survey WHERE id = ?"
TAKEN = "SELECT count(*) FROM surveys_spent WHERE survey_id = ?"
SEAL = "SELECT seal FROM surveys_spent WHERE digest = ?"
# The hidden rowid would number the digests in order of arrival: it is drawn.
SPEND = "INSERT INTO surveys_spent (rowid, digest, survey_id, seal) VALUES (?, ?, ?, ?)"
KEEP = "INSERT INTO surveys_inboxreport (key, version_id, payload) VALUES (?, ?, ?)"


class SqliteStore:
    """The same promises as the store in PostgreSQL, kept by BEGIN IMMEDIATE."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "intake-writer")
        self._connection: sqlite3.Connection | None = None
        self._targets = Targets()

    async def write(self, batch: Sequence[Submission]) -> list[Outcome]:
        """Store a batch in one transaction (several where a target is about to be reached)."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._try, batch)

    async def close(self) -> None:
        """Let the connection and the thread go."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close)
        self._thread.shutdown(wait=False)

    def _try(self, batch: Sequence[Submission]) -> list[Outcome]:
        try:
            return self._write(batch)
        except sqlite3.OperationalError as error:
            # Locked for longer than the timeout, or the disk is full: nothing was stored.
            self._close()
            raise StoreLost from error
        except sqlite3.Error as error:
            self._close()
            raise StoreRefused(type(error).__name__) from error

    def _close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _write(self, batch: Sequence[Submission]) -> list[Outcome]:
        outcomes: list[Outcome] = []
        while len(outcomes) < len(batch):
            outcomes += self._write_head(batch[len(outcomes) :])
        return outcomes

    def _write_head(self, batch: Sequence[Submission]) -> list[Outcome]:
        connection = self._connection = self._connection or connect()
        connection.execute("BEGIN IMMEDIATE")
        self._look_up(connection, {one.survey for one in batch})
        outcomes = self._flush(connection, batch[: self._targets.within(batch)])
        connection.execute("COMMIT")
        self._targets.add(one for one, outcome in zip(batch, outcomes, strict=False) if outcome is Stored.NOW)
        return outcomes

    def _flush(self, connection: sqlite3.Connection, batch: Sequence[Submission]) -> list[Outcome]:
        surveys = sorted({one.survey for one in batch})
        states = connection.execute(STATES.format(",".join("?" * len(surveys))), surveys).fetchall()
        taking = {survey for survey, _, takes in states if takes} - self._targets.full(surveys)
        seals = {
            one.spent: row[0] for one in batch for row in connection.execute(SEAL, (one.spent,)).fetchall()
        }
        fresh = [one for one in batch if one.survey in taking and one.spent not in seals]
        _insert(connection, fresh)
        return outcomes_of(batch, {one.spent for one in fresh}, seals, {row[0]: row[1] for row in states})

    def _look_up(self, connection: sqlite3.Connection, surveys: set[int]) -> None:
        for survey in self._targets.stale(surveys):
            (target,) = connection.execute(TARGET, (survey,)).fetchone() or (None,)
            counts = target is not None and not self._targets.counted(survey)
            taken = connection.execute(TAKEN, (survey,)).fetchone()[0] if counts else None
            self._targets.learn(survey, target, taken)


def connect() -> sqlite3.Connection:
    """Open a connection to the database of the settings, with its pragmas; transactions are begun by hand."""
    # Django only opens it here, off the event loop, and never uses it.
    connection: sqlite3.Connection = configured.get_new_connection(configured.get_connection_params())
    connection.isolation_level = None
    return connection


def _insert(connection: sqlite3.Connection, fresh: Sequence[Submission]) -> None:
    rowids = random_keys(len(fresh))
    spends = zip(rowids, fresh, strict=True)
    connection.executemany(SPEND, [(rowid, one.spent, one.survey, one.seal) for rowid, one in spends])
    keys = random_keys(len(fresh))
    connection.executemany(
        KEEP, [(key, one.version, one.packed) for key, one in zip(keys, fresh, strict=True)]
    )

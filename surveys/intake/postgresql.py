"""The store in PostgreSQL: one statement, one round trip, one transaction a batch."""

import struct
from collections.abc import Iterable, Sequence
from typing import Any

import psycopg
from django.db import connection as configured
from psycopg.adapt import Dumper
from psycopg.pq import Format

from surveys.intake.store import Outcome, Stored, StoreLost, StoreRefused, outcomes_of
from surveys.intake.submission import Submission
from surveys.intake.target import Targets
from surveys.rowkeys import random_keys

# A paused survey begins with nobody, but what was drawn before is taken until it closes.
# Locking the survey's row makes a closing wait for this transaction, and this statement see a closing that won.
# Rows go in in the order of their random keys, so that where they lie tells no order of arrival.
WRITE = """
WITH asked AS MATERIALIZED (
    SELECT * FROM unnest(%b::bytea[], %b::bigint[], %b::bytea[], %b::bigint[], %b::bytea[], %b::bigint[])
        AS asked (digest, survey_id, seal, version_id, payload, key)
), taking AS MATERIALIZED (
    SELECT id FROM surveys_survey
    WHERE id = ANY (%b::bigint[]) AND state IN ('open', 'paused')
        AND (closes_at IS NULL OR closes_at > clock_timestamp())
    ORDER BY id FOR SHARE
), fresh AS (
    INSERT INTO surveys_spent (digest, survey_id, seal)
    SELECT digest, survey_id, seal FROM asked WHERE survey_id IN (SELECT id FROM taking) ORDER BY digest
    ON CONFLICT (digest) DO NOTHING
    RETURNING digest
), kept AS (
    INSERT INTO surveys_inboxreport (key, version_id, payload)
    SELECT key, version_id, payload FROM asked JOIN fresh USING (digest) ORDER BY key
)
SELECT digest FROM fresh
"""
SEALS = "SELECT digest, seal FROM surveys_spent WHERE digest = ANY (%b::bytea[])"
STATES = "SELECT id, state FROM surveys_survey WHERE id = ANY (%b::bigint[])"
TARGETS = """
SELECT id, target, CASE WHEN target IS NOT NULL AND NOT id = ANY (%b::bigint[])
    THEN (SELECT count(*) FROM surveys_spent WHERE survey_id = surveys_survey.id) END
FROM surveys_survey WHERE id = ANY (%b::bigint[])
"""
_BYTEA, _BYTEA_ARRAY, _BIGINT, _BIGINT_ARRAY = 17, 1001, 20, 1016
_LENGTH = struct.Struct(">i").pack
_NUMBER = struct.Struct(">iq").pack


class ByteaArray(bytes):
    """Texts of bytes in the form in which the server takes an array of them."""

    @classmethod
    def of(cls, values: Sequence[bytes]) -> "ByteaArray":
        """Return the array of these values."""
        return cls(_head(_BYTEA, len(values)) + b"".join([_LENGTH(len(one)) + one for one in values]))


class BigintArray(bytes):
    """Numbers in the form in which the server takes an array of them."""

    @classmethod
    def of(cls, values: Iterable[int]) -> "BigintArray":
        """Return the array of these values."""
        members = [_NUMBER(8, one) for one in values]
        return cls(_head(_BIGINT, len(members)) + b"".join(members))


class _AsIs(Dumper):
    format = Format.BINARY

    def dump(self, obj: bytes) -> bytes:
        """Return the bytes: they are in the server's form already."""
        return bytes(obj)


class _ByteaArrayDumper(_AsIs):
    oid = _BYTEA_ARRAY


class _BigintArrayDumper(_AsIs):
    oid = _BIGINT_ARRAY


class PostgresStore:
    """One connection of the intake's own, opened when needed and again after it was lost."""

    def __init__(self) -> None:
        self._connection: psycopg.AsyncConnection[Any] | None = None
        self._targets = Targets()

    async def write(self, batch: Sequence[Submission]) -> list[Outcome]:
        """Store a batch in one transaction (several where a target is about to be reached)."""
        try:
            return await self._write(batch)
        except (psycopg.OperationalError, psycopg.InterfaceError, OSError) as error:
            await self.close()
            raise StoreLost from error
        except psycopg.Error as error:
            raise StoreRefused(type(error).__name__) from error

    async def close(self) -> None:
        """Let the connection go."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()

    async def _write(self, batch: Sequence[Submission]) -> list[Outcome]:
        outcomes: list[Outcome] = []
        while len(outcomes) < len(batch):
            outcomes += await self._write_head(batch[len(outcomes) :])
        return outcomes

    async def _write_head(self, batch: Sequence[Submission]) -> list[Outcome]:
        surveys = {one.survey for one in batch}
        if stale := self._targets.stale(surveys):
            await self._look_up(stale)
        head = batch[: self._targets.within(batch)]
        return await self._flush(head, surveys - self._targets.full(surveys))

    async def _flush(self, batch: Sequence[Submission], taking: set[int]) -> list[Outcome]:
        rows = await self._rows(
            WRITE,
            ByteaArray.of([one.spent for one in batch]),
            BigintArray.of([one.survey for one in batch]),
            ByteaArray.of([one.seal for one in batch]),
            BigintArray.of([one.version for one in batch]),
            ByteaArray.of([one.packed for one in batch]),
            BigintArray.of(random_keys(len(batch))),
            BigintArray.of(taking),
        )
        if len(rows) == len(batch):
            self._targets.add(batch)
            return [Stored.NOW] * len(batch)
        return await self._sort_out(batch, {digest for (digest,) in rows})

    async def _sort_out(self, batch: Sequence[Submission], fresh: set[bytes]) -> list[Outcome]:
        self._targets.add(one for one in batch if one.spent in fresh)
        rest = [one for one in batch if one.spent not in fresh]
        seals = dict(await self._rows(SEALS, ByteaArray.of([one.spent for one in rest])))
        states = dict(await self._rows(STATES, BigintArray.of({one.survey for one in rest})))
        return outcomes_of(batch, fresh, seals, states)

    async def _look_up(self, surveys: list[int]) -> None:
        counted = BigintArray.of([one for one in surveys if self._targets.counted(one)])
        found = {row[0]: row[1:] for row in await self._rows(TARGETS, counted, BigintArray.of(surveys))}
        for survey in surveys:
            self._targets.learn(survey, *found.get(survey, (None, None)))

    async def _rows(self, statement: str, *values: bytes) -> list[tuple[Any, ...]]:
        if self._connection is None:
            self._connection = await connect()
        cursor = await self._connection.execute(statement, values, prepare=True, binary=True)
        return await cursor.fetchall()


async def connect() -> psycopg.AsyncConnection[Any]:
    """Open a connection to the database of the settings, each statement a transaction of its own."""
    parameters = configured.get_connection_params()
    for made_for_django in ("cursor_factory", "context", "prepare_threshold"):
        parameters.pop(made_for_django, None)
    connection = await psycopg.AsyncConnection.connect(
        **{"connect_timeout": 3, "application_name": "deniable-intake", **parameters}, autocommit=True
    )
    connection.adapters.register_dumper(ByteaArray, _ByteaArrayDumper)
    connection.adapters.register_dumper(BigintArray, _BigintArrayDumper)
    return connection


def _head(member: int, count: int) -> bytes:
    # dimensions, has nulls, type of a member, length, lower bound
    return struct.pack(">iiiii", 1, 0, member, count, 1)

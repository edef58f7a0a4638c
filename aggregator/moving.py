"""From the inbox to the archive: random company, fresh keys, the order of those keys."""

import json
import secrets
from collections import defaultdict
from collections.abc import Sequence

from django.db import connection

from surveys.rowkeys import random_keys

# A version-4 UUID is 122 strong random bits; the fixed ones are among the hexadecimal digits left out.
FRESH_KEY = (
    "('x' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 12) "
    "|| substr(replace(gen_random_uuid()::text, '-', ''), 29, 4))::bit(64)::bigint & 9223372036854775807"
)
# Everything is taken out before the first row goes in: sorting waits for the last. No row leaves the server.
_MOVE = f"""
WITH company AS MATERIALIZED (
    SELECT key FROM surveys_inboxreport WHERE version_id = ANY (%s) ORDER BY gen_random_uuid() LIMIT %s
), taken AS MATERIALIZED (
    DELETE FROM surveys_inboxreport USING company WHERE surveys_inboxreport.key = company.key
    RETURNING version_id, payload
), fresh AS MATERIALIZED (
    SELECT {FRESH_KEY} AS key, version_id, payload FROM taken
), kept AS (
    INSERT INTO surveys_report (key, version_id, packed)
    SELECT key, version_id, payload FROM fresh ORDER BY key
)
SELECT version_id, string_agg(payload, ''::bytea) FROM taken GROUP BY version_id
"""
_TAKE = (
    "DELETE FROM surveys_inboxreport WHERE key IN (SELECT value FROM json_each(%s)) "
    "RETURNING version_id, payload"
)


def inbox_move(versions: Sequence[int], number: int) -> dict[int, bytes]:
    """Move so many reports of these versions into the archive; return the bytes of each version's, joined.

    Every company of this size is as likely as any other: who came early is not likelier to go.
    """
    move = _move_on_the_server if connection.vendor == "postgresql" else _move_through_here
    return move(versions, number)


def _move_on_the_server(versions: Sequence[int], number: int) -> dict[int, bytes]:
    with connection.cursor() as cursor:
        cursor.execute(_MOVE, [list(versions), number])
        return {version: bytes(packed) for version, packed in cursor.fetchall()}


def _move_through_here(versions: Sequence[int], number: int) -> dict[int, bytes]:
    marks = ", ".join(["%s"] * len(versions))
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT key FROM surveys_inboxreport WHERE version_id IN ({marks})", list(versions))
        waiting = [key for (key,) in cursor.fetchall()]
        company = secrets.SystemRandom().sample(waiting, number)
        cursor.execute(_TAKE, [json.dumps(company)])
        rows = cursor.fetchall()
        # Independent keys sorted are a random order, whatever order the rows came in.
        keyed = sorted(zip(random_keys(len(rows)), rows, strict=True))
        cursor.executemany(
            "INSERT INTO surveys_report (key, version_id, packed) VALUES (%s, %s, %s)",
            [(key, *row) for key, row in keyed],
        )
    packed: dict[int, list[bytes]] = defaultdict(list)
    for version, report in rows:
        packed[version].append(report)
    return {version: b"".join(reports) for version, reports in packed.items()}

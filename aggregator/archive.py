"""The archive as a whole, in both databases' own words: written anew, compacted."""

import re
from typing import Any

from django.db import OperationalError, connection

from aggregator.moving import FRESH_KEY
from surveys.rowkeys import random_keys

# Everything is taken out before the first row goes in again: sorting waits for the last.
REWRITE = {
    "postgresql": (
        "WITH gone AS MATERIALIZED (DELETE FROM surveys_report WHERE version_id IN "
        "(SELECT id FROM surveys_version WHERE survey_id = %s) RETURNING version_id, packed), "
        f"fresh AS MATERIALIZED (SELECT {FRESH_KEY} AS key, version_id, packed FROM gone) "
        "INSERT INTO surveys_report (key, version_id, packed) "
        "SELECT key, version_id, packed FROM fresh ORDER BY key",
        "WITH gone AS MATERIALIZED (DELETE FROM surveys_spent WHERE survey_id = %s "
        "RETURNING digest, survey_id, seal) "
        "INSERT INTO surveys_spent (digest, survey_id, seal) "
        "SELECT digest, survey_id, seal FROM gone ORDER BY gen_random_uuid()",
    ),
    # The key is the rowid, and rows lie in its order; the digests' rowid is a hidden one.
    "sqlite": (
        "UPDATE surveys_report SET key = fresh_key() WHERE version_id IN "
        "(SELECT id FROM surveys_version WHERE survey_id = %s)",
        "UPDATE surveys_spent SET rowid = fresh_key() WHERE survey_id = %s",
    ),
}

# The tables, and whether the intake writes into them.
TABLES = {"surveys_report": False, "surveys_spent": True, "surveys_inboxreport": True}
# For so long may the intake of other surveys have to wait: for the lock to be granted, and in all.
LOCK_MILLISECONDS = 1_000
WHOLE_MILLISECONDS = 3_000


def answers_rewrite(survey_id: int) -> None:
    """Write a survey's reports and spent digests anew, each in one random order of its own."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            connection.connection.create_function("fresh_key", 0, lambda: random_keys(1)[0])
        for statement in REWRITE[connection.vendor]:
            cursor.execute(statement, [survey_id])


def tables_compact(*, patient: bool) -> bool:
    """Write the tables into new files without what was deleted; say whether nothing of it is left.

    `patient`: nobody sends reports, so no table is too large. SQLite has overwritten what was deleted already.
    """
    if connection.vendor != "postgresql":
        return True
    if connection.in_atomic_block:
        return False
    limits = {table: WHOLE_MILLISECONDS if busy and not patient else 0 for table, busy in TABLES.items()}
    done = [_compact(table, limit) for table, limit in limits.items()]
    return all(done)


def _compact(table: str, limit: int) -> bool:
    with connection.cursor() as cursor:
        try:
            cursor.execute(f"SET lock_timeout = {LOCK_MILLISECONDS}; SET statement_timeout = {limit}")
            left = _written_anew(cursor, table)
        except OperationalError:
            # Somebody holds the table, or it is too large for now; this much goes without holding anybody up.
            cursor.execute("SET statement_timeout = 0")
            cursor.execute(f"VACUUM (SKIP_LOCKED) {table}")
            return False
        finally:
            cursor.execute("RESET lock_timeout; RESET statement_timeout")
    # Of the inbox others delete at any time; what was older than the rewrite is told by the other tables too.
    return left == 0 or table == "surveys_inboxreport"


def _written_anew(cursor: Any, table: str) -> int:
    """Return how many deleted rows were kept: those that a transaction from before their deletion could see."""
    details: list[str] = []

    def hear(notice: Any) -> None:
        details.extend([notice.message_detail] if notice.message_detail else [])

    connection.connection.add_notice_handler(hear)
    try:
        cursor.execute(f"VACUUM (FULL, ANALYZE, VERBOSE) {table}")
    finally:
        connection.connection.remove_notice_handler(hear)
    # "0 dead row versions cannot be removed yet.", in the server's language; without it, nothing is known.
    found = re.search(r"\d+", details[0]) if details else None
    return int(found[0]) if found else 1

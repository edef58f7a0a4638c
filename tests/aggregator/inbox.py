"""Inboxes of any size, filled as the intake fills them, and what became of them."""

import json
from collections import Counter
from datetime import timedelta
from typing import Any

from django.db import connection
from django.utils import timezone

from aggregator.closing import survey_finish
from aggregator.drain import counted
from surveys.models import InboxReport, Report, Spent, Survey, Version
from surveys.rowkeys import random_keys
from surveys.wire.packing import Layout
from tests import cast
from tests.archive import packed_of

# Sixteen bits: enough for reports that can all be told apart.
MANY = [{**cast.YES_NO, "required": True, "epsilon": "0.4"} for _ in range(16)]


def told_apart(owner: Any, slug: str = "habits", **values: Any) -> Version:
    """Return an open survey's version whose reports can carry a number each."""
    return cast.published(owner, slug, MANY, **values)


def payload(number: int) -> bytes:
    """Return the report that carries a number."""
    return bytes(number >> bit & 1 for bit in range(16))


def number_of(packed: bytes) -> int:
    """Return the number that a report carries."""
    return sum(bit << at for at, bit in enumerate(bytes(packed)))


def arrive(version: Version, numbers: range) -> None:
    """Let reports with these numbers arrive, in this order."""
    rows = zip(random_keys(len(numbers)), numbers, strict=True)
    InboxReport.objects.bulk_create(
        [InboxReport(key=key, version=version, payload=payload(number)) for key, number in rows]
    )
    Spent.objects.bulk_create(
        [
            Spent(digest=number.to_bytes(32, "big"), survey_id=version.survey_id, seal=b"")
            for number in numbers
        ]
    )


def close(version: Version) -> None:
    """Close the survey without waking anybody."""
    Survey.objects.filter(pk=version.survey_id).update(state="closed")


def pause_over() -> None:
    """Let the time between two attempts at compacting pass."""
    Survey.objects.filter(compact_at__isnull=False).update(compact_at=timezone.now() - timedelta(seconds=1))


def finish(version: Version) -> None:
    """Finish the survey as the workers do: again after each pause, until its tables are compact.

    Whoever connects to any database of the server keeps deleted rows visible for a moment, autovacuum too.
    """
    for _attempt in range(20):
        survey_finish(version.survey_id)
        if not Survey.objects.filter(compact_at__isnull=False).exists():
            return
        pause_over()


def archived() -> Counter[bytes]:
    """Return how often each report is in the archive."""
    return Counter(bytes(packed) for packed in Report.objects.values_list("packed", flat=True))


def waiting() -> Counter[bytes]:
    """Return how often each report is in the inbox."""
    return Counter(bytes(payload) for payload in InboxReport.objects.values_list("payload", flat=True))


def tallies(version: Version) -> dict[str, tuple[int, list[int]]]:
    """Return n and the counts of each question."""
    return {tally.question: (tally.n, tally.counts) for tally in version.tallies.all()}


def recounted(version: Version) -> dict[str, tuple[int, list[int]]]:
    """Return the same, counted from the archive."""
    packed = packed_of(version.pk)
    layout = Layout.of(json.loads(version.manifest))
    n = len(packed) // layout.width
    return {question: (n, cells) for question, cells in counted(layout, packed).items()}


def lying_order(table: str, column: str) -> list[bytes]:
    """Return a table's values as they lie on disk."""
    place = "ctid" if connection.vendor == "postgresql" else "rowid"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {column} FROM {table} ORDER BY {place}")
        return [bytes(row[0]) for row in cursor.fetchall()]

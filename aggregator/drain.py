"""The drain: reports leave the inbox in random company and order, and are counted, in one transaction."""

import json
import secrets
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from django.conf import settings
from django.db import transaction

from aggregator.rows import inbox_take, random_keys, reports_insert
from privacy.estimation.counting import count_packed
from surveys.models import InboxReport, Survey, Tally, Version
from surveys.wire.packing import Layout

# Rows of one transaction: what a worker holds in memory.
BATCH = 20_000


def inbox_drain(survey_id: int, pool: int | None = None, batch: int = BATCH) -> int:
    """Drain a survey's inbox down to what the pool mix leaves there; return how many reports moved."""
    pool = settings.POOL_SIZE if pool is None else pool
    moved = total = _drain_once(survey_id, pool, batch)
    while moved == batch:
        moved = _drain_once(survey_id, pool, batch)
        total += moved
    return total


def drawn(waiting: int, *, pool: int, closing: bool, batch: int) -> int:
    """Return how many of those waiting may go now: none below twice the pool, and never the last `pool`.

    A closing survey keeps nothing back. A batch smaller than what may go leaves more behind, never less.
    """
    if closing:
        return min(waiting, batch)
    return min(waiting - pool, batch) if waiting >= 2 * pool else 0


def _drain_once(survey_id: int, pool: int, batch: int) -> int:
    with transaction.atomic():
        versions = versions_locked(survey_id)
        closing = Survey.objects.filter(pk=survey_id, state=Survey.State.CLOSED).exists()
        waiting = InboxReport.objects.filter(version__in=versions)
        keys = np.fromiter(waiting.values_list("key", flat=True).iterator(), dtype=np.int64)
        number = drawn(len(keys), pool=pool, closing=closing, batch=batch)
        if number == 0:
            return 0
        # Every subset of this size is as likely as any other: who came early is not likelier to go.
        places = secrets.SystemRandom().sample(range(len(keys)), number)
        rows = inbox_take([int(keys[place]) for place in places])
        archive(rows)
        tallies_add({version.pk: version for version in versions}, rows)
    return len(rows)


def versions_locked(survey_id: int) -> list[Version]:
    """Return a survey's versions, locked against other drains but not against the intake."""
    # NO KEY UPDATE lets rows be added that refer to a version; SQLite's transaction is exclusive anyway.
    versions = Version.objects.select_for_update(no_key=True).filter(survey=survey_id)
    return list(versions.order_by("pk"))


def archive(rows: Sequence[tuple[int, bytes]]) -> None:
    """Put reports (version, bytes) into the archive under fresh random keys, in the order of those keys."""
    # Independent keys sorted are a random order, whatever order the rows came in.
    keyed = zip(random_keys(len(rows)), rows, strict=True)
    reports_insert(sorted((key, version, packed) for key, (version, packed) in keyed))


def tallies_add(versions: Mapping[int, Version], rows: Iterable[tuple[int, bytes]]) -> None:
    """Count reports into the tallies of their versions."""
    of_version: dict[int, list[bytes]] = defaultdict(list)
    for version, packed in rows:
        of_version[version].append(packed)
    for version, reports in of_version.items():
        _tally(versions[version], reports)


def counted(layout: Layout, packed: bytes) -> dict[str, list[int]]:
    """Return the cells of each question over reports that lie one after the other."""
    matrix = np.frombuffer(packed, dtype=np.uint8).reshape(-1, layout.width)
    counts = count_packed([slot.mechanism for slot in layout.slots], matrix)
    return {slot.question: found.tolist() for slot, found in zip(layout.slots, counts, strict=True)}


def _tally(version: Version, reports: list[bytes]) -> None:
    layout = Layout.of(json.loads(version.manifest))
    before: dict[str, Any] = {tally.question: tally for tally in version.tallies.all()}
    tallies = []
    for question, cells in counted(layout, b"".join(reports)).items():
        tally = before.get(question) or Tally(version=version, question=question, counts=[0] * len(cells))
        tally.n += len(reports)
        tally.counts = [old + new for old, new in zip(tally.counts, cells, strict=True)]
        tallies.append(tally)
    Tally.objects.bulk_create(
        tallies,
        update_conflicts=True,
        update_fields=("n", "counts"),
        unique_fields=("version", "question"),
    )

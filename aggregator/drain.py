"""The drain: reports leave the inbox in random company and order, and are counted, in one transaction."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from django.conf import settings
from django.db import transaction

from aggregator.moving import inbox_move
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
        versions = {version.pk: version for version in versions_locked(survey_id)}
        closing = Survey.objects.filter(pk=survey_id, state=Survey.State.CLOSED).exists()
        waiting = InboxReport.objects.filter(version__in=versions).count()
        number = drawn(waiting, pool=pool, closing=closing, batch=batch)
        if number:
            tallies_add(versions, inbox_move(list(versions), number))
    return number


def versions_locked(survey_id: int) -> list[Version]:
    """Return a survey's versions, locked against other drains but not against the intake."""
    # NO KEY UPDATE lets rows be added that refer to a version; SQLite's transaction is exclusive anyway.
    versions = Version.objects.select_for_update(no_key=True).filter(survey=survey_id)
    return list(versions.order_by("pk"))


def tallies_add(versions: Mapping[int, Version], packed: Mapping[int, bytes]) -> None:
    """Count the joined reports of each version into its tallies."""
    for version, reports in packed.items():
        _tally(versions[version], reports)


def counted(layout: Layout, packed: bytes) -> dict[str, list[int]]:
    """Return the cells of each question over reports that lie one after the other."""
    matrix = np.frombuffer(packed, dtype=np.uint8).reshape(-1, layout.width)
    counts = count_packed([slot.mechanism for slot in layout.slots], matrix)
    return {slot.question: found.tolist() for slot, found in zip(layout.slots, counts, strict=True)}


def _tally(version: Version, packed: bytes) -> None:
    layout = Layout.of(json.loads(version.manifest))
    before: dict[str, Any] = {tally.question: tally for tally in version.tallies.all()}
    tallies = []
    for question, cells in counted(layout, packed).items():
        tally = before.get(question) or Tally(version=version, question=question, counts=[0] * len(cells))
        tally.n += len(packed) // layout.width
        tally.counts = [old + new for old, new in zip(tally.counts, cells, strict=True)]
        tallies.append(tally)
    Tally.objects.bulk_create(
        tallies,
        update_conflicts=True,
        update_fields=("n", "counts"),
        unique_fields=("version", "question"),
    )

"""What is measured within Django: counting, storage and the results page."""

import json
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import connection, connections
from django.test import Client

from aggregator import closing, drain
from aggregator.drain import counted, tallies_add
from surveys.models import InboxReport, Report, Survey, Tally, Version
from surveys.pages.drawing import document_drawings
from surveys.wire.packing import Layout
from tests import cast
from tests.archive import packed_of
from tests.bench.figures import Figure
from tests.bench.intake import TEN
from tests.bench.sizes import Size
from tests.bench.stopwatch import Stopwatch

COUNTING = "Counting (PostgreSQL, ten questions a report)"
STORAGE = "Storage (PostgreSQL, ten questions a report)"
RESULTS = "Results page"
CHUNK = 50_000


def milliseconds(work: Callable[[], Any], times: int) -> float:
    """Return the median time of a piece of work."""
    spent = []
    for _ in range(times):
        started = time.perf_counter()
        work()
        spent.append(time.perf_counter() - started)
    return statistics.median(spent) * 1e3


def counting(size: Size) -> list[Figure]:
    """Measure the drain, the tally and the recount, and compare them."""
    version = _survey()
    drained = min(size.reports, 100_000)
    whole, own = _drained(version, drained)
    answers = np.frombuffer(packed_of(version.pk), dtype=np.uint8)
    floor = milliseconds(lambda: np.bincount(answers), size.repeats)
    _archive(version, size.reports - drained)
    return [
        Figure(
            COUNTING, "drain: inbox to archive and tallies", drained / whole, "reports/s", note=f"{drained:,}"
        ),
        Figure(COUNTING, "drain and tally of these", whole * 1e3, "ms"),
        Figure(COUNTING, "the database's own part of it", own * 1e3, "ms"),
        Figure(COUNTING, "numpy.bincount over the same bytes", floor, "ms", note="the floor = 1"),
        Figure(COUNTING, "(drain − database) over the floor", (whole - own) * 1e3 / floor, "", "≤ 3"),
        *_counted(version, size),
    ]


def _counted(version: Version, size: Size) -> Iterator[Figure]:
    layout, packed = Layout.of(json.loads(version.manifest)), packed_of(version.pk)
    answers = np.frombuffer(packed, dtype=np.uint8)
    floor = milliseconds(lambda: np.bincount(answers), size.repeats)
    tally = milliseconds(lambda: counted(layout, packed), size.repeats)
    read = milliseconds(lambda: packed_of(version.pk), size.repeats)
    whole = milliseconds(lambda: counted(layout, packed_of(version.pk)), size.repeats)
    equal = {t.question: t.counts for t in version.tallies.all()} == counted(layout, packed)
    yield Figure(COUNTING, "answers counted", float(len(answers)), "", note=f"of {size.reports:,} reports")
    yield Figure(COUNTING, "numpy.bincount over the same bytes", floor, "ms", note="the floor = 1")
    yield Figure(COUNTING, "tally of all questions", tally, "ms")
    yield Figure(COUNTING, "tally over the floor", tally / floor, "", "≤ 3")
    yield Figure(COUNTING, "the database's own read", read, "ms")
    yield Figure(COUNTING, "(recount − read) over the floor", max(0.0, whole - read) / floor, "", "≤ 3")
    yield Figure(COUNTING, "recount from the archive", size.reports / whole / 1e3, "M reports/s", "≥ 2")
    yield Figure(COUNTING, "recount equals the tallies", float(equal), "", "≥ 1")
    yield from _estimated(version, size)


def _estimated(version: Version, size: Size) -> Iterator[Figure]:
    Survey.objects.filter(pk=version.survey_id).update(state="closed", rewritten=True)
    spent = []
    for n in (10_000, 10_000_000):
        Tally.objects.filter(version=version).update(n=n, counts=[int(n * 0.3), n - int(n * 0.3)])
        spent.append(milliseconds(lambda: closing.estimates_refresh(version.survey_id), size.repeats))
    yield Figure(COUNTING, "estimates of ten questions at n = 10⁷", spent[1], "ms")
    yield Figure(COUNTING, "the same over n = 10⁴ (flat in n)", spent[1] / spent[0], "", "≤ 2")


def storage(size: Size) -> list[Figure]:
    """Measure bytes on disk a report, as drains leave them and as the product leaves them after closing."""
    version = _survey()
    # Key pages fill as they do in life: batch after batch of random keys.
    number = min(size.reports, 200_000)
    for _ in range(0, number, 5_000):
        _archive(version, 5_000)
    drained = _bytes("surveys_report") / number
    _spend(version, number)
    spent = _bytes("surveys_spent") / number
    Survey.objects.filter(pk=version.survey_id).update(state="closed")
    closing.survey_finish(version.survey_id)
    assert Survey.objects.get(pk=version.survey_id, rewritten=True).compact_at is None
    left = {table: _bytes(table) / number for table in ("surveys_report", "surveys_spent")}
    return [
        Figure(STORAGE, "archived report with its indexes, while open", drained, "bytes", "≤ 130"),
        Figure(STORAGE, "the same after closing", left["surveys_report"], "bytes", "≤ 130"),
        Figure(STORAGE, "spent digest and seal with their indexes, while open", spent, "bytes"),
        Figure(STORAGE, "the same after closing", left["surveys_spent"], "bytes"),
    ]


def results(size: Size) -> list[Figure]:
    """Measure the server's time for the results page at 10⁴ and at 10⁷ answers, first view and later ones.

    Cold is the first view of results that were just computed; code and templates are loaded. What is drawn
    when a survey closes, once for all views, is a figure of its own.
    """
    version, client = _survey(), Client(headers={"host": "localhost"})
    client.force_login(get_user_model().objects.get(username="owner"))
    address = f"/surveys/{version.survey.slug}/results"
    cold, warm = [], []
    for n in (1_000, 1_000_000):
        first = []
        for more in range(size.repeats + 1):
            _tallied(version, n + more)
            first.append(milliseconds(lambda: _seen(client, address), 1))
        # The very first view of this process loads what every later one finds.
        cold.append(statistics.median(first[1:]))
        warm.append(milliseconds(lambda: _seen(client, address), 30))
    body = version.estimates.get().body
    drawing = milliseconds(lambda: document_drawings(body), size.repeats)
    return [
        Figure(RESULTS, "drawn at closing, in two languages", drawing, "ms", note="once, not a view"),
        Figure(RESULTS, "first view after computing, 10⁴ answers", cold[0], "ms"),
        Figure(RESULTS, "first view after computing, 10⁷ answers", cold[1], "ms", "≤ 5"),
        Figure(RESULTS, "later views, 10⁴ answers", warm[0], "ms"),
        Figure(RESULTS, "later views, 10⁷ answers", warm[1], "ms", "≤ 5"),
        Figure(RESULTS, "first view, 10⁷ over 10⁴ (flat in n)", cold[1] / cold[0], "", "≤ 1.5"),
        Figure(RESULTS, "later views, 10⁷ over 10⁴ (flat in n)", warm[1] / warm[0], "", "≤ 1.5"),
    ]


def _seen(client: Client, address: str) -> None:
    page = client.get(address)
    assert page.status_code == 200, page.status_code


def _survey() -> Version:
    call_command("migrate", verbosity=0)
    return cast.published(cast.person("owner", "admin"), slug="ten", questions=TEN)


def _tallied(version: Version, n: int) -> None:
    Survey.objects.filter(pk=version.survey_id).update(state="closed", rewritten=True)
    for number in range(10):
        values = {"n": n, "counts": [n // 3, n - n // 3]}
        Tally.objects.update_or_create(version=version, question=f"q{number + 1}", defaults=values)
    closing.estimates_refresh(version.survey_id)


def _drained(version: Version, number: int) -> tuple[float, float]:
    """Drain a full inbox; return the seconds of all of it, and of waiting for the database."""
    for _ in range(0, number, CHUNK):
        _copy(version, min(CHUNK, number), InboxReport)
    Survey.objects.filter(pk=version.survey_id).update(state="closed")
    own = Stopwatch()
    started = time.perf_counter()
    # A commit checks the foreign keys, which are deferred, and waits for the disk.
    with (
        own.over(drain, "inbox_move", "versions_locked"),
        own.over(connections["default"], "commit"),
        connection.execute_wrapper(own),
    ):
        moved = drain.inbox_drain(version.survey_id)
    whole = time.perf_counter() - started
    assert moved == number
    return whole, own.seconds


def _archive(version: Version, number: int) -> None:
    versions = {version.pk: version}
    for first in range(0, number, CHUNK):
        packed = _copy(version, min(CHUNK, number - first), Report)
        tallies_add(versions, {version.pk: packed.tobytes()})


def _copy(version: Version, number: int, model: Any) -> np.ndarray:
    """Put random reports into a table in the order of random keys; return their bytes."""
    generator = np.random.default_rng()
    packed = generator.integers(0, 2, (number, 10), dtype=np.uint8)
    rows = np.zeros(number, dtype=[("n", ">i2"), ("kl", ">i4"), ("key", ">i8"), ("vl", ">i4"), ("version", ">i8"),
                                   ("pl", ">i4"), ("packed", "u1", 10)])  # fmt: skip
    rows["n"], rows["kl"], rows["vl"], rows["pl"] = 3, 8, 8, 10
    rows["key"] = np.sort(generator.integers(0, 2**63 - 1, number))
    rows["version"], rows["packed"] = version.pk, packed
    payload = "payload" if model is InboxReport else "packed"
    statement = f"COPY {model._meta.db_table} (key, version_id, {payload}) FROM STDIN (FORMAT BINARY)"
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        copy.write(b"PGCOPY\n\xff\r\n\0" + bytes(8) + rows.tobytes() + b"\xff\xff")
    return packed


def _spend(version: Version, number: int) -> None:
    for first in range(0, number, 5_000):
        _run(
            "INSERT INTO surveys_spent (digest, survey_id, seal) SELECT sha256(i::text::bytea), %s, "
            "sha256(('s' || i)::bytea) FROM generate_series(%s, %s) i ORDER BY 1",
            [version.survey_id, first, first + 4_999],
        )


def _bytes(table: str) -> int:
    return int(_run("SELECT pg_total_relation_size(%s)", [table]))


def _run(statement: str, values: Any = None) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchone()[0] if cursor.description else None

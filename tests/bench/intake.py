"""Figures of the intake: acknowledged, durable, idempotent reports through the real server."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

from tests.bench.figures import Figure, median
from tests.bench.inserting import pgbench, sqlite_loop
from tests.bench.machine import Load, cpu_seconds, install, wrk
from tests.bench.peers import PEERS
from tests.bench.sizes import Size
from tests.faults.running import environment, web_process
from tests.faults.seeding import seed
from tests.services import Service, postgres

GROUP = "Intake (PostgreSQL, 32 connections)"
SQLITE = "Intake (SQLite, 32 connections)"
TEN = [
    {
        "kind": "yes_no",
        "text_en": f"Question {at}?",
        "text_ko": f"질문 {at}?",
        "required": True,
        "epsilon": "0.7",
    }
    for at in range(10)
]


class Lost(Exception):
    """The database does not hold what was acknowledged."""


def figures(size: Size) -> Iterator[Figure]:
    """Measure the intake beside its floor and its peers."""
    install("wrk", "wrk")
    with tempfile.TemporaryDirectory(prefix="deniable-bench-") as name, postgres(durable=True) as database:
        folder = Path(name)
        seed(environment(database.url, folder), slug="ten", questions=TEN)
        floors, loads, costs = [], [], []
        with web_process(database.url, folder) as (base, server):
            wrk(_url(base), seconds=1)
            for _ in range(size.repeats):
                floors.append(pgbench(database, seconds=size.seconds))
                load, cost = _measured(database, base, server.pid, size.seconds)
                loads.append(load)
                costs.append(cost)
        yield from _figures(floors, loads, costs)
        for peer in PEERS:
            yield from peer(database, folder, median(floors), size)
    yield from _on_sqlite(size)


def _figures(floors: list[float], loads: list[Load], costs: list[tuple[float, float]]) -> Iterator[Figure]:
    yield Figure(GROUP, "pgbench, single-row INSERT+COMMIT", median(floors), "/s", note="the floor = 1")
    yield Figure(GROUP, "reports acknowledged", median([load.rate for load in loads]), "/s")
    ratios = [load.rate / floor for load, floor in zip(loads, floors, strict=True)]
    yield Figure(GROUP, "reports over pgbench", median(ratios), "", "≥ 0.5")
    yield Figure(GROUP, "median latency", median([load.p50 for load in loads]), "ms")
    yield Figure(GROUP, "99th percentile of latency", median([load.p99 for load in loads]), "ms", "≤ 10")
    yield Figure(GROUP, "CPU a report: server", median([server for server, _ in costs]), "µs")
    yield Figure(GROUP, "CPU a report: PostgreSQL", median([database for _, database in costs]), "µs")
    both = [server + database for server, database in costs]
    yield Figure(GROUP, "CPU a report: server and PostgreSQL", median(both), "µs", "≤ 130")


def _measured(database: Service, base: str, server: int, seconds: int) -> tuple[Load, tuple[float, float]]:
    assert database.process is not None
    roots = (server, database.process.pid)
    rows, before = _rows(database), [cpu_seconds(root) for root in roots]
    load = wrk(_url(base), seconds=seconds)
    after, more = [cpu_seconds(root) for root in roots], _rows(database) - rows
    # Those in flight when the clock stopped may be stored without an answer that was counted.
    if load.refused or not load.requests <= more <= load.requests + 32:
        raise Lost(f"{load.requests} acknowledged, {load.refused} refused, {more} stored")
    own, its = ((b - a) / more * 1e6 for a, b in zip(before, after, strict=True))
    return load, (own, its)


def _on_sqlite(size: Size) -> Iterator[Figure]:
    with _sqlite() as (folder, base):
        wrk(_url(base), seconds=1)
        floors, loads = [], []
        for _ in range(size.repeats):
            floors.append(sqlite_loop(folder, seconds=size.seconds))
            loads.append(wrk(_url(base), seconds=size.seconds))
    yield Figure(SQLITE, "plain loop of INSERT+COMMIT", median(floors), "/s", note="the floor = 1")
    yield Figure(SQLITE, "reports acknowledged", median([load.rate for load in loads]), "/s")
    ratios = [load.rate / floor for load, floor in zip(loads, floors, strict=True)]
    yield Figure(SQLITE, "reports over the loop", median(ratios))
    yield Figure(SQLITE, "99th percentile of latency", median([load.p99 for load in loads]), "ms")


@contextmanager
def _sqlite() -> Iterator[tuple[Path, str]]:
    with tempfile.TemporaryDirectory(prefix="deniable-bench-") as name:
        folder = Path(name)
        url = f"sqlite:///{folder / 'deniable.sqlite3'}"
        seed(environment(url, folder), slug="ten", questions=TEN)
        with web_process(url, folder) as (base, _):
            yield folder, base


def _url(base: str) -> str:
    return f"{base}/api/v1/surveys/ten/reports/"


def _rows(database: Service) -> int:
    with psycopg.connect(database.url) as connection:
        asked = "SELECT (SELECT count(*) FROM surveys_spent), (SELECT count(*) FROM surveys_inboxreport)"
        row: Any = connection.execute(asked).fetchone()
    if row[0] != row[1]:
        raise Lost(f"{row[0]} keys are spent by {row[1]} reports")
    return int(row[0])

"""The latency of three counts beside smartnoise-sql and Tumult Analytics, each in an environment of its own."""

import json
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb

from privacy.policy.answer import answer
from privacy.policy.compile import Compiler, Dialect
from privacy.policy.noise import SecureNoise
from privacy.policy.plan import plan_query
from tests.bench.environments import peer_environment
from tests.bench.figures import Figure, median
from tests.bench.machine import HERE, Unavailable
from tests.bench.policy_data import Population
from tests.bench.sizes import Size
from tests.policy.tpch.schema import CUSTOMERS

GROUP = "Policy layer: latency at ε = 1 on TPC-H, SF {}, one customer"
QUERIES = {
    "COUNT": "SELECT COUNT(*) FROM orders",
    "grouped COUNT": "SELECT o_orderpriority, COUNT(*) FROM orders GROUP BY o_orderpriority",
    "joined COUNT": "SELECT c_mktsegment, COUNT(*) FROM orders JOIN customer ON o_custkey = c_custkey"
    " GROUP BY c_mktsegment",
}
# Spark starts anew with every session; a second run of a query is warm.
PEERS = {
    "smartnoise-sql": (("smartnoise-sql", "setuptools<81"), "policy_smartnoise.py"),
    "Tumult Analytics, warm": (("tmlt.analytics",), "policy_tumult.py"),
}


def figures(size: Size, made: Population) -> Iterator[Figure]:
    """Measure the same three queries here and there."""
    group = GROUP.format(made.scale)
    ours = {"duckdb": _on_duckdb(made, size), "sqlite": _on_sqlite(made, size)}
    for name, spent in (("DuckDB", ours["duckdb"]), ("SQLite", ours["sqlite"])):
        for query, milliseconds in spent.items():
            yield Figure(group, f"Deniable on {name}: {query}", milliseconds, "ms")
    yield from _beside(group, "smartnoise-sql", ours["sqlite"], str(made.sqlite), size)
    if shutil.which("java") is None:
        yield Figure(group, "Tumult Analytics", None, note="skipped: no Java (Debian: default-jre-headless)")
        return
    yield from _beside(group, "Tumult Analytics, warm", ours["duckdb"], str(made.folder), size, "≥ 10")


def _beside(
    group: str, name: str, ours: dict[str, float], data: str, size: Size, goal: str = ""
) -> Iterator[Figure]:
    packages, program = PEERS[name]
    try:
        spent = _peer(packages, program, data, size.peers)
    except Unavailable as reason:
        yield Figure(group, name, None, note=f"skipped: {reason}")
        return
    for query, milliseconds in spent.items():
        yield Figure(group, f"{name}: {query}", milliseconds, "ms")
        yield Figure(group, f"{name} over Deniable: {query}", milliseconds / ours[query], "", goal)


def _peer(packages: Sequence[str], program: str, data: str, times: int) -> dict[str, float]:
    python = peer_environment(program.removesuffix(".py"), packages)
    folder = data if Path(data).is_dir() else Path(data).parent
    # Tumult's Spark keeps its tables where it is started: beside the data.
    command = [python, str(HERE / program), data, str(times)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    if done.returncode != 0:
        raise Unavailable(done.stderr.strip().rpartition("\n")[2][:200])
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def _on_duckdb(made: Population, size: Size) -> dict[str, float]:
    with closing(duckdb.connect(str(made.duckdb), read_only=True)) as raw:
        return {name: _milliseconds(raw, "duckdb", sql, size) for name, sql in QUERIES.items()}


def _on_sqlite(made: Population, size: Size) -> dict[str, float]:
    with closing(sqlite3.connect(made.sqlite)) as raw:
        return {name: _milliseconds(raw, "sqlite", sql, size) for name, sql in QUERIES.items()}


def _milliseconds(raw: Any, dialect: Dialect, sql: str, size: Size) -> float:
    spent = []
    for _ in range(size.repeats + 1):
        started = time.perf_counter()
        plan = plan_query(sql, CUSTOMERS)
        answer(
            plan.query,
            plan.sensitivities,
            plan.sources,
            epsilon=Fraction(1),
            execute=lambda text: raw.execute(text).fetchall(),
            compiler=Compiler(dialect),
            noise=SecureNoise(),
        )
        spent.append(time.perf_counter() - started)
    return median(spent[1:]) * 1e3

"""The floor: how many single rows the database takes in one transaction each."""

import re
import sqlite3
import subprocess
import tempfile
import time
from pathlib import Path

import psycopg

from tests.services import Service, postgres_programs

_TABLE = "CREATE TABLE IF NOT EXISTS floor (id bigserial PRIMARY KEY, packed bytea)"
_INSERT = r"INSERT INTO floor (packed) VALUES ('\x00010001000100010001');"


def pgbench(database: Service, *, seconds: int, connections: int = 32) -> float:
    """Return pgbench's transactions a second: one INSERT and COMMIT each, prepared."""
    with psycopg.connect(database.url, autocommit=True) as connection:
        connection.execute(_TABLE)
        connection.execute("TRUNCATE floor")
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
        script.write(_INSERT)
        script.flush()
        Path(script.name).chmod(0o644)
        command = [
            str(postgres_programs() / "pgbench"), "-n", "-h127.0.0.1", f"-p{database.port}", "-Udeniable",
            f"-c{connections}", "-j1", f"-T{seconds}", "-Mprepared", "-f", script.name, "deniable",
        ]  # fmt: skip
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = re.search(r"tps = ([\d.]+)", said)
    assert found is not None, said
    return float(found[1])


def sqlite_loop(folder: Path, *, seconds: float) -> float:
    """Return rows a second of a plain loop of INSERT and COMMIT with the product's durability."""
    connection = sqlite3.connect(folder / "floor.sqlite3", isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("CREATE TABLE IF NOT EXISTS floor (id integer PRIMARY KEY, packed blob)")
    rows, started = 0, time.perf_counter()
    while time.perf_counter() - started < seconds:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO floor (packed) VALUES (?)", (b"\0\1" * 5,))
        connection.execute("COMMIT")
        rows += 1
    spent = time.perf_counter() - started
    connection.close()
    return rows / spent

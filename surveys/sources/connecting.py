"""Read-only connections to sources, through which nothing can be written and nothing runs for ever."""

import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import quote, unquote, urlsplit

import psycopg
from django.conf import settings
from django.db import connection

from surveys.models import Source

Dialect = Literal["sqlite", "postgres", "duckdb"]
_STEPS = 10_000  # of SQLite's machine, between two looks at the clock
# Reading, and nothing else: query_only alone lets other files be attached.
_READING = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE)


class ConnectionMissing(Exception):
    """The settings name no such connection."""


@dataclass(frozen=True)
class Reach:
    """An open connection of Python's database interface, and the dialect that it speaks."""

    raw: Any
    dialect: Dialect


@contextmanager
def source_connection(source: Source) -> Iterator[Reach]:
    """Open a source for reading, with the time limit of the setting QUERY_SECONDS; raises whatever the driver does."""
    kind, address = _address(source)
    opened = {
        Source.Kind.SQLITE: _sqlite,
        Source.Kind.POSTGRESQL: _postgresql,
        Source.Kind.DUCKDB: _duckdb,
    }[kind]
    with opened(address, settings.QUERY_SECONDS) as reach:
        yield reach


def connections_named() -> Mapping[str, str]:
    """Return the addresses that the settings give, by name."""
    named: Mapping[str, str] = settings.SOURCE_CONNECTIONS
    return named


def _address(source: Source) -> tuple[Source.Kind, str]:
    name = source.connection or source.name
    if name in connections_named():
        address = connections_named()[name]
        return (
            _kind_of(address) if source.kind == Source.Kind.SERVICE else Source.Kind(source.kind)
        ), address
    if source.kind != Source.Kind.SERVICE:
        raise ConnectionMissing(name)
    return _own()


def _own() -> tuple[Source.Kind, str]:
    """Return the service's own database, for want of a narrower role."""
    known = connection.settings_dict
    if connection.vendor == "sqlite":
        return Source.Kind.SQLITE, f"sqlite:///{known['NAME']}"
    user, password = quote(str(known["USER"]), safe=""), quote(str(known["PASSWORD"]), safe="")
    secret = f":{password}" if password else ""
    place = f"{known['HOST'] or 'localhost'}:{known['PORT'] or 5432}"
    return Source.Kind.POSTGRESQL, f"postgresql://{user}{secret}@{place}/{known['NAME']}"


def _kind_of(address: str) -> Source.Kind:
    return Source.Kind.SQLITE if address.startswith("sqlite:") else Source.Kind.POSTGRESQL


def _path(address: str) -> str:
    # sqlite:////absolute/file, as everywhere; three slashes and no fourth are a relative one.
    return unquote(urlsplit(address).path)[1:]


@contextmanager
def _sqlite(address: str, seconds: float) -> Iterator[Reach]:
    path = quote(_path(address))
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None)) as raw:
        raw.execute("PRAGMA query_only = ON")
        with _deadline(seconds) as late:
            raw.set_progress_handler(lambda: late.is_set(), _STEPS)
            raw.execute("BEGIN")
            raw.set_authorizer(_reading_only)
            yield Reach(raw, "sqlite")


def _reading_only(action: int, *_about: object) -> int:
    return sqlite3.SQLITE_OK if action in _READING else sqlite3.SQLITE_DENY


@contextmanager
def _postgresql(address: str, seconds: float) -> Iterator[Reach]:
    limits = f"-c statement_timeout={int(seconds * 1000)} -c default_transaction_read_only=on"
    raw = psycopg.connect(address, options=limits, connect_timeout=10)
    with closing(raw):
        raw.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        yield Reach(raw, "postgres")


@contextmanager
def _duckdb(address: str, seconds: float) -> Iterator[Reach]:
    import duckdb  # only where such a source is registered

    narrow: dict[str, Any] = {"enable_external_access": "false", "lock_configuration": "true"}
    raw = duckdb.connect(_path(address), read_only=True, config=narrow)
    with closing(raw):
        timer = threading.Timer(seconds, raw.interrupt)
        timer.start()
        try:
            yield Reach(raw, "duckdb")
        finally:
            timer.cancel()


@contextmanager
def _deadline(seconds: float) -> Iterator[threading.Event]:
    late = threading.Event()
    timer = threading.Timer(seconds, late.set)
    timer.start()
    try:
        yield late
    finally:
        timer.cancel()

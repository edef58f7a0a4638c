"""Read-only connections to sources, through which nothing can be written and nothing runs for ever."""

import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote, unquote, urlsplit

import psycopg
from django.conf import settings
from django.db import connection

from surveys.models import Source

Dialect = Literal["sqlite", "postgres", "duckdb"]
_KINDS = {
    "sqlite": Source.Kind.SQLITE,
    "duckdb": Source.Kind.DUCKDB,
    "postgresql": Source.Kind.POSTGRESQL,
    "postgres": Source.Kind.POSTGRESQL,
}
_FILES = {".sqlite3": "sqlite", ".duckdb": "duckdb"}
_STEPS = 10_000  # of SQLite's machine, between two looks at the clock
# Reading, and nothing else: query_only alone lets other files be attached.
_READING = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE)


# What every database can answer of itself. SQLite reads its file for the first time.
_THERE: Mapping[Dialect, str] = {
    "sqlite": "SELECT COUNT(*) FROM sqlite_master",
    "postgres": "SELECT 1",
    "duckdb": "SELECT 1",
}
_AGAIN = 0.2  # seconds between two interruptions of what runs on after its time


# What makes PostgreSQL read statements, and write values, as the compiler takes for granted: a database or a role may
# have other settings, and with those of strings a text of the analyst's could end where none of ours does.
_SPEECH = {
    "standard_conforming_strings": "on",
    "client_encoding": "UTF8",
    "DateStyle": "ISO,YMD",
    "TimeZone": "UTC",
    "transform_null_equals": "off",
    "extra_float_digits": "1",
}
_SETTINGS = "SELECT name, setting FROM pg_settings WHERE name = ANY(%s)"


class ConnectionMissing(Exception):
    """The settings name no such connection."""


class Unreachable(Exception):
    """A database cannot be reached now, which says nothing about anybody in it."""


class SettingsLost(Exception):
    """A server, or what stands before it, does not keep the settings that a connection asks for."""


@dataclass(frozen=True)
class Reach:
    """An engine as the rest of the product knows it: the dialect that it speaks, and rows for a statement.

    Nothing else is asked of an engine, so another one is a dialect of sqlglot and a function of this module that opens
    it. Spark would be one: `rows` is spark.sql(statement).collect(), and the compiler spells its dialect already.
    """

    raw: Any
    dialect: Dialect
    own: bool = False  # the service's own database, through the role that the service itself has

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """Run one statement, in the snapshot of all others of this connection; raises whatever the driver does."""
        # Not through a cursor: DuckDB's are connections of their own, with other snapshots, that no deadline reaches.
        found: list[tuple[Any, ...]] = self.raw.execute(statement).fetchall()
        return found

    def described(self, statement: str) -> list[tuple[Any, ...]]:
        """Return name and type of each column that a statement gives, as the driver tells them."""
        found: list[tuple[Any, ...]] = self.raw.execute(statement).description
        return found


@contextmanager
def source_connection(source: Source) -> Iterator[Reach]:
    """Open a source for reading, with the time limit of the setting QUERY_SECONDS; raises whatever the driver does."""
    kind, address, own = _address(source)
    with _OPENED[kind](address, settings.QUERY_SECONDS) as reach:
        yield replace(reach, own=own)


def source_reach(source: Source) -> None:
    """Open a source and look at nothing that it declares; raises Unreachable where that cannot be done now."""
    try:
        if _address(source)[2]:
            return  # the service's own database: whoever asks is connected to it
        with source_connection(source) as reach:
            reach.rows(_THERE[reach.dialect])
    except Exception as error:  # whatever the driver says may hold the address
        raise Unreachable(source.name) from (error if isinstance(error, ConnectionMissing) else None)


def connections_named() -> Mapping[str, str]:
    """Return the addresses that there are, by name: files in the folder of sources, and what the settings give."""
    folder = Path(settings.SOURCE_FOLDER)
    found = sorted(folder.iterdir()) if folder.is_dir() else []
    files = {one.stem: f"{_FILES[one.suffix]}:///{quote(str(one))}" for one in found if one.suffix in _FILES}
    return {**files, **settings.SOURCE_CONNECTIONS}


def connection_kind(name: str) -> Source.Kind | None:
    """Return the kind of database that a connection leads to, or None where its address is of no kind known."""
    return _KINDS.get(connections_named()[name].split(":")[0])


def _address(source: Source) -> tuple[Source.Kind, str, bool]:
    name = source.connection or source.name
    address = connections_named().get(name)
    if address is None and source.kind == Source.Kind.SERVICE:
        return *_own(), True
    kind = None if address is None else connection_kind(name)
    if address is None or kind is None or source.kind not in (kind, Source.Kind.SERVICE):
        raise ConnectionMissing(name)
    return kind, address, False


def _own() -> tuple[Source.Kind, str]:
    """Return the service's own database, for want of a narrower role."""
    known = connection.settings_dict
    if connection.vendor == "sqlite":
        return Source.Kind.SQLITE, f"sqlite:///{quote(str(known['NAME']))}"
    user, password = quote(str(known["USER"]), safe=""), quote(str(known["PASSWORD"]), safe="")
    secret = f":{password}" if password else ""
    place = f"{known['HOST'] or 'localhost'}:{known['PORT'] or 5432}"
    return Source.Kind.POSTGRESQL, f"postgresql://{user}{secret}@{place}/{known['NAME']}"


def address_own() -> str:
    """Return the address of the service's own database."""
    return _own()[1]


def file_of(address: str) -> str:
    """Return the path of the file that an address leads to."""
    # sqlite:////absolute/file, as everywhere; three slashes and no fourth are a relative one.
    return unquote(urlsplit(address).path)[1:]


@contextmanager
def _sqlite(address: str, seconds: float) -> Iterator[Reach]:
    path = quote(file_of(address))
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None)) as raw:
        raw.execute("PRAGMA query_only = ON")
        late = threading.Event()
        with _deadline(seconds, late.set):
            raw.set_progress_handler(late.is_set, _STEPS)
            raw.execute("BEGIN")
            raw.set_authorizer(_reading_only)
            yield Reach(raw, "sqlite")


def _reading_only(action: int, *_about: object) -> int:
    return sqlite3.SQLITE_OK if action in _READING else sqlite3.SQLITE_DENY


@contextmanager
def _postgresql(address: str, seconds: float) -> Iterator[Reach]:
    # 0 would be no limit at all.
    limit = {"statement_timeout": str(max(1, int(seconds * 1000)))}
    wanted = {**_SPEECH, **limit, "default_transaction_read_only": "on"}
    options = " ".join(f"-c {name}={value}" for name, value in wanted.items())
    raw = psycopg.connect(address, options=options, client_encoding="UTF8", connect_timeout=10)
    with closing(raw):
        raw.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        raw.read_only = True
        _settings_check(raw, wanted)
        yield Reach(raw, "postgres")


def _settings_check(raw: psycopg.Connection[Any], wanted: Mapping[str, str]) -> None:
    """Refuse a connection whose settings are others: a pooler drops what it does not know."""
    kept = {name: value.replace(" ", "") for name, value in raw.execute(_SETTINGS, [list(wanted)]).fetchall()}
    lost = sorted(name for name, value in wanted.items() if kept.get(name) != value)
    if lost:
        raise SettingsLost(f"not as asked for: {', '.join(lost)}; connect to the server itself")


@contextmanager
def _duckdb(address: str, seconds: float) -> Iterator[Reach]:
    import duckdb  # only where such a source is registered

    narrow: dict[str, Any] = {
        "enable_external_access": "false",
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "lock_configuration": "true",
    }
    raw = duckdb.connect(file_of(address), read_only=True, config=narrow)
    with closing(raw), _deadline(seconds, raw.interrupt):
        raw.execute("BEGIN TRANSACTION READ ONLY")
        yield Reach(raw, "duckdb")


@contextmanager
def _deadline(seconds: float, end: Callable[[], object]) -> Iterator[None]:
    """End what runs once its time is over, and whatever is begun after that as well."""
    done = threading.Event()

    def watch() -> None:
        late = seconds
        while not done.wait(late):
            end()
            late = _AGAIN

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


_OPENED: Mapping[Source.Kind, Callable[[str, float], AbstractContextManager[Reach]]] = {
    Source.Kind.SQLITE: _sqlite,
    Source.Kind.POSTGRESQL: _postgresql,
    Source.Kind.DUCKDB: _duckdb,
}

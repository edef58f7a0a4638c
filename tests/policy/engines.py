"""Databases that tests ask: SQLite and DuckDB in memory, PostgreSQL on a server, all filled with the same rows."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

import duckdb
import psycopg

from privacy.policy.compile import Dialect
from privacy.policy.schema import Column, Relation, Schema

World = Mapping[str, Sequence[Mapping[str, Any]]]  # relation → rows by column; numbers in units


@dataclass(frozen=True)
class Database:
    """A database of some kind, and how a statement is run there."""

    dialect: Dialect
    execute: Callable[[str], list[tuple[Any, ...]]]


@contextmanager
def sqlite(schema: Schema, world: World) -> Iterator[Database]:
    """Fill a SQLite in memory: decimals as REAL, dates as text."""
    with closing(sqlite3.connect(":memory:")) as raw:
        _fill(
            schema,
            world,
            lambda sql, rows=(): raw.executemany(sql, rows) if rows else raw.execute(sql),
            "sqlite",
        )
        yield Database("sqlite", lambda sql: raw.execute(sql).fetchall())


@contextmanager
def in_duckdb(schema: Schema, world: World) -> Iterator[Database]:
    """Fill a DuckDB in memory."""
    with closing(duckdb.connect()) as raw:
        _fill(
            schema,
            world,
            lambda sql, rows=(): raw.executemany(sql, rows) if rows else raw.execute(sql),
            "duckdb",
        )
        yield Database("duckdb", lambda sql: raw.execute(sql).fetchall())


@contextmanager
def postgresql(raw: psycopg.Connection[Any], schema: Schema, world: World) -> Iterator[Database]:
    """Fill a PostgreSQL, and leave it as it was."""
    with raw.transaction(force_rollback=True), raw.cursor() as cursor:

        def run(sql: str, rows: Sequence[Any] = ()) -> None:
            cursor.executemany(sql, rows) if rows else cursor.execute(sql)

        _fill(schema, world, run, "postgres")
        yield Database("postgres", lambda sql: raw.execute(sql).fetchall())


def _fill(schema: Schema, world: World, run: Callable[..., Any], dialect: Dialect) -> None:
    for relation in schema.relations.values():
        columns = ", ".join(f"{quoted(one.name)} {_type(one, dialect)}" for one in relation.columns.values())
        run(f"CREATE TABLE {quoted(relation.name)} ({columns})")
        mark = "%s" if dialect == "postgres" else "?"
        marks = ", ".join(mark for _ in relation.columns)
        rows = [_stored(relation, row, dialect) for row in world[relation.name]]
        if rows:
            run(f"INSERT INTO {quoted(relation.name)} VALUES ({marks})", rows)


def quoted(name: str) -> str:
    """Return a name as SQL quotes it."""
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def _type(column: Column, dialect: Dialect) -> str:
    if column.kind == "decimal":
        return "REAL" if dialect == "sqlite" else f"DECIMAL(15, {column.scale})"
    if column.kind == "integer":
        return "BIGINT"
    return {"text": _text(dialect), "date": "TEXT" if dialect == "sqlite" else "DATE", "boolean": "BOOLEAN"}[
        column.kind
    ]


def _text(dialect: Dialect) -> str:
    # As a curator's columns may be: compared without regard to case, and in the order of a language.
    return {"sqlite": "TEXT COLLATE NOCASE", "postgres": 'TEXT COLLATE "und-x-icu"'}.get(dialect, "TEXT")


def _stored(relation: Relation, row: Mapping[str, Any], dialect: Dialect) -> list[Any]:
    return [_cell(row[name], column, dialect) for name, column in relation.columns.items()]


def _cell(value: Any, column: Column, dialect: Dialect) -> Any:
    if value is None:
        return None
    if column.kind == "decimal":
        exact = Decimal(value).scaleb(-column.scale)
        return float(exact) if dialect == "sqlite" else exact
    if isinstance(value, date):
        return value.isoformat() if dialect == "sqlite" else value
    return value

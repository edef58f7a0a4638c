"""Two SQLite databases that hold neighbouring worlds, and statements compiled once for both."""

import datetime
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import Any

from privacy.policy.algebra import Node, Root
from privacy.policy.compile import Compiler
from privacy.policy.expressions import Expression
from privacy.policy.keys import FromRelation
from privacy.policy.schema import Column, Relation, Schema
from tests.policy.soundness.worlds import Row

TYPES = {"integer": "INTEGER", "decimal": "REAL", "boolean": "INTEGER"}


class Database:
    """A world in SQLite; a table is written anew only where it is another."""

    def __init__(self, raw: sqlite3.Connection, schema: Schema) -> None:
        self.raw, self.schema = raw, schema
        self.held: dict[str, list[Row]] = {name: [] for name in schema.relations}
        for relation in schema.relations.values():
            columns = ", ".join(
                f'"{one.name}" {TYPES.get(one.kind, "TEXT COLLATE NOCASE")}'
                for one in relation.columns.values()
            )
            raw.execute(f'CREATE TABLE "{relation.name}" ({columns})')

    def hold(self, rows: Mapping[str, Mapping[int, Row]]) -> None:
        """Hold these rows."""
        for relation in self.schema.relations.values():
            table = list(rows[relation.name].values())
            if table != self.held[relation.name]:
                self._write(relation, table)
                self.held[relation.name] = table

    def _write(self, relation: Relation, table: Sequence[Row]) -> None:
        self.raw.execute(f'DELETE FROM "{relation.name}"')
        marks = ", ".join("?" for _ in relation.columns)
        cells = [[stored(row[name], one) for name, one in relation.columns.items()] for row in table]
        self.raw.executemany(f'INSERT INTO "{relation.name}" VALUES ({marks})', cells)

    def execute(self, sql: str) -> list[tuple[Any, ...]]:
        """Run a statement."""
        return self.raw.execute(sql).fetchall()


def stored(value: Any, column: Column) -> Any:
    """Return a value as SQLite keeps it: decimals as floats, days as texts."""
    if value is None:
        return None
    if column.kind == "decimal":
        return value / 10**column.scale
    return value.isoformat() if isinstance(value, datetime.date) else value


@contextmanager
def databases(schema: Schema) -> Iterator[tuple[Database, Database]]:
    """Open two empty databases."""
    with closing(_opened()) as one, closing(_opened()) as two:
        yield Database(one, schema), Database(two, schema)


def _opened() -> sqlite3.Connection:
    return sqlite3.connect(":memory:", isolation_level=None, cached_statements=64)


class Remembering(Compiler):
    """The product's compiler, which compiles each statement of one query once."""

    def __init__(self) -> None:
        super().__init__("sqlite")
        object.__setattr__(self, "known", {})

    known: dict[object, Any]

    def _once(self, key: object, made: Callable[[], Any]) -> Any:
        if key not in self.known:
            self.known[key] = made()
        return self.known[key]

    def figures(self, root: Root, measures: Sequence[Any]) -> Any:
        """Return the statement of some measures."""
        return self._once("figures", lambda: Compiler.figures(self, root, measures))

    def ranks(self, root: Root, argument: Expression) -> Any:
        """Return the statement of the values of an argument."""
        return self._once(("ranks", id(argument)), lambda: Compiler.ranks(self, root, argument))

    def keys(self, source: FromRelation, most: int) -> Any:
        """Return the statement of public keys."""
        return self._once(("keys", source), lambda: Compiler.keys(self, source, most))

    def rows(self, node: Node) -> Any:
        """Return the statement of public rows."""
        return self._once(("rows", node), lambda: Compiler.rows(self, node))

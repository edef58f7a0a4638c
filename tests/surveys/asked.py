"""Databases that are registered in tests: a file of SQLite or DuckDB, or a PostgreSQL under the role of the recipe."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import psycopg

ROOT = Path(__file__).resolve().parents[2]
ENGINES = ("sqlite", "duckdb", "postgresql")
# How each engine spells the types that a column of a kind has.
TYPES = {
    "sqlite": {"integer": "", "decimal": "", "text": "COLLATE NOCASE", "date": "", "boolean": ""},
    "duckdb": {"decimal": "DECIMAL(9, 1)", "text": "VARCHAR"},
    "postgresql": {"decimal": "NUMERIC", "text": 'TEXT COLLATE "und-x-icu"'},
}
_COMMON = {"integer": "BIGINT", "date": "DATE", "boolean": "BOOLEAN"}


@dataclass(frozen=True)
class Asked:
    """A database: the owner changes it, the service reads it through `address`."""

    kind: str
    address: str
    owner: str

    def run(self, text: str) -> None:
        """Run statements as the owner of the data."""
        if self.kind == "postgresql":
            with psycopg.connect(self.owner, autocommit=True) as raw:
                raw.execute(text)
        elif self.kind == "duckdb":
            with closing(duckdb.connect(self.owner)) as file:
                file.execute(text)
        else:
            with closing(sqlite3.connect(self.owner)) as lite:
                lite.executescript(text)

    def make(self, schema: dict[str, Any], rows: str = "") -> None:
        """Make the tables of a schema, without a single constraint, and let the service read them."""
        made = [f'CREATE TABLE "{name}" ({", ".join(self._columns(one))});' for name, one in schema.items()]
        if self.kind == "postgresql":
            made += [f'GRANT SELECT ON "{name}" TO asker;' for name in schema]
        self.run("\n".join([*made, rows]))

    def _columns(self, relation: dict[str, Any]) -> list[str]:
        types = {**_COMMON, **TYPES[self.kind]}
        return [f'"{name}" {types[column["type"]]}' for name, column in relation["columns"].items()]


def file(kind: str, path: Path) -> Asked:
    """Return an empty file."""
    asked = Asked(kind, f"{kind}:///{path}", str(path))
    asked.run("CREATE TABLE beside (a INTEGER)")
    return asked


def of_recipe(server: str, name: str) -> Asked:
    """Return a new database of a PostgreSQL, with the role that the recipe makes."""
    with psycopg.connect(server, autocommit=True) as raw:
        raw.execute(f"CREATE DATABASE {name}")
    base = server.rsplit("/", 1)[0]
    asked = Asked("postgresql", f"{base.replace('//deniable@', '//asker@')}/{name}", f"{base}/{name}")
    asked.run((ROOT / "deploy" / "postgres" / "asker.sql").read_text())
    asked.run("GRANT USAGE ON SCHEMA public TO asker")
    return asked

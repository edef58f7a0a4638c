"""Whether tables are what a schema takes them for: the columns are there, of the declared types, under a safe role."""

from collections.abc import Mapping
from typing import Any

import psycopg
from django.utils.translation import gettext_noop

from privacy.policy.schema import Column, Kind, Schema
from surveys.sources.connecting import Dialect, Reach
from surveys.sources.spelling import Spelling, quoted

TABLE = gettext_noop(
    "there is no such table that the connection may read; correct its name in the file (`tables` says how a relation's "
    "table is called), or let the connection read it"
)
MISSING = gettext_noop(
    "there is no such column that the connection may read; correct its name in the file, or let the connection read it"
)
TYPE = gettext_noop(
    "has a type of the database that does not hold exactly what is declared; declare its type, or show it through a "
    "view that casts it"
)
CAPITALS = gettext_noop("is compared byte by byte, without a collation of its own")
APART = gettext_noop("is a table of its own, not that of another relation")
READING = gettext_noop(
    "the role of the connection can read it and not write it; deploy/README.md makes such a role"
)


def first_undeclared(reach: Reach, schema: Schema, spelling: Spelling) -> str | None:
    """Return what is first found to be otherwise than declared, in words, or None.

    Only what the database says of its tables is looked at, no row of them: what is told may name table and column.
    """
    for named in sorted(schema.relations):
        if not _table_there(reach, spelling.table(named)):
            return f"{_place(named, spelling)}: {TABLE}"
    told = _tables_told(reach, schema, spelling) if reach.dialect == "postgres" else None
    if told is not None:
        return told
    for relation in schema.relations.values():
        table = spelling.table(relation.name)
        there = _columns_there(reach, table)
        for column in relation.columns.values():
            # SQLite would take a name that is no column for a text.
            known = _same(column.name, reach.dialect) in there
            fault = _fault(reach, column, table) if known else MISSING
            if fault is not None:
                return f"{_place(relation.name, spelling, column.name)}: {fault}"
    return None


def _place(relation: str, spelling: Spelling, column: str = "") -> str:
    """Return a relation, or a column of it, with the table that it is where that has another name."""
    table = spelling.tables.get(relation, relation)
    named = f"{relation}.{column}" if column else relation
    return named if table == relation else f"{named} ({table})"


def _table_there(reach: Reach, table: str) -> bool:
    try:
        # Read as a statement, and never run: no row decides whether that works.
        reach.rows(f"EXPLAIN SELECT 1 FROM {table}")
    except Exception as error:
        if _is_absence(error, reach.dialect):
            return False
        raise
    return True


def _is_absence(error: Exception, dialect: Dialect) -> bool:
    if dialect == "duckdb":
        import duckdb

        return isinstance(error, duckdb.CatalogException | duckdb.BinderException)
    if dialect == "postgres":
        known = psycopg.errors
        return isinstance(error, known.UndefinedTable | known.InvalidSchemaName | known.InsufficientPrivilege)
    return str(error).startswith(("no such table", "unknown database"))


def _columns_there(reach: Reach, table: str) -> set[str]:
    if reach.dialect == "postgres":
        # Of some columns of a table the role may know nothing.
        return {
            name
            for (name,) in reach.rows(
                "SELECT attname FROM pg_catalog.pg_attribute WHERE attnum > 0 AND NOT attisdropped "
                f"AND attrelid = {_class(table)} AND has_column_privilege(attrelid, attnum, 'SELECT')"
            )
        }
    described = reach.described(f"SELECT * FROM {table} LIMIT 0")
    return {_same(one[0], reach.dialect) for one in described}


def _same(name: str, dialect: Dialect) -> str:
    # PostgreSQL's quoted names differ by their capitals.
    return name if dialect == "postgres" else name.casefold()


def _class(table: str) -> str:
    doubled = table.replace("'", "''")
    return f"'{doubled}'::regclass"


def _fault(reach: Reach, column: Column, table: str) -> str | None:
    stored = reach.described(f"SELECT {quoted(column.name)} FROM {table} LIMIT 0")[0][1]
    if reach.dialect == "postgres":
        return None if _postgresql(reach, column, stored) else TYPE
    if reach.dialect != "duckdb":
        return None
    if not _duckdb(column, str(stored)):
        return TYPE
    return CAPITALS if column.kind == "text" and not _bytewise(reach, column, table) else None


_DUCKDB: Mapping[Kind, tuple[str, ...]] = {
    "integer": ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER"),
    "text": ("VARCHAR",),
    "date": ("DATE",),
    "boolean": ("BOOLEAN",),
}


def _duckdb(column: Column, name: str) -> bool:
    if column.kind != "decimal":
        return name in _DUCKDB[column.kind]
    # With more digits than declared, products would need more than the engine has.
    return name.startswith("DECIMAL(") and int(name.rstrip(")").split(",")[1]) <= column.scale


def _bytewise(reach: Reach, column: Column, table: str) -> bool:
    """Say whether a column's texts are told apart by every byte: DuckDB's collations are part of hidden types."""
    typed = f"(SELECT MIN({quoted(column.name)}) FROM {table} WHERE FALSE)"
    pairs = [("A", "a", "="), ("é", "e", "="), ("a", "Z", "<")]
    same = " OR ".join(f"COALESCE({typed}, '{one}') {sign} '{other}'" for one, other, sign in pairs)
    return not reach.rows(f"SELECT 1 WHERE {same}")


# PostgreSQL's numbers of its own types.
_POSTGRESQL: Mapping[Kind, tuple[int, ...]] = {
    "integer": (20, 21, 23),  # bigint, smallint, integer
    "decimal": (1700,),  # numeric
    "text": (25, 1042, 1043, 2950),  # text, character, character varying, uuid
    "date": (1082,),
    "boolean": (16,),
}


def _postgresql(reach: Reach, column: Column, stored: Any) -> bool:
    if stored in _POSTGRESQL[column.kind]:
        return True
    if column.kind != "text":
        return False
    # Enumerations, and texts that ignore capitals: queries read both as plain texts.
    kinds = reach.rows(
        f"SELECT typtype = 'e' OR typname = 'citext' FROM pg_catalog.pg_type WHERE oid = {int(stored)}"
    )
    return bool(kinds and kinds[0][0])


def _tables_told(reach: Reach, schema: Schema, spelling: Spelling) -> str | None:
    seen: dict[int, str] = {}
    for name in sorted(schema.relations):
        table = _class(spelling.table(name))
        ((number, writable),) = reach.rows(
            f"SELECT {table}::oid::bigint, has_table_privilege({table}, 'INSERT, UPDATE, DELETE, TRUNCATE') "
            f"OR has_any_column_privilege({table}, 'INSERT, UPDATE')"
        )
        if seen.setdefault(number, name) != name:
            return f"{name}: {APART}"
        # Of its own tables the service may have no narrower role.
        if writable and not reach.own:
            return f"{name}: {READING}"
    return None

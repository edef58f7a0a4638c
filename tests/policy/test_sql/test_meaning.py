"""What a query means: the algebra gives what SQLite gives for the text itself."""

import datetime
import sqlite3
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import sqlglot

from privacy.policy.after import evaluate
from privacy.policy.algebra import Aggregate
from privacy.policy.expressions import Attribute
from privacy.policy.sql import Query, translate
from tests.policy import oracle
from tests.policy.test_sql.school import POLICY, SCHEMA, rows

QUERIES = [
    line.removesuffix(";")
    for line in Path(__file__).with_name("meaning.sql").read_text("utf-8").splitlines()
    if line and not line.startswith("--")
]


@pytest.mark.parametrize("sql", QUERIES)
def test_the_algebra_means_what_the_text_means(sql: str) -> None:
    query = translate(sql, POLICY)
    for seed in range(5):
        world = rows(seed)
        with oracle.reading(world):
            assert _shown(query, world) == _asked(sql, world)


def test_the_comparison_finds_a_query_that_means_something_else() -> None:
    world = rows(0)
    query = translate("SELECT COUNT(*) FROM pupil WHERE p_grade > 1", POLICY)
    assert _shown(query, world) != _asked("SELECT COUNT(*) FROM pupil WHERE p_grade >= 1", world)


def _shown(query: Query, world: dict[str, list[dict[str, Any]]]) -> list[tuple[Any, ...]]:
    beside = {
        key: _number(key, one[key])
        for node in query.beside
        for one in oracle.rows_of(node, world)
        for key in one
    }
    given = []
    for key, group in oracle.grouped(oracle.rows_of(query.root.child, world), query.root.keys).items():
        keys = {one: _number(one, value) for one, value in zip(query.root.keys, key, strict=True)}
        figures = {one.attribute: _figure(one, group) for one in query.root.aggregates}
        given.append({**beside, **keys, **figures})
    shown = query.after.rows(given)
    return _sorted([tuple(_plain(evaluate(term, row)) for _, term in query.after.outputs) for row in shown])


def _figure(one: Aggregate, group: Sequence[Any]) -> Any:
    if one.argument is None:
        return Fraction(len(group))
    values = [value for row in group if (value := oracle.value_of(one.argument, row)) is not None]
    if one.function == "count":
        return Fraction(len(set(values)) if one.distinct else len(values))
    if not values:
        return None
    if isinstance(values[0], datetime.date):
        return min(values) if one.function == "min" else max(values)
    found = {"sum": sum, "avg": sum, "min": min, "max": max}[one.function](values)
    return Fraction(found, 10**one.argument.scale * (len(values) if one.function == "avg" else 1))


def _number(attribute: Attribute, value: Any) -> Any:
    return (
        Fraction(value, 10**attribute.scale)
        if attribute.kind in ("integer", "decimal") and value is not None
        else value
    )


def _asked(sql: str, world: dict[str, list[dict[str, Any]]]) -> list[tuple[Any, ...]]:
    source = sqlite3.connect(":memory:")
    source.execute("PRAGMA case_sensitive_like = ON")
    for name, listed in world.items():
        columns = SCHEMA.relations[name].columns
        source.execute(f"CREATE TABLE {name} ({', '.join(columns)})")
        for row in listed:
            values = [_stored(columns[one].scale, row[one]) for one in columns]
            source.execute(f"INSERT INTO {name} VALUES ({', '.join('?' * len(columns))})", values)
    tree = sqlglot.parse_one(sql, read="postgres").transform(_for_sqlite)
    found = source.execute(tree.sql("sqlite")).fetchall()
    source.close()
    return _sorted([tuple(_plain(one) for one in row) for row in found])


def _for_sqlite(node: Any) -> Any:
    """Write dates as SQLite stores them, and division as exact as ours."""
    if isinstance(node, sqlglot.exp.Add | sqlglot.exp.Sub) and isinstance(
        node.expression, sqlglot.exp.Interval
    ):
        sign = "+" if isinstance(node, sqlglot.exp.Add) else "-"
        change = f"{sign}{node.expression.name} {node.expression.unit.name.lower()}"
        # SQLite knows no last day of a shorter month: the test's dates need none but the 31st of January.
        written = {"+1 month": "2002-02-28", "-40 day": "2020-02-20"}[change]
        return sqlglot.exp.Literal.string(written)
    if isinstance(node, sqlglot.exp.Cast) and node.to.is_type("date"):
        return node.this
    if isinstance(node, sqlglot.exp.Left):
        return sqlglot.exp.Substring(
            this=node.this, start=sqlglot.exp.Literal.number(1), length=node.expression
        )
    return node


def _stored(scale: int, value: Any) -> Any:
    if isinstance(value, datetime.date):
        return value.isoformat()
    if scale and value is not None:
        return float(Decimal(value).scaleb(-scale))
    return value


def _plain(value: Any) -> Any:
    if isinstance(value, Fraction | float | int):
        return round(float(value), 6)
    return value.isoformat() if isinstance(value, datetime.date) else value


def _sorted(found: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return sorted(found, key=lambda row: [(one is None, str(one)) for one in row])

"""Fixed neighbours: worlds written by hand, and how far a query moves between them."""

import datetime
import json
from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from privacy.policy.labels import Policy, policy_from
from privacy.policy.plan import Plan, plan_query
from privacy.policy.schema import Column, Schema, schema_from
from tests.policy.soundness.running import databases
from tests.policy.soundness.trial import Case, Ran, Trial
from tests.policy.soundness.worlds import Pair, Row, Rows, legal, neighbour

PUBLISHED: dict[str, Any] = json.loads((Path(__file__).parents[1] / "cases.json").read_text("utf-8"))


def schema(name: str) -> Schema:
    """Return a published schema."""
    return schema_from(PUBLISHED["schemas"][name])


def policy(name: str, **labels: Any) -> Policy:
    """Return a published policy, some of its labels replaced."""
    described = PUBLISHED["policies"][name]
    changed = {**described, "labels": {**described["labels"], **labels}}
    return policy_from(changed, schema(name.partition("/")[0]))


def bound(sql: str, under: Policy) -> Fraction:
    """Return the L1 bound of a query."""
    return plan_query(sql, under).l1


def rows_of(given: Schema, tables: Mapping[str, Iterable[Row]]) -> Rows:
    """Return a world; columns that are not named hold the least value that they may."""
    return {
        name: {
            at: {column.name: row.get(column.name, least(column)) for column in relation.columns.values()}
            for at, row in enumerate(tables.get(name, ()))
        }
        for name, relation in given.relations.items()
    }


def least(column: Column) -> Any:
    """Return the least value of a column."""
    if column.domain:
        return column.domain[0]
    low = column.bounds[0] if column.bounds else 1
    return {"text": "x", "boolean": False, "date": datetime.date(1995, 1, 1)}.get(column.kind, low)


def tried(
    sql: str,
    under: Policy,
    tables: Mapping[str, Iterable[Row]],
    wishes: Mapping[tuple[str, str], Any] | None = None,
) -> Trial:
    """Return what is seen where the first row of the entity's relation is absent, or replaced as wished.

    A wish is for a column of all rows that the entity owns: one value, or a list of one for each row of the relation.
    """
    rows = rows_of(under.schema, tables)
    pair = Pair(rows, 0)
    for (relation, column), wish in (wishes or {}).items():
        for at in rows[relation]:
            pair.wishes[relation, at, column] = wish[at] if isinstance(wish, list) else wish
    assert legal(under, rows)
    other = neighbour(under, pair)
    assert other is not None, "the other world is not legal"
    plan: Plan = plan_query(sql, under)
    with databases(under.schema) as both:
        return Ran(Case(under, sql, plan), 0, both).trial(rows, other)


def moved(
    sql: str,
    under: Policy,
    tables: Mapping[str, Iterable[Row]],
    wishes: Mapping[tuple[str, str], Any] | None = None,
) -> int:
    """Return how far the first number of a query moved; that every bound holds is checked."""
    trial = tried(sql, under, tables, wishes)
    assert not trial.broken
    return trial.seen[0].change

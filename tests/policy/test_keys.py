"""Groups by columns of several public relations are those that the relations have together, and no more."""

from typing import Any

import pytest

from privacy.policy.algebra import Join, Scan
from privacy.policy.keys import FromRelation
from privacy.policy.labels import policy_from
from privacy.policy.plan import plan_query, plans_joined
from privacy.policy.schema import schema_from
from tests.policy.tpch.schema import LABELS, SCHEMA, SUPPLIERS

JOINED = (
    "SELECT c_custkey, n_name, COUNT(*) FROM customer JOIN nation ON c_nationkey = n_nationkey GROUP BY 1, 2"
)


def _nodes(sql: str, labels: dict[str, Any] | None = None) -> list[list[str]]:
    given = {
        "entity": "supplier",
        "labels": {**LABELS, **(labels or {})},
        "max_rows_per_entity": {"lineitem": 694},
    }
    sources = plan_query(sql, policy_from(given, SCHEMA)).sources
    return [_relations(one.node) for one in sources if isinstance(one, FromRelation)]


def _relations(node: Any) -> list[str]:
    if isinstance(node, Scan):
        return [node.relation.name]
    assert isinstance(node, Join)
    return [name for one in node.inputs for name in _relations(one)]


def test_keys_of_joined_relations_are_listed_joined() -> None:
    assert _nodes(JOINED) == [["customer", "nation"]]


def test_a_condition_in_where_joins_as_well() -> None:
    assert _nodes(
        "SELECT n_name, c_name, r_name, COUNT(*) FROM customer, nation, region, orders WHERE c_nationkey = n_nationkey"
        " AND n_regionkey = r_regionkey AND o_custkey = c_custkey GROUP BY n_name, c_name, r_name"
    ) == [["nation", "customer", "region"]]


@pytest.mark.parametrize(
    "sql",
    [
        # Which parts are in which orders is the suppliers' secret: each pair is a group.
        "SELECT p_partkey, o_orderkey, COUNT(*) FROM orders JOIN lineitem ON l_orderkey = o_orderkey"
        " JOIN part ON p_partkey = l_partkey GROUP BY p_partkey, o_orderkey",
        "SELECT c_custkey, n_name, COUNT(*) FROM nation LEFT JOIN customer ON c_nationkey = n_nationkey GROUP BY 1, 2",
    ],
)
def test_relations_that_are_not_joined_are_listed_each(sql: str) -> None:
    assert all(len(one) == 1 for one in _nodes(sql))


def test_a_private_column_joins_no_lists() -> None:
    # Where a supplier lives is private: who is listed with which nation would tell.
    assert SUPPLIERS.label("supplier") is not None
    sql = "SELECT s_comment, n_name, COUNT(*) FROM supplier JOIN nation ON s_nationkey = n_nationkey GROUP BY 1, 2"
    assert _nodes(sql) == [["supplier"], ["nation"]]
    public = {"supplier": {"REP": ["s_name", "s_acctbal"]}}
    assert _nodes(sql, public) == [["supplier", "nation"]]


def test_keys_that_one_kind_may_know_joined_are_not_listed_joined_for_another() -> None:
    """Who lives where is known of the cities' side alone: listed joined, the pairs would tell it."""
    schema = schema_from(
        {
            "city": {"key": ["id"], "columns": {one: {"type": "text"} for one in ("id", "size", "mayor")}},
            "person": {
                "key": ["id"],
                "columns": {one: {"type": "text"} for one in ("id", "city_id", "nick")},
                "foreign_keys": [{"columns": ["city_id"], "references": "city", "to": ["id"], "max_rows": 9}],
            },
        }
    )
    labelled = {
        "city": {"city": {"REP": ["mayor"]}, "person": "PUB"},
        "person": {"city": "PUB", "person": {"REP": ["city_id"]}},
    }
    sql = "SELECT nick, size, COUNT(*) FROM person p JOIN city c ON p.city_id = c.id GROUP BY nick, size"
    plans = [
        plan_query(sql, policy_from({"entity": entity, "labels": labels}, schema))
        for entity, labels in labelled.items()
    ]
    assert [len(one.sources) for one in plans] == [1, 2]
    assert len(plans_joined(plans).sources) == len(plans_joined(plans[::-1]).sources) == 2

"""Groups by columns of several public relations are those that the relations have together, and no more."""

from typing import Any

import pytest

from privacy.policy.algebra import Join, Scan
from privacy.policy.keys import FromRelation
from privacy.policy.labels import policy_from
from privacy.policy.plan import plan_query
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
        # Each pair of names is a group, for a row may have any.
        "SELECT a.n_name, b.n_name, COUNT(*) FROM nation a, nation b WHERE a.n_comment <> b.n_comment"
        " AND a.n_regionkey = b.n_regionkey GROUP BY a.n_name, b.n_name".replace(
            "a.n_regionkey = b.n_regionkey", "TRUE"
        ),
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

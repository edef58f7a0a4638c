"""A node reads only what the rows below it have: else every rule would pass over what it reads."""

import pytest

from privacy.policy.errors import QueryRefused
from privacy.policy.labels import policy_from
from privacy.policy.plan import plan_query
from privacy.policy.schema import schema_from

NUMBER = {"type": "integer", "bounds": [0, 9]}
SCHEMA = schema_from(
    {
        "person": {"key": ["id"], "columns": {"id": NUMBER, "v": NUMBER, "t": NUMBER}},
        "town": {"key": ["k"], "columns": {"k": NUMBER, "size": NUMBER, "s": NUMBER}},
        "state": {"key": ["k"], "columns": {"k": NUMBER, "size": NUMBER}},
    }
)
POLICY = policy_from(
    {"entity": "person", "labels": {"person": {"REP": ["v"]}, "town": "PUB", "state": "PUB"}}, SCHEMA
)
COUNT = "SELECT COUNT(*) FROM person c WHERE "
TOWN = "SELECT 1 FROM town n WHERE n.k = c.t"
OUTSIDE = [
    # 0 was claimed for each of them, and the count moves by 1.
    f"{COUNT}5 > (SELECT MAX(n.size + c.v) FROM town n)",
    f"{COUNT}5 > (SELECT COUNT(*) FILTER (WHERE c.v > 5) FROM town n)",
    f"{COUNT}EXISTS ({TOWN} AND c.v > (SELECT AVG(size) FROM state))",
    f"{COUNT}c.t IN (SELECT n.k FROM town n WHERE c.v > (SELECT AVG(size) FROM state))",
    f"{COUNT}5 > (SELECT MAX(CASE WHEN c.v > 5 THEN n.size ELSE 0 END) FROM town n WHERE n.k = c.t)",
    f"{COUNT}EXISTS (SELECT 1 FROM town n JOIN state s ON s.k = n.s AND c.v > 5 LEFT JOIN state x ON x.k = n.s "
    "WHERE n.k = c.t)",
]


@pytest.mark.parametrize("sql", OUTSIDE)
def test_what_a_subquery_reads_of_the_query_around_it_is_told_or_refused(sql: str) -> None:
    with pytest.raises(QueryRefused) as refused:
        plan_query(sql, POLICY)
    assert refused.value.line == 1
    assert refused.value.hint


@pytest.mark.parametrize("sql", OUTSIDE[:2])
def test_unchecked_it_would_be_called_exact_and_free(sql: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control."""
    monkeypatch.setattr("privacy.policy.sql.root.closed_check", lambda *_: None)
    assert plan_query(sql, POLICY).public


@pytest.mark.parametrize(
    "condition",
    [
        f"EXISTS ({TOWN} AND n.size < c.v)",
        "c.v > (SELECT AVG(size) FROM state)",
        f"EXISTS ({TOWN} AND c.v > 5)",
    ],
)
def test_what_it_reads_where_that_is_answered_counts(condition: str) -> None:
    assert plan_query(COUNT + condition, POLICY).l1 == 1

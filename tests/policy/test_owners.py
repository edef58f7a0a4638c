"""One group an owner, and where that is not so: joins whose keys only seem to be the owner's, rows that stay."""

from typing import Any

import pytest

from privacy.policy.errors import QueryRefused
from privacy.policy.labels import Policy, policy_from
from privacy.policy.plan import plan_query
from privacy.policy.schema import schema_from
from tests.policy.soundness.fixed import bound, moved, tried

WHOLE = {"type": "integer", "bounds": [0, 50]}
SCHEMA = schema_from(
    {
        "cust": {"key": ["id"], "columns": {"id": WHOLE, "a": {"type": "integer", "bounds": [0, 9]}}},
        "shop": {"key": ["k"], "columns": {"k": WHOLE, "f": WHOLE}},
    }
)


def policy(label: Any = "DEL") -> Policy:
    return policy_from({"entity": "cust", "labels": {"cust": label, "shop": "PUB"}}, SCHEMA)


# Every shop has f = 0, as the customer's key is; only shop 0 has k = 0 as well.
SHOPS = [{"k": at, "f": 0} for at in range(40)]
HERE = "cust c ON t.f = c.id AND t.k = c.id"


@pytest.mark.parametrize(
    "second", ["JOIN cust e ON e.id = t.f", "LEFT JOIN cust e ON e.id = t.f AND e.a >= 0"]
)
def test_columns_that_one_join_makes_equal_name_no_owner_of_another_join(second: str) -> None:
    counted = f"SELECT t.k, COUNT(e.id) AS n FROM shop t LEFT JOIN {HERE} {second} GROUP BY t.k"
    # Nothing says how many shops have one f: 1 was claimed.
    with pytest.raises(QueryRefused, match="any number of rows"):
        plan_query(f"SELECT SUM(n) FROM ({counted}) u", policy())


def test_with_a_frequency_it_is_that_many() -> None:
    described = {
        "cust": {"key": ["id"], "columns": {"id": WHOLE, "a": {"type": "integer", "bounds": [0, 9]}}},
        "shop": {
            "key": ["k"],
            "columns": {"k": WHOLE, "f": WHOLE},
            "foreign_keys": [{"columns": ["f"], "references": "town", "to": ["id"], "max_rows": 41}],
        },
        "town": {"key": ["id"], "columns": {"id": WHOLE}},
    }
    labels = {"cust": "DEL", "shop": "PUB", "town": "PUB"}
    under = policy_from({"entity": "cust", "labels": labels}, schema_from(described))
    sql = (
        f"SELECT COUNT(*) FROM (SELECT t.k, COUNT(*) AS n FROM shop t LEFT JOIN {HERE} "
        "JOIN cust e ON e.id = t.f GROUP BY t.k) u"
    )
    tables = {"cust": [{"id": 0}], "shop": SHOPS, "town": [{"id": 0}]}
    assert moved(sql, under, tables) == 40
    # 41 that lose the partner e, and what c brings and takes: it was 1.
    assert bound(sql, under) == 43


def test_a_group_of_rows_that_stay_changes_and_does_not_vanish() -> None:
    joined = "SELECT s.k, COUNT(c.id) AS n FROM shop s LEFT JOIN cust c ON s.k = c.id GROUP BY s.k"
    trial = tried(
        f"SELECT n, COUNT(*) FROM ({joined}) t GROUP BY n", policy(), {"cust": [{"id": 0}], "shop": SHOPS}
    )
    # One shop leaves the group of 1 and comes to that of 0: 1 was claimed.
    assert (trial.seen[0].change, trial.seen[0].square) == (2, 2)
    assert not trial.broken


def test_its_sum_moves_by_both_ends() -> None:
    inner = "SUM(CASE WHEN c.id IS NULL THEN -10 ELSE 10 END) AS n"
    joined = f"SELECT s.k, {inner} FROM shop s LEFT JOIN cust c ON s.k = c.id GROUP BY s.k"
    sql = f"SELECT SUM(n) FROM ({joined}) t"
    described = {"entity": "cust", "labels": {"cust": "DEL", "shop": "PUB"}}
    assert moved(sql, policy_from(described, SCHEMA), {"cust": [{"id": 0}], "shop": SHOPS[:1]}) == 20


def test_a_group_of_rows_that_go_is_still_one() -> None:
    counted = "SELECT c.id, COUNT(s.k) AS n FROM cust c LEFT JOIN shop s ON s.k = c.id GROUP BY c.id"
    sql = f"SELECT COUNT(*) FROM ({counted}) t"
    assert moved(sql, policy(), {"cust": [{"id": 0}, {"id": 1}], "shop": SHOPS}) == 1 == bound(sql, policy())


def test_the_trace_says_what_the_bound_is() -> None:
    sql = "SELECT COUNT(*) FROM (SELECT s.k, COUNT(c.id) n FROM shop s LEFT JOIN cust c ON s.k = c.id GROUP BY s.k) t"
    assert any("of the cust alone" in line for line in plan_query(sql, policy()).trace)

"""Groups that a join would drop are not made, and nothing else is different."""

import pytest

from privacy.policy.compile import Compiler, Measure
from privacy.policy.sql import translate
from tests.policy import rich
from tests.policy.conftest import Opened
from tests.policy.test_compile import check

COUNTED = '(SELECT person_id, COUNT(*) AS n, SUM(pieces) AS s FROM "order" GROUP BY person_id)'
NARROWED = [
    f"SELECT COUNT(*) FROM person JOIN {COUNTED} x ON x.person_id = id WHERE active",
    f"SELECT COUNT(*) FROM {COUNTED} x JOIN person ON x.person_id = id WHERE active AND n > 2 AND city <> 'Jeju'",
    f"SELECT city, COUNT(*) FROM (SELECT * FROM {COUNTED} y WHERE s > 3) x JOIN person ON person_id = id"
    " WHERE balance > 0 GROUP BY city",
    'SELECT COUNT(*) FROM "order" o JOIN person p ON o.person_id = p.id WHERE p.active'
    ' AND o.pieces < (SELECT AVG(pieces) FROM "order" i WHERE i.person_id = p.id)',
    f'SELECT COUNT(*) FROM "order" o JOIN person p ON o.person_id = p.id JOIN {COUNTED} x ON x.person_id = o.person_id'
    " WHERE o.tag LIKE 'a%' AND o.amount > 3",
]
WHOLE = [
    f"SELECT COUNT(*) FROM person JOIN {COUNTED} x ON x.person_id = id",
    # A left join shows the people without orders as well, and a far side's NULL is a value.
    f"SELECT COUNT(*) FROM person LEFT JOIN {COUNTED} x ON x.person_id = id WHERE active",
    f"SELECT COUNT(*) FROM person JOIN {COUNTED} x ON x.n = id WHERE active",
    # Which groups there are is known of a relation alone.
    f"SELECT COUNT(*) FROM {COUNTED} y JOIN {COUNTED} x ON x.person_id = y.person_id WHERE y.n > 2",
]


def _sql(query: str) -> str:
    root = translate(query, rich.POLICY).root
    return Compiler("duckdb").figures(root, [Measure("count", None)]).sql


@pytest.mark.parametrize("query", NARROWED)
def test_only_groups_that_can_be_joined_are_made(query: str) -> None:
    assert " IN (SELECT " in _sql(query)


@pytest.mark.parametrize("query", WHOLE)
def test_where_nothing_tells_which_all_are(query: str) -> None:
    assert " IN (SELECT " not in _sql(query)


@pytest.mark.parametrize("query", [*NARROWED, *WHOLE])
def test_the_numbers_are_the_same(query: str, databases: Opened) -> None:
    root = translate(query, rich.POLICY).root
    for world in (rich.world(1), rich.world(5), rich.EMPTY):
        with databases(rich.SCHEMA, world) as opened:
            for database in opened:
                check(root, world, database)

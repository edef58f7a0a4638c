"""What is accepted can be run: no database's parser and no stack is too small for it, once it is charged."""

import sqlite3
import sys
from collections.abc import Iterator
from random import Random

import pytest

from privacy.policy.errors import QueryRefused
from privacy.policy.plan import plan_query
from privacy.policy.sql import nesting
from tests.policy.engines import Database, sqlite
from tests.policy.fuzz.comparing import ANSWERED, asked
from tests.policy.test_sql.school import POLICY, SCHEMA, rows
from tests.policy.test_sql.test_hostile import DEEP

VALUES = [
    "(0 - {})",
    "({} + 1)",
    "-{}",
    "COALESCE({}, 0)",
    "NULLIF({}, 7)",
    "CASE WHEN {} > 1 THEN 2 ELSE 3 END",
    "CASE WHEN p_boarder THEN {} ELSE 3 END",
]
CONDITIONS = [
    "NOT ({})",
    "({} OR p_boarder)",
    "({} AND p_grade IS NOT NULL)",
    "({}) IS TRUE",
    "COALESCE({}, FALSE)",
]
TABLES = [
    "(SELECT p_id, p_grade, p_boarder FROM {} x WHERE {c})",
    "(SELECT DISTINCT p_id, p_grade, p_boarder FROM {} x)",
    "(SELECT p_id, p_boarder, MAX({v}) AS p_grade FROM {} x GROUP BY p_id, p_boarder)",
    "(SELECT p_id, p_grade, p_boarder FROM pupil UNION ALL SELECT p_id, p_grade, p_boarder FROM {} x)",
    "(SELECT p_id, {v} AS p_grade, p_boarder FROM {} x)",
    "(SELECT y.p_id, x.p_grade, x.p_boarder FROM pupil y LEFT JOIN {} x ON x.p_id = y.p_id)",
    "(SELECT p_id, p_grade, p_boarder FROM pupil WHERE p_id IN (SELECT p_id FROM {} x WHERE {c}))",
    "(SELECT p_id, p_grade, p_boarder FROM pupil y WHERE EXISTS (SELECT 1 FROM {} x WHERE x.p_id = y.p_id))",
]


def value(dice: Random, depth: int) -> str:
    text = "p_grade"
    for _ in range(depth):
        text = dice.choice(VALUES).format(text)
    return text


def condition(dice: Random, depth: int) -> str:
    text = f"{value(dice, depth // 2)} > 1"
    for _ in range(depth):
        text = dice.choice(CONDITIONS).format(text)
    return text


def deep(dice: Random) -> str:
    """Return a query that nests tables, conditions and values about as deep as is allowed."""
    text, shallow = "pupil", dice.randint(0, 6)
    for _ in range(dice.randint(0, 12)):
        inner = {"v": value(dice, dice.randint(0, shallow)), "c": condition(dice, dice.randint(0, shallow))}
        text = dice.choice(TABLES).format(text, **inner)
    figure = dice.choice(["COUNT(*)", f"SUM({value(dice, dice.randint(0, 20))})"])
    return f"SELECT {figure} FROM {text} z WHERE {condition(dice, dice.randint(0, 20))}"


def nested(kind: str, times: int) -> str:
    head, opening, middle, closing = DEEP[kind]
    return head + opening * times + middle + closing * times


@pytest.fixture
def school() -> Iterator[Database]:
    with sqlite(SCHEMA, rows(1)) as database:
        yield database


def accepted(sql: str) -> bool:
    try:
        plan_query(sql, POLICY)
    except QueryRefused:
        return False
    return True


def test_deep_queries_that_are_accepted_are_answered(school: Database) -> None:
    dice, answered = Random(20261202), 0
    for _ in range(500):
        sql = deep(dice)
        if accepted(sql):
            answered += 1
            seen = asked(sql, POLICY, school)
            assert seen.status == ANSWERED, (sql, seen)
    assert answered > 100


@pytest.mark.parametrize("kind", sorted(DEEP))
def test_the_deepest_that_is_accepted_is_answered_from_a_deep_stack(kind: str, school: Database) -> None:
    texts = [sql for times in range(1, 101) if accepted(sql := nested(kind, times))]
    for sql in texts[-3:]:
        # A worker, or a request with all its middleware, stands on some 100 frames.
        assert _below(200, sql, school) == ANSWERED


def _below(frames: int, sql: str, database: Database) -> str:
    return _below(frames - 1, sql, database) if frames else asked(sql, POLICY, database).status


@pytest.mark.skipif(sqlite3.sqlite_version_info >= (3, 46), reason="its parser's stack grows")
def test_without_the_check_a_charge_would_buy_an_error(
    school: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: SQLite's parser gives up."""
    monkeypatch.setattr(nesting, "MOST", sys.maxsize)
    assert "stack overflow" in str(asked(nested("unions", 40), POLICY, school).told)

"""Queries of one canonical text have one answer: random ones, so short that many texts meet."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from privacy.bits import Bits, SecureBits
from privacy.policy.answer import answer
from privacy.policy.compile import Compiler
from privacy.policy.errors import QueryRefused
from privacy.policy.noise import Law
from privacy.policy.plan import Plan, plan_query
from tests.policy.engines import Database, sqlite
from tests.policy.test_sql.school import POLICY, SCHEMA, rows

MANY = 900
WORLDS = 4
PUBLIC = ["(SELECT COUNT(*) FROM town)", "(SELECT COUNT(t_note) FROM town)"]
# Two of everything: columns of the same name, constants of the same value.
SOURCES = [
    "pupil a JOIN pupil b ON a.p_town = b.p_town",
    "pupil a LEFT JOIN pupil b ON a.p_town = b.p_town AND b.p_fee > 50",
    "pupil p LEFT JOIN (SELECT v_pupil AS p_grade, 1 AS p_fee FROM visit) a ON a.p_grade = p_id "
    "LEFT JOIN (SELECT m_pupil AS p_grade, 1 AS p_fee FROM mark) b ON b.p_grade = p_id",
    "(SELECT 1 AS p_fee, t_id AS p_grade FROM town UNION ALL SELECT 2, t_id FROM town) a, "
    "(SELECT 1 AS p_fee, t_id AS p_grade FROM town UNION ALL SELECT 2, t_size FROM town) b",
    "(SELECT p_town, COUNT(*) AS p_fee, MIN(p_grade) AS p_grade FROM pupil GROUP BY p_town) a JOIN "
    "(SELECT p_town, COUNT(*) AS p_fee, MIN(p_grade) AS p_grade FROM pupil WHERE p_boarder GROUP BY p_town) b "
    "ON a.p_town = b.p_town",
]


class _Short:
    """Writes short queries of few words."""

    def __init__(self, dice: Random) -> None:
        self.one: Callable[[Sequence[str]], str] = dice.choice

    def truth(self, atoms: Sequence[str], depth: int) -> str:
        if depth == 0:
            return self.one(atoms)
        a, b = (f"({self.truth(atoms, depth - 1)})" for _ in range(2))
        sign = self.one(["=", "<", "<=", "<>", "AND", "OR", "AND NOT"])
        made = f"{a} {sign} {b}"
        return self.one([f"NOT {a}", f"{a} IS NULL", made, made, f"CASE WHEN {a} THEN {b} END"])

    def number(self, atoms: Sequence[str], depth: int, signs: Sequence[str]) -> str:
        if depth == 0:
            return self.one(atoms)
        a, b = (self.number(atoms, depth - 1, signs) for _ in range(2))
        made = f"({a} {self.one(signs)} {b})"
        return self.one([made, made, made, f"(-{a})", f"COALESCE({a}, {b})", f"NULLIF({a}, {b})"])

    def filtered(self) -> str:
        atoms = ["p_grade IN (1, 2)", "p_boarder"]
        return f"SELECT COUNT(*) FROM pupil WHERE {self.truth(atoms, 2)}"

    def summed(self) -> str:
        return f"SELECT SUM({self.number(['p_grade', 'p_fee', '2', '0.5'], 2, ['+', '-', '*'])}) FROM pupil"

    def kept(self) -> str:
        atoms = ["p_grade = 1", "COUNT(*) > 2"]
        return f"SELECT p_grade, COUNT(*) FROM pupil GROUP BY p_grade HAVING {self.truth(atoms, 2)}"

    def worked(self) -> str:
        atoms = [*PUBLIC, "COUNT(*)"]
        return f"SELECT COUNT(*), {self.number(atoms, 2, ['+', '-', '*', '/'])} FROM pupil"

    def joined(self) -> str:
        columns = ["a.p_fee = 1", "b.p_fee = 1", "a.p_grade = 1", "b.p_grade = 1", "a.p_fee < b.p_grade"]
        return f"SELECT COUNT(*) FROM {self.one(SOURCES)} WHERE {self.truth(columns, 1)}"


class _Exactly:
    """No noise."""

    bits: Bits = SecureBits()

    def added(self, values: Sequence[int], law: Law) -> Sequence[int]:
        return values


@pytest.fixture(scope="module")
def schools() -> Iterator[list[Database]]:
    with ExitStack() as open_ones:
        yield [open_ones.enter_context(sqlite(SCHEMA, rows(seed))) for seed in range(WORLDS)]


def _planned(sql: str) -> Plan | None:
    try:
        return plan_query(sql, POLICY)
    except QueryRefused:
        return None


def _answer(plan: Plan, school: Database) -> Any:
    found = answer(
        plan.query,
        plan.sensitivities,
        plan.sources,
        epsilon=Fraction(1),
        execute=school.execute,
        compiler=Compiler(school.dialect),
        noise=_Exactly(),
    )
    return found.rows


@pytest.mark.parametrize("shape", ["filtered", "summed", "kept", "worked", "joined"])
def test_queries_of_one_text_have_one_answer(shape: str, schools: list[Database]) -> None:
    short, alike = _Short(Random(shape)), defaultdict[str, dict[str, Plan]](dict)
    for _ in range(MANY):
        sql = str(getattr(short, shape)())
        if plan := _planned(sql):
            alike[plan.query.canonical][sql] = plan
    met = [plans for plans in alike.values() if len(plans) > 1]
    assert len(met) > 4
    for plans in met:
        answers = {sql: [_answer(plan, school) for school in schools] for sql, plan in plans.items()}
        first = next(iter(answers.values()))
        assert all(one == first for one in answers.values()), "\n".join(answers)


def test_the_worlds_tell_most_queries_of_other_texts_apart(schools: list[Database]) -> None:
    """The control: that alike queries agree says something, because others seldom do."""
    short, told = _Short(Random(1)), dict[str, str]()
    for _ in range(60):
        if plan := _planned(short.summed()):
            told[plan.query.canonical] = repr([_answer(plan, school) for school in schools])
    assert len(set(told.values())) > len(told) / 2

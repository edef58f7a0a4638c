"""TPC-H's queries as an analyst with all rights would send them, and answers as they would be without noise."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Any

from privacy.bits import Bits, SecureBits
from privacy.policy.answer import Answer, answered, measured
from privacy.policy.compile import Compiler
from privacy.policy.noise import Law
from privacy.policy.plan import Plan
from privacy.policy.shares import hidden
from tests.policy.engines import Database
from tests.policy.tpch.queries import QUERIES


class Silence:
    """No noise at all, to see what is below it."""

    def __init__(self) -> None:
        self.bits: Bits = SecureBits()

    def added(self, values: Sequence[int], law: Law) -> Sequence[int]:
        """Return the values."""
        return values


def raw_text(number: int) -> str:
    """Return a query without the precision of an interval, which neither PostgreSQL nor DuckDB knows."""
    return QUERIES[number].replace(" day (3)", " day").strip().rstrip(";")


def exact(plan: Plan, database: Database, *, most: int = 10_000, empty: bool = True) -> Answer:
    """Return the answer of a plan without noise; SQL would not list its groups that are `empty`."""
    compiler = Compiler(database.dialect)
    data = measured(plan.query, plan.sensitivities, plan.sources, database.execute, compiler, most)
    if not empty and plan.query.root.keys:
        there = frozenset(key for numbers in data.numbers.values() for key in numbers)
        data = replace(data, groups=[key for key in data.groups if key in there])
    return answered(data, hidden(plan.sensitivities, Fraction(1)), Silence())


def same(raw: Sequence[Sequence[Any]], ours: Sequence[Sequence[Any]]) -> bool:
    """Say whether two answers have the same rows in the same order."""
    pairs = zip(raw, ours, strict=False)
    return len(raw) == len(ours) and all(
        _close(*cells) for pair in pairs for cells in zip(*pair, strict=True)
    )


def same_but_for_ties(raw: Sequence[Sequence[Any]], ours: Sequence[Sequence[Any]]) -> bool:
    """Say whether two answers have the same rows: SQL leaves open in what order rows of equal rank stand."""
    return same(sorted(raw, key=_told), sorted(ours, key=_told))


def _told(row: Sequence[Any]) -> Sequence[str]:
    # Texts first: what they say is the same to the letter.
    return [str(one) for one in row if isinstance(one, str)] + [
        f"{float(one or 0):024.3f}" for one in row if not isinstance(one, str | date)
    ]


def _close(raw: Any, ours: Any) -> bool:
    if not isinstance(ours, Fraction):
        return bool(raw == ours)
    # Databases round averages, SQLite adds decimals up as floats, and SQL's sum of nothing is NULL.
    return abs(Fraction(raw or 0) - ours) <= abs(ours) / 10**9

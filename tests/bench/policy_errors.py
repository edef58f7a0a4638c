"""Relative errors at ε = 1: the flexible policy beside both uniform ones, and beside the published medians."""

import json
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import duckdb

from privacy.policy.after import Cell, Given
from privacy.policy.analysis import facts_of
from privacy.policy.answer import Measured, answered, measured
from privacy.policy.compile import Compiler
from privacy.policy.errors import QueryRefused
from privacy.policy.labels import Policy, bounded, policy_from, unbounded
from privacy.policy.noise import Noise, SecureNoise
from privacy.policy.plan import plan_query
from privacy.policy.schema import schema_from
from privacy.policy.sensitivity import sensitivities_of
from privacy.policy.shares import hidden
from tests.bench.figures import Figure, median
from tests.bench.policy_data import Population
from tests.bench.university import university
from tests.estimation.shared import SHARED
from tests.policy.engines import Database, sqlite
from tests.policy.tpch.queries import QUERIES
from tests.policy.tpch.raw import Silence
from tests.policy.tpch.schema import CUSTOMERS, SUPPLIERS

PUBLISHED = "Policy layer: median relative error at ε = 1, TPC-H SF {}, beside the published one"
TPCH = "Policy layer: median relative error at ε = 1, flexible policy, TPC-H SF {}"
UNIVERSITY = "Policy layer: median relative error at ε = 1, flexible policy, university"
CASES = SHARED / "cases" / "policy_cases.json"
PUBLISHED_CASES: Mapping[str, Any] = json.loads(CASES.read_text("utf-8")) if CASES.exists() else {}
MOST = 250_000  # groups: more than an answer may have, so that large ones are seen as well
VALUES = 1_000  # noisy values whose median is told: of some groups where there are more, of several draws where fewer
# Of Q13 about customers and Q16 about suppliers: the unbounded policy's, and the flexible one's.
MEDIANS = {13: (CUSTOMERS, 0.0082, 0.0096), 16: (SUPPLIERS, 4.29, 0.0)}


@dataclass(frozen=True)
class Errors:
    """The median relative error under the flexible policy and both uniform ones; of none where all figures are 0."""

    flexible: float | None
    unbounded: float | None
    bounded: float | None


def figures(made: Population) -> Iterator[Figure]:
    """Measure the queries of TPC-H, then those of the university."""
    with closing(duckdb.connect(str(made.duckdb), read_only=True)) as raw:
        database = Database("duckdb", lambda sql: raw.execute(sql).fetchall())
        found = dict(_tpch(database))
    for number, (policy, without, flexible) in MEDIANS.items():
        errors = found[number, policy.entity]
        group, name = PUBLISHED.format(made.scale), f"Q{number} of {policy.entity}s"
        for how, value, known in (
            ("unbounded", errors.unbounded, without), ("flexible", errors.flexible, flexible)
        ):  # fmt: skip
            # No goal: how the study weighs groups of few rows is not said.
            yield Figure(group, f"{name}, {how} policy", value, note=f"published: {known:g}")
    for (number, entity), errors in found.items():
        yield _figure(TPCH.format(made.scale), f"Q{number} of {entity}s", errors)
    yield from _university()


def _figure(group: str, name: str, errors: Errors) -> Figure:
    if errors.unbounded is None or errors.bounded is None:
        return Figure(group, name, None, note="every figure is 0")
    note = f"as unbounded {errors.unbounded:.3g}, as bounded {errors.bounded:.3g}"
    return Figure(group, name, errors.flexible, note=note)


def _tpch(database: Database) -> Iterator[tuple[tuple[int, str], Errors]]:
    for number, sql in QUERIES.items():
        for policy in (CUSTOMERS, SUPPLIERS):
            try:
                yield (number, policy.entity), errors_of(sql, policy, database)
            except QueryRefused:
                continue


def _university() -> Iterator[Figure]:
    if not PUBLISHED_CASES:
        yield Figure(
            UNIVERSITY, "not measured", None, note=f"skipped: the published cases are not at {CASES}"
        )
        return
    schema = schema_from(PUBLISHED_CASES["schemas"]["university"])
    policy = policy_from(PUBLISHED_CASES["policies"]["university/flexible"], schema)
    with sqlite(schema, university()) as database:
        for case in PUBLISHED_CASES["cases"]:
            if case["policy"] == "university/flexible":
                errors = errors_of(case["sql"], policy, database)
                yield _figure(UNIVERSITY, case["name"].split()[1], errors)


def errors_of(sql: str, policy: Policy, database: Database) -> Errors:
    """Return the errors of a query on a database."""
    plan = plan_query(sql, policy)
    # In the order of their groups, so that a noisy row is known by its place.
    plain = replace(plan.query.after, having=None, order=(), limit=None, offset=0)
    query = replace(plan.query, after=plain)
    compiler = Compiler(database.dialect)
    data = measured(query, plan.sensitivities, plan.sources, database.execute, compiler, MOST)
    there = frozenset(key for numbers in data.numbers.values() for key in numbers)
    groups = [key for key in data.groups if key in there]
    data = replace(data, groups=groups[:: 1 + len(groups) // VALUES])
    return Errors(*(_error(data, one) for one in (plan.policy, unbounded(plan.policy), bounded(plan.policy))))


def _error(data: Measured, policy: Policy) -> float | None:
    """Return the median of |noisy − true| / |true| over all figures other than 0 and enough draws."""
    root = data.query.root
    found = sensitivities_of(root, facts_of(root.child, policy).signature, entity=policy.entity)
    if all(one.public for one in found):
        return 0.0
    under = replace(data, sensitivities=found)
    true = _figures(under, Silence())
    secure, draws = SecureNoise(), max(1, VALUES // max(1, len(true)))
    noisy = (_figures(under, secure) for _ in range(draws))
    pairs = (pair for one in noisy for pair in zip(one, true, strict=True))
    errors = [abs(float((a - b) / b)) for a, b in pairs if _number(a) and _number(b) and b != 0]
    return median(errors) if errors else None


def _figures(data: Measured, noise: Noise) -> list[Any]:
    keys = frozenset(data.query.root.keys)
    shown = [not (isinstance(term, Given) and term.attribute in keys) for _, term in data.query.after.outputs]
    rows = answered(data, hidden(data.sensitivities, Fraction(1)), noise).rows
    return [cell for row in rows for cell, wanted in zip(row, shown, strict=True) if wanted]


def _number(cell: Cell) -> bool:
    return isinstance(cell, Fraction)

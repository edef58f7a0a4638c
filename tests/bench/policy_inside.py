"""What the policy layer adds to a query, measured within Django: the plan, the charge, the statement and the noise."""

import time
from contextlib import closing
from fractions import Fraction
from typing import Any
from unittest import mock

import duckdb
from django.core.management import call_command
from django.db import connection

from aggregator import tasks
from privacy.policy.answer import answered, measured
from privacy.policy.compile import Compiler
from privacy.policy.labels import policy_document
from privacy.policy.noise import SecureNoise
from privacy.policy.plan import Plan
from privacy.policy.shares import hidden
from surveys.models import Source, SourcePolicy
from surveys.services.answers import answer_document
from surveys.services.ledger import budget_set
from surveys.services.queries import query_plan, query_submit
from surveys.sources.checking import first_broken
from surveys.sources.connecting import Reach
from tests.bench.figures import Figure, median
from tests.bench.policy_data import population
from tests.bench.sizes import Size
from tests.policy.tpch.schema import CUSTOMERS, RELATIONS, SCHEMA, SUPPLIERS

GROUP = "Policy layer: around the data (10 groups, a join)"
# Five priorities by two states; the number makes each a query of its own, which is charged.
SQL = (
    "SELECT o_orderpriority, l_linestatus, COUNT(*) FROM orders JOIN lineitem ON l_orderkey = o_orderkey"
    " WHERE l_extendedprice < {}.00 GROUP BY o_orderpriority, l_linestatus"
)
ROWS = [(one, state, 1000) for one in ("1-URGENT", "2-HIGH", "3-MEDIUM", "5-LOW") for state in "FO"]


def overhead(size: Size) -> list[Figure]:
    """Measure everything but the database's own work on the data."""
    call_command("migrate", verbosity=0)
    source = _source()
    spent = [_spent(source, SQL.format(1000 + at)) for at in range(100 * size.repeats + 1)][1:]
    # Named by the dialect, not by the address: a figure is told to anybody.
    on = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}[connection.vendor]
    names = ("plan", "plan and charge", "statement, groups and noise")
    parts = [Figure(GROUP, f"{on}: {name}", _middle(spent, at), "ms") for at, name in enumerate(names)]
    whole = median([charge + noise for _, charge, noise in spent]) * 1e3
    return [*parts, Figure(GROUP, f"{on}: all of it", whole, "ms", "≤ 5")]


def declared(size: Size) -> list[Figure]:
    """Check TPC-H's schema on its population, as a registered source is checked."""
    made = population(size)
    with closing(duckdb.connect(str(made.duckdb), read_only=True)) as raw:
        broken = first_broken(Reach(raw, "duckdb"), SCHEMA, [CUSTOMERS, SUPPLIERS], {})
    group = f"Policy layer: TPC-H at SF {made.scale}"
    return [Figure(group, "the schema holds on the data", float(broken is None), "", "≥ 1", broken or "")]


def _middle(spent: list[tuple[float, float, float]], at: int) -> float:
    return median([one[at] for one in spent]) * 1e3


def _source() -> Source:
    source = Source.objects.create(
        name="tpch", kind=Source.Kind.DUCKDB, schema=RELATIONS, state=Source.State.OPEN, policy_version=1
    )
    document = policy_document(CUSTOMERS)
    SourcePolicy.objects.create(source=source, entity="customer", version=1, document=document)
    budget_set(actor=None, source=source, entity="customer", total=10**9)
    return source


def _spent(source: Source, sql: str) -> tuple[float, float, float]:
    started = time.perf_counter()
    query_plan(source=source, sql=sql)
    planned = time.perf_counter()
    # That a worker is told is no part of it; nor is finding out that a source's database is there, which is asked of
    # no other database than the service's own for nothing.
    with mock.patch.object(tasks, "wake_query"), mock.patch("surveys.services.queries.source_reach"):
        submitted = query_submit(actor=None, source=source, sql=sql, epsilon="0.5")
    assert submitted.fresh
    charged = time.perf_counter()
    plan = query_plan(source=source, sql=sql).plan
    began = time.perf_counter()
    _answered(plan)
    return planned - started, charged - planned, time.perf_counter() - began


def _answered(plan: Plan) -> Any:
    found = hidden(plan.sensitivities, Fraction(1, 2))
    data = measured(plan.query, plan.sensitivities, plan.sources, lambda sql: ROWS, Compiler("duckdb"))
    return answer_document(answered(data, found, SecureNoise()), plan.trace)

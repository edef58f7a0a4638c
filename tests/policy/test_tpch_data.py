"""TPC-H's queries on its published population at SF 0.01: three engines, one truth, and that of the raw text."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import duckdb
import psycopg
import pytest
from scipy.stats import binom

from privacy.policy.errors import QueryRefused
from privacy.policy.labels import Policy
from privacy.policy.plan import plan_query
from surveys.sources.checking import first_broken
from surveys.sources.connecting import Reach
from tests.policy.engines import Database
from tests.policy.tpch.data import duckdb_filled, generated, postgresql_filled, sqlite_filled
from tests.policy.tpch.queries import QUERIES
from tests.policy.tpch.raw import exact, raw_text, same
from tests.policy.tpch.schema import CUSTOMERS, RELATIONS, SCHEMA, SUPPLIERS
from tests.policy.tpch.verdicts import OF_CUSTOMERS, OF_SUPPLIERS, Refusal

TOO_MANY = "the answer would have more than 10,000 groups"
# Of these the public places list more groups than an answer may have, already at this scale factor.
LISTS_TOO_MANY = {(18, "supplier")}
# SQLite has neither DATE literals, nor intervals, nor names of columns behind an alias.
SAID_ON_SQLITE = {11, 16, 17, 19}
ACCEPTED = [
    (number, policy)
    for policy, verdicts in ((CUSTOMERS, OF_CUSTOMERS), (SUPPLIERS, OF_SUPPLIERS))
    for number, said in verdicts.items()
    if not isinstance(said, Refusal)
]
ANSWERED = [one for one in ACCEPTED if (one[0], one[1].entity) not in LISTS_TOO_MANY]
NAMES = [f"Q{number}-{policy.entity}" for number, policy in ANSWERED]


READER = "CREATE ROLE reader; GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader; SET ROLE reader"


@dataclass(frozen=True)
class Filled:
    """The same population in three databases."""

    sqlite: Reach
    duckdb: Reach
    postgres: Reach

    @property
    def all(self) -> list[Reach]:
        return [self.sqlite, self.duckdb, self.postgres]


@pytest.fixture(scope="module")
def population(server: psycopg.Connection[Any], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Filled]:
    folder = generated(tmp_path_factory.mktemp("tpch"), "0.01")
    with (
        closing(sqlite3.connect(":memory:")) as one,
        closing(duckdb.connect()) as two,
        _database(server) as three,
    ):
        sqlite_filled(one, folder)
        duckdb_filled(two, folder)
        postgresql_filled(three, folder)
        three.execute(READER)
        yield Filled(Reach(one, "sqlite"), Reach(two, "duckdb"), Reach(three, "postgres"))


def _database(server: psycopg.Connection[Any]) -> psycopg.Connection[Any]:
    server.execute("DROP DATABASE IF EXISTS tpch")
    server.execute("DROP ROLE IF EXISTS reader")
    server.execute("CREATE DATABASE tpch")
    return psycopg.connect(server.info.dsn, dbname="tpch", autocommit=True)


def _asked(reach: Reach) -> Database:
    return Database(reach.dialect, lambda sql: reach.raw.execute(sql).fetchall())


def test_the_population_keeps_what_the_schema_declares(population: Filled) -> None:
    assert {
        reach.dialect: first_broken(reach, SCHEMA, [CUSTOMERS, SUPPLIERS], {}) for reach in population.all
    } == {"sqlite": None, "duckdb": None, "postgres": None}


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        ("UPDATE lineitem SET l_discount = 0.11 WHERE l_orderkey = 1", "lineitem.l_discount"),
        ("UPDATE orders SET o_custkey = 1 WHERE o_orderkey < 200", "(o_custkey) → customer: at most"),
        ("UPDATE lineitem SET l_suppkey = 1", "(l_suppkey) → supplier: at most"),
        ("UPDATE customer SET c_mktsegment = 'TOYS' WHERE c_custkey = 1", "customer.c_mktsegment"),
        ("DELETE FROM nation WHERE n_nationkey = 0", "→ nation: leads to a row"),
    ],
)
def test_a_population_that_does_not_is_noticed(population: Filled, damage: str, told: str) -> None:
    raw = population.postgres.raw
    with raw.transaction(force_rollback=True):
        raw.execute("RESET ROLE")
        raw.execute(damage)
        raw.execute("SET ROLE reader")
        assert told in (first_broken(population.postgres, SCHEMA, [CUSTOMERS, SUPPLIERS], {}) or "")


@pytest.mark.parametrize(("number", "policy"), ANSWERED, ids=NAMES)
def test_three_engines_and_the_raw_text_agree(population: Filled, number: int, policy: Policy) -> None:
    plan = plan_query(QUERIES[number], policy)
    answers = [exact(plan, _asked(reach)) for reach in population.all]
    assert answers[0].rows == answers[1].rows == answers[2].rows
    ours = exact(plan, _asked(population.duckdb), empty=False).rows
    for reach in population.all:
        if reach.dialect != "sqlite" or number in SAID_ON_SQLITE:
            assert same(reach.raw.execute(raw_text(number)).fetchall(), ours), reach.dialect


@pytest.mark.parametrize(("number", "policy"), [one for one in ACCEPTED if one not in ANSWERED], ids=["Q18"])
def test_more_groups_than_an_answer_may_have_are_refused(
    population: Filled, number: int, policy: Policy
) -> None:
    with pytest.raises(QueryRefused, match=TOO_MANY):
        exact(plan_query(QUERIES[number], policy), _asked(population.duckdb))


@pytest.mark.parametrize("policy", [CUSTOMERS, SUPPLIERS], ids=["customers", "suppliers"])
def test_at_least_fourteen_are_answered(policy: Policy) -> None:
    assert sum(one is policy for _, one in ANSWERED) >= 14


# Relations at SF 1, whose rows the specification deals out to parents at random, each as likely as another.
DEALT = [
    ("lineitem", "part", 6_000_000, 200_000),
    ("lineitem", "partsupp", 6_000_000, 800_000),
    ("customer", "nation", 150_000, 25),
    ("supplier", "nation", 10_000, 25),
]


@pytest.mark.parametrize(("child", "parent", "rows", "parents"), DEALT)
def test_declared_frequencies_hold_for_all_but_one_population_in_a_million(
    child: str, parent: str, rows: int, parents: int
) -> None:
    (edge,) = [one for one in RELATIONS[child]["foreign_keys"] if one["references"] == parent]
    assert parents * binom.sf(edge["max_rows"], rows, 1 / parents) <= 1e-6
    # And no more than that is declared.
    assert parents * binom.sf(edge["max_rows"] - 1, rows, 1 / parents) > 1e-6

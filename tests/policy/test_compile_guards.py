"""What compiled statements keep out: values beyond bounds, sums beyond 64 bits, names and texts that look like SQL."""

import sqlite3
from typing import Any

import duckdb
import pytest
import sqlglot

from privacy.policy.algebra import Aggregate, Filter, Root, Scan
from privacy.policy.compile import Compiler, Dialect, Measure, ValueUnreadable
from privacy.policy.errors import PolicyLayerError
from privacy.policy.expressions import Arithmetic, Attribute, Compare, Const, Read
from privacy.policy.keys import FromRelation
from privacy.policy.schema import schema_from
from privacy.policy.sql import translate
from tests.policy import rich
from tests.policy.conftest import Opened
from tests.policy.engines import Database
from tests.policy.test_compile import check, measures_of
from tests.policy.tpch.queries import QUERIES
from tests.policy.tpch.schema import CUSTOMERS

ROWS = Measure("count", None)
SUMS = "SELECT active, SUM(balance), SUM(balance * id), VARIANCE(balance), COUNT(balance) FROM person GROUP BY active"


def _person(at: int, balance: int | None, **other: Any) -> dict[str, Any]:
    row = {"id": at, "name": None, "city": "서울", "born": None, "active": True, "big": 0}
    return {**row, "balance": balance, **other}


def _numbers(sql: str, database: Database) -> list[int]:
    root = translate(sql, rich.POLICY).root
    measures = [one for _, _, one in measures_of(root)]
    found = Compiler(database.dialect).figures(root, measures).measured(database.execute)
    return [found[one].get((), 0) for one in measures]


def test_values_out_of_bounds_are_moved_into_them_on_every_engine(databases: Opened) -> None:
    root = translate(SUMS, rich.POLICY).root
    wild = [_person(at, value) for at, value in enumerate([10_001, -999_999, None, 5_000_000, 3])]
    with databases(rich.SCHEMA, {"person": wild, "order": []}) as opened:
        for database in opened:
            check(root, {"person": wild, "order": []}, database)


def test_a_statement_that_does_not_clip_says_that_it_had_to(databases: Opened) -> None:
    # The control: without the second run the sum would be what nobody's bounds cover.
    with databases(rich.SCHEMA, {"person": [_person(0, 999_999)], "order": []}) as (_, duck, _):
        root = translate("SELECT SUM(balance) FROM person", rich.POLICY).root
        figures = Compiler("duckdb").figures(root, [measures_of(root)[0][2]])
        ((total, outside),) = duck.execute(figures.sql)
        assert (int(total * 100), outside) == (999_999, True)
        assert _numbers("SELECT SUM(balance) FROM person", duck) == [10_000]


@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
def test_other_engines_clip_in_the_one_statement(dialect: Dialect) -> None:
    root = translate("SELECT SUM(balance) FROM person", rich.POLICY).root
    figures = Compiler(dialect).figures(root, [measures_of(root)[0][2]])
    assert figures.clipped is None
    assert "100" in figures.sql


def test_what_a_figure_below_bounds_is_clipped_where_it_stands() -> None:
    # Columns within their bounds do not bound how many rows a group has.
    inner = 'SELECT p.id, COUNT(*) AS n FROM person p JOIN "order" o ON o.person_id = p.id GROUP BY p.id'
    root = translate(f"SELECT SUM(n) FROM ({inner}) x", rich.POLICY).root
    figures = Compiler("duckdb").figures(root, [measures_of(root)[0][2]])
    assert figures.clipped is None
    assert "LEAST" in figures.sql


@pytest.mark.parametrize("value", [2**62, -(2**62)])
def test_sums_and_squares_beyond_64_bits_are_exact(value: int, databases: Opened) -> None:
    rows = [_person(at, 0, big=value) for at in range(9)]
    with databases(rich.SCHEMA, {"person": rows, "order": []}) as opened:
        for database in opened:
            total, squares, number = _numbers("SELECT VAR_POP(big) FROM person", database)
            assert (total, squares, number) == (9 * value, 9 * value**2, 9), database.dialect


def test_a_plain_sum_of_sqlite_would_fail_there() -> None:
    raw = sqlite3.connect(":memory:")
    with pytest.raises(sqlite3.OperationalError, match="integer overflow"):
        raw.execute(f"SELECT SUM(x) FROM (SELECT {2**62} AS x UNION ALL SELECT {2**62})").fetchall()
    raw.close()


def test_a_sum_below_the_root_that_leaves_64_bits_is_cut_off_and_does_not_fail(databases: Opened) -> None:
    rows = [_person(at, 0, big=2**62) for at in range(3)]
    inner = "SELECT city, SUM(big) AS s FROM person GROUP BY city"
    with databases(rich.SCHEMA, {"person": rows, "order": []}) as opened:
        for database in opened:
            assert _numbers(f"SELECT COUNT(*) FROM ({inner}) x WHERE s > 5", database) == [1]


def test_narrow_columns_do_not_overflow_where_they_are_multiplied() -> None:
    document = {"t": {"columns": {"a": {"type": "integer", "bounds": [0, 127]}}}}
    scan = Scan.of(schema_from(document).relations["t"])
    raw = duckdb.connect()
    raw.execute("CREATE TABLE t (a TINYINT); INSERT INTO t VALUES (127)")
    a = Read(scan.named["a"])
    product = Arithmetic("*", a, a, "integer", 0, (0, 127**2))
    root = Root(scan, (), (Aggregate(Attribute("s", "integer"), "sum", product),))
    measure = Measure("sum", product)
    assert Compiler("duckdb").figures(root, [measure]).measured(lambda sql: raw.execute(sql).fetchall()) == {
        measure: {(): 127**2}
    }
    raw.close()


ODD = 'a"; DROP TABLE t; --'


@pytest.mark.parametrize(
    "text", ["'; DROP TABLE t; --", "\\", "\\'", "a\\nb", "''", '"', "%s", "?", ":a", "$1"]
)
def test_names_and_texts_that_look_like_sql_stay_names_and_texts(text: str, databases: Opened) -> None:
    schema = schema_from({ODD: {"columns": {ODD: {"type": "text", "domain": [text, "x"]}}}})
    scan = Scan.of(schema.relations[ODD])
    key = scan.named[ODD]
    child = Filter(scan, Compare("=", Read(key), Const(text, "text")))
    root = Root(child, (key,), (Aggregate(Attribute("n", "integer"), "count"),))
    with databases(schema, {ODD: [{ODD: text}, {ODD: text}, {ODD: "x"}]}) as opened:
        for database in opened:
            found = Compiler(database.dialect).figures(root, [ROWS]).measured(database.execute)
            assert found == {ROWS: {(text,): 2}}, database.dialect


def test_relations_may_be_called_otherwise_in_the_database() -> None:
    root = translate("SELECT COUNT(*) FROM person", rich.POLICY).root
    sql = Compiler("postgres", {"person": "public.surveys_respondent"}).figures(root, [ROWS]).sql
    assert sql == 'SELECT COUNT(*) AS "v1" FROM "public"."surveys_respondent" AS "t1"'


def test_keys_of_a_relation_are_read_up_to_one_more_than_allowed(databases: Opened) -> None:
    scan = Scan.of(rich.SCHEMA.relations["person"])
    columns = (scan.named["balance"], scan.named["id"])
    source = FromRelation(columns, columns, scan, False)
    people = [_person(at, -at) for at in range(9)]
    with databases(rich.SCHEMA, {"person": people, "order": []}) as opened:
        for database in opened:
            compiler = Compiler(database.dialect)
            assert sorted(compiler.keys(source, 20).read(database.execute)) == [
                (-at, at) for at in range(8, -1, -1)
            ]
            assert len(compiler.keys(source, 3).read(database.execute)) == 4


def test_only_columns_that_are_used_are_read() -> None:
    sql = Compiler("duckdb").figures(translate(QUERIES[1], CUSTOMERS).root, [ROWS]).sql
    assert sql.count("FROM") == 1
    assert {one.name for one in sqlglot.parse_one(sql).find_all(sqlglot.exp.Column)} == {
        "l_returnflag",
        "l_linestatus",
        "l_shipdate",
    }


def test_columns_computed_of_computed_columns_do_not_double_with_every_level() -> None:
    inner = "SELECT id AS c FROM person"
    for _ in range(10):
        inner = f"SELECT c + c AS c FROM ({inner}) x"
    root = translate(f"SELECT COUNT(*) FROM ({inner}) x WHERE c > 5", rich.POLICY).root
    assert len(Compiler("duckdb").figures(root, [ROWS]).sql) < 2_000


@pytest.mark.parametrize("dialect", ["sqlite", "postgres", "duckdb", "spark"])
def test_every_statement_is_one_select_of_its_dialect(dialect: Dialect) -> None:
    for number in (1, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 16, 17, 19, 21):
        root = translate(QUERIES[number], CUSTOMERS).root
        measures = [one for _, _, one in measures_of(root) if one.figure != "rank"]
        (parsed,) = sqlglot.parse(Compiler(dialect).figures(root, measures).sql, dialect=dialect)
        assert isinstance(parsed, sqlglot.exp.Select)


def test_numbers_that_are_not_exact_are_refused() -> None:
    raw = duckdb.connect()
    raw.execute(
        "CREATE TABLE person (id INTEGER, balance DOUBLE, active BOOLEAN); INSERT INTO person VALUES (1, 0.1, true)"
    )
    with pytest.raises(ValueUnreadable) as refused:
        _numbers(
            "SELECT SUM(balance) FROM person", Database("duckdb", lambda sql: raw.execute(sql).fetchall())
        )
    assert isinstance(refused.value, PolicyLayerError)
    raw.close()

"""Queries of the grammar have the same figures on SQLite, DuckDB and PostgreSQL, before any noise."""

from random import Random

from tests.policy.conftest import Opened
from tests.policy.engines import in_duckdb, sqlite
from tests.policy.fuzz.comparing import ANSWERED, outcomes
from tests.policy.fuzz.grammar import Grammar
from tests.policy.fuzz.naive import figures_bare
from tests.policy.fuzz.worlds import pair
from tests.policy.test_sql.school import SCHEMA


def test_the_engines_agree(databases: Opened) -> None:
    answered = 0
    for seed in range(6):
        both, grammar = pair(seed), Grammar(Random(seed), SCHEMA, wrong=0.0)
        with databases(SCHEMA, both.one) as opened:
            for _ in range(25):
                sql = grammar.query()
                first, *others = outcomes(sql, both, opened, figures_bare)
                assert others == [first, first], sql
                answered += first.status == ANSWERED
    assert answered > 50


def test_engines_with_other_rows_would_be_found() -> None:
    """The control."""
    both = pair(0)
    with sqlite(SCHEMA, both.one) as ours, in_duckdb(SCHEMA, both.other) as theirs:
        one, other = outcomes("SELECT COUNT(*) FROM pupil", both, [ours, theirs], figures_bare)
    assert one != other

"""Whatever is asked, neighbours are not told apart: neither by an answer's shape, nor by a refusal, nor by an error."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from tests.policy.engines import sqlite
from tests.policy.fuzz.comparing import ANSWERED, Ask, outcomes
from tests.policy.fuzz.grammar import Grammar
from tests.policy.fuzz.naive import errors_shown, figures_bare, groups_of_data
from tests.policy.fuzz.running import Tally, fuzzed, reason_class
from tests.policy.fuzz.worlds import pair
from tests.policy.test_sql.school import SCHEMA

ROOT = Path(__file__).parents[3]
ABROAD = "SELECT COUNT(*) FROM pupil WHERE ABS(p_luck - 9223372036854775807 - 1) > 0"


@pytest.fixture(scope="module")
def some() -> Tally:
    """A thousand queries; python -m tests.policy.fuzz asks 20,000."""
    return fuzzed(1_000, 20261201)


def test_every_query_is_answered_or_refused(some: Tally) -> None:
    assert (some.exceptions, some.wrong) == (0, [])


def test_neighbours_are_not_told_apart(some: Tally) -> None:
    assert (some.queries, some.differing) == (1_000, 0)


def test_the_command_runs_by_itself(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("DJANGO")}
    command = [sys.executable, "-m", "tests.policy.fuzz", "--queries", "20"]
    environment |= {"DENIABLE_VAR": str(tmp_path)}
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert "20" in run.stdout


def test_many_are_answered_and_many_are_refused_for_many_reasons(some: Tally) -> None:
    # Else the others say nothing.
    assert some.status[ANSWERED] > 200
    assert len(some.reasons) > 25


@pytest.mark.parametrize("naive", [groups_of_data, figures_bare])
def test_a_naive_layer_is_found(naive: Ask) -> None:
    """The control."""
    assert fuzzed(120, 5, naive).differing > 0


def test_an_error_of_the_engine_that_shows_is_found() -> None:
    """The control: an overflow in the row of one pupil."""
    told = 0
    for seed in range(40):
        both = pair(seed)
        with sqlite(SCHEMA, both.one) as one, sqlite(SCHEMA, both.other) as other:
            seen = outcomes(ABROAD, both, [one, other], errors_shown)
            told += seen[0] != seen[1]
    assert told > 0


def test_the_same_seed_asks_the_same() -> None:
    one, other = (Grammar(Random(3), SCHEMA) for _ in range(2))
    assert [one.query() for _ in range(20)] == [other.query() for _ in range(20)]


def test_reasons_are_told_apart_by_more_than_names() -> None:
    assert reason_class("max of a column without bounds") != reason_class("there is no column x1")
    assert reason_class("there is no column p_fee") == reason_class("there is no column p_luck")

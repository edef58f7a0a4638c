"""What the bench of the policy layer measures on: TPC-H in two sizes, and a university that keeps its rules."""

from typing import Any

import pytest

from privacy.policy.labels import policy_from
from privacy.policy.schema import schema_from
from surveys.sources.checking import constraints_of
from surveys.sources.spelling import Spelling
from tests.bench import policy_data
from tests.bench.policy_errors import PUBLISHED_CASES, errors_of
from tests.bench.sizes import SIZES
from tests.bench.university import university
from tests.policy.engines import sqlite

needs_cases = pytest.mark.skipif(not PUBLISHED_CASES, reason="the published cases are not there")


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> list[str]:
    scales: list[str] = []
    monkeypatch.setattr(policy_data, "ROOT", tmp_path)
    monkeypatch.setattr(policy_data, "_make", lambda one: scales.append(one.scale))
    return scales


def test_the_small_size_measures_a_hundredth_and_every_other_one_the_whole(made: list[str]) -> None:
    sizes = [policy_data.population(size) for size in SIZES.values()]
    assert [(one.scale, one.whole) for one in sizes] == [("0.01", False), ("1", True), ("1", True)]
    # And each is made once.
    assert made == ["0.01", "1"]


@needs_cases
def test_the_university_keeps_what_its_schema_declares() -> None:
    schema = schema_from(PUBLISHED_CASES["schemas"]["university"])
    policy = policy_from(PUBLISHED_CASES["policies"]["university/flexible"], schema)
    with sqlite(schema, university()) as database:
        spelling = Spelling("sqlite", {})
        told = constraints_of(schema, [policy], spelling)
        assert [one.told for one in told if database.execute(one.broken)] == []


@needs_cases
def test_public_figures_have_no_error_and_the_others_one_of_their_policy() -> None:
    schema = schema_from(PUBLISHED_CASES["schemas"]["university"])
    policy = policy_from(PUBLISHED_CASES["policies"]["university/flexible"], schema)
    sql = "SELECT SUM(e_review) FROM section INNER JOIN enrollment ON s_sid = e_sid GROUP BY s_fid"
    with sqlite(schema, university()) as database:
        found = errors_of(sql, policy, database)
    assert found.flexible == 0
    assert found.unbounded is not None
    assert found.bounded is not None
    # Twice the noise; that chance turns the two around is out of the question.
    assert 0 < found.unbounded < found.bounded

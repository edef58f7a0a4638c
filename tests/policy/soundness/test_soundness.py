"""No pair of neighbours breaks a bound, and a rule that is weaker than it should be is seen to be."""

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from surveys.sources.checking import first_broken
from surveys.sources.connecting import Reach
from tests.policy.soundness.__main__ import ran, table, text
from tests.policy.soundness.known import KNOWN
from tests.policy.soundness.mutants import EASY
from tests.policy.soundness.mutations import MUTATIONS
from tests.policy.soundness.rules import ALL
from tests.policy.soundness.running import databases
from tests.policy.soundness.trial import random_policies
from tests.policy.soundness.worlds import Builder, Rows, legal, neighbour

ROOT = Path(__file__).parents[3]
SEEDS = range(40)


def test_no_neighbour_breaks_a_bound_and_every_rule_is_tried() -> None:
    run = ran(SEEDS)
    print(text(table(run.rules)))
    assert not run.broken, run.broken[0]
    assert run.trials > 5_000
    assert set(ALL) - run.rules.keys() == set()


@pytest.mark.parametrize("name", KNOWN)
def test_neighbours_that_are_known_show_that_a_bound_is_needed(name: str) -> None:
    trial = KNOWN[name].trial()
    assert not trial.broken
    # Most of these bounds are attained; the first two count what any number of people could have caused.
    assert max(one.share for one in trial.seen) > 0.1


def test_both_worlds_of_a_pair_pass_the_check_that_sources_do() -> None:
    tried = 0
    for seed in range(40):
        dice = Random(seed)
        policy = next(random_policies(dice))
        pair = Builder(dice, policy).pair()
        if pair is None or any(not policy.schema.relations[one].key for one in policy.caps):
            continue
        other = neighbour(policy, pair)
        assert other is not None
        with databases(policy.schema) as both:
            for database, rows in zip(both, (pair.rows, other), strict=True):
                database.hold(rows)
                assert first_broken(Reach(database.raw, "sqlite"), policy.schema, [policy], {}) is None
        tried += 1
    assert tried > 20


def test_a_world_that_the_check_refuses_is_not_legal() -> None:
    refused = 0
    for seed in range(40):
        dice = Random(seed)
        policy = next(random_policies(dice))
        pair = Builder(dice, policy).pair()
        name = next((one.name for one in policy.schema.relations.values() if one.foreign_keys), None)
        if pair is None or name is None or not pair.rows[name]:
            continue
        edge = policy.schema.relations[name].foreign_keys[0]
        rows: Rows = {**pair.rows, edge.parent: {}}
        if all(None in [row[one] for one in edge.columns] for row in rows[name].values()):
            continue
        assert not legal(policy, rows)
        with databases(policy.schema) as both:
            both[0].hold(rows)
            assert first_broken(Reach(both[0].raw, "sqlite"), policy.schema, [policy], {}) is not None
        refused += 1
    assert refused > 10


def test_rules_that_are_weakened_are_found() -> None:
    # A process of its own: the mutants are forks, and a fork should inherit nothing from other tests.
    command = [sys.executable, "-m", "tests.policy.soundness.mutants", "--easy"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert f"{len(EASY)} mutants, 0 survived" in run.stdout


def test_there_are_enough_mutants_and_each_is_another_program() -> None:
    assert len(MUTATIONS) >= 25
    assert len({(one.module, one.old, one.new) for one in MUTATIONS}) == len(MUTATIONS)
    assert {one.slip for one in MUTATIONS} >= EASY


def test_each_mutation_still_fits_the_source() -> None:
    for one in MUTATIONS:
        source = (ROOT / (one.module.replace(".", "/") + ".py")).read_text("utf-8")
        assert source.count(one.old) == 1, one
        compile(source.replace(one.old, one.new), one.module, "exec")

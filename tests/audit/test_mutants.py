"""Every slip that we could think of is caught by the law, the vectors or the audit."""

import subprocess
import sys
from pathlib import Path

from tests.audit.mutations import MUTATIONS

ROOT = Path(__file__).parents[2]


def test_no_mutant_of_the_product_survives() -> None:
    # A process of its own: the mutants are forks, and a fork should inherit nothing from other tests.
    run = subprocess.run(
        [sys.executable, "-m", "tests.audit.mutants", "--first"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    print(run.stdout)
    assert run.returncode == 0, run.stdout + run.stderr
    assert f"{len(MUTATIONS)} mutants, 0 survived; the product itself passes" in run.stdout


def test_there_are_enough_mutants_and_each_is_another_program() -> None:
    assert len(MUTATIONS) >= 25
    assert len({(mutation.module, mutation.old, mutation.new) for mutation in MUTATIONS}) == len(MUTATIONS)


def test_each_mutation_still_fits_the_source() -> None:
    for mutation in MUTATIONS:
        source = (ROOT / (mutation.module.replace(".", "/") + ".py")).read_text("utf-8")
        assert source.count(mutation.old) == 1, mutation
        compile(source.replace(mutation.old, mutation.new), mutation.module, "exec")

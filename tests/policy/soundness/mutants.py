"""`python -m tests.policy.soundness.mutants`: every mutant of the rules against random neighbours.

A mutant that no trial breaks has shown that a rule weakened like this would not be noticed.
"""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import count
from multiprocessing import get_context

from tests.audit.mutants import MutatedFinder
from tests.audit.mutations import Mutation
from tests.policy.soundness.mutations import MUTATIONS

BUDGET = 60_000  # trials in which a mutant is to be found
SOON = 2_500  # and those that are tried in the suite
EASY = frozenset[str]()
OWN = ("tests.policy.soundness.mutations", __name__)


@dataclass(frozen=True, slots=True)
class Verdict:
    """After how many trials a mutant was found, and by what; no word where it was not."""

    trials: int
    broken: str


def verdict(mutation: Mutation | None, budget: int, seed: int) -> Verdict:
    """Return when a mutant (None: the product as it is) is found; to be called in a process of its own."""
    for name in list(sys.modules):
        if name.startswith(("privacy", "tests.policy.soundness")) and name not in OWN:
            del sys.modules[name]
    if mutation is not None:
        sys.meta_path.insert(0, MutatedFinder(mutation))
        import_module(mutation.module)  # outside of the trials: a mutant that is no program proves nothing
    trials = import_module("tests.policy.soundness.trial").trials
    done = 0
    try:
        for one in count(seed):
            for trial in trials(one):
                done += 1
                if trial.broken or done >= budget:
                    return Verdict(done, trial.broken)
    except Exception as error:
        # A query that was accepted fails: seen as well.
        return Verdict(done, repr(error))
    raise AssertionError


def verdicts(
    mutations: Sequence[Mutation | None], budget: int, processes: int, seed: int = 0
) -> Iterator[Verdict]:
    """Give when each mutant was found, each in a fresh process."""
    import_module("tests.policy.soundness.trial")  # and with it sqlglot, once for all of them
    with get_context("fork").Pool(processes, maxtasksperchild=1) as pool:
        yield from pool.imap(partial(verdict, budget=budget, seed=seed), mutations, chunksize=1)


def main() -> int:
    """Print after how many trials each mutant was found; exit code 1 when one survives."""
    parser = argparse.ArgumentParser(prog="python -m tests.policy.soundness.mutants")
    parser.add_argument("--trials", type=int, default=BUDGET)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--easy", action="store_true", help="only those that are found soon")
    wish = parser.parse_args()
    budget = SOON if wish.easy else wish.trials
    chosen = [one for one in MUTATIONS if not wish.easy or one.slip in EASY]
    survivors = 0
    for mutation, one in zip(chosen, verdicts(chosen, budget, wish.processes), strict=True):
        survivors += not one.broken
        after = f"{one.trials:,}" if one.broken else "SURVIVED"
        print(f"{after:>9}  {mutation.module.removeprefix('privacy.policy.')}: {mutation.slip}", flush=True)
    print(f"{len(chosen)} mutants, {survivors} survived {budget:,} trials")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())

"""`python -m tests.policy.soundness.mutants`: every mutant of the rules against known neighbours, then random ones.

A mutant that no trial breaks has shown that a rule weakened like this would not be noticed.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from multiprocessing import get_context
from random import Random
from typing import Any

from tests.audit.mutants import MutatedFinder
from tests.audit.mutations import Mutation
from tests.policy.soundness.mutations import MUTATIONS

BUDGET = 600  # seeds within which a mutant is to be found
SOON = 40  # and those that are tried in the suite
TRIALS, KNOWN = "tests.policy.soundness.trial", "tests.policy.soundness.known"
EASY = frozenset(
    {
        "one row may be absent, not all that are owned",
        "one row may change, not all that are owned",
        "a filter on a replaced column changes nothing",
        "a computed column is not replaced",
        "only the left side can differ",
        "padded columns are not replaced",
        "nothing is regrouped",
        "COUNT counts what may flip",
        "COUNT(DISTINCT) reads nothing",
        "a quantile reads nothing",
        "SUM sums what may flip",
        "flips of groups count for nothing",
        "squares are largest at the upper end",
        # By neighbours that are known: random ones seldom meet where these rules matter.
        "a changed key is told once",
        "partners that may flip stay",
        "pairs have the owner of their left row",
        "what is equal on one side is equal on both",
        "what is tied is named by its left side, and goes",
        "signs do not matter to the length",
        "keys are joined by replaced columns",
    }
)
OWN = ("tests.policy.soundness.mutations", __name__)


@dataclass(frozen=True, slots=True)
class Verdict:
    """After how many seeds and trials a mutant was found, and by what; no word where it was not.

    Before the first seed by a neighbour that is known: `seeds` is −1 then.
    """

    seeds: int
    trials: int
    broken: str


def verdict(mutation: Mutation | None, budget: int, seed: int) -> Verdict:
    """Return when a mutant (None: the product as it is) is found; to be called in a process of its own."""
    product = import_module(TRIALS)
    for name in list(sys.modules):
        if name.startswith(("privacy", "tests.policy.soundness")) and name not in OWN:
            del sys.modules[name]
    if mutation is not None:
        sys.meta_path.insert(0, MutatedFinder(mutation))
        import_module(mutation.module)  # outside of the trials: a mutant that is no program proves nothing
    mutant = import_module(TRIALS)
    same = mutation is None or mutation.module.startswith("privacy.policy.compile")
    done, one = 0, -1
    try:
        for trial in import_module(KNOWN).known_trials():
            done += 1
            if trial.broken:
                return Verdict(one, done, trial.broken)
        for one in range(seed, seed + budget):
            for trial in mutant.trials(one, every if same else differs(product, mutant, one)):
                done += 1
                if trial.broken:
                    return Verdict(one - seed, done, trial.broken)
    except Exception as error:
        # A query that was accepted fails: seen as well.
        return Verdict(one - seed, done, repr(error))
    return Verdict(budget, done, "")


def every(case: Any) -> bool:
    """Want each query."""
    return True


def differs(product: Any, mutant: Any, seed: int) -> Callable[[Any], bool]:
    """Return whether a mutant bounds a query or lists its groups otherwise: only there can it be found."""
    policy = next(product.random_policies(Random(seed)))

    def wanted(case: Any) -> bool:
        try:
            plan = product.plan_query(case.sql, policy)
        except product.QueryRefused:
            return True
        # As texts: the classes of both are others.
        before, after = (
            (product.bounds_of(plan), plan.sources),
            (mutant.bounds_of(case.plan), case.plan.sources),
        )
        return str(before) != str(after)

    return wanted


def verdicts(
    mutations: Sequence[Mutation | None], budget: int, processes: int, seed: int = 0
) -> Iterator[Verdict]:
    """Give when each mutant was found, each in a fresh process."""
    import_module(TRIALS)  # and with it sqlglot, once for all of them
    with get_context("fork").Pool(processes, maxtasksperchild=1) as pool:
        yield from pool.imap(partial(verdict, budget=budget, seed=seed), mutations, chunksize=1)


def main() -> int:
    """Print after how many trials each mutant was found; exit code 1 when one survives."""
    parser = argparse.ArgumentParser(prog="python -m tests.policy.soundness.mutants")
    parser.add_argument("--seeds", type=int, default=BUDGET)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--easy", action="store_true", help="only those that are found soon")
    wish = parser.parse_args()
    budget = SOON if wish.easy else wish.seeds
    chosen = [one for one in MUTATIONS if not wish.easy or one.slip in EASY]
    survivors = 0
    for mutation, one in zip(chosen, verdicts(chosen, budget, wish.processes), strict=True):
        survivors += not one.broken
        module = mutation.module.removeprefix("privacy.policy.")
        print(f"{_after(one):>11}  {module}: {mutation.slip}", flush=True)
    print(f"{len(chosen)} mutants, {survivors} survived {budget:,} seeds")
    return 1 if survivors else 0


def _after(one: Verdict) -> str:
    if not one.broken:
        return "SURVIVED"
    return "known" if one.seeds < 0 else f"{one.seeds} {one.trials:>6,}"


if __name__ == "__main__":
    sys.exit(main())

"""`python -m tests.policy.soundness`: random schemas, policies, queries and neighbours against the bounds.

--trials N      pairs of neighbours that a query is asked on (100,000 is the full size)
--seed N        the first seed; each seed is a schema under a policy, with some queries and their pairs
--processes N   as many at a time
Prints a line for each rule and writes var/soundness.json. Exit code 1 where a bound is broken, with all that is
needed to make it a fixed case.
"""

import argparse
import json
import os
import sys
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count, islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from privacy.policy.labels import policy_document
from privacy.policy.schema import Schema
from tests.policy.soundness.counts import Rules, counted, together
from tests.policy.soundness.rules import ALL
from tests.policy.soundness.trial import Trial, trials
from tests.policy.soundness.worlds import listed

ROOT = Path(__file__).parents[3]
FULL = 100_000
BATCH = 20  # seeds at a time


@dataclass
class Run:
    """What some seeds gave."""

    trials: int = 0
    queries: int = 0
    rules: Rules = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)


def ran(seeds: range) -> Run:
    """Run the trials of some seeds."""
    run, found = Run(), list[Rules]()
    for seed in seeds:
        try:
            found += list(counted(_watched(seed, run)))
        except Exception:
            run.broken.append(f"seed {seed}: a query that was accepted failed\n{traceback.format_exc()}")
    run.rules, run.queries = together(found), len(found)
    return run


def _watched(seed: int, run: Run) -> Iterator[Trial]:
    for trial in trials(seed):
        run.trials += 1
        if trial.broken:
            run.broken.append(told(trial))
            return
        yield trial


def told(trial: Trial) -> str:
    """Return all of a trial, so that it can be made a fixed case."""
    case = trial.case
    lines = [
        f"seed {trial.seed}: {trial.broken}",
        f"schema {schema_text(case.policy.schema)}",
        f"policy {json.dumps(policy_document(case.policy))}",
        f"query {case.sql}",
        *(f"  {one}" for one in case.plan.trace),
        f"one world {listed(trial.one)}",
        f"the other {listed(trial.other)}",
    ]
    return "\n".join(lines)


def schema_text(schema: Schema) -> str:
    """Return a schema as it reads in Python."""
    return repr(
        {name: (one.key, dict(one.columns), one.foreign_keys) for name, one in schema.relations.items()}
    )


def main() -> int:
    """Run the trials, print the table, keep it."""
    wish = arguments()
    start = time.monotonic()
    whole = _whole(wish)
    lines = table(whole.rules)
    print(text(lines))
    seconds = time.monotonic() - start
    print(
        f"{whole.trials:,} trials of {whole.queries:,} queries, {len(whole.broken)} broken, {seconds:.0f} s"
    )
    for one in whole.broken[:3]:
        print(f"\n{one}")
    kept = {
        "trials": whole.trials,
        "full": whole.trials >= FULL,
        "queries": whole.queries,
        "broken": whole.broken,
        "seconds": round(seconds),
        "rules": lines,
    }
    (ROOT / "var").mkdir(exist_ok=True)
    (ROOT / "var" / "soundness.json").write_text(json.dumps(kept, indent=1) + "\n", "utf-8")
    return 1 if whole.broken else 0


def _whole(wish: argparse.Namespace) -> Run:
    whole = Run()
    batches = (range(at, at + BATCH) for at in count(wish.seed, BATCH))
    with get_context("fork").Pool(wish.processes) as pool:
        while whole.trials < wish.trials and not whole.broken:
            # A few batches ahead of what is counted.
            for run in pool.imap(ran, list(islice(batches, wish.processes * 4))):
                whole.trials += run.trials
                whole.queries += run.queries
                whole.rules = together([whole.rules, run.rules])
                whole.broken += run.broken
    return whole


def table(rules: Rules) -> list[dict[str, Any]]:
    """Return a line for each rule, those below the root first."""
    names = [*ALL, *sorted(name for name in rules if name not in ALL)]
    return [rules[name].as_json(name) for name in names if name in rules]


def text(lines: list[dict[str, Any]]) -> str:
    """Return the table as text."""
    titles = ("rule", "trials", "numbers", "public", "attained", "unmoved", "median", "largest")
    rows = [
        titles,
        *(tuple("–" if line[one] is None else str(line[one]) for one in titles) for line in lines),
    ]
    widths = [max(len(row[at]) for row in rows) for at in range(len(titles))]
    return "\n".join(
        "  ".join(
            [
                row[0].ljust(widths[0]),
                *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)),
            ]
        )
        for row in rows
    )


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.policy.soundness", description="Bounds against neighbours."
    )
    parser.add_argument("--trials", type=int, default=FULL)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())

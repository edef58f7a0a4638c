"""`make bench`: every figure with its goal and its peers, as a table and as var/bench.json."""

import argparse
import importlib
import json
import sys
import time
from collections.abc import Iterator
from typing import Any

from tests.bench.figures import Figure, machine, table
from tests.bench.machine import Unavailable
from tests.bench.sizes import Size, size_of
from tests.faults.running import ROOT

GROUPS = ("intake", "counting", "storage", "debiasing", "results", "people", "policy", "browser")


def main() -> int:
    """Measure the groups asked for; give 1 when a goal was missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--size", default="medium", help="small, medium, large, or how many answers to count")
    parser.add_argument("--only", nargs="+", choices=GROUPS, default=GROUPS)
    asked = parser.parse_args()
    try:
        size = size_of(asked.size)
    except ValueError as reason:
        parser.error(str(reason))
    on, figures = machine(), list[Figure]()
    print(", ".join(f"{name} {value}" for name, value in on.items()))
    for group in asked.only:
        measured = list(_measured(group, size))
        print(f"\n{table(measured)}", flush=True)
        figures += measured
    _write({"size": asked.size, "machine": on, "figures": [figure.to_json() for figure in figures]})
    missed = [figure for figure in figures if figure.met is False]
    print(f"\n{sum(f.met is True for f in figures)} goals met, {len(missed)} missed")
    return 1 if missed else 0


def _measured(group: str, size: Size) -> Iterator[Figure]:
    started = time.monotonic()
    module = importlib.import_module(f"tests.bench.{group}")
    try:
        yield from module.figures(size)
    except Unavailable as reason:
        yield Figure(module.GROUP, "not measured", None, note=f"skipped: {reason}")
    print(f"[{group}: {time.monotonic() - started:.0f} s]", flush=True)


def _write(result: dict[str, Any]) -> None:
    (ROOT / "var").mkdir(exist_ok=True)
    (ROOT / "var" / "bench.json").write_text(json.dumps(result, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    sys.exit(main())

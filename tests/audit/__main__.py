"""`python -m tests.audit`: draw with the Python mechanisms, judge all counts, print a table.

--size N        draws a truth (10,000,000 is the full size)
--language L    python (draw and judge, the default), or any name to judge var/audit-<L>.json only
--source S      bulk (the default, faster) or secure (the bit source of the product)
--counts FILE   judge these counts too (may be repeated); TypeScript writes var/audit-typescript.json
Writes var/audit-python.json (counts) and var/audit.json (verdicts). Exit code 1 when a case fails.
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from tests.audit.draws import SOURCES, manifests, sample
from tests.audit.judge import FULL, Row, judge, table

VAR = Path(__file__).parents[2] / "var"


def main() -> int:
    """Run the audit."""
    wish = arguments()
    VAR.mkdir(exist_ok=True)
    files = [Path(name) for name in wish.counts]
    if wish.language == "python":
        draw_python(wish.size, wish.processes, wish.source)
    files.insert(0, VAR / f"audit-{wish.language}.json")
    rows = [row for file in files for row in verdicts(json.loads(file.read_text("utf-8")))]
    print(table(rows))
    result = {"size": min(row.n for row in rows), "rows": [row.as_json() for row in rows]}
    (VAR / "audit.json").write_text(json.dumps(result, indent=1), "utf-8")
    failed = sum(not row.passed for row in rows)
    print(f"{len(rows)} cases, {failed} failed")
    return 1 if failed else 0


def draw_python(size: int, processes: int, source: str) -> None:
    """Draw with the product's Python code and write the counts."""
    start = time.monotonic()
    audited = manifests()
    cases = sample(audited, size, processes, source)
    seconds = time.monotonic() - start
    draws = size * sum(manifest["choices"] for manifest in audited)
    (VAR / "audit-python.json").write_text(json.dumps({"language": "python", "cases": cases}), "utf-8")
    print(f"python: {draws:,} draws in {seconds:.0f} s")


def verdicts(counted: dict[str, Any]) -> list[Row]:
    """Judge all cases of one language."""
    return [judge(counted["language"], case) for case in counted["cases"]]


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.audit", description="The statistical audit of ε.")
    parser.add_argument("--size", type=int, default=FULL, help="draws a truth")
    parser.add_argument(
        "--language", default="python", help="python draws; another name only judges its counts"
    )
    parser.add_argument("--source", choices=sorted(SOURCES), default="bulk")
    parser.add_argument("--counts", action="append", default=[], help="a further file of counts to judge")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())

"""`python -m tests.audit`: draw with the product's own mechanisms, judge the counts, print a table.

--size N        draws a truth (10,000,000 is the full size)
--language L    python, typescript or both (the default)
--source S      random bits of the Python draws: bulk (the default, faster) or secure (the product's own source)
--judge-only    draw nothing, judge the counts that are there
Counts lie in var/audit-python.json and var/audit-typescript.json, verdicts in var/audit.json.
Exit code 1 when a case fails. Below the full size every verdict is marked as small.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tests.audit.draws import SOURCES, manifests, sample
from tests.audit.judge import FULL, Row, judge, table

ROOT = Path(__file__).parents[2]
VAR = ROOT / "var"
LANGUAGES = ("python", "typescript")


def main() -> int:
    """Run the audit."""
    wish = arguments()
    VAR.mkdir(exist_ok=True)
    languages = LANGUAGES if wish.language == "both" else (wish.language,)
    if not wish.judge_only:
        for language in languages:
            draw(language, wish)
    files = [VAR / f"audit-{language}.json" for language in languages]
    rows = [row for file in files for row in verdicts(json.loads(file.read_text("utf-8")))]
    print(table(rows))
    failed = sum(not row.passed for row in rows)
    (VAR / "audit.json").write_text(json.dumps(result(rows), indent=1) + "\n", "utf-8")
    print(f"{len(rows)} cases of {sum(row.draws for row in rows):,} draws, {failed} failed")
    if small := sum(row.small for row in rows):
        print(f"SMALL: {small} cases of fewer than {FULL:,} draws a truth; this is not the full audit")
    return 1 if failed else 0


def result(rows: list[Row]) -> dict[str, Any]:
    """Return what is kept: every verdict with its size, and whether all of them are of the full size."""
    return {
        "full_size": FULL,
        "full": bool(rows) and not any(row.small for row in rows),
        "failed": sum(not row.passed for row in rows),
        "rows": [row.as_json() for row in rows],
    }


def draw(language: str, wish: argparse.Namespace) -> None:
    """Draw in one language and leave the counts in var/."""
    start = time.monotonic()
    if language == "python":
        cases = sample(manifests(), wish.size, wish.processes, wish.source)
        counted = {"language": language, "cases": cases}
        (VAR / "audit-python.json").write_text(json.dumps(counted) + "\n", "utf-8")
    else:
        command = ["npm", "run", "--silent", "audit", "--", "--size", str(wish.size)]
        subprocess.run([*command, "--workers", str(wish.processes)], cwd=ROOT / "frontend", check=True)
    print(f"{language}: drawn in {time.monotonic() - start:.0f} s", flush=True)


def verdicts(counted: dict[str, Any]) -> list[Row]:
    """Judge all cases of one language."""
    return [judge(counted["language"], case) for case in counted["cases"]]


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.audit", description="The statistical audit of ε.")
    parser.add_argument("--size", type=int, default=FULL, help="draws a truth")
    parser.add_argument("--language", choices=[*LANGUAGES, "both"], default="both")
    parser.add_argument("--source", choices=sorted(SOURCES), default="bulk")
    parser.add_argument("--judge-only", action="store_true", help="draw nothing")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())

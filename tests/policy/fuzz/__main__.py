"""`python -m tests.policy.fuzz`: queries of a grammar, valid and slightly wrong, against neighbouring databases.

--queries N   how many (20,000 is the full size)
--seed N      the first seed; the same gives the same queries
Prints how many were answered, and why the others were refused, and writes var/fuzz.json. Exit code 1 where one ended in
anything but an answer or a refusal, or where two neighbours were told apart.
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path

import django

ROOT = Path(__file__).parents[3]
FULL = 20_000


def main() -> int:
    """Ask the queries; give 1 when anything was wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.policy.fuzz", description=__doc__)
    parser.add_argument("--queries", type=int, default=FULL)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    # Answers are compared as the service would store them.
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    django.setup()
    from tests.policy.fuzz.running import fuzzed, table_of

    began = time.monotonic()
    found = fuzzed(asked.queries, asked.seed)
    print(table_of(found))
    told = {"seed": asked.seed, "seconds": round(time.monotonic() - began, 1), **vars(found)}
    (ROOT / "var").mkdir(exist_ok=True)
    (ROOT / "var" / "fuzz.json").write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n")
    return 1 if found.exceptions or found.differing else 0


if __name__ == "__main__":
    sys.exit(main())

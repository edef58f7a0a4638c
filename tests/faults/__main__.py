"""`make faults`: rounds of kills over both databases, with a real Celery worker beside the drainers.

Then charged queries are killed at every step, and threads spend one budget together.
"""

import argparse
import random
import sys
import tempfile
from pathlib import Path

from tests.faults.charging import charges_played
from tests.faults.rounds import Round, round_of, rounds_json, table_of
from tests.faults.running import ROOT
from tests.faults.spending import spending_played

SIZES = {"small": 2, "medium": 10, "large": 50}


def main() -> int:
    """Play the rounds; give 1 when anything was wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--size", choices=SIZES, default="small")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--reports", type=int, default=1500)
    parser.add_argument("--kills", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    chance, rounds = random.Random(asked.seed), list[tuple[str, Round]]()
    for at in range(asked.rounds or SIZES[asked.size]):
        server = at % 2 == 0
        with tempfile.TemporaryDirectory(prefix="deniable-faults-") as folder:
            played = round_of(
                Path(folder),
                reports=asked.reports,
                kills=asked.kills,
                chance=chance,
                server=server,
                celery=True,
            )
        rounds.append(("PostgreSQL" if server else "SQLite", played))
        print(table_of(rounds[-1:]), flush=True)
    (ROOT / "var").mkdir(exist_ok=True)
    (ROOT / "var" / "faults.json").write_text(rounds_json(rounds))
    wrong = sum(len(one.faults) for _, one in rounds)
    for table, faults in (charges_played(), spending_played(asked.rounds or SIZES[asked.size])):
        print(table, flush=True)
        wrong += faults
    print(f"{len(rounds)} rounds, {sum(sum(one.kills.values()) for _, one in rounds)} kills, {wrong} faults")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

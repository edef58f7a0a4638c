"""Charged queries killed at every step, on either database: judged, and told as a table."""

import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.faults.running import ROOT, environment
from tests.services import postgres

Rounds = Sequence[dict[str, Any]]
DEEDS = ("charge", "run", "release")
# Of every deed, where a kill must have come.
MOMENTS = (
    "charge: before UPDATE surveys_budget",
    "charge: before COMMIT",
    "charge: after COMMIT",
    "run: before the data is touched",
    "run: after the data was measured",
    "run: after the noise was drawn",
    "run: before UPDATE surveys_queryrun",
    "run: before COMMIT",
    "run: after COMMIT",
    "release: after SELECT surveys_queryrun",
)


def asked(folder: Path, url: str) -> Rounds:
    """Play the rounds over a database of one's own."""
    env = {**environment(url, folder), "DJANGO_SETTINGS_MODULE": "deploy.settings"}
    command = [sys.executable, "-W", "ignore", "-m", "tests.faults.asking", str(folder)]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        raise RuntimeError(done.stderr[-3000:])
    found: Rounds = json.loads(done.stdout)
    return found


def faults_of(rounds: Rounds) -> list[str]:
    """Return what is wrong after rounds at ε 0.1 and 0.2."""
    first, second = rounds
    checks = {
        "too few kills to mean anything": all(set(MOMENTS) <= set(one["kills"]) for one in rounds),
        "an answer was never given": all(len(one["released"]) >= 1 for one in rounds),
        "two answers were given for one charge": all(len(one["released"]) <= 1 for one in rounds),
        "a run is not done": second["states"] == ["done", "done"],
        "a charge was lost or doubled": (first["spent"], second["spent"]) == (100_000, 300_000),
        "a charge was given back, or was there by halves": _steady(first, 0, 100_000)
        and _steady(second, 100_000, 300_000),
        "the log does not say what was charged": second["charges"] == 2,
        # An answer that was drawn and not recorded was killed before anybody saw it.
        "nothing was ever drawn anew": all(one["drawn"] > 1 for one in rounds),
    }
    return [what for what, true in checks.items() if not true]


def _steady(one: dict[str, Any], before: int, after: int) -> bool:
    spending = one["spending"]
    return spending == sorted(spending) and set(spending) == {before, after}


@contextmanager
def databases() -> Iterator[Sequence[tuple[str, Path, str]]]:
    """Give both databases, empty, each with a folder."""
    with tempfile.TemporaryDirectory(prefix="deniable-charging-") as folder, postgres() as server:
        lite, large = Path(folder) / "sqlite", Path(folder) / "postgresql"
        lite.mkdir()
        large.mkdir()
        yield [("SQLite", lite, f"sqlite:///{lite / 'd.sqlite3'}"), ("PostgreSQL", large, server.url)]


def charges_played() -> tuple[str, int]:
    """Play both databases; return a table, and how many faults there are."""
    lines = [f"{'database':<12}{'round':>6}  " + "".join(f"{f'killed in {one}':>19}" for one in DEEDS)]
    lines[0] += f"{'drawn':>7}{'released':>10}{'charged':>9}"
    faults = 0
    with databases() as both:
        for name, folder, url in both:
            rounds = asked(folder, url)
            found = faults_of(rounds)
            lines += [_line(name, at, one) for at, one in enumerate(rounds, 1)]
            lines += [f"    FAULT: {fault}" for fault in found]
            faults += len(found)
    return "\n".join(lines), faults


def _line(name: str, at: int, one: dict[str, Any]) -> str:
    kills = Counter(kill.partition(":")[0] for kill in one["kills"])
    counts = "".join(f"{kills[deed]:>19}" for deed in DEEDS)
    charged = (one["spending"][-1] - one["spending"][0]) / 10**6
    return f"{name:<12}{at:>6}  {counts}{one['drawn']:>7}{len(one['released']):>10}{charged:>9.1f}"

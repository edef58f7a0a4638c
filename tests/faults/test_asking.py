"""Whatever step a query is killed at: one charge, one answer, and none that was not recorded."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from tests.faults.running import ROOT, environment
from tests.services import postgres


def asked(folder: Path, url: str) -> list[dict[str, Any]]:
    env = {**environment(url, folder), "DJANGO_SETTINGS_MODULE": "deploy.settings"}
    command = [sys.executable, "-W", "ignore", "-m", "tests.faults.asking", str(folder)]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def faults_of(rounds: list[dict[str, Any]]) -> list[str]:
    """Return what is wrong after rounds at ε 0.1 and 0.2."""
    first, second = rounds
    checks = {
        "too few kills to mean anything": all(one["kills"] >= 20 for one in rounds),
        "an answer was never given": all(len(one["released"]) >= 1 for one in rounds),
        "two answers were given for one charge": all(len(one["released"]) <= 1 for one in rounds),
        "a run is not done": second["states"] == ["done", "done"],
        "a charge was lost or doubled": (first["spent"], second["spent"]) == (100_000, 300_000),
        "the log does not say what was charged": second["charges"] == 2,
        # An answer that was drawn and not recorded was killed before anybody saw it.
        "nothing was ever drawn anew": all(one["drawn"] > 1 for one in rounds),
    }
    return [what for what, true in checks.items() if not true]


def test_one_charge_buys_one_answer_whatever_is_killed(tmp_path: Path) -> None:
    if connection.vendor == "postgresql":
        with postgres() as service:
            assert faults_of(asked(tmp_path, service.url)) == []
    else:
        assert faults_of(asked(tmp_path, f"sqlite:///{tmp_path / 'd.sqlite3'}")) == []


SOUND = {"kills": 30, "drawn": 3, "released": ["a"], "states": ["done"], "spent": 100_000, "charges": 1}
ROUNDS = [SOUND, {**SOUND, "states": ["done", "done"], "spent": 300_000, "charges": 2}]


def test_sound_rounds_are_found_sound() -> None:
    assert faults_of(ROUNDS) == []


@pytest.mark.parametrize(
    "damage",
    [{"released": ["a", "b"]}, {"released": []}, {"spent": 500_000}, {"spent": 100_000}, {"charges": 3},
     {"states": ["done", "running"]}, {"kills": 3}],
)  # fmt: skip
def test_a_second_answer_or_charge_would_be_found(damage: dict[str, Any]) -> None:
    """The control."""
    assert faults_of([ROUNDS[0], {**ROUNDS[1], **damage}]) != []

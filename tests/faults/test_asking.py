"""Whatever step a query is killed at: one charge, one answer, and none that was not recorded."""

from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from tests.faults.charging import MOMENTS, asked, faults_of
from tests.services import postgres


@pytest.mark.each_database
def test_one_charge_buys_one_answer_whatever_is_killed(tmp_path: Path) -> None:
    if connection.vendor == "postgresql":
        with postgres() as service:
            assert faults_of(asked(tmp_path, service.url)) == []
    else:
        assert faults_of(asked(tmp_path, f"sqlite:///{tmp_path / 'd.sqlite3'}")) == []


SOUND: dict[str, Any] = {
    "kills": list(MOMENTS),
    "drawn": 3,
    "released": ["a"],
    "states": ["done"],
    "spent": 100_000,
    "spending": [0, 100_000],
    "charges": 1,
}
LATER = {"states": ["done", "done"], "spent": 300_000, "spending": [100_000, 300_000], "charges": 2}
ROUNDS = [SOUND, {**SOUND, **LATER}]


def test_sound_rounds_are_found_sound() -> None:
    assert faults_of(ROUNDS) == []


@pytest.mark.parametrize(
    "damage",
    [
        {"released": ["a", "b"]},
        {"released": []},
        {"spent": 500_000},
        {"spent": 100_000},
        {"spending": [100_000, 300_000, 100_000]},
        {"spending": [100_000, 200_000, 300_000]},
        {"charges": 3},
        {"states": ["done", "running"]},
        {"kills": MOMENTS[1:]},
        {"kills": MOMENTS[:-1]},
        {"drawn": 1},
    ],
)
def test_a_second_answer_or_charge_would_be_found(damage: dict[str, Any]) -> None:
    """The control."""
    assert faults_of([ROUNDS[0], {**ROUNDS[1], **damage}]) != []

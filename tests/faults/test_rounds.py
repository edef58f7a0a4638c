"""Reports are counted exactly once, whoever is killed and whenever."""

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from tests.faults.judging import faults_of
from tests.faults.rounds import round_of, table_of


@pytest.mark.each_database
def test_every_report_is_counted_once_whoever_is_killed(tmp_path: Path) -> None:
    """A short round with real processes and kill -9; `make faults` plays long ones."""
    server = connection.vendor == "postgresql"
    played = round_of(
        tmp_path, reports=150, kills=5 if server else 4, chance=random.Random(7), server=server, celery=False
    )
    assert played.faults == [], table_of([("", played)])
    assert sum(played.kills.values()) >= 6


SENT = Counter({"00": 30, "01": 20})
SOUND: dict[str, Any] = {
    "state": "closed",
    "rewritten": True,
    "inbox": 0,
    "spent": 50,
    "archive": {"00": 30, "01": 20},
    "tallies": {"q1": [50, [30, 20]]},
    "recounted": {"q1": [50, [30, 20]]},
    "estimated": {"true": 50, "false": 50},
}


def test_a_sound_database_is_found_sound() -> None:
    assert faults_of(SOUND, SENT) == []


@pytest.mark.parametrize(
    "damage",
    [
        {"inbox": 1},
        {"spent": 49},
        {"spent": 51},
        {"archive": {"00": 31, "01": 20}},
        {"archive": {"00": 30, "01": 19}},
        {"tallies": {"q1": [51, [31, 20]]}},
        {"tallies": {"q1": [50, [31, 19]]}},
        {"rewritten": False},
        {"estimated": {}},
    ],
)
def test_a_lost_or_doubled_report_is_found(damage: dict[str, Any]) -> None:
    """The control: what a worker would leave that counts twice, or forgets."""
    assert faults_of({**SOUND, **damage}, SENT) != []

"""What ends is started again, later each time, and given up when it keeps ending."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from deploy import keeper
from deploy.keeper import Keeper, KeepsEnding


@dataclass
class Scene:
    """Two processes that end when told, and a clock that goes when told."""

    now: float = 0.0
    running: dict[str, Any] = field(default_factory=lambda: {"web": None, "worker": None})
    codes: dict[str, int] = field(default_factory=dict)
    restarts: list[tuple[str, float]] = field(default_factory=list)

    def ended(self) -> dict[str, int]:
        return dict(self.codes)

    def restart(self, name: str) -> None:
        del self.codes[name]
        self.restarts.append((name, self.now))

    def pause(self, keeper: Keeper, name: str, code: int = 1) -> float:
        """Let a process end and give the seconds until it was started again."""
        self.codes[name] = code
        ended, before = self.now, len(self.restarts)
        while len(self.restarts) == before:
            keeper.look()
            self.now += 0.5
        return self.restarts[-1][1] - ended


def kept() -> tuple[Scene, Keeper]:
    scene = Scene()
    processes: Any = scene
    return scene, Keeper(processes, clock=lambda: scene.now)


def test_what_runs_is_left_alone() -> None:
    scene, keeper = kept()
    keeper.look()
    assert scene.restarts == []


def test_the_pause_doubles() -> None:
    scene, keeper = kept()
    assert [scene.pause(keeper, "worker") for _ in range(4)] == [1, 2, 4, 8]


def test_the_pause_stays_below_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "OFTEN", 99)
    scene, one = kept()
    assert [scene.pause(one, "worker") for _ in range(7)][-2:] == [30, 30]


def test_the_fifth_end_within_a_minute_is_the_last(capsys: pytest.CaptureFixture[str]) -> None:
    scene, keeper = kept()
    for _ in range(4):
        scene.pause(keeper, "worker")
    with pytest.raises(KeepsEnding, match="worker process ended 5 times within 60 s, at last by signal 9"):
        scene.pause(keeper, "worker", -9)


def test_ends_far_apart_are_never_the_last() -> None:
    scene, keeper = kept()
    for _ in range(20):
        scene.now += 61
        assert scene.pause(keeper, "web") == 1


def test_one_that_waits_does_not_hold_up_the_other() -> None:
    scene, keeper = kept()
    for _ in range(3):
        scene.pause(keeper, "worker")
    scene.codes["worker"] = 1
    keeper.look()
    assert scene.pause(keeper, "web") == 1
    assert "worker" in scene.codes


def test_each_has_ends_of_its_own() -> None:
    scene, keeper = kept()
    for name in ("web", "worker") * 4:
        scene.pause(keeper, name)
    assert len(scene.restarts) == 8


def test_a_person_is_told_what_ended_and_when_it_comes_back(capsys: pytest.CaptureFixture[str]) -> None:
    scene, keeper = kept()
    scene.pause(keeper, "web", -9)
    assert capsys.readouterr().err == "The web process ended by signal 9; starting it again in 1 s.\n"

"""Processes that live and die together leave nothing behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from deploy import processes
from deploy.processes import Processes

# A server that starts a child of its own which ignores every polite request, and tells its number.
STUBBORN_CHILD = """
import signal, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c",
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"])
open(sys.argv[1], "w").write(str(child.pid))
time.sleep(600)
"""
STUBBORN = """
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("up", flush=True)
time.sleep(600)
"""


def alive(number: int) -> bool:
    """Tell whether a process still runs (a zombie does not)."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_until(claim: Callable[[], bool], seconds: float = 10) -> None:
    """Return once the claim is true; it must become so within this time."""
    for _attempt in range(int(seconds / 0.05)):
        if claim():
            return
        time.sleep(0.05)
    raise AssertionError("it never came true")


def child_of(note: Path) -> int:
    wait_until(lambda: note.exists() and note.read_text() != "")
    return int(note.read_text())


def test_a_child_that_will_not_listen_ends_with_its_parent(tmp_path: Path) -> None:
    group, note = Processes(), tmp_path / "child"
    group.start("server", [sys.executable, "-c", STUBBORN_CHILD, str(note)])
    child = child_of(note)
    group.stop()
    wait_until(lambda: not alive(child))


def test_ending_only_the_parent_would_leave_an_orphan(tmp_path: Path) -> None:
    note = tmp_path / "child"
    parent = subprocess.Popen([sys.executable, "-c", STUBBORN_CHILD, str(note)], start_new_session=True)
    child = child_of(note)
    parent.terminate()
    parent.wait()
    try:
        assert alive(child)
    finally:
        os.kill(child, signal.SIGKILL)


def test_a_server_that_will_not_listen_is_killed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(processes, "PATIENCE", 0.3)
    group = Processes()
    group.start("server", [sys.executable, "-c", STUBBORN])
    process = group.running["server"]
    wait_until(lambda: "up" in capsys.readouterr().out)
    group.stop()
    assert process.returncode == -signal.SIGKILL


def test_the_one_that_ended_by_itself_is_named() -> None:
    group = Processes()
    group.start("lasting", [sys.executable, "-c", "import time; time.sleep(600)"])
    group.start("brief", [sys.executable, "-c", ""])
    wait_until(lambda: group.ended() != {})
    assert group.ended() == {"brief": 0}
    group.stop()


def test_what_is_started_again_has_no_leftovers(tmp_path: Path) -> None:
    group, note = Processes(), tmp_path / "child"
    group.start("server", [sys.executable, "-c", STUBBORN_CHILD, str(note)])
    child, first = child_of(note), group.running["server"]
    first.kill()
    wait_until(lambda: group.ended() == {"server": -signal.SIGKILL})
    assert alive(child)
    group.restart("server")
    wait_until(lambda: not alive(child))
    assert group.running["server"].pid != first.pid
    assert group.ended() == {}
    group.stop()


def test_every_line_says_whose_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    group = Processes()
    group.start("web", [sys.executable, "-c", "print('one'); print('two')"])
    said: list[str] = []

    def heard() -> bool:
        said.append(capsys.readouterr().out)
        return "".join(said).splitlines() == ["web    │ one", "web    │ two"]

    wait_until(heard)
    group.stop()

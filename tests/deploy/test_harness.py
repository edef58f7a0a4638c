"""What runs the tests leaves nothing behind and says what is missing."""

import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import psycopg
import pytest

from tests import packages
from tests.commands import ROOT, Session
from tests.deploy.test_processes import alive, wait_until
from tests.services import postgres, redis


def test_a_server_ends_with_its_files() -> None:
    with postgres() as database, redis() as broker:
        folders, processes = [database.folder, broker.folder], [database.process, broker.process]
        assert all(folder.is_dir() for folder in folders)
    assert not any(folder.exists() for folder in folders)
    assert all(process is not None and process.poll() is not None for process in processes)


def test_a_killed_database_comes_back_with_what_it_acknowledged() -> None:
    with postgres() as database:
        with psycopg.connect(database.url) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 7 AS n")
        database.restart(signal.SIGKILL)
        with psycopg.connect(database.url) as connection:
            assert connection.execute("SELECT n FROM kept").fetchall() == [(7,)]


def test_servers_end_when_the_tests_are_killed(tmp_path: Path) -> None:
    note = tmp_path / "number"
    program = (
        "import pathlib, sys, time\nfrom tests.services import redis\n"
        "with redis() as broker:\n"
        "    pathlib.Path(sys.argv[1]).write_text(f'{broker.process.pid} {broker.folder}')\n"
        "    time.sleep(600)\n"
    )
    runner = subprocess.Popen([sys.executable, "-c", program, str(note)], cwd=ROOT)
    wait_until(lambda: note.exists() and " " in note.read_text(), seconds=30)
    number, folder = note.read_text().split()
    runner.kill()
    runner.wait()
    wait_until(lambda: not alive(int(number)))
    # Nobody was left to remove the files.
    shutil.rmtree(folder)


def test_one_failed_command_fails_the_whole_and_the_others_still_run(
    capfd: pytest.CaptureFixture[str],
) -> None:
    session = Session()
    session.run("first", [sys.executable, "-c", "raise SystemExit(3)"])
    session.run("second", [sys.executable, "-c", "print('ran')"])
    assert session.summary() == 1
    said = capfd.readouterr().out
    assert "ran" in said
    assert [line.split()[0] for line in said.splitlines() if line.endswith(("first", "second"))][-2:] == [
        "FAILED",
        "ok",
    ]


def test_commands_that_all_pass_pass() -> None:
    session = Session()
    session.run("only", [sys.executable, "-c", ""])
    assert session.summary() == 0


def test_a_command_that_never_ends_is_ended() -> None:
    session = Session()
    assert not session.run("endless", [sys.executable, "-c", "import time; time.sleep(600)"], seconds=1)


class Apt:
    """apt-get, its calls written down; it makes the programs it is asked for appear."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.calls: list[Sequence[str]] = []
        self.there = {"gettext"}
        known = {name: (lambda name=name: name in self.there) for name in ("gettext", "chromium", "nginx")}
        monkeypatch.setattr(packages, "PRESENT", known)
        monkeypatch.setattr(packages.shutil, "which", lambda name: f"/usr/bin/{name}")
        monkeypatch.setattr(packages, "_apt", self.run)

    def run(self, command: Sequence[str], environment: object) -> None:
        self.calls.append(command)
        self.there |= set(command)


@pytest.fixture
def apt(monkeypatch: pytest.MonkeyPatch) -> Apt:
    return Apt(monkeypatch)


def test_only_what_is_missing_is_installed_and_lists_are_fetched_once(
    apt: Apt, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packages.os, "geteuid", lambda: 0)
    packages.need(["gettext", "chromium", "nginx"])
    assert [call[0] for call in apt.calls] == ["update", "install"]
    assert apt.calls[1][-2:] == ["chromium", "nginx"]
    packages.need(["gettext", "chromium", "nginx"])
    assert len(apt.calls) == 2


def test_somebody_who_may_not_install_is_told_the_command(apt: Apt, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages.os, "geteuid", lambda: 1000)
    with pytest.raises(packages.PackagesMissing, match="sudo apt-get install chromium nginx"):
        packages.need(["gettext", "chromium", "nginx"])
    assert apt.calls == []

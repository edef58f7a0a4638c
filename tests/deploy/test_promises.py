"""The service does not start with settings below what respondents were promised, and keeps its files to itself."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from deploy import celery
from deploy.private import database_private
from tests.commands import ROOT

SET_UP = "import django; django.setup()"


def started(var: Path, code: str = SET_UP, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a program of the service as somebody whose files everybody may read."""
    environment = {
        **os.environ,
        "DENIABLE_VAR": str(var),
        "DJANGO_SETTINGS_MODULE": "deploy.settings",
        **settings,
    }
    environment.pop("DATABASE_URL", None)
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, umask=0o022
    )


@pytest.mark.parametrize("setting", ["MINIMUM_N", "POOL_SIZE"])
def test_a_promise_cannot_be_switched_off(tmp_path: Path, setting: str) -> None:
    refused = started(tmp_path, **{setting: "1"})
    assert refused.returncode != 0
    assert f"{setting}=1: it must be" in refused.stderr
    # The control: more than was promised is welcome.
    assert started(tmp_path, **{setting: "60"}).returncode == 0


OPENED = f"""
{SET_UP}
from django.core.management import call_command
call_command("migrate", verbosity=0)
"""
NOTED = """
from django.conf import settings
modes = [oct(file.stat().st_mode & 0o777) for file in settings.VAR_DIR.glob("deniable.sqlite3*")]
(settings.VAR_DIR / "modes").write_text(" ".join(modes))
"""


def read_by_others(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder, *folder.glob("*.sqlite3*")) if path.stat().st_mode & 0o077)


def test_nobody_else_reads_the_database(tmp_path: Path) -> None:
    var = tmp_path / "var"
    assert started(var, OPENED + NOTED).returncode == 0
    # While the connection was open, the files beside the database were there.
    assert (var / "modes").read_text().split() == ["0o600"] * 3
    assert read_by_others(var) == []


def test_files_that_others_could_read_are_closed_at_the_next_start(tmp_path: Path) -> None:
    var = tmp_path / "var"
    assert started(var, OPENED).returncode == 0
    files = [var / f"deniable.sqlite3{more}" for more in ("", "-wal", "-shm")]
    for file in files:
        file.touch()
        file.chmod(0o644)
    var.chmod(0o755)
    assert len(read_by_others(var)) == 4
    assert started(var).returncode == 0
    assert read_by_others(var) == []


def test_no_file_is_left_in_the_folder_of_somebody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = tmp_path / "deniable.sqlite3"
    monkeypatch.setattr(os, "geteuid", lambda: tmp_path.stat().st_uid + 1)
    database_private(database)
    assert not database.exists()
    monkeypatch.undo()
    # The control: in a folder of our own it is made.
    database_private(database)
    assert database.exists()


def test_files_of_a_worker_are_its_own() -> None:
    before = os.umask(0o022)
    try:
        celery.files_private()
        assert os.umask(0o022) == 0o077
    finally:
        os.umask(before)


def test_nobody_else_on_the_machine_reads_the_files_of_the_service(tmp_path: Path) -> None:
    var = tmp_path / "var"
    var.mkdir(mode=0o755)
    assert started(var).returncode == 0
    assert stat.S_IMODE(var.stat().st_mode) == 0o700

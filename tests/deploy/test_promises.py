"""The service does not start with settings below what respondents were promised, and keeps its files to itself."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import ROOT


def started(var: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "DENIABLE_VAR": str(var),
        "DJANGO_SETTINGS_MODULE": "deploy.settings",
        **settings,
    }
    code = "import django; django.setup()"
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True
    )


@pytest.mark.parametrize("setting", ["MINIMUM_N", "POOL_SIZE"])
def test_a_promise_cannot_be_switched_off(tmp_path: Path, setting: str) -> None:
    refused = started(tmp_path, **{setting: "1"})
    assert refused.returncode != 0
    assert f"{setting}=1: it must be" in refused.stderr
    # The control: more than was promised is welcome.
    assert started(tmp_path, **{setting: "60"}).returncode == 0


def test_nobody_else_on_the_machine_reads_the_files_of_the_service(tmp_path: Path) -> None:
    var = tmp_path / "var"
    var.mkdir(mode=0o755)
    assert started(var).returncode == 0
    assert stat.S_IMODE(var.stat().st_mode) == 0o700

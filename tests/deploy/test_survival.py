"""`make run` goes on: through a message that is none, and after web or worker was killed outright."""

import os
import re
import signal
import sqlite3
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.launcher import Running, descendants, greeted
from tests.deploy.test_processes import alive, wait_until

STALE = "1_x.celery.msg"


@pytest.fixture(scope="module")
def var(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of running files in which an earlier run left a message."""
    folder = tmp_path_factory.mktemp("var")
    (folder / "queue" / "messages").mkdir(parents=True)
    (folder / "queue" / "messages" / STALE).write_text("left by an earlier run")
    return folder


@pytest.fixture(scope="module")
def service(var: Path) -> Iterator[Running]:
    """Return the running service."""
    with greeted(var) as running:
        yield running


def leader(service: Running, words: str) -> int:
    """Give the process that the launcher started with these words."""
    for number in descendants(service.process.pid):
        parent = Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[1]
        command = Path(f"/proc/{number}/cmdline").read_bytes().replace(b"\0", b" ").decode()
        if int(parent) == service.process.pid and words in command:
            return number
    raise AssertionError(f"no process of {words!r} in {service.text}")


def answers(service: Running) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{service.port}/healthz", timeout=5):
            return True
    except OSError:
        return False


def sweeps(var: Path) -> str:
    """Give when the worker swept last."""
    with sqlite3.connect(f"file:{var / 'deniable.sqlite3'}?mode=ro", uri=True, timeout=20) as database:
        return str(database.execute("SELECT max(at) FROM surveys_workerseen").fetchone()[0])


def swept_again(var: Path) -> None:
    before = sweeps(var)
    wait_until(lambda: sweeps(var) != before, seconds=60)


def test_a_message_of_an_earlier_run_is_not_read(service: Running, var: Path) -> None:
    assert not (var / "queue" / "messages" / STALE).exists()
    assert "cannot be read" not in service.text


def test_an_empty_message_does_not_end_the_worker(service: Running, var: Path) -> None:
    worker, message = leader(service, "worker"), var / "queue" / "messages" / STALE
    message.touch()
    wait_until(lambda: not message.exists(), seconds=60)
    swept_again(var)
    assert leader(service, "worker") == worker
    assert re.search(r"worker │ .*message that cannot be read", service.text)


@pytest.mark.parametrize("words", ["deploy.web", "celery"])
def test_whatever_is_killed_is_started_again(service: Running, var: Path, words: str) -> None:
    killed, orphans = leader(service, words), descendants(leader(service, words))
    os.kill(killed, signal.SIGKILL)
    name = {"deploy.web": "web", "celery": "worker"}[words]
    wait_until(lambda: f"The {name} process ended by signal 9" in service.text, seconds=60)
    wait_until(lambda: answers(service), seconds=60)
    swept_again(var)
    assert leader(service, words) != killed
    assert not any(alive(number) for number in orphans)
    assert service.process.poll() is None

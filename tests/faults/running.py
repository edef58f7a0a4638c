"""Servers and workers of one's own: real processes over a database of the caller's choice."""

import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.services import free_port

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60.0


class DidNotStart(Exception):
    """A process ended or never answered; the text is what it wrote."""


def database_url() -> str:
    """Return the address of the database that this process uses (in a test, the test database)."""
    from django.db import connection

    known: dict[str, Any] = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{known['NAME']}"
    return f"postgres://{known['USER']}@{known['HOST']}:{known['PORT']}/{known['NAME']}"


def environment(url: str, var: Path, **more: str) -> dict[str, str]:
    """Return the environment of a process over this database, with a folder for its files and its queue."""
    return {
        **os.environ,
        "DATABASE_URL": url,
        "DENIABLE_VAR": str(var),
        "CELERY_BROKER_URL": "filesystem://",
        "PYTHONPATH": str(ROOT),
        "PYTHONWARNINGS": "ignore",
        **more,
    }


@contextmanager
def process(command: Sequence[str], env: Mapping[str, str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run a command with its output in a file; end it with SIGTERM, or SIGKILL when it does not listen."""
    with log.open("ab") as out:
        running = subprocess.Popen(
            command, cwd=ROOT, env=dict(env), stdin=subprocess.DEVNULL, stdout=out, stderr=out
        )
    try:
        yield running
    finally:
        running.terminate()
        try:
            running.wait(20)
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait()


@contextmanager
def web(url: str, var: Path, **more: str) -> Iterator[str]:
    """Run the web server; return its base address once it answers."""
    with web_process(url, var, **more) as (base, _):
        yield base


@contextmanager
def web_process(url: str, var: Path, **more: str) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Run the web server; return its base address and its process once it answers."""
    var.mkdir(parents=True, exist_ok=True)
    port, log = free_port(), var / "web.log"
    command = [sys.executable, "-m", "deploy.web", "--port", str(port)]
    with process(command, environment(url, var, **more), log) as running:
        _wait(f"http://127.0.0.1:{port}/api/v1/surveys/x/reports/", running, log)
        yield f"http://127.0.0.1:{port}", running


@contextmanager
def worker(url: str, var: Path, **more: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a real Celery worker with its schedule, sweeping every half second."""
    var.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "celery", "--app", "deploy", "worker", "--beat", "--concurrency", "1"]
    quiet = ["--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "WARNING"]
    env = environment(url, var, **{"SWEEP_SECONDS": "0.5", **more})
    with process([*command, *quiet], env, var / "worker.log") as running:
        yield running


def _wait(url: str, running: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while not _answers(url):
        if running.poll() is not None or time.monotonic() > deadline:
            raise DidNotStart(log.read_text(errors="replace")[-3000:])
        time.sleep(0.05)


def _answers(url: str) -> bool:
    try:
        urllib.request.urlopen(url, timeout=5).close()
    except urllib.error.HTTPError as refusal:
        # The intake's 405: it asks no database.
        return refusal.code == 405
    except OSError:
        return False
    return True

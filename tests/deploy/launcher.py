"""`make run` started for a test, listened to, and ended with everything it started."""

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.commands import ROOT
from tests.deploy.test_processes import alive, wait_until
from tests.services import free_port

LAST_LINE = "Ctrl-C ends everything."


@dataclass
class Running:
    """A started `make run`, what it said, and where it listens."""

    process: subprocess.Popen[str]
    port: int
    said: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.said)

    def addresses(self) -> list[str]:
        return re.findall(r"http://\S+", self.text)


def launch(var: Path, port: int) -> Running:
    """Start the launcher with a folder of running files of its own, and listen to it."""
    environment = {**os.environ, "DENIABLE_VAR": str(var), "HOST": "127.0.0.1", "PORT": str(port)}
    for name in ("DATABASE_URL", "CELERY_BROKER_URL", "ALLOWED_HOSTS"):
        environment.pop(name, None)
    process = subprocess.Popen(
        [sys.executable, "-m", "deploy.run"],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    running = Running(process, port)
    threading.Thread(target=listen, args=(running,), daemon=True).start()
    return running


def listen(running: Running) -> None:
    assert running.process.stdout is not None
    with running.process.stdout as lines:
        running.said.extend(lines)


def descendants(number: int) -> set[int]:
    """Give every process that this one started, and theirs."""
    parents = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                parents[int(folder.name)] = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except (FileNotFoundError, ProcessLookupError):
                continue
    found, before = {number}, set[int]()
    while found != before:
        before = found
        found = found | {child for child, parent in parents.items() if parent in found}
    return found - {number}


@contextmanager
def greeted(var: Path) -> Iterator[Running]:
    """Run the service until the end of the block, from the moment it greeted."""
    running = launch(var, free_port())
    try:
        wait_until(lambda: LAST_LINE in running.text or running.process.poll() is not None, seconds=240)
        assert running.process.poll() is None, running.text
        yield running
    finally:
        left = descendants(running.process.pid)
        running.process.send_signal(signal.SIGINT)
        try:
            running.process.wait(60)
        finally:
            for number in [running.process.pid, *left]:
                if alive(number):
                    os.kill(number, signal.SIGKILL)

"""Processes that live and die together: their output prefixed, ended with all their children."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

# A worker finishes its task and a server its requests within this time, or is killed.
PATIENCE = 15.0


@dataclass
class Processes:
    """A group of running commands, by name."""

    width: int = 6
    running: dict[str, subprocess.Popen[str]] = field(default_factory=dict)
    started: dict[str, tuple[Sequence[str], Mapping[str, str]]] = field(default_factory=dict)

    def start(self, name: str, command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
        """Start a command in a session of its own, so that Ctrl-C reaches it only through us."""
        self.started[name] = command, environment or {}
        process = subprocess.Popen(
            command,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        self.running[name] = process
        threading.Thread(target=self._relay, args=(name, process), daemon=True).start()

    def ended(self) -> dict[str, int]:
        """Give the commands that ended by themselves, with their exit codes."""
        codes = {name: process.poll() for name, process in self.running.items()}
        return {name: code for name, code in codes.items() if code is not None}

    def restart(self, name: str) -> None:
        """Start a command again, after the end of whatever the last one started."""
        _end_session(self.running[name])
        self.start(name, *self.started[name])

    def stop(self) -> None:
        """End every command and whatever it started."""
        for process in self.running.values():
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
        deadline = time.monotonic() + PATIENCE
        for process in self.running.values():
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(max(0.1, deadline - time.monotonic()))
        for process in self.running.values():
            _end_session(process)
        self.running.clear()

    def _relay(self, name: str, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        with process.stdout as lines:
            for line in lines:
                sys.stdout.write(f"{name:<{self.width}} │ {line}")
                sys.stdout.flush()


def _end_session(process: subprocess.Popen[str]) -> None:
    # Also when the leader has gone: a child of his may have stayed.
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()

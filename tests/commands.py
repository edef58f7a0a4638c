"""Commands run one after another: what each said is shown, what failed is summed up, nothing is left running."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).resolve().parent.parent
PYTEST = (sys.executable, "-m", "pytest")


def interrupt_on_term() -> None:
    """Let SIGTERM and SIGHUP end us as Ctrl-C does, so that everything started is ended too."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)


@dataclass
class Session:
    """What was run so far, how long it took and whether it passed."""

    rows: list[tuple[str, float, bool]] = field(default_factory=list)

    def run(
        self,
        name: str,
        command: Sequence[str | Path],
        *,
        folder: Path = ROOT,
        environment: Mapping[str, str] | None = None,
        seconds: float = 2400,
    ) -> bool:
        """Run one command under a heading and remember its outcome."""
        print(f"\n── {name}", flush=True)
        started = time.monotonic()
        # Output goes to a person or into a log: colours for neither, and never a question.
        environment = {**os.environ, "NO_COLOR": "1", "FORCE_COLOR": "0", **(environment or {})}
        process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL)
        try:
            passed = process.wait(seconds) == 0
        except subprocess.TimeoutExpired:
            print(f"{name}: not done after {seconds:.0f} s, ended", flush=True)
            passed = False
        finally:
            end(process)
        self.rows.append((name, time.monotonic() - started, passed))
        return passed

    def summary(self) -> int:
        """Print one line a command; give the exit code."""
        print()
        for name, seconds, passed in self.rows:
            print(f"{'ok    ' if passed else 'FAILED'} {seconds:6.1f} s  {name}", flush=True)
        return 0 if all(passed for _, _, passed in self.rows) else 1


def end(process: subprocess.Popen[bytes], patience: float = 20) -> None:
    """End a process that still runs: asked first, so that it can end its own children."""
    if process.poll() is not None:
        return
    process.send_signal(signal.SIGINT)
    try:
        process.wait(patience)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()

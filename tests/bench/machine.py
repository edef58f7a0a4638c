"""CPU time of process trees, and the load generator."""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
_TICKS = os.sysconf("SC_CLK_TCK")


class Unavailable(Exception):
    """Something that a figure needs is not on this machine; the text says what."""


@dataclass(frozen=True)
class Load:
    """What a run of the load generator saw."""

    requests: int
    seconds: float
    p50: float  # milliseconds
    p99: float
    refused: int

    @property
    def rate(self) -> float:
        """Answers a second."""
        return self.requests / self.seconds


def cpu_seconds(root: int) -> float:
    """Return the CPU time that a process, its children and its ended children have used."""
    children: dict[int, list[int]] = {}
    used: dict[int, int] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit() and (stat := _stat(int(entry))) is not None:
            children.setdefault(int(stat[1]), []).append(int(entry))
            # user and system time, of the process and of the children it has waited for
            used[int(entry)] = sum(int(ticks) for ticks in stat[11:15])
    waiting, total = [root], 0
    while waiting:
        one = waiting.pop()
        total += used.get(one, 0)
        waiting += children.get(one, [])
    return total / _TICKS


def wrk(
    url: str, *, seconds: int, connections: int = 32, script: Path = HERE / "reports.lua", **told: str
) -> Load:
    """Send fresh reports as fast as they are answered; the generator is compiled and costs little itself."""
    program = shutil.which("wrk")
    if program is None:
        raise Unavailable("wrk was not found (Debian: wrk)")
    command = [program, "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", str(script), url]
    said = subprocess.run(
        command, capture_output=True, text=True, check=True, env={**os.environ, **told}
    ).stdout
    return _load(said)


def install(program: str, package: str) -> None:
    """Install a Debian package when its program is missing and we may."""
    if shutil.which(program) is None and os.geteuid() == 0 and shutil.which("apt-get"):
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run(["apt-get", "update", "-q"], check=False, **quiet)  # type: ignore[call-overload]
        subprocess.run(["apt-get", "install", "-qy", package], check=False, **quiet)  # type: ignore[call-overload]


def _load(said: str) -> Load:
    done = re.search(r"(\d+) requests in ([\d.]+)(ms|s|m)", said)
    if done is None:
        raise Unavailable(f"wrk said: {said[-500:]}")
    refused = re.search(r"Non-2xx or 3xx responses: (\d+)", said)
    return Load(
        int(done[1]),
        float(done[2]) * {"ms": 0.001, "s": 1, "m": 60}[done[3]],
        _percentile(said, "50"),
        _percentile(said, "99"),
        int(refused[1]) if refused else 0,
    )


def _percentile(said: str, name: str) -> float:
    found = re.search(rf"^\s+{name}%\s+([\d.]+)(us|ms|s)", said, re.MULTILINE)
    return float(found[1]) * {"us": 0.001, "ms": 1, "s": 1000}[found[2]] if found else float("nan")


def _stat(pid: int) -> list[str] | None:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None

"""Virtual environments of the peers: made once, kept under var/."""

import subprocess
import sys
from collections.abc import Sequence

from tests.bench.machine import Unavailable
from tests.faults.running import ROOT


def peer_environment(name: str, packages: Sequence[str]) -> str:
    """Return the Python of an environment with these packages, made when it is missing."""
    folder = ROOT / "var" / "bench" / name
    python, done = folder / "bin" / "python", folder / "installed"
    wanted = "\n".join(packages)
    if not done.exists() or done.read_text() != wanted:
        _run([sys.executable, "-m", "venv", "--clear", str(folder)])
        _run([str(python), "-m", "pip", "install", "--quiet", *packages])
        done.write_text(wanted)
    return str(python)


def _run(command: Sequence[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Unavailable(f"{' '.join(command[1:5])}: {done.stderr.strip().rpartition(chr(10))[2][:200]}")

"""Bring a checkout to where it can run: virtual environment, locked packages, frontend build, catalogues.

Runs with any Python ≥ 3.11 and its standard library alone, as a file, before anything is installed.
Every step leaves the digest of what it was made from and is left out while that digest still holds.
"""

from __future__ import annotations  # so that an old Python gets as far as the message about it

import argparse
import fcntl
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
FRONTEND = ROOT / "frontend"
STAMPS = VENV / "prepared"
PYTHON_FLOOR = (3, 11)
NODE_FLOOR = 20
# What the frontend's build does not read.
NOT_SOURCE = {"node_modules", "dist", "tests", "audit"}
NO_VENV = (
    "Python's venv module is missing; install it first. Debian, Ubuntu: sudo apt-get install python3-venv"
)


class Unprepared(Exception):
    """A step failed; the text says what a person can do about it."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Prepare for `make run`, or with --dev for tests and checks as well; give the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dev", action="store_true", help="with what tests and checks need")
    dev = parser.parse_args(arguments).dev
    try:
        with one_at_a_time():
            prepare(dev=dev)
    except Unprepared as reason:
        print(f"\n{reason}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def prepare(*, dev: bool) -> None:
    """Take every step whose sources changed since it was last taken."""
    need_programs()
    need_environment(dev=dev)
    need_packages(dev=dev)
    need_frontend()
    need_catalogues()


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Let a second preparation of the same checkout wait for the first."""
    (ROOT / "var").mkdir(mode=0o700, exist_ok=True)
    with (ROOT / "var" / "prepare.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Waiting for another preparation of this checkout")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def need_programs() -> None:
    """Refuse early when Python, Node or npm is missing or too old."""
    if sys.version_info[:2] < PYTHON_FLOOR:
        found = sys.version.split()[0]
        raise Unprepared(f"Python 3.11 or newer is needed; this is {found}. Set PYTHON3=python3.11.")
    if shutil.which("node") is None or shutil.which("npm") is None:
        raise Unprepared("Node 20 or newer with npm is needed and was not found on the PATH.")
    version = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    if int(version.lstrip("v").split(".")[0]) < NODE_FLOOR:
        raise Unprepared(f"Node {NODE_FLOOR} or newer is needed; this is {version}.")


def need_environment(*, dev: bool) -> None:
    """Make the virtual environment, or make it anew when its Python or its pip no longer runs."""
    # Debian's Python without python3-venv leaves half an environment, one without pip.
    if PYTHON.exists() and subprocess.run([PYTHON, "-c", "import pip"], check=False).returncode == 0:
        return
    if not venv_there():
        need_venv(dev=dev)
    say("Making the virtual environment .venv")
    run([sys.executable, "-m", "venv", "--clear", VENV], "The virtual environment .venv could not be made.")


def venv_there() -> bool:
    """Tell whether this Python can make an environment with pip in it."""
    importlib.invalidate_caches()
    return all(importlib.util.find_spec(name) is not None for name in ("venv", "ensurepip"))


def need_venv(*, dev: bool) -> None:
    """Install Debian's package for tests when we may, as tests do with all they need; else say what to install."""
    if not (dev and os.geteuid() == 0 and shutil.which("apt-get")):
        raise Unprepared(NO_VENV)
    say("Installing the Debian package python3-venv")
    apt = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
    run([*apt, "update"], NO_VENV)
    run([*apt, "install", "-y", "--no-install-recommends", "python3-venv"], NO_VENV)
    if not venv_there():
        raise Unprepared(NO_VENV)


def need_packages(*, dev: bool) -> None:
    """Install the locked Python packages, each checked against its hash."""
    lock = ROOT / ("requirements-dev.lock" if dev else "requirements.lock")
    # The development lock holds all of the other at the same versions.
    names = ["packages", "packages-dev"] if dev else ["packages"]
    digest = digest_of([ROOT / "requirements.lock", ROOT / "requirements-dev.lock"])
    if all(stamped(name, digest) for name in names):
        return
    say(f"Installing the Python packages of {lock.name}")
    pip: list[str | Path] = [
        PYTHON,
        "-m",
        "pip",
        "install",
        "-qq",
        "--disable-pip-version-check",
        "--require-hashes",
    ]
    run([*pip, "-r", lock], "The Python packages could not be installed: the first start needs a network.")
    for name in names:
        stamp(name, digest)


def need_frontend() -> None:
    """Install the locked npm packages and build the pages."""
    digest = digest_of([FRONTEND / "package-lock.json", FRONTEND / "package.json"])
    if not (FRONTEND / "node_modules").is_dir() or not stamped("npm", digest):
        say("Installing the npm packages of frontend/package-lock.json")
        npm = ["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"]
        run(npm, "The npm packages could not be installed: the first start needs a network.", FRONTEND)
        stamp("npm", digest)
    digest = digest_of(sources_of_frontend())
    if not (FRONTEND / "dist" / "manifest.json").exists() or not stamped("frontend", digest):
        say("Building the pages")
        run(["npm", "run", "--silent", "build"], "The frontend did not build.", FRONTEND)
        stamp("frontend", digest)


def need_catalogues() -> None:
    """Compile the translations that staff pages use."""
    sources = sorted(ROOT.glob("surveys/locale*/*/LC_MESSAGES/*.po"))
    digest = digest_of(sources)
    if stamped("catalogues", digest) and all(source.with_suffix(".mo").exists() for source in sources):
        return
    say("Compiling the translations")
    run([PYTHON, "manage.py", "compile_catalogues"], "The translations did not compile.")
    stamp("catalogues", digest)


def sources_of_frontend() -> list[Path]:
    """Give every file that the build may read, in a fixed order."""
    found: list[Path] = []
    for entry in FRONTEND.iterdir():
        if entry.name not in NOT_SOURCE:
            found += [entry] if entry.is_file() else [path for path in entry.rglob("*") if path.is_file()]
    return sorted(found)


def digest_of(paths: Sequence[Path]) -> str:
    """Give one digest over names and contents."""
    total = hashlib.sha256()
    for path in paths:
        total.update(f"{path.relative_to(ROOT)}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def stamped(name: str, digest: str) -> bool:
    """Tell whether the step was last taken for this digest."""
    path = STAMPS / name
    return path.exists() and path.read_text() == digest


def stamp(name: str, digest: str) -> None:
    """Remember what the step was taken for."""
    STAMPS.mkdir(exist_ok=True)
    (STAMPS / name).write_text(digest)


def say(text: str) -> None:
    """Tell the person who waits what is being done."""
    print(f"· {text} …", flush=True)


def run(command: Sequence[str | Path], otherwise: str, folder: Path = ROOT) -> None:
    """Run a command; when it fails, refuse with its output above and what to do about it."""
    if subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, check=False).returncode != 0:
        raise Unprepared(otherwise)


if __name__ == "__main__":
    sys.exit(main())

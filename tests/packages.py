"""Debian packages that tests need: installed when missing and root, else named."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path


class PackagesMissing(Exception):
    """Packages are missing and we may not install them; the text says how a person can."""


def _program(name: str) -> Callable[[], bool]:
    return lambda: shutil.which(name) is not None


def _file(folder: str, pattern: str) -> Callable[[], bool]:
    return lambda: any(Path(folder).glob(pattern))


# Package → whether what we use of it is there, whoever installed it.
PRESENT: dict[str, Callable[[], bool]] = {
    "chromium": _program("chromium"),
    "fonts-noto-cjk": _file("/usr/share/fonts", "**/NotoSansCJK*"),
    "gettext": _program("xgettext"),
    "nginx": _file("/usr/sbin", "nginx"),
    "postgresql": _file("/usr/lib/postgresql", "*/bin/initdb"),
    "redis-server": _program("redis-server"),
}


def need(names: Iterable[str]) -> None:
    """Install what is missing of `names`, in one go."""
    missing = [name for name in names if not PRESENT[name]()]
    if not missing:
        return
    text = " ".join(missing)
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        raise PackagesMissing(f"Missing: {text}\nInstall them first: sudo apt-get install {text}")
    print(f"· Installing the Debian packages {text} …", flush=True)
    # RUNLEVEL=1 keeps the packages from starting services of their own.
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
    for command in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", *missing]):
        _apt(command, environment)
    still = [name for name in missing if not PRESENT[name]()]
    if still:
        raise PackagesMissing(f"Installed, yet not found: {' '.join(still)}")


def _apt(command: list[str], environment: dict[str, str]) -> None:
    done = subprocess.run(
        ["apt-get", *command],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise PackagesMissing(f"apt-get {' '.join(command)} failed:\n{done.stderr[-2000:]}")

"""Files of a running service: whoever else has an account on its machine reads none of them."""

import contextlib
import os
from pathlib import Path

# What a process of the service takes away from the mode of every file that it makes.
OTHERS = 0o077


def folder_private(folder: Path) -> None:
    """Make a folder that only its owner enters, or close one that was made before."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _close(folder)


def database_private(path: Path) -> None:
    """Make SQLite's file before SQLite does: the files beside it, now and later, take its mode."""
    # In somebody else's folder (root builds an image) it would shut its user out; one in memory is no file.
    if path.is_absolute() and path.parent.is_dir() and _ours(path.parent):
        with contextlib.suppress(OSError):
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    for file in (path, *(path.with_name(path.name + more) for more in ("-wal", "-shm", "-journal"))):
        if file.is_file():
            _close(file)


def _close(path: Path) -> None:
    mode = path.stat().st_mode
    if _ours(path) and mode & OTHERS:
        path.chmod(mode & 0o777 & ~OTHERS)


def _ours(path: Path) -> bool:
    return path.stat().st_uid == os.geteuid()

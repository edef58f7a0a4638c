"""The secret key of an embedded service, made at its first start."""

import os
import secrets
import tempfile
from pathlib import Path


def secret_key(folder: Path) -> str:
    """Give the key in `folder`/secret-key, made with mode 0600 when absent; two racing starts agree on one."""
    path = folder / "secret-key"
    if not path.exists():
        _make(path)
    return path.read_text().strip()


def _make(path: Path) -> None:
    # Written whole under another name, then linked: whoever comes second finds a complete key.
    handle, name = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "w") as file:
        file.write(secrets.token_urlsafe(64))
    try:
        os.link(name, path)
    except FileExistsError:
        pass
    finally:
        os.unlink(name)

"""Which database an address leads to, whatever its spelling: two sources on one would be two budgets for its people."""

import os
from collections.abc import Hashable

from psycopg.conninfo import conninfo_to_dict

from surveys.sources.connecting import address_own, file_of

LOCAL = {"", "localhost", "127.0.0.1", "::1"}


def database_of(address: str) -> Hashable:
    """Return the same for two addresses of one database: of a file its place on the disk, of a server its name there.

    Two names of one machine are not known to be one.
    """
    if address.startswith(("postgres:", "postgresql:")):
        known = conninfo_to_dict(address)
        host = str(known.get("host") or known.get("hostaddr") or "").lower()
        return "server", "" if host in LOCAL else host, str(known.get("port") or 5432), known.get("dbname")
    path = os.path.realpath(file_of(address))
    try:
        found = os.stat(path)
    except OSError:
        return "path", path
    return "file", found.st_dev, found.st_ino


def database_own() -> Hashable:
    """Return the service's own database, which is the source `service` already."""
    return database_of(address_own())

"""Figures of storage, measured by a program within Django on a PostgreSQL of the bench's own."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.figures import Figure
from tests.bench.inside import measured
from tests.bench.sizes import Size
from tests.faults.running import environment
from tests.services import postgres

GROUP = "Storage"


def figures(size: Size) -> Iterator[Figure]:
    """Run the program of this name."""
    with tempfile.TemporaryDirectory(prefix="deniable-bench-") as folder, postgres(durable=True) as database:
        yield from measured("storage", size, environment(database.url, Path(folder)))

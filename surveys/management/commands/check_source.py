"""manage.py check_source: whether a source's data keeps what its schema and policies declare."""

import sys
from argparse import ArgumentParser
from typing import Any

from surveys.errors import DeniableError
from surveys.management.refusing import RefusingCommand, refuse
from surveys.models import Source
from surveys.services.sources import source_check, source_get


class Command(RefusingCommand):
    """Check a source: open it, or close it and say which constraint fails."""

    help = (
        "Check keys, foreign keys, declared frequencies, domains, bounds and NULLs on the data of a source. It is "
        "open to queries when all hold; otherwise it answers nothing, and the first constraint that fails is told, "
        "never how many rows break it. Exit status 1 when one fails."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the source's name."""
        parser.add_argument("name", metavar="NAME")
        parser.add_argument(
            "--changed", action="store_true", help="the data changed: earlier answers are of other data"
        )

    def handle(self, *args: Any, name: str, changed: bool, **options: Any) -> None:
        """Check and tell."""
        try:
            source = source_check(actor=None, source=source_get(name), changed=changed)
        except DeniableError as refused:
            refuse(f"{name}: {refused}")
        if source.state != Source.State.OPEN:
            self.stderr.write(f"{source.name} is closed to queries: {source.reason}")
            sys.exit(1)
        self.stdout.write(f"{source.name} is open: every declared constraint holds")

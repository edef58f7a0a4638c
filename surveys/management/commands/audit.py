"""`manage.py audit`: prints the audit log and verifies its chain; exit 1 where it does not hold, 2 on bad input."""

import json
import re
import sys
from argparse import ArgumentParser
from typing import Any

from surveys.errors import AuditBroken
from surveys.management.refusing import RefusingCommand, refuse
from surveys.models import AuditEntry
from surveys.services.audit import GENESIS, audit_verify

_HEAD = re.compile(r"([1-9][0-9]{0,17}):([0-9a-f]{64})", re.ASCII)


class Command(RefusingCommand):
    """Print every entry, then whether the chain holds, its last number and digest."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Say what the command takes."""
        parser.add_argument("--quiet", action="store_true", help="print no entries")
        parser.add_argument(
            "--head",
            metavar="NUMBER:DIGEST",
            help="of an earlier run: it must still be in the chain (notices entries cut off)",
        )

    def handle(self, *args: Any, quiet: bool, head: str | None, **options: Any) -> None:
        """Print and verify."""
        known = None if head is None else _head(head)
        if not quiet:
            for entry in AuditEntry.objects.iterator():
                self.stdout.write(_line(entry))
        try:
            number, digest = audit_verify()
            _head_checked(known)
        except AuditBroken as error:
            self.stderr.write(f"BROKEN at {error}")
            sys.exit(1)
        self.stdout.write(f"the chain holds: {number}:{digest}")


def _line(entry: AuditEntry) -> str:
    facts = json.dumps(entry.facts, ensure_ascii=False)
    return (
        f"{entry.number} {entry.at:%Y-%m-%dT%H:%M:%SZ} {entry.actor} {entry.action} {entry.subject} {facts}"
    )


def _head(text: str) -> tuple[int, str]:
    # An empty log has a head too: it says nothing that could be cut off.
    if text == f"0:{GENESIS}":
        return 0, GENESIS
    found = _HEAD.fullmatch(text)
    if found is None:
        refuse(
            "--head: write NUMBER:DIGEST as an earlier run printed it, such as 12:9f86d0…, with all 64 digits"
        )
    return int(found[1]), found[2]


def _head_checked(head: tuple[int, str] | None) -> None:
    if head is None or head[0] == 0:
        return
    number, digest = head
    if not AuditEntry.objects.filter(number=number, digest=digest).exists():
        raise AuditBroken(number, "is not the entry that it was")

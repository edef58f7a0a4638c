"""`manage.py audit`: prints the audit log and verifies its chain; exit 1 where it does not hold."""

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from surveys.errors import AuditBroken
from surveys.models import AuditEntry
from surveys.services.audit import audit_verify


class Command(BaseCommand):
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
        if not quiet:
            for entry in AuditEntry.objects.iterator():
                self.stdout.write(_line(entry))
        try:
            number, digest = audit_verify()
            _head_checked(head)
        except AuditBroken as error:
            self.stderr.write(f"BROKEN at {error}")
            sys.exit(1)
        self.stdout.write(f"the chain holds: {number}:{digest}")


def _line(entry: AuditEntry) -> str:
    facts = json.dumps(entry.facts, ensure_ascii=False)
    return (
        f"{entry.number} {entry.at:%Y-%m-%dT%H:%M:%SZ} {entry.actor} {entry.action} {entry.subject} {facts}"
    )


def _head_checked(head: str | None) -> None:
    if head is None:
        return
    number, _, digest = head.partition(":")
    known = int(number) if number.isdigit() else 0
    if known and not AuditEntry.objects.filter(number=known, digest=digest).exists():
        raise AuditBroken(known, "is not the entry that it was")

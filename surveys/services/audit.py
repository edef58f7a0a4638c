"""The audit log: every act of staff, each entry hashed together with the one before it."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

import rfc8785
from django.db import connection, transaction
from django.utils import timezone

from surveys.errors import AuditBroken
from surveys.models import AuditEntry

GENESIS = "0" * 64
SYSTEM = "system"
# Any number that nothing else locks: "deniable" read as bytes.
_LOCK = int.from_bytes(b"deniable", "big")


def audit_append(
    *, actor: Any, action: str, subject: str, facts: Mapping[str, Any] | None = None
) -> AuditEntry:
    """Add one entry within the caller's transaction: both happen, or neither.

    `actor` is an account, or None for the service itself. `facts` holds texts, whole numbers and lists.
    """
    with transaction.atomic(savepoint=False):
        _lock()
        last = AuditEntry.objects.order_by("-number").only("number", "digest").first()
        entry = AuditEntry(
            number=1 if last is None else last.number + 1,
            at=timezone.now(),
            actor=SYSTEM if actor is None else actor.get_username(),
            action=action,
            subject=subject,
            facts=dict(facts or {}),
            previous=GENESIS if last is None else last.digest,
        )
        entry.digest = digest_of(entry)
        entry.save(force_insert=True)
    return entry


def audit_verify(entries: Iterable[AuditEntry] | None = None) -> tuple[int, str]:
    """Return how many entries there are and the last digest, or raise AuditBroken at the first wrong one.

    Entries cut off at the end leave a sound chain: who keeps a number and digest elsewhere notices that.
    """
    number, previous = 0, GENESIS
    for entry in AuditEntry.objects.order_by("number").iterator() if entries is None else entries:
        if entry.number != number + 1:
            raise AuditBroken(number + 1, f"missing: the next entry is {entry.number}")
        if entry.previous != previous:
            raise AuditBroken(entry.number, "does not continue the entry before it")
        if entry.digest != digest_of(entry):
            raise AuditBroken(entry.number, "was changed: its digest differs")
        number, previous = entry.number, entry.digest
    return number, previous


def digest_of(entry: AuditEntry) -> str:
    """Return the hash of everything an entry says, the hash before it included."""
    return sha256(rfc8785.dumps(_said(entry))).hexdigest()


def audit_lines() -> Iterator[bytes]:
    """Yield each entry as canonical JSON on a line: without its digest, these are the bytes that the digest is of."""
    for entry in AuditEntry.objects.order_by("number").iterator():
        yield rfc8785.dumps({**_said(entry), "digest": entry.digest}) + b"\n"


def _said(entry: AuditEntry) -> dict[str, Any]:
    return {
        "number": entry.number,
        "at": _instant(entry.at),
        "actor": entry.actor,
        "action": entry.action,
        "subject": entry.subject,
        "facts": entry.facts,
        "previous": entry.previous,
    }


def _lock() -> None:
    # Appends wait for each other; SQLite's immediate transactions do already.
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])


def _instant(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

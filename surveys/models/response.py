"""What devices sent: spent digests, the inbox and the archive. Nothing here tells who, when or in which order."""

import secrets
from typing import Any

from django.db import models

from surveys.models.survey import Survey, Version


def random_key() -> int:
    """Give 63 random bits for a row's key, so that keys tell no order."""
    return secrets.randbits(63)


class RandomKeyField(models.BigIntegerField):  # type: ignore[type-arg]  # not subscriptable at run time
    """A random 63-bit primary key; on SQLite it is the rowid itself, so no hidden one keeps the order of arrival."""

    def __init__(self, **options: Any) -> None:
        """Be the primary key, filled by `random_key`."""
        super().__init__(**{**options, "primary_key": True, "default": random_key, "editable": False})

    def db_type(self, connection: Any) -> str | None:
        """Give `integer` on SQLite, the only spelling that aliases the rowid."""
        return "integer" if connection.vendor == "sqlite" else super().db_type(connection)

    def rel_db_type(self, connection: Any) -> str | None:
        """Give the type of columns that refer to this key."""
        return self.db_type(connection)


class Spent(models.Model):
    """The digest of a used ticket or key, with the seal of the bytes that came with it."""

    digest = models.BinaryField(primary_key=True, max_length=32)
    survey = models.ForeignKey(Survey, models.CASCADE, related_name="spent")
    seal = models.BinaryField(max_length=32)

    def __str__(self) -> str:
        """Give the digest in hexadecimal."""
        return bytes(self.digest).hex()


class InboxReport(models.Model):
    """An acknowledged report that waits for company before it is mixed into the archive."""

    key = RandomKeyField()
    version = models.ForeignKey(Version, models.CASCADE, related_name="inbox")
    payload = models.BinaryField()

    def __str__(self) -> str:
        """Tell the version only."""
        return f"inbox of {self.version_id}"


class Report(models.Model):
    """A randomised report in the archive: the packed bytes of every question of its version."""

    key = RandomKeyField()
    version = models.ForeignKey(Version, models.CASCADE, related_name="reports")
    packed = models.BinaryField()

    def __str__(self) -> str:
        """Tell the version only."""
        return f"report of {self.version_id}"

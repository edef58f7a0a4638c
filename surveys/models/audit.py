"""The hash-chained log of what staff configured, published and exported."""

from django.db import models


class AuditEntry(models.Model):
    """One act of a member of staff; its hash covers the entry before it, so that none can be changed or taken out."""

    number = models.PositiveBigIntegerField(primary_key=True)
    at = models.DateTimeField()
    actor = models.CharField(max_length=150)
    action = models.CharField(max_length=60)
    subject = models.CharField(max_length=200)
    facts = models.JSONField(default=dict)
    previous = models.CharField(max_length=64)
    digest = models.CharField(max_length=64, unique=True)

    class Meta:
        """In the order of the chain."""

        ordering = ("number",)

    def __str__(self) -> str:
        """Give number and action."""
        return f"{self.number} {self.action}"

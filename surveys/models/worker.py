"""When each worker was last seen, so that readiness can be told."""

from django.db import models


class WorkerSeen(models.Model):
    """The latest sweep of one worker."""

    worker = models.CharField(max_length=200, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        """Give the worker's name."""
        return self.worker

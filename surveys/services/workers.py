"""Whether a worker is alive: each one leaves its name and the time whenever it sweeps."""

from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from surveys.models import WorkerSeen

# A sweep may wait behind a large drain.
_LEAST = timedelta(seconds=60)


def worker_sign(*, worker: str) -> None:
    """Note that this worker is at work; called by every sweep. Workers gone for a day are forgotten."""
    now = timezone.now()
    WorkerSeen.objects.update_or_create(worker=worker[:200], defaults={"at": now})
    WorkerSeen.objects.filter(at__lt=now - timedelta(days=1)).delete()


def worker_seen() -> bool:
    """Say whether any worker swept lately: within a minute, or twelve sweeps where those are rarer."""
    patience = max(_LEAST, timedelta(seconds=12 * settings.SWEEP_SECONDS))
    return WorkerSeen.objects.filter(at__gte=timezone.now() - patience).exists()

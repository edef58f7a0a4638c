"""The workers' sign of life."""

from django.conf import settings


def beat() -> None:
    """Say that a worker ran just now."""
    (settings.VAR_DIR / "worker-seen").touch()

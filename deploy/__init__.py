"""The composition root: settings, addresses, servers and workers put together."""

from deploy.celery import app as celery_app

__all__ = ["celery_app"]

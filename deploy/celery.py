"""The Celery application: a wake-up and a schedule for tasks that find their work in the database."""

import os
from typing import Any

from celery import Celery
from celery.signals import beat_init, celeryd_init

from deploy.private import OTHERS

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

app = Celery("deniable")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["aggregator"])


@beat_init.connect
@celeryd_init.connect
def files_private(**_sender: Any) -> None:
    """Let nobody else read what worker and beat write."""
    os.umask(OTHERS)

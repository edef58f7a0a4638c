"""The Celery application: a wake-up and a schedule for tasks that find their work in the database."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

app = Celery("deniable")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["aggregator"])

"""Celery tasks that turn stored reports into estimates; the database is the truth, a task is only a wake-up."""

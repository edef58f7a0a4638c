"""The tasks: each finds its work in the database, may run twice or never, and leaves the rest to the sweep."""

import logging
from socket import gethostname
from typing import Any

from celery import shared_task
from django.conf import settings

from aggregator import closing, drain, queries
from surveys.errors import DeniableError
from surveys.services.panels import panels_expire
from surveys.services.publishing import survey_close
from surveys.services.queries import runs_unfinished
from surveys.services.workers import worker_sign

logger = logging.getLogger(__name__)


@shared_task
def drain_inbox(survey_id: int) -> None:
    """Move a survey's reports from the inbox to the archive and count them."""
    drain.inbox_drain(survey_id)


@shared_task
def refresh_estimates(survey_id: int) -> None:
    """Compute a closed survey's results from its tallies."""
    closing.estimates_refresh(survey_id)


@shared_task
def finish_closing(survey_id: int) -> None:
    """Drain, rewrite and estimate a closed survey, from wherever a crash left it."""
    closing.survey_finish(survey_id)


@shared_task
def run_query(run_id: int) -> None:
    """Bring a charged query to its answer."""
    queries.query_run(run_id)


@shared_task
def close_due() -> None:
    """Close every survey whose time has come or whose target is reached."""
    for survey in closing.surveys_due():
        try:
            survey_close(actor=None, survey=survey)
        except DeniableError:
            # Somebody closed it in the same moment.
            continue


@shared_task
def sweep() -> None:
    """Find everything that is to be done, and wake up a worker for each of it."""
    worker_sign(worker=gethostname())
    close_due()
    panels_expire()
    # A wake-up that is not heard by the next sweep is superfluous.
    expires = max(1.0, settings.SWEEP_SECONDS)
    for survey_id in closing.surveys_unfinished().values_list("pk", flat=True):
        finish_closing.apply_async((survey_id,), expires=expires)
    for survey_id in closing.surveys_waiting(settings.POOL_SIZE).values_list("pk", flat=True):
        drain_inbox.apply_async((survey_id,), expires=expires)
    for run_id in runs_unfinished():
        run_query.apply_async((run_id,), expires=expires)


def wake(survey_id: int) -> None:
    """Ask for the end of a survey that was just closed; without a broker the sweep finds it later."""
    _ask(finish_closing, survey_id)


def wake_query(run_id: int) -> None:
    """Ask for the answer of a query that was just charged; without a broker the sweep finds it later."""
    _ask(run_query, run_id)


def _ask(task: Any, key: int) -> None:
    try:
        task.apply_async((key,), retry=False)
    except Exception as error:
        # What it is about is committed: whatever the broker suffers from must not reach the person who acted.
        logger.warning("no worker could be woken: %s", type(error).__name__)

"""A worker without a broker: it sweeps without rest, so that a kill finds it amid a transaction."""

import django

django.setup()

from django.db import connections  # noqa: E402
from django.db.utils import Error  # noqa: E402

from aggregator import closing, drain, tasks  # noqa: E402
from surveys.models import Survey  # noqa: E402

BATCH = 25


def once() -> None:
    """Do everything that there is to do now."""
    tasks.close_due()
    for survey_id in Survey.objects.exclude(state="draft").values_list("pk", flat=True):
        drain.inbox_drain(survey_id, batch=BATCH)
        closing.survey_finish(survey_id)


def main() -> None:
    """Work until killed; a database that is away is asked again."""
    while True:
        try:
            once()
        except Error:
            connections.close_all()


if __name__ == "__main__":
    main()

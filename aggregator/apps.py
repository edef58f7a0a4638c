"""The Django application of the workers' tasks."""

from typing import Any

from django.apps import AppConfig

from surveys.signals import query_charged, survey_closed


class AggregatorConfig(AppConfig):
    """Registers the application under the label `aggregator`; it has no tables of its own."""

    name = "aggregator"

    def ready(self) -> None:
        """Hear of surveys that close and of queries that were charged."""
        survey_closed.connect(_on_survey_closed, dispatch_uid="aggregator")
        query_charged.connect(_on_query_charged, dispatch_uid="aggregator.queries")


def _on_survey_closed(survey_id: int, **_: Any) -> None:
    from aggregator.tasks import wake

    wake(survey_id)


def _on_query_charged(run_id: int, **_: Any) -> None:
    from aggregator.tasks import wake_query

    wake_query(run_id)

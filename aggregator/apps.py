"""The Django application of the workers' tasks."""

from typing import Any

from django.apps import AppConfig

from surveys.signals import survey_closed


class AggregatorConfig(AppConfig):
    """Registers the application under the label `aggregator`; it has no tables of its own."""

    name = "aggregator"

    def ready(self) -> None:
        """Hear of surveys that close."""
        survey_closed.connect(_on_survey_closed, dispatch_uid="aggregator")


def _on_survey_closed(survey_id: int, **_: Any) -> None:
    from aggregator.tasks import wake

    wake(survey_id)

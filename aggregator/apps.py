"""The Django application of the workers' tasks."""

from django.apps import AppConfig


class AggregatorConfig(AppConfig):
    """Registers the application under the label `aggregator`; it has no tables of its own."""

    name = "aggregator"

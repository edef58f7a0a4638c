"""The Django application that holds every table, service, page and operation of the product."""

from django.apps import AppConfig


class SurveysConfig(AppConfig):
    """Registers the application under the label `surveys`."""

    name = "surveys"
    default_auto_field = "django.db.models.BigAutoField"

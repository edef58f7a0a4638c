"""The Django application that holds every table, service, page and operation of the product."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class SurveysConfig(AppConfig):
    """Registers the application under the label `surveys`, and its groups and its own source after every migration."""

    name = "surveys"
    verbose_name = _("Surveys")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Connect what follows a migration."""
        from surveys.permissions import groups_create  # models exist only now
        from surveys.sources.service import service_source_create

        post_migrate.connect(groups_create, sender=self, dispatch_uid="surveys.groups")
        post_migrate.connect(service_source_create, sender=self, dispatch_uid="surveys.sources")

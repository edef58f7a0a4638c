"""Settings, model, view and WSGI application of the stock service in one file."""

import os

import django
import environ
from django.conf import settings

if not settings.configured:
    settings.configure(
        ALLOWED_HOSTS=["*"],
        DATABASES={"default": {**environ.Env().db_url("STOCK_DATABASE_URL"), "CONN_MAX_AGE": 600}},
        INSTALLED_APPS=[
            "django.contrib.auth",
            "django.contrib.contenttypes",
            "django.contrib.sessions",
            "django.contrib.messages",
            "rest_framework",
        ],
        MIDDLEWARE=[
            "django.middleware.security.SecurityMiddleware",
            "django.contrib.sessions.middleware.SessionMiddleware",
            "django.middleware.common.CommonMiddleware",
            "django.middleware.csrf.CsrfViewMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware",
            "django.contrib.messages.middleware.MessageMiddleware",
            "django.middleware.clickjacking.XFrameOptionsMiddleware",
        ],
        ROOT_URLCONF=__name__,
        SECRET_KEY=os.urandom(16).hex(),
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        REST_FRAMEWORK={"DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.AllowAny"]},
        USE_TZ=True,
    )
    django.setup()

from django.core.wsgi import get_wsgi_application
from django.db import connection, models
from django.urls import include, path
from rest_framework import routers, serializers, viewsets


class Answer(models.Model):
    """A stored report."""

    key = models.CharField(max_length=43, unique=True)
    version = models.IntegerField()
    reports = models.JSONField()

    class Meta:
        """In a table of its own."""

        app_label = "stock"


class AnswerSerializer(serializers.ModelSerializer):
    """The report's fields."""

    class Meta:
        """All of them."""

        model = Answer
        fields = ("key", "version", "reports")


class AnswerViewSet(viewsets.ModelViewSet):
    """Create, read, update, delete."""

    queryset = Answer.objects.all()
    serializer_class = AnswerSerializer


router = routers.DefaultRouter()
router.register("reports", AnswerViewSet)
urlpatterns = [path("", include(router.urls))]
application = get_wsgi_application()


def create_table() -> None:
    """Make the table."""
    with connection.schema_editor() as editor:
        editor.create_model(Answer)


if __name__ == "__main__":
    create_table()

"""django-survey-and-report with its default middleware; runs in the peer's own environment."""

import os

import django
from django.conf import settings

if not settings.configured:
    settings.configure(
        ALLOWED_HOSTS=["*"],
        DATABASES={
            "default": {
                "ENGINE": "django.db.backends.postgresql",
                "NAME": "peer",
                "USER": "deniable",
                "HOST": "127.0.0.1",
                "PORT": os.environ["PEER_PORT"],
                "CONN_MAX_AGE": 600,
            }
        },
        INSTALLED_APPS=[
            "django.contrib.admin",
            "django.contrib.auth",
            "django.contrib.contenttypes",
            "django.contrib.sessions",
            "django.contrib.messages",
            "django.contrib.staticfiles",
            "survey",
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
        TEMPLATES=[
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "APP_DIRS": True,
                "DIRS": [os.path.dirname(os.path.abspath(__file__))],
                "OPTIONS": {
                    "context_processors": [
                        "django.template.context_processors.request",
                        "django.contrib.auth.context_processors.auth",
                        "django.contrib.messages.context_processors.messages",
                    ]
                },
            }
        ],
        ROOT_URLCONF=__name__,
        SECRET_KEY="of a bench",
        STATIC_URL="/static/",
        LOGIN_URL="/",
        DEFAULT_AUTO_FIELD="django.db.models.AutoField",
        CHOICES_SEPARATOR=",",
        USER_DID_NOT_ANSWER="Left blank",
        SURVEY_DEFAULT_PIE_COLOR="red!50",
        EXCEL_COMPATIBLE_CSV=False,
        DEFAULT_SURVEY_PUBLISHING_DURATION=7,
        USE_TZ=True,
    )
    django.setup()

from django.core.wsgi import get_wsgi_application
from django.urls import include, path

urlpatterns = [path("survey/", include("survey.urls"))]
application = get_wsgi_application()

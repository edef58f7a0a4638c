"""Every setting of the service; what can be set from outside is an environment variable listed in env.example."""

from datetime import timedelta
from pathlib import Path

import environ
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _
from kombu.transport import TRANSPORT_ALIASES

from deploy.private import database_private, folder_private
from deploy.secret import secret_key

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()


def at_least(least: int, name: str, value: int) -> int:
    """Return a setting's value; below what respondents were promised the service does not start."""
    if value < least:
        raise ImproperlyConfigured(
            f"{name}={value}: it must be {least} or more, as respondents were promised"
        )
    return value


# Files of a running service: database, secret key, queue, reports of the long targets.
VAR_DIR = Path(env.str("DENIABLE_VAR", default=str(BASE_DIR / "var")))
# Sessions, digests of passwords, reports and counts before closing: nobody else on this machine reads them.
folder_private(VAR_DIR)

SECRET_KEY = env.str("SECRET_KEY", default="") or secret_key(VAR_DIR)
DEBUG = env.bool("DEBUG", default=False)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
# Behind TLS: secure cookies and HSTS. Off only for a local trial over plain http.
TLS = env.bool("TLS", default=False)

INSTALLED_APPS = [
    "surveys.pages.admin_config.StaffAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "rest_framework.authtoken",
    "drf_spectacular",
    "csp",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "axes",
    "surveys",
    "aggregator",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "surveys.pages.middleware.RespondentBypass",
    "surveys.pages.middleware.NoBrowserNames",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "surveys.pages.middleware.LanguageSwitch",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "surveys.pages.middleware.OneTimePassword",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "deploy.urls"
WSGI_APPLICATION = "deploy.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        # Ahead of the applications' own, so that log-in pages look like ours.
        "DIRS": [BASE_DIR / "surveys" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

DATABASES = {"default": env.db_url("DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'deniable.sqlite3'}")}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    database_private(Path(DATABASES["default"]["NAME"]))
    # FULL: acknowledged means on disk. secure_delete: what was drained leaves no remains in free pages.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": (
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON; PRAGMA foreign_keys=ON"
        ),
    }
    # Tests use a file as well: servers and workers of their own open it too.
    DATABASES["default"]["TEST"] = {"NAME": str(VAR_DIR / "test.sqlite3")}
else:
    DATABASES["default"].setdefault("CONN_MAX_AGE", 60)
    DATABASES["default"].setdefault("CONN_HEALTH_CHECKS", True)

AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/surveys/"
ACCOUNT_ADAPTER = "surveys.pages.accounts.ClosedSignup"
ACCOUNT_FORMS = {
    "login": "surveys.pages.accounts.StaffLogin",
    "reauthenticate": "surveys.pages.accounts.StaffReauthentication",
    "change_password": "surveys.pages.accounts.OwnPassword",
}
# By account, never by address: behind nginx everybody has the same one, and ten mistakes of a stranger would lock out
# all. Wrong passwords are axes' business; the one limit here stops guessing the codes of a second step.
ACCOUNT_RATE_LIMITS = {
    **dict.fromkeys(("login", "signup", "manage_email", "confirm_email", "change_phone", "verify_phone")),
    **dict.fromkeys(("reset_password", "reset_password_from_key", "request_login_code")),
    "login_failed": "5/5m/key",
    "change_password": "5/m/user",
    "reauthenticate": "10/m/user",
}
MFA_RATE_LIMITS = {"webauthn_login": None}
MFA_ADAPTER = "surveys.pages.passkeys.SecondSteps"
MFA_FORMS = {
    "add_webauthn": "surveys.pages.passkeys.PasskeyForm",
    "edit_webauthn": "surveys.pages.passkeys.PasskeyName",
}
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not TLS
AXES_FAILURE_LIMIT = 10
# Short, and not put off by more mistakes: whoever knows a name can lock its password, and soon has to begin again.
AXES_COOLOFF_TIME = timedelta(minutes=5)
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_LOCKOUT_PARAMETERS = ["username"]
AXES_RESET_ON_SUCCESS = True
AXES_LOCKOUT_TEMPLATE = "account/locked.html"
# No address of anybody is kept, staff included.
AXES_DISABLE_ACCESS_LOG = True
AXES_CLIENT_IP_CALLABLE = "surveys.pages.middleware.no_address"
SILENCED_SYSTEM_CHECKS = ["axes.W006"]  # it asks for locks by address; ours are by account

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("ko", _("Korean"))]
LOCALE_PATHS = [BASE_DIR / "surveys" / name for name in ("locale", "locale_of_libraries")]
USE_I18N = True
USE_TZ = True
TIME_ZONE = env.str("TIME_ZONE", default="Asia/Seoul")

STATIC_URL = "/static/"
STATIC_ROOT = VAR_DIR / "static"
STATIC_ROOT.mkdir(exist_ok=True)
FRONTEND_DIST = Path(env.str("FRONTEND_DIST", default=str(BASE_DIR / "frontend" / "dist")))
STATICFILES_DIRS = [FRONTEND_DIST] if FRONTEND_DIST.is_dir() else []
WHITENOISE_USE_FINDERS = True
WHITENOISE_IMMUTABLE_FILE_TEST = r"^/static/assets/.+-[\w-]{8,}\.\w+$"

_SELF = "'self'"
# Trusted Types with no policy at all: no script of ours turns text into HTML or code.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": [_SELF],
        "style-src": [_SELF],
        "img-src": [_SELF, "data:"],
        "font-src": [_SELF],
        "connect-src": [_SELF],
        "form-action": [_SELF],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
        "require-trusted-types-for": ["'script'"],
        "trusted-types": ["'none'"],
    }
}
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = TLS
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SECURE_HSTS_SECONDS = 31_536_000 if TLS else 0
SECURE_SSL_REDIRECT = TLS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TLS else None
# Staff forms need their own origin to be sent, or CSRF refuses them; respondents' pages say no-referrer themselves.
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        # First, so that strangers are answered 401 with its challenge.
        "surveys.api.authentication.DigestedToken",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["surveys.api.parsing.BodyParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    # ?format= is ours: it names the download.
    "URL_FORMAT_OVERRIDE": None,
    "EXCEPTION_HANDLER": "surveys.api.problems.exception_handler",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Deniable",
    "DESCRIPTION": "Surveys in which every single answer can be denied and the totals can still be trusted.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "OAS_VERSION": "3.1.0",
    "POSTPROCESSING_HOOKS": ["surveys.api.documenting.intake_added"],
}

# Embedded: messages are files under var/. Full: redis://…
_BROKER = env.str("CELERY_BROKER_URL", default="filesystem://")
CELERY_BROKER_URL = _BROKER
if _BROKER == "filesystem://":
    TRANSPORT_ALIASES["files"] = "deploy.messages:Transport"
    CELERY_BROKER_URL = "files://localhost//"
    _QUEUE = VAR_DIR / "queue"
    for _folder in ("messages", "control"):
        (_QUEUE / _folder).mkdir(parents=True, exist_ok=True)
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(_QUEUE / "messages"),
        "data_folder_out": str(_QUEUE / "messages"),
        "control_folder": str(_QUEUE / "control"),
    }
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "beat-schedule")
SWEEP_SECONDS = env.float("SWEEP_SECONDS", default=5.0)
CELERY_BEAT_SCHEDULE = {
    "sweep": {
        "task": "aggregator.tasks.sweep",
        "schedule": SWEEP_SECONDS,
        "options": {"expires": SWEEP_SECONDS},
    },
}

# Pool mix: a drain leaves this many reports behind and starts at twice as many.
POOL_SIZE = at_least(10, "POOL_SIZE", env.int("POOL_SIZE", default=50))
# A question of 256 answers in two languages is a form of nearly 800 fields; a few times as many get a message of ours.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000
# Nothing is published for a version, or a difference of versions, with fewer answers.
MINIMUM_N = at_least(50, "MINIMUM_N", env.int("MINIMUM_N", default=50))
# Reports that may wait for the writer before the service answers 503.
INTAKE_QUEUE = env.int("INTAKE_QUEUE", default=4096)

# Sources that are asked through the policy layer: {name: address}. Credentials stay here and out of every table.
SOURCE_CONNECTIONS = env.json("SOURCE_CONNECTIONS", default={})
# A file NAME.sqlite3 or NAME.duckdb in here is a connection of its name as well; the demo's sources are such files.
SOURCE_FOLDER = VAR_DIR / "sources"
# So long after its charge a query's answer is shown; one that takes longer is ended, and stays charged.
QUERY_SECONDS = env.float("QUERY_SECONDS", default=5.0)
# A query with more groups is refused.
MOST_GROUPS = env.int("MOST_GROUPS", default=10_000)

# No access log anywhere: what is logged are errors of the service, without request data.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{levelname} {name}: {message}", "style": "{"}},
    "filters": {"host_unnamed": {"()": "deploy.logs.HostUnnamed"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "django.server": {"level": "ERROR"},
        "django.request": {"level": "ERROR"},
        "django.security.DisallowedHost": {"filters": ["host_unnamed"]},
    },
}

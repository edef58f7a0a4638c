"""Whether the service is alive, and whether all it needs is there."""

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from kombu import Connection

from surveys.services.workers import worker_seen

_PATIENCE = 2  # seconds


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Say that the process answers."""
    return JsonResponse({"alive": True})


@never_cache
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Say of the database, the broker and the workers whether they are there; 503 when one is not."""
    database = _database()
    found = {"database": database, "broker": _broker(), "worker": database and worker_seen()}
    return JsonResponse(found, status=200 if all(found.values()) else 503)


def _database() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def _broker() -> bool:
    options = getattr(settings, "CELERY_BROKER_TRANSPORT_OPTIONS", {})
    try:
        with Connection(settings.CELERY_BROKER_URL, transport_options=options) as broker:
            broker.ensure_connection(max_retries=1, timeout=_PATIENCE, errback=None)
    except Exception:  # whatever the transport raises, it is not there
        return False
    return True

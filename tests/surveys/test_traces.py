"""Who asks, from where and with which browser is kept nowhere, not even of staff who mistype a password."""

from typing import Any

import pytest
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.core import serializers
from django.test import Client

from surveys.pages.middleware import NoBrowserNames
from tests.cast import PASSWORD

ADDRESS, BROWSER = "203.0.113.77", "MarkedBrowser/7.13"
MARKS = {"REMOTE_ADDR": ADDRESS, "HTTP_USER_AGENT": BROWSER}


def log_in(client: Client, password: str) -> Any:
    return client.post("/accounts/login/", {"login": "owner", "password": password}, **MARKS)


def kept() -> str:
    return "".join(
        serializers.serialize("json", t.objects.all()) for t in (AccessAttempt, AccessFailureLog, AccessLog)
    )


def test_a_mistyped_password_leaves_no_address_and_no_browser(client: Client, owner: Any, built: Any) -> None:
    log_in(client, "wrong")
    assert AccessAttempt.objects.get().username == "owner"
    assert ADDRESS not in kept()
    assert BROWSER not in kept()


def test_without_the_guard_the_browser_would_be_kept(
    client: Client, owner: Any, built: Any, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    """The control: the library stores both where we do not stop it."""
    monkeypatch.setattr(NoBrowserNames, "__call__", lambda self, request: self.get_response(request))
    settings.AXES_CLIENT_IP_CALLABLE = None
    log_in(client, "wrong")
    assert ADDRESS in kept()
    assert BROWSER in kept()


def test_guessing_still_locks_the_account(client: Client, owner: Any, built: Any, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = False
    for _ in range(settings.AXES_FAILURE_LIMIT):
        log_in(client, "wrong")
    assert log_in(client, PASSWORD).status_code == 429
    assert "_auth_user_id" not in client.session

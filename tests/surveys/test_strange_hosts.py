"""A request for a host that is not ours is refused in the form its caller reads, and its host is not kept."""

import logging
from typing import Any

import pytest
from django.test import Client

STRANGE = "marked-host.example"
NAME = "django.security.DisallowedHost"


def refused(client: Client, path: str) -> Any:
    response = client.get(path, headers={"host": STRANGE})
    assert response.status_code == 400
    return response


@pytest.mark.parametrize("path", ["/api/v1/plan/", "/api/v1/surveys/x/estimates/", "/api/v1/nothing/"])
def test_the_api_answers_a_strange_host_with_a_problem(client: Client, db: None, path: str) -> None:
    response = refused(client, path)
    assert response["Content-Type"] == "application/problem+json"
    assert response.json()["type"] == "/problems/request-malformed"
    assert STRANGE not in response.content.decode()


def test_a_person_is_answered_with_a_page(client: Client, db: None) -> None:
    response = refused(client, "/accounts/login/")
    assert response["Content-Type"].startswith("text/html")
    assert STRANGE not in response.content.decode()


def logged(client: Client, caplog: pytest.LogCaptureFixture) -> str:
    """Give all that was logged of a request to a strange host, tracebacks included."""
    with caplog.at_level(logging.DEBUG):
        refused(client, "/api/v1/plan/")
    assert [record.name for record in caplog.records if record.name == NAME] == [NAME]
    return caplog.text


def test_the_log_does_not_name_the_host(client: Client, db: None, caplog: pytest.LogCaptureFixture) -> None:
    text = logged(client, caplog)
    assert "a host that ALLOWED_HOSTS does not name" in text
    assert STRANGE not in text
    assert "Traceback" not in text


def test_without_the_filter_the_log_would_name_it(
    client: Client, db: None, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: Django logs the host, and a traceback that repeats it."""
    monkeypatch.setattr(logging.getLogger(NAME), "filters", [])
    text = logged(client, caplog)
    assert STRANGE in text
    assert "Traceback" in text

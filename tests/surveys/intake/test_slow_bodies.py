"""A body that is begun and not sent to its end is given up: nobody holds the service by sending half of one."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from surveys.intake import http
from surveys.intake.application import Intake
from tests.surveys.intake.asgi import run, send_all, stored

REPORTS = "/api/v1/surveys/habits/reports/"
MANY = 100_000  # parts after which even the most patient test ends


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "BODY_SECONDS", 0.05)


async def nothing_more() -> dict[str, Any]:
    """Give nothing, ever."""
    await asyncio.Event().wait()
    return {}


class Dripping:
    """Gives nothing again and again, so that every single part comes in time."""

    def __init__(self) -> None:
        self.parts = 0

    async def __call__(self) -> dict[str, Any]:
        await asyncio.sleep(0.001)
        self.parts += 1
        return {"type": "http.request", "body": b"", "more_body": self.parts < MANY}


def answer_to(receive: Any, path: str = REPORTS, behind: Any = None) -> list[dict[str, Any]]:
    sent: list[dict[str, Any]] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def story(app: Intake) -> None:
        if behind is not None:
            app._behind = behind
        headers = [(b"content-type", b"application/json"), (b"content-length", b"500")]
        await app({"type": "http", "method": "POST", "path": path, "headers": headers}, receive, send)

    run(story)
    return sent


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("receive", [nothing_more, Dripping()], ids=["silent", "dripping"])
def test_nothing_more_is_answered_and_the_connection_closed(receive: Any) -> None:
    start, body = answer_to(receive)
    assert start["status"] == 408
    assert dict(start["headers"])[b"connection"] == b"close"
    assert json.loads(body["body"])["type"] == "/problems/request-unfinished"
    assert stored() == (0, 0, 0)


def test_the_pages_behind_are_not_kept_waiting_either() -> None:
    ended: list[str] = []

    async def page(scope: Any, receive: Callable[[], Awaitable[Any]], send: Any) -> None:
        # Django takes it for a broken connection: TimeoutError is an OSError.
        try:
            await receive()
        except OSError as error:
            ended.append(type(error).__name__)

    answer_to(nothing_more, "/accounts/login/", page)
    assert ended == ["TimeoutError"]


@pytest.mark.django_db(transaction=True)
def test_a_body_in_time_is_read() -> None:
    """The control: what comes in pieces, none of them late, is a body."""
    assert send_all("nothing", b"{}", chunks=2)[0].type == "report-malformed"

"""Requests to the intake inside one process, and what came back."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from django.db import connection

from surveys.intake.application import Intake
from surveys.models import InboxReport, Report, Spent


@dataclass(frozen=True)
class Answer:
    """Status, headers and document of a response."""

    status: int
    headers: dict[str, str]
    document: Any

    @property
    def type(self) -> str | None:
        """The problem's stable type, without its folder."""
        return str(self.document["type"]).removeprefix("/problems/") if "type" in self.document else None

    @property
    def field(self) -> str | None:
        """The field that a problem names."""
        return self.document.get("field")

    @property
    def receipt(self) -> str:
        """The receipt of a stored report."""
        return str(self.document["receipt"])


async def post(
    app: Intake,
    slug: str,
    body: Any,
    *,
    method: str = "POST",
    media: str | None = "application/json",
    chunks: int = 1,
) -> Answer:
    """Send a body (bytes, or a document to write as JSON) and return the answer."""
    data = body if isinstance(body, bytes) else json.dumps(body, separators=(",", ":")).encode()
    headers = [] if media is None else [(b"content-type", media.encode())]
    size = -(-len(data) // chunks) or 1
    parts = [data[at : at + size] for at in range(0, len(data), size)] or [b""]
    waiting = [
        {"type": "http.request", "body": part, "more_body": at + 1 < len(parts)}
        for at, part in enumerate(parts)
    ]
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return waiting.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    path = f"/api/v1/surveys/{slug}/reports/"
    await app({"type": "http", "method": method, "path": path, "headers": headers}, receive, send)
    told = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return Answer(sent[0]["status"], told, json.loads(sent[1]["body"]))


def run(story: Callable[[Intake], Awaitable[Any]], store: Any = None) -> Any:
    """Tell a story to a fresh intake, and stop it in an orderly way."""

    async def told() -> Any:
        app = Intake(behind=_nobody, store=store)
        try:
            return await story(app)
        finally:
            await app.stop()

    return asyncio.run(told())


def send_all(slug: str, *bodies: Any, **how: Any) -> list[Answer]:
    """Send bodies one after the other and return the answers."""

    async def story(app: Intake) -> list[Answer]:
        return [await post(app, slug, body, **how) for body in bodies]

    answers: list[Answer] = run(story)
    return answers


def stored() -> tuple[int, int, int]:
    """Return how many digests, waiting reports and archived reports there are, at one moment."""
    tables = ", ".join(f"(SELECT count(*) FROM {one._meta.db_table})" for one in (Spent, InboxReport, Report))
    with connection.cursor() as cursor:
        # One statement: while a server still writes, several would tell of different moments.
        cursor.execute(f"SELECT {tables}")
        spent, waiting, archived = cursor.fetchone()
    return spent, waiting, archived


async def _nobody(scope: Any, receive: Any, send: Any) -> None:
    raise AssertionError("the request was passed on")

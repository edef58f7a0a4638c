"""The ASGI callable that takes reports, and passes every other request on."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace

from django.conf import settings
from django.db import connection

from surveys.api.problems import Problem, problem_of, problem_of_status
from surveys.errors import BodyTooLarge, BodyUnfinished, DeniableError, SurveyUnknown
from surveys.intake.http import (
    BODY_LIMIT,
    Receive,
    Scope,
    Send,
    body_read,
    problem_send,
    receipt_send,
    timely,
)
from surveys.intake.postgresql import PostgresStore
from surveys.intake.sqlite import SqliteStore
from surveys.intake.store import Store, Stored
from surveys.intake.submission import Body, Submission, body_decode, submission_of
from surveys.intake.versions import Versions
from surveys.intake.writer import Writer
from surveys.wire.seals import receipt_of

logger = logging.getLogger(__name__)

Application = Callable[[Scope, Receive, Send], Awaitable[None]]
_BEFORE, _AFTER = "/api/v1/surveys/", "/reports/"


class Intake:
    """Takes `POST /api/v1/surveys/{slug}/reports/`; no session, cookie, address or time is looked at."""

    def __init__(self, behind: Application, store: Store | None = None) -> None:
        self._behind = behind
        self._versions = Versions()
        self._store = store
        self._writer: Writer | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one ASGI connection."""
        if scope["type"] == "lifespan":
            return await self._lifespan(receive, send)
        if scope["type"] != "http" or (slug := slug_of(scope["path"])) is None:
            # Its threads wait for bodies: without an end few half-sent ones would hold them all.
            return await self._behind(scope, timely(receive) if scope["type"] == "http" else receive, send)
        await self._answer(slug, scope, receive, send)

    async def _answer(self, slug: str, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            if (problem := _request_problem(scope)) is not None:
                return await problem_send(send, problem)
            submission, stored = await self._take(slug, body_decode(await body_read(receive)))
        except BodyUnfinished as error:
            # What still comes would keep the connection open.
            return await problem_send(send, replace(problem_of(error), headers={"Connection": "close"}))
        except DeniableError as error:
            return await problem_send(send, problem_of(error))
        except Exception as error:  # (whatever it is, the answer is a problem and the log holds no data)
            logger.error("the intake failed: %s", type(error).__name__)
            return await problem_send(send, problem_of(error))
        await receipt_send(send, 201 if stored is Stored.NOW else 200, receipt_of(submission.seal))

    async def _take(self, slug: str, body: Body) -> tuple[Submission, Stored]:
        recalled = self._versions.recall(slug, body.version)
        published = recalled or await self._versions.read(slug, body.version)
        submission = submission_of(slug, body, published)
        try:
            return submission, await self._running().submit(submission)
        except SurveyUnknown:
            # The survey was deleted; no other ever gets its address.
            self._versions.forget(slug)
            raise

    def _running(self) -> Writer:
        if self._writer is None:
            store = self._store or (PostgresStore() if connection.vendor == "postgresql" else SqliteStore())
            self._writer = Writer(store, settings.INTAKE_QUEUE)
        self._writer.start()
        return self._writer

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                self._running()
                await send({"type": "lifespan.startup.complete"})
            else:
                await self.stop()
                return await send({"type": "lifespan.shutdown.complete"})

    async def stop(self) -> None:
        """Write what waits and let the database go."""
        writer, self._writer = self._writer, None
        if writer is not None:
            await writer.stop()


def slug_of(path: str) -> str | None:
    """Return the survey that a path takes reports for, or None for any other path."""
    if not (path.startswith(_BEFORE) and path.endswith(_AFTER)):
        return None
    slug = path[len(_BEFORE) : -len(_AFTER)]
    return slug if slug and "/" not in slug else None


def _request_problem(scope: Scope) -> Problem | None:
    if scope["method"] != "POST":
        return problem_of_status(405, "reports are sent with POST", {"Allow": "POST"})
    media = length = b""
    for name, value in scope["headers"]:
        if name == b"content-type":
            media = value
        elif name == b"content-length":
            length = value
    # Never absent and never text: a page of another site could send those without the browser asking us first.
    if media.partition(b";")[0].strip().lower() != b"application/json":
        return problem_of_status(415, "reports are sent as application/json")
    if length.isdigit() and int(length) > BODY_LIMIT:
        return problem_of(BodyTooLarge(BODY_LIMIT))
    return None

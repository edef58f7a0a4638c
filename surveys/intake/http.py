"""HTTP as the intake speaks it: a bounded body in, one of few fixed answers out."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Generator, MutableMapping
from types import coroutine
from typing import Any, cast

from surveys.api.problems import CONTENT_TYPE, Problem
from surveys.errors import BodyMalformed, BodyTooLarge, BodyUnfinished

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

BODY_LIMIT = 64 * 1024
BODY_SECONDS = 30.0  # in which the whole body must have come
_FIXED = [
    (b"cache-control", b"no-store"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
]
_RECEIPT = [*_FIXED, (b"content-type", b"application/json"), (b"content-length", b"46")]


async def body_read(receive: Receive) -> bytes:
    """Return the whole body, or raise BodyTooLarge before more than the limit is held, BodyUnfinished too late."""
    reading = _whole(receive)
    try:
        paused = reading.send(None)
    except StopIteration as whole:
        # A body that came with its headers needs no clock: setting one costs a tenth of a report.
        return cast("bytes", whole.value)
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await _resumed(reading, paused)
    except TimeoutError:
        raise BodyUnfinished(BODY_SECONDS) from None


@coroutine
def _resumed(begun: Coroutine[Any, Any, bytes], paused: Any) -> Generator[Any, Any, bytes]:
    """Finish a coroutine that was begun by hand and waits for what it gave then."""
    try:
        yield paused
    except BaseException:
        begun.close()
        raise
    return (yield from begun.__await__())


def timely(receive: Receive) -> Receive:
    """Give what `receive` gives, and raise TimeoutError once the whole body has taken too long."""
    # One deadline for all of it: a byte now and then would put off one for each part.
    end = asyncio.get_running_loop().time() + BODY_SECONDS

    async def received() -> MutableMapping[str, Any]:
        async with asyncio.timeout_at(end):
            return await receive()

    return received


async def _whole(receive: Receive) -> bytes:
    first = await receive()
    body: bytes = first.get("body", b"")
    if not first.get("more_body", False) and first["type"] == "http.request" and len(body) <= BODY_LIMIT:
        return body
    return await _rest(body, first, receive)


async def _rest(body: bytes, message: MutableMapping[str, Any], receive: Receive) -> bytes:
    parts, size = [body], len(body)
    while size <= BODY_LIMIT:
        if message["type"] != "http.request":
            raise BodyMalformed("the connection ended before the body did")
        if not message.get("more_body", False):
            return b"".join(parts)
        message = await receive()
        parts.append(message.get("body", b""))
        size += len(parts[-1])
    raise BodyTooLarge(BODY_LIMIT)


async def receipt_send(send: Send, status: int, receipt: str) -> None:
    """Acknowledge a report: 201 when it is new, 200 when it was stored before."""
    await send({"type": "http.response.start", "status": status, "headers": _RECEIPT})
    await send({"type": "http.response.body", "body": b'{"receipt":"%b"}' % receipt.encode()})


async def problem_send(send: Send, problem: Problem) -> None:
    """Answer with a problem document."""
    body = problem.body()
    headers = [
        *_FIXED,
        (b"content-type", CONTENT_TYPE.encode()),
        (b"content-length", str(len(body)).encode()),
        *((name.lower().encode(), value.encode()) for name, value in problem.headers.items()),
    ]
    await send({"type": "http.response.start", "status": problem.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})

"""Respondents by the thousand: report bodies over a few real connections, sent again until they are answered."""

import asyncio
import contextlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit


@dataclass
class Sent:
    """The answers, by body: every status seen, and the receipt."""

    statuses: list[list[int]]
    receipts: list[str | None]
    retries: int = 0
    headers: dict[str, str] = field(default_factory=dict)

    def acknowledged(self) -> int:
        """Return how many bodies have a receipt."""
        return sum(receipt is not None for receipt in self.receipts)


def send(
    base: str,
    slug: str,
    bodies: Sequence[Any],
    *,
    connections: int = 8,
    attempts: int = 1,
    pause: float = 0.1,
    headers: Mapping[str, str] | None = None,
) -> Sent:
    """Send every body; one that gets no answer, or 503, is sent again as it is, up to `attempts` times."""
    return asyncio.run(send_async(base, slug, bodies, connections, attempts, pause, headers or {}))


async def send_async(
    base: str,
    slug: str,
    bodies: Sequence[Any],
    connections: int,
    attempts: int,
    pause: float,
    headers: Mapping[str, str],
) -> Sent:
    """The same, for a caller with an event loop."""
    sent = Sent([[] for _ in bodies], [None] * len(bodies))
    waiting = iter(enumerate(bodies))
    head = _head(base, slug, headers)
    tasks = [_connection(base, head, waiting, sent, attempts, pause) for _ in range(connections)]
    await asyncio.gather(*tasks)
    return sent


async def _connection(
    base: str, head: str, waiting: Iterable[tuple[int, Any]], sent: Sent, attempts: int, pause: float
) -> None:
    line: _Line | None = None
    for at, body in waiting:
        data = body if isinstance(body, bytes) else json.dumps(body, separators=(",", ":")).encode()
        for attempt in range(attempts):
            if attempt:
                sent.retries += 1
                await asyncio.sleep(pause)
            try:
                line = line or await _Line.open(base)
                status, document = await line.ask(head, data)
            except (OSError, EOFError, ValueError):
                # Whether it was stored is unknown: the same bytes will tell.
                line = line and line.drop()
                continue
            sent.statuses[at].append(status)
            if status in (200, 201):
                sent.receipts[at] = document["receipt"]
            if status != 503:
                break
    if line is not None:
        line.drop()


def _head(base: str, slug: str, headers: Mapping[str, str]) -> str:
    more = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return (
        f"POST /api/v1/surveys/{slug}/reports/ HTTP/1.1\r\nHost: {urlsplit(base).netloc}\r\n"
        f"Content-Type: application/json\r\n{more}"
    )


@dataclass
class _Line:
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    @classmethod
    async def open(cls, base: str) -> "_Line":
        parts = urlsplit(base)
        return cls(*await asyncio.open_connection(parts.hostname, parts.port))

    async def ask(self, head: str, body: bytes) -> tuple[int, Any]:
        self.writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        answer = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        status = int(answer.split(" ", 2)[1])
        length = next(line for line in answer.lower().split("\r\n") if line.startswith("content-length:"))
        return status, json.loads(await self.reader.readexactly(int(length.partition(":")[2])))

    def drop(self) -> None:
        with contextlib.suppress(OSError):
            self.writer.close()

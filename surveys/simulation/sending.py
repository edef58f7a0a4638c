"""Sends reports through the public HTTP API as devices do: connections kept alive, same bytes again."""

import http.client
import json
import secrets
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Lock
from typing import Any
from urllib.parse import quote, urlsplit

from privacy.bits import SecureBits
from surveys.services.trial import Truth, drawn
from surveys.wire.fingerprint import fingerprint_of
from surveys.wire.packing import Layout
from surveys.wire.seals import KEY_BYTES, key_encode, receipt_of, seal_of

TIMEOUT = 30  # seconds
PATIENCE = 60  # seconds that one report is tried again
HEADERS = {"Content-Type": "application/json", "Accept": "application/json"}


class SendingFailed(Exception):
    """The server did not take what it should."""


@dataclass
class Tally:
    """How many reports were acknowledged, and why the others were not."""

    accepted: int = 0
    refused: dict[str, int] = field(default_factory=dict)


class Server:
    """One connection to a server, opened again when it was lost."""

    def __init__(self, base_url: str) -> None:
        try:
            parts = urlsplit(base_url)
            port = parts.port
        except ValueError as error:
            raise SendingFailed(f"{base_url!r} is no http address: {error}") from error
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise SendingFailed(f"{base_url!r} is no http address")
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._connection = kind(parts.hostname, port, timeout=TIMEOUT)
        self._root = parts.path.rstrip("/")

    def request(
        self, method: str, path: str, body: bytes | None = None
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        """Return status, headers and body; a lost connection is opened once more."""
        for last in (False, True):
            try:
                self._connection.request(method, self._root + path, body, HEADERS if body else {})
                response = self._connection.getresponse()
                return response.status, response.headers, response.read()
            except (OSError, http.client.HTTPException) as error:
                self._connection.close()
                if last:
                    raise SendingFailed(str(error) or type(error).__name__) from error
        raise AssertionError

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def manifest_load(base_url: str, slug: str) -> dict[str, Any]:
    """Return the manifest that a server publishes, or refuse one whose fingerprint is not its own."""
    server = Server(base_url)
    status, _, body = server.request("GET", f"/api/v1/surveys/{quote(slug, safe='')}/")
    server.close()
    if status != 200:
        raise SendingFailed(f"survey {slug}: the server answers {status}")
    manifest = _json(body)
    if "questions" not in manifest:
        raise SendingFailed(f"survey {slug}: the server answers with something else than a survey")
    if fingerprint_of(manifest) != manifest.get("fingerprint"):
        raise SendingFailed(f"survey {slug}: the fingerprint does not fit the manifest")
    return manifest


def reports_send(
    base_url: str, manifest: Mapping[str, Any], truths: Iterable[Sequence[Truth]], threads: int = 4
) -> Tally:
    """Draw and send one report for each respondent; return how it went."""
    tally, lock, source = Tally(), Lock(), iter(truths)

    def work() -> None:
        device = Device(base_url, manifest)
        for truth in _shared(source, lock):
            refusal = device.send(truth)
            with lock:
                if refusal is None:
                    tally.accepted += 1
                else:
                    tally.refused[refusal] = tally.refused.get(refusal, 0) + 1
        device.server.close()

    with ThreadPoolExecutor(threads) as pool:
        for done in [pool.submit(work) for _ in range(threads)]:
            done.result()
    return tally


class Device:
    """A respondent's device: draws once, sends the same bytes until there is an answer."""

    def __init__(self, base_url: str, manifest: Mapping[str, Any]) -> None:
        self.server = Server(base_url)
        self._manifest = manifest
        self._layout = Layout.of(manifest)
        self._bits = SecureBits()

    def send(self, truths: Sequence[Truth]) -> str | None:
        """Send one report; return None, or the type of the refusal."""
        slug, version = self._manifest["slug"], self._manifest["version"]
        packed, key = drawn(self._layout, truths, self._bits), secrets.token_bytes(KEY_BYTES)
        status, body = self._post(f"/api/v1/surveys/{slug}/reports/", self._body(packed, key))
        if status not in (200, 201):
            return str(_json(body).get("type", status))
        if _json(body).get("receipt") != receipt_of(seal_of(slug, version, key, packed)):
            return "receipt-wrong"
        return None

    def _body(self, packed: bytes, key: bytes) -> bytes:
        slots = self._layout.slots
        reports = [packed[slot.offset : slot.offset + slot.width].hex() for slot in slots]
        report = {"version": self._manifest["version"], "reports": reports, "key": key_encode(key)}
        return json.dumps(report, separators=(",", ":")).encode()

    def _post(self, path: str, body: bytes) -> tuple[int, bytes]:
        end = time.monotonic() + PATIENCE
        while True:
            status, headers, answer = self.server.request("POST", path, body)
            if status not in (429, 503) or time.monotonic() > end:
                return status, answer
            time.sleep(min(10.0, _seconds(headers.get("Retry-After", "1"))))


def _shared(source: Iterator[Any], lock: Lock) -> Iterator[Any]:
    """Give what several threads take from one source."""
    while True:
        with lock:
            try:
                item = next(source)
            except StopIteration:
                return
        yield item


def _json(body: bytes) -> dict[str, Any]:
    try:
        value = json.loads(body)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _seconds(text: str) -> float:
    return float(text) if text.isascii() and text.isdigit() else 1.0

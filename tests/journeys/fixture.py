"""A small server with the product's headers and fakes of its two calls, whose failures can be switched."""

import base64
import json
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha384
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from django.template import Context, Engine

from surveys.wire.seals import key_decode, receipt_of, seal_of
from tests.journeys.browser import FRONTEND

ENTRY = "src/pages/respondent/main.tsx"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
TEMPLATES = FRONTEND.parent / "surveys" / "templates"


@dataclass
class Seen:
    """One request, to the byte."""

    method: str
    path: str
    headers: str
    body: bytes

    def everything(self) -> bytes:
        """All that left the browser in it."""
        return f"{self.method} {self.path}\n{self.headers}\n".encode() + self.body


def build(folder: Path) -> Path:
    """Build the respondent's bundle from this checkout into a folder of one's own."""
    command = ["npx", "vite", "build", "--mode", "respondent", "--outDir", str(folder), "--logLevel", "warn"]
    subprocess.run(command, cwd=FRONTEND, check=True, timeout=120)
    return folder


@dataclass
class Server:
    """What the server serves, how it fails next, and all that it saw."""

    dist: Path
    manifests: dict[str, dict[str, Any]] = field(default_factory=dict)
    # Versions before the latest, as far as they can still be asked for.
    older: list[dict[str, Any]] = field(default_factory=list)
    announced: dict[str, str] = field(default_factory=dict)
    # The next answers to reports: a status (with Retry-After), "drop" before, or "lost" after storing.
    failures: list[Any] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    stored: dict[str, bytes] = field(default_factory=dict)
    previews: set[str] = field(default_factory=set)
    base: str = ""

    def serve(self, manifest: dict[str, Any]) -> str:
        """Serve a survey and return its address."""
        self.manifests[manifest["slug"]] = manifest
        return f"{self.base}/s/{manifest['slug']}/"

    def posts(self) -> list[bytes]:
        """The bodies of all reports that arrived here, stored or not."""
        return [seen.body for seen in self.seen if seen.method == "POST"]


@contextmanager
def serving(dist: Path) -> Iterator[Server]:
    """Run the server on a free port of this machine."""
    state = Server(dist)
    httpd = ThreadingHTTPServer(("127.0.0.1", 0), _handler(state))
    httpd.daemon_threads = True
    state.base = f"http://127.0.0.1:{httpd.server_address[1]}"
    thread = threading.Thread(target=httpd.serve_forever, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        httpd.shutdown()
        httpd.server_close()
        thread.join()


def _handler(state: Server) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        # A connection for every request, or the browser itself would repeat one that was dropped.
        protocol_version = "HTTP/1.0"

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

        def do_GET(self) -> None:
            self._note(b"")
            path = self.path.split("?")[0]
            parts = [part for part in path.split("/") if part]
            if parts[:1] == ["static"]:
                self._file(path)
            elif parts[:1] == ["s"]:
                self._answer(200, _page(state, parts[1]).encode(), "text/html; charset=utf-8")
            elif parts[:2] == ["api", "v1"] and parts[3] in state.manifests:
                body = json.dumps(_asked(state, parts[3], self.path), ensure_ascii=False).encode()
                self._answer(200, body, "application/json", {"Cache-Control": "no-cache"})
            else:
                self._problem(404, "survey-unknown")

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self._note(body)
            failure = state.failures.pop(0) if state.failures else None
            if failure == "drop":
                self.close_connection = True
                self.connection.shutdown(2)
            elif isinstance(failure, int):
                kinds = {422: "report-malformed", 429: "too-many-requests", 503: "unavailable"}
                self._problem(failure, kinds.get(failure, "server-error"), {"Retry-After": "1"})
            elif isinstance(failure, str) and failure != "lost":
                self._problem(409, failure)
            else:
                self._store(body, lost=failure == "lost")

        def _store(self, body: bytes, *, lost: bool) -> None:
            report = json.loads(body)
            slug = self.path.split("/")[4]
            fresh = report["key"] not in state.stored
            if state.stored.setdefault(report["key"], body) != body:
                return self._problem(409, "key-reused")
            if lost:
                self.close_connection = True
                self.connection.shutdown(2)
                return None
            packed = bytes.fromhex("".join(report["reports"]))
            seal = seal_of(slug, report["version"], key_decode(report["key"]), packed)
            answer = json.dumps({"receipt": receipt_of(seal)}).encode()
            return self._answer(201 if fresh else 200, answer, "application/json")

        def _note(self, body: bytes) -> None:
            state.seen.append(Seen(self.command, self.path, str(self.headers), body))

        def _file(self, path: str) -> None:
            kind = "text/javascript" if path.endswith(".js") else "text/css"
            data = (state.dist / path.removeprefix("/static/")).read_bytes()
            self._answer(200, data, f"{kind}; charset=utf-8")

        def _problem(self, status: int, slug: str, headers: dict[str, str] | None = None) -> None:
            document = {"type": f"/problems/{slug}", "title": slug, "status": status, "detail": ""}
            self._answer(status, json.dumps(document).encode(), "application/problem+json", headers)

        def _answer(self, status: int, body: bytes, kind: str, headers: dict[str, str] | None = None) -> None:
            self.send_response(status)
            always = {
                "Content-Type": kind,
                "Content-Length": str(len(body)),
                "Content-Security-Policy": POLICY,
                "Referrer-Policy": "no-referrer",
                "Cache-Control": "no-store",
                "X-Content-Type-Options": "nosniff",
            }
            for name, value in {**always, **(headers or {})}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

    return Handler


def _asked(state: Server, slug: str, path: str) -> dict[str, Any]:
    """The latest manifest, or the version asked for where the server still has it."""
    latest = state.manifests[slug]
    number = path.partition("?version=")[2]
    return next((one for one in state.older if str(one["version"]) == number and one["slug"] == slug), latest)


def _page(state: Server, slug: str) -> str:
    entry = json.loads((state.dist / "respondent.json").read_text())[ENTRY]
    manifest = state.manifests.get(slug, {"fingerprint": ""})
    facts = {
        "slug": slug,
        "fingerprint": state.announced.get(slug, manifest["fingerprint"]),
        "manifest_url": f"/api/v1/surveys/{slug}/" if slug in state.previews else "",
        "edit_url": f"/surveys/{slug}/edit",
        "language": "ko",
        "bundle": {
            "script": _asset(state, entry["file"]),
            "styles": [_asset(state, name) for name in entry["css"]],
        },
    }
    return Engine(dirs=[str(TEMPLATES)]).get_template("surveys/respondent.html").render(Context(facts))


def _asset(state: Server, name: str) -> dict[str, str]:
    return {"url": f"/static/{name}", "integrity": _integrity(state.dist / name)}


def _integrity(path: Path) -> str:
    return "sha384-" + base64.b64encode(sha384(path.read_bytes()).digest()).decode()

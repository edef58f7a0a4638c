"""The real nginx with the recipe of deploy/nginx/, its paths and ports moved into a folder of ours."""

import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPSConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tests.architecture.source import ROOT
from tests.services import free_port

DEPLOY = ROOT / "deploy"
NGINX = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/bin")


class Upstream(ThreadingHTTPServer):
    """A server behind nginx that remembers what it was told."""

    daemon_threads = True

    def __init__(self) -> None:
        self.seen: list[tuple[str, str, dict[str, str]]] = []
        super().__init__(("127.0.0.1", 0), Remember)


class Remember(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        assert isinstance(self.server, Upstream)
        self.server.seen.append((self.command, self.path, dict(self.headers.items())))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_POST = answer

    def log_message(self, format: str, *arguments: object) -> None:
        return


@contextmanager
def upstream() -> Iterator[Upstream]:
    with Upstream() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def front(folder: Path, intake: int, web: int, *, change: tuple[str, str] = ("", "")) -> Iterator[int]:
    """Run the real nginx with the recipe, its paths and ports moved into a folder of ours."""
    port = free_port()
    certificate(folder)
    (folder / "upstreams.conf").write_text(
        (DEPLOY / "nginx" / "upstreams.conf")
        .read_text()
        .replace(":8001", f":{intake}")
        .replace(":8000", f":{web}")
    )
    site = (DEPLOY / "nginx" / "deniable.conf").read_text()
    for old, new in (
        change,
        ("/etc/nginx/deniable/", f"{folder}/"),
        ("/var/log/nginx/", f"{folder}/"),
        ("listen [::]:443 ssl;", ""),
        ("listen [::]:80;", ""),
        ("listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;"),
        ("listen 80;", f"listen 127.0.0.1:{free_port()};"),
    ):
        site = site.replace(old, new) if old else site
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/main.log error;\n"
        f"events {{ worker_connections 64; }}\n"
        + "http {\n"
        + "".join(
            f"{kind}_temp_path {folder}/{kind};\n"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        + f"{site}\n}}\n"
    )
    base = [str(NGINX), "-p", str(folder), "-e", str(folder / "start.log"), "-c", str(folder / "nginx.conf")]
    tested = subprocess.run([*base, "-t"], capture_output=True, text=True, check=False)
    assert tested.returncode == 0, tested.stderr
    process = subprocess.Popen(base, stdin=subprocess.DEVNULL)
    try:
        await_port(port)
        yield port
    finally:
        process.terminate()
        process.wait(20)


def certificate(folder: Path) -> None:
    request = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost"
    files = ["-addext", "subjectAltName=DNS:localhost", "-keyout", "key.pem", "-out", "certificate.pem"]
    subprocess.run([*request.split(), *files], cwd=folder, check=True, capture_output=True)


def await_port(port: int) -> None:
    for _attempt in range(100):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise AssertionError("nginx did not start")


def ask(
    port: int, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
) -> int:
    """Send one request and give the status; whose certificate it is does not matter here."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    connection = HTTPSConnection("127.0.0.1", port, timeout=20, context=context)
    try:
        connection.request(method, path, body=body, headers=dict(headers or {}))
        return connection.getresponse().status
    finally:
        connection.close()

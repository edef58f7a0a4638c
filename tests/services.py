"""PostgreSQL and Redis of one's own: started on free ports as an unprivileged user, ended with their files."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

# Enough for a loaded machine of two cores; a server is up in under a second otherwise.
PATIENCE = 60.0
# A killed server still keeps what it acknowledged; only a machine that stops would lose it.
_SPEED = ("fsync=off", "full_page_writes=off")


class ServiceFailed(Exception):
    """A server did not come up; the text holds the end of its log."""


@dataclass
class Service:
    """One server process, its folder and its port."""

    name: str
    folder: Path
    port: int
    command: Sequence[str]
    ready: Callable[["Service"], bool]
    goodbye: signal.Signals = signal.SIGTERM
    process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    @property
    def url(self) -> str:
        """Give the address as Django and Celery write it."""
        if self.name == "redis":
            return f"redis://127.0.0.1:{self.port}/0"
        return f"postgres://deniable@127.0.0.1:{self.port}/deniable"

    def start(self) -> None:
        """Start the server and return once it answers."""
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [*_ends_with_us(), *self.command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                # Ctrl-C goes to the one who started us; he ends the servers in his own order.
                start_new_session=True,
                **_unprivileged(),
            )
        deadline = time.monotonic() + PATIENCE
        while not self.ready(self):
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise ServiceFailed(f"{self.name} did not start:\n{self.log()[-2000:]}")
            time.sleep(0.05)

    def stop(self, how: signal.Signals | None = None) -> None:
        """End the server, orderly unless told otherwise; ending it twice is no error."""
        if self.process is None or self.process.poll() is not None:
            return
        self.process.send_signal(how or self.goodbye)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def restart(self, how: signal.Signals | None = None) -> None:
        """End the server (SIGKILL is a crash) and start it again on the same port and files."""
        self.stop(how)
        for _attempt in range(10):
            try:
                return self.start()
            except ServiceFailed:
                # After a crash the orphaned backends hold the shared memory for a moment.
                time.sleep(0.3)
        self.start()

    def log(self) -> str:
        """Give everything the server wrote."""
        path = self.folder / "log"
        return path.read_text(errors="replace") if path.exists() else ""


@contextmanager
def postgres(*, durable: bool = False, settings: Sequence[str] = ()) -> Iterator[Service]:
    """Run a PostgreSQL with an empty database `deniable`; `durable` keeps fsync on, for benchmarks."""
    programs = postgres_programs()
    with _folder("deniable-postgres-") as folder:
        data = folder / "data"
        initdb = [
            programs / "initdb",
            "-D",
            data,
            "-U",
            "deniable",
            "--auth=trust",
            "-E",
            "UTF8",
            "--locale=C.UTF-8",
        ]
        subprocess.run(
            [*initdb, "--no-sync"], check=True, stdout=subprocess.DEVNULL, cwd=folder, **_unprivileged()
        )
        options = [f"-c{one}" for one in (*(() if durable else _SPEED), "max_connections=200", *settings)]
        port = free_port()
        command = [
            str(programs / "postgres"),
            "-D",
            str(data),
            "-h127.0.0.1",
            f"-p{port}",
            f"-k{folder}",
            *options,
        ]
        # SIGINT is PostgreSQL's fast shutdown: it does not wait for clients.
        service = Service("postgres", folder, port, command, _postgres_answers, signal.SIGINT)
        with _running(service):
            with psycopg.connect(_maintenance(service), autocommit=True) as connection:
                connection.execute("CREATE DATABASE deniable")
            yield service


@contextmanager
def redis() -> Iterator[Service]:
    """Run a Redis that keeps nothing on disk."""
    program = shutil.which("redis-server")
    if program is None:
        raise ServiceFailed("redis-server was not found (Debian: redis-server)")
    with _folder("deniable-redis-") as folder:
        port = free_port()
        options = [
            "--port",
            str(port),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--appendonly",
            "no",
            "--dir",
            str(folder),
        ]
        service = Service("redis", folder, port, [program, *options], _redis_answers)
        with _running(service):
            yield service


def postgres_programs() -> Path:
    """Give the folder of initdb and postgres, newest version first."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    on_path = shutil.which("initdb")
    if not found and on_path is None:
        raise ServiceFailed("PostgreSQL was not found (Debian: postgresql)")
    return (found[-1] if found else Path(str(on_path))).parent


def free_port() -> int:
    """Give a port of 127.0.0.1 that nobody listens on."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def _running(service: Service) -> Iterator[None]:
    try:
        service.start()
        yield
    finally:
        service.stop()


@contextmanager
def _folder(prefix: str) -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir="/tmp"))
    try:
        user = _unprivileged().get("user")
        if user is not None:
            os.chown(folder, pwd.getpwnam(str(user)).pw_uid, -1)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _unprivileged() -> dict[str, str]:
    # PostgreSQL refuses root.
    if os.geteuid() != 0:
        return {}
    known = {entry.pw_name for entry in pwd.getpwall()}
    return {"user": "postgres" if "postgres" in known else "nobody"}


def _ends_with_us() -> list[str]:
    # Even when we are killed outright, the kernel tells the server.
    program = shutil.which("setpriv")
    return [] if program is None else [program, "--pdeathsig", "INT"]


def _maintenance(service: Service) -> str:
    return service.url.removesuffix("deniable") + "postgres"


def _postgres_answers(service: Service) -> bool:
    try:
        psycopg.connect(_maintenance(service), connect_timeout=2).close()
    except psycopg.OperationalError:
        return False
    return True


def _redis_answers(service: Service) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", service.port), timeout=2) as connection:
            connection.sendall(b"PING\r\n")
            return connection.recv(16).startswith(b"+PONG")
    except OSError:
        return False

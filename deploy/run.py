"""`make run`: database, demo survey, web server and worker together; Ctrl-C ends everything."""

import errno
import io
import os
import signal
import socket
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from deploy.prepare import say
from deploy.processes import Processes

BIN = Path(sys.executable).parent
PATIENCE = 60.0


class CannotStart(Exception):
    """The service cannot start; the text says why and what a person can do."""


def main() -> int:
    """Run until a signal comes or a process fails; give the exit code."""
    host, port = os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "8000"))
    stop = _stop_on_signal()
    processes = Processes()
    try:
        port_free(host, port)
        greeting = database()
        if stop.is_set():
            return 0
        serve(processes, host, port, stop)
        base = base_url(host, port)
        demo_results(base, stop)
        if not stop.is_set():
            print(f"\n{greeting(base)}\nCtrl-C ends everything.\n", flush=True)
        return watch(processes, stop)
    except CannotStart as reason:
        print(f"\n{reason}", file=sys.stderr)
        return 1
    finally:
        processes.stop()


def _stop_on_signal() -> threading.Event:
    stop = threading.Event()

    def remember(number: int, frame: FrameType | None) -> None:
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, remember)
    return stop


def port_free(host: str, port: int) -> None:
    """Refuse when somebody listens there already."""
    names = ["127.0.0.1", "::1"] if host in {"127.0.0.1", "localhost"} else [host]
    for name in names:
        family = socket.AF_INET6 if ":" in name else socket.AF_INET
        try:
            with socket.socket(family) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind((name, port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                another = f"make run PORT={port + 1}"
                raise CannotStart(
                    f"Port {port} is in use by another program. Take another: {another}"
                ) from error
            if name == host:
                raise CannotStart(f"Cannot listen on {host}:{port}: {error.strerror}") from error


def base_url(host: str, port: int) -> str:
    """Give the address people type: localhost, where passkeys and secure contexts work without TLS."""
    shown = "localhost" if host in {"127.0.0.1", "0.0.0.0", "::", "::1"} else host
    return f"http://{f'[{shown}]' if ':' in shown else shown}:{port}"


def database() -> Callable[[str], str]:
    """Bring the tables up to date and make the demo; give what to greet with, by address."""
    say("Preparing the database")
    manage("migrate", "--verbosity", "0", "--no-input")
    greeting = manage("demo", "--base-url", "BASE")
    return lambda base: greeting.replace("BASE", base)


def manage(*arguments: str) -> str:
    """Run one of Django's commands here; give what it printed."""
    import django
    from django.core.management import call_command
    from django.db import connections

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    django.setup()
    said = io.StringIO()
    try:
        call_command(*arguments, stdout=said)
    finally:
        connections.close_all()
    return said.getvalue().strip()


def serve(processes: Processes, host: str, port: int, stop: threading.Event) -> None:
    """Start web and worker and return once the web answers."""
    hosts = {"ALLOWED_HOSTS": os.environ.get("ALLOWED_HOSTS", f"localhost,127.0.0.1,[::1],{host}")}
    web = [sys.executable, "-m", "deploy.web", "--host", host, "--port", str(port)]
    processes.start("web", web, hosts)
    worker = [str(BIN / "celery"), "--quiet", "--app", "deploy", "worker", "--beat", "--concurrency", "1"]
    quiet = ["--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "WARNING"]
    # Whoever tries this as root in a container knows.
    calm = {"PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges"}
    processes.start("worker", [*worker, *quiet], {**hosts, **calm})
    say("Waiting for the web server")
    wait_for(f"http://{'127.0.0.1' if host == '0.0.0.0' else host}:{port}/healthz", processes, stop)


def wait_for(url: str, processes: Processes, stop: threading.Event) -> None:
    """Return once the address answers, or we are told to stop; refuse when a process ended before."""
    for _attempt in range(int(PATIENCE / 0.2)):
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except (urllib.error.URLError, OSError):
            ended = processes.ended()
            if ended is not None:
                raise CannotStart(f"The {ended} process ended at once; its last words stand above.") from None
        if stop.wait(0.2):
            return
    raise CannotStart(f"{url} did not answer within {PATIENCE:.0f} s.")


def demo_results(base: str, stop: threading.Event) -> None:
    """Let the demo's simulated respondents answer through the web server, once."""


def watch(processes: Processes, stop: threading.Event) -> int:
    """Wait for a signal or the end of a process; give the exit code."""
    while not stop.wait(0.5):
        ended = processes.ended()
        if ended is not None:
            print(f"The {ended} process ended; ending the others.", file=sys.stderr)
            return 1
    print("\nEnding web and worker …", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

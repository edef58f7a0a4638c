"""`make run`: database, demo survey, web server and worker together; Ctrl-C ends everything.

While it starts, whatever ends ends the start. Once it greeted, what ends is started again.
"""

import errno
import io
import os
import signal
import socket
import sys
import threading
import urllib.request
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from deploy.keeper import Keeper, KeepsEnding
from deploy.messages import messages_forgotten
from deploy.prepare import say
from deploy.private import OTHERS
from deploy.processes import Processes

BIN = Path(sys.executable).parent
PATIENCE = 60.0


class CannotStart(Exception):
    """The service cannot start; the text says why and what a person can do."""


def main() -> int:
    """Run until a signal comes or a process keeps failing; give the exit code."""
    os.umask(OTHERS)
    host, port = os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "8000"))
    stop = _stop_on_signal()
    processes = Processes()
    try:
        port_free(host, port)
        greeting = database()
        queue_emptied()
        if stop.is_set():
            return 0
        serve(processes, host, port, stop)
        if demo_answered(processes, _reached(host, port), stop):
            print(f"\n{greeting(base_url(host, port))}\n\nCtrl-C ends everything.\n", flush=True)
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


def queue_emptied() -> None:
    """Forget the messages of earlier runs: what they asked for, the first sweep finds."""
    from django.conf import settings

    options = getattr(settings, "CELERY_BROKER_TRANSPORT_OPTIONS", {})
    if "data_folder_in" in options:
        messages_forgotten(Path(options["data_folder_in"]))


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
    say("Waiting for web and worker")
    address = _reached(host, port)
    wait_for(lambda: web_answers(address) and worker_works(), "web and worker answer", processes, stop)


def demo_answered(processes: Processes, address: str, stop: threading.Event) -> bool:
    """Let the demo's simulated respondents answer through the web server, once; tell whether to go on."""
    if stop.is_set():
        return False
    say("Letting the demo's simulated respondents answer")
    manage("demo", "--answers", "--base-url", address)
    return wait_for(demo_counted, "the demo has its results", processes, stop)


def wait_for(claim: Callable[[], bool], name: str, processes: Processes, stop: threading.Event) -> bool:
    """Return True once the claim is true, False when told to stop; refuse when a process ended before."""
    for _attempt in range(int(PATIENCE / 0.2)):
        for ended in processes.ended():
            raise CannotStart(f"The {ended} process ended; its last words stand above.")
        if claim():
            return True
        if stop.wait(0.2):
            return False
    raise CannotStart(f"It took more than {PATIENCE:.0f} s until {name}.")


def _reading(claim: Callable[[], bool]) -> Callable[[], bool]:
    # This process keeps no connection: SQLite's files belong to web and worker.
    def closed_afterwards() -> bool:
        from django.db import connections

        try:
            return claim()
        finally:
            connections.close_all()

    return closed_afterwards


def _reached(host: str, port: int) -> str:
    # Where we ourselves reach it: a server on every address is on this one too.
    name = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://{f'[{name}]' if ':' in name else name}:{port}"


def web_answers(address: str) -> bool:
    """Tell whether the web server answers."""
    try:
        with urllib.request.urlopen(f"{address}/healthz", timeout=5):
            return True
    except OSError:
        return False


@_reading
def worker_works() -> bool:
    """Tell whether a worker has left its sign in the database."""
    from surveys.services.workers import worker_seen

    return worker_seen()


@_reading
def demo_counted() -> bool:
    """Tell whether the demo's second survey has its results, or was deleted."""
    from surveys.demo.questionnaires import CLOSED
    from surveys.models import Survey

    demo = Survey.objects.filter(slug=CLOSED["slug"])
    return not demo.exists() or demo.filter(estimates__isnull=False).exists()


def watch(processes: Processes, stop: threading.Event) -> int:
    """Start again what ends, until a signal comes or one keeps ending; give the exit code."""
    keeper = Keeper(processes)
    while not stop.wait(0.5):
        try:
            keeper.look()
        except KeepsEnding as reason:
            print(f"\n{reason}", file=sys.stderr)
            return 1
    print("\nEnding web and worker …", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

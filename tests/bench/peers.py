"""Other services under the same load: a stock DRF view, and django-survey-and-report."""

import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench.environments import peer_environment
from tests.bench.figures import Figure
from tests.bench.machine import HERE, Unavailable, wrk
from tests.bench.sizes import Size
from tests.faults.running import ROOT, process
from tests.services import Service, free_port

GROUP = "Intake (PostgreSQL, 32 connections)"
STOCK = "stock DRF ModelViewSet"
SURVEY = "django-survey-and-report"


def stock(database: Service, folder: Path, floor: float, size: Size) -> Iterator[Figure]:
    """Measure the stock DRF service on the same database."""
    env = {**os.environ, "STOCK_DATABASE_URL": database.url, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-m", "tests.bench.stock.application"], cwd=ROOT, env=env, check=True)
    command = [str(Path(sys.executable).parent / "granian")]
    with _served(command, "tests.bench.stock.application:application", env, folder, ROOT) as base:
        load = wrk(f"{base}/reports/", seconds=size.seconds)
    yield Figure(GROUP, f"{STOCK}, over pgbench", load.rate / floor, "", note=_note(load.rate, load.refused))


def survey(database: Service, folder: Path, floor: float, size: Size) -> Iterator[Figure]:
    """Measure django-survey-and-report, whose one page of ten questions is posted as a form."""
    name = f"{SURVEY}, over pgbench"
    try:
        python = peer_environment("survey", ["django-survey-and-report", "psycopg[binary]", "granian"])
        env = {**os.environ, "PEER_PORT": str(database.port), "PYTHONPATH": str(HERE / "survey_peer")}
        made = subprocess.run(
            [python, "-m", "prepare"], env=env, cwd=folder, capture_output=True, text=True, check=False
        )
        if made.returncode != 0:
            raise Unavailable(made.stderr.strip().rpartition("\n")[2])
        form = made.stdout.strip().splitlines()[-1]
        command = [str(Path(python).parent / "granian")]
        with _served(command, "peer:application", env, folder, folder) as base:
            cookie = _cookie(f"{base}/survey/1/")
            load = wrk(
                f"{base}/survey/1/",
                seconds=size.seconds,
                script=HERE / "form.lua",
                FORM=f"csrfmiddlewaretoken={cookie}&{form}",
                COOKIE=f"csrftoken={cookie}",
            )
    except (Unavailable, OSError) as reason:
        yield Figure(GROUP, name, None, note=f"skipped: {reason}")
        return
    yield Figure(GROUP, name, load.rate / floor, "", note=_note(load.rate, load.refused))


PEERS: tuple[Callable[[Service, Path, float, Size], Iterator[Figure]], ...] = (stock, survey)


@contextmanager
def _served(command: list[str], target: str, env: dict[str, str], folder: Path, cwd: Path) -> Iterator[str]:
    port = free_port()
    # As many processes as there are cores: the peers get the whole machine.
    options = ["--interface", "wsgi", "--workers", str(os.cpu_count() or 1), "--blocking-threads", "4"]
    quiet = ["--log-level", "error", "--port", str(port), "--working-dir", str(cwd)]
    with process([*command, *options, *quiet, target], env, folder / "peer.log"):
        deadline = time.monotonic() + 60
        while not _answers(f"http://127.0.0.1:{port}/"):
            if time.monotonic() > deadline:
                raise Unavailable((folder / "peer.log").read_text(errors="replace")[-300:])
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"


def _answers(url: str) -> bool:
    try:
        urllib.request.urlopen(url, timeout=5).close()
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False
    return True


def _cookie(url: str) -> str:
    with urllib.request.urlopen(url, timeout=30) as answer:
        cookies = answer.headers.get_all("Set-Cookie") or []
    found = [one for one in cookies if one.startswith("csrftoken=")]
    if not found:
        raise Unavailable("the page of the peer set no CSRF cookie")
    return str(found[0]).partition("=")[2].partition(";")[0]


def _note(rate: float, refused: int) -> str:
    return f"{rate:,.0f}/s" + (f", {refused} refused" if refused else "")

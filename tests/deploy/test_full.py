"""The full mode, started from the systemd units: PostgreSQL, Redis, intake, web, worker, beat, nginx with TLS."""

import json
import os
import re
import ssl
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from deploy.processes import Processes
from surveys.demo.questionnaires import CLOSED
from tests.deploy.nginx import DEPLOY, NGINX, front
from tests.deploy.test_processes import wait_until
from tests.services import free_port, postgres, redis

BIN = Path(sys.executable).parent

pytestmark = pytest.mark.skipif(NGINX is None, reason="nginx is not installed (make test installs it)")


@dataclass(frozen=True)
class Full:
    """The running service as people reach it, its database, and the environment of its processes."""

    base: str
    database: str
    environment: Mapping[str, str]
    folder: Path

    def get(self, path: str) -> tuple[int, bytes]:
        trusted = ssl.create_default_context(cafile=str(self.folder / "certificate.pem"))
        with urllib.request.urlopen(self.base + path, timeout=30, context=trusted) as answer:
            return answer.status, answer.read()

    def count(self, query: str) -> int:
        with psycopg.connect(self.database) as connection:
            row = connection.execute(query).fetchone()  # type: ignore[arg-type]
        assert row is not None
        return int(row[0])


def unit(part: str, ports: Mapping[str, int]) -> list[str]:
    """Give the command of a unit, with our interpreter and ports in the place of the installed ones."""
    text = (DEPLOY / "systemd" / f"deniable-{part}.service").read_text(encoding="utf-8")
    found = re.search(r"ExecStart=/opt/deniable/\.venv/bin/(.+)", text)
    assert found is not None
    words = [str(ports.get(word, word)) for word in found.group(1).split()]
    return [str(BIN / words[0]), *words[1:]]


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Full]:
    """Return the service with its demo, everything ended afterwards."""
    folder = tmp_path_factory.mktemp("full")
    ports = {"8000": free_port(), "8001": free_port()}
    processes = Processes()
    with postgres() as database, redis() as broker, front(folder, ports["8001"], ports["8000"]) as port:
        environment = {
            "DATABASE_URL": database.url,
            "CELERY_BROKER_URL": broker.url,
            "DENIABLE_VAR": str(folder / "var"),
            "SECRET_KEY": "of this test alone",
            "ALLOWED_HOSTS": "localhost",
            "CSRF_TRUSTED_ORIGINS": f"https://localhost:{port}",
            "TLS": "true",
            "SWEEP_SECONDS": "1",
            "SSL_CERT_FILE": str(folder / "certificate.pem"),
            "PYTHONWARNINGS": "ignore",
        }
        service = Full(f"https://localhost:{port}", database.url, environment, folder)
        run(unit("migrate", ports), environment)
        run([sys.executable, "manage.py", "demo"], environment)
        try:
            for part in ("intake", "web", "worker", "beat"):
                processes.start(part, unit(part, ports), environment)
            wait_until(lambda: is_ready(service) or processes.ended() != {}, seconds=120)
            assert processes.ended() == {}
            yield service
        finally:
            processes.stop()


def run(command: list[str], environment: Mapping[str, str]) -> str:
    done = subprocess.run(
        command,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def is_ready(service: Full) -> bool:
    try:
        return service.get("/readyz")[0] == 200
    except OSError:
        return False


def test_it_is_ready_with_every_part(full: Full) -> None:
    assert json.loads(full.get("/readyz")[1]) == {"database": True, "broker": True, "worker": True}


def test_the_respondent_page_and_its_scripts_come_through_nginx(full: Full) -> None:
    page = full.get("/s/student-life/")[1].decode()
    scripts = re.findall(r'(?:src|href)="(/static/[^"]+)"', page)
    assert len(scripts) >= 2
    for script in scripts:
        assert full.get(script)[0] == 200


def test_answers_sent_over_tls_become_estimates(full: Full) -> None:
    run([sys.executable, "manage.py", "demo", "--answers", "--base-url", full.base], full.environment)
    wait_until(lambda: full.count("SELECT count(*) FROM surveys_estimate") > 0, seconds=120)
    assert full.count("SELECT count(*) FROM surveys_report") == CLOSED["target"]
    assert full.count("SELECT count(*) FROM surveys_spent") == CLOSED["target"]
    assert full.count("SELECT count(*) FROM surveys_inboxreport") == 0


def test_staff_are_told_to_come_over_tls(full: Full) -> None:
    status, page = full.get("/accounts/login/")
    assert status == 200
    assert b"csrfmiddlewaretoken" in page

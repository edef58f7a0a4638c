"""The intake as a real server: over sockets, with respondents who race, vanish and are not remembered."""

import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db import connection

from surveys.models import Estimate, InboxReport, Spent, Survey
from tests import cast
from tests.faults.running import database_url, web, web_process, worker
from tests.faults.sending import send
from tests.services import postgres_programs
from tests.surveys.intake.asgi import stored

pytestmark = pytest.mark.django_db(transaction=True)
MARKER = "203.0.113.77"
AGENT = "MarkedBrowser/7.13 (of one person)"


@pytest.fixture
def base(version: Any, tmp_path: Path) -> Iterator[str]:
    with web(database_url(), tmp_path) as address:
        yield address


def bodies_of(version: Any, number: int) -> list[dict[str, Any]]:
    return [cast.report(json.loads(version.manifest), [0]) for _ in range(number)]


def test_of_sixty_racing_submissions_of_one_key_one_is_stored(base: str, version: Any) -> None:
    body = bodies_of(version, 1)[0]
    sent = send(base, "habits", [body] * 60, connections=60)
    assert sorted(status for statuses in sent.statuses for status in statuses) == [200] * 59 + [201]
    assert len(set(sent.receipts)) == 1
    assert (Spent.objects.count(), InboxReport.objects.count()) == (1, 1)


def test_everything_acknowledged_is_stored(base: str, version: Any) -> None:
    sent = send(base, "habits", bodies_of(version, 500), connections=32)
    assert sent.statuses == [[201]] * 500
    assert (Spent.objects.count(), InboxReport.objects.count()) == (500, 500)


def test_respondents_who_vanish_do_not_stop_the_writer(base: str, version: Any) -> None:
    parts = urlsplit(base)
    for body in bodies_of(version, 40):
        data = json.dumps(body, separators=(",", ":")).encode()
        head = f"POST /api/v1/surveys/habits/reports/ HTTP/1.1\r\nHost: {parts.netloc}\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
        with socket.create_connection((parts.hostname, parts.port)) as line:
            line.sendall(head.encode() + data)
            # Closed with a reset, before any answer.
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
    sent = send(base, "habits", bodies_of(version, 20))
    assert sent.acknowledged() == 20
    spent, kept, _ = stored()
    assert 20 <= spent <= 60
    assert kept == spent


def test_half_a_request_stores_nothing(base: str, version: Any) -> None:
    parts = urlsplit(base)
    with socket.create_connection((parts.hostname, parts.port)) as line:
        line.sendall(b"POST /api/v1/surveys/habits/reports/ HTTP/1.1\r\nHost: x\r\n")
        line.sendall(b'Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{"version":1')
    assert send(base, "habits", bodies_of(version, 1)).acknowledged() == 1
    assert Spent.objects.count() == 1


def test_a_server_that_is_told_to_stop_answers_what_it_has_taken(version: Any, tmp_path: Path) -> None:
    bodies = bodies_of(version, 300)
    with web_process(database_url(), tmp_path) as (base, process):
        send(base, "habits", bodies[:1])
        process.terminate()
        sent = send(base, "habits", bodies[1:], connections=32)
    spent, kept, _ = stored()
    assert spent == kept >= 1 + sent.acknowledged()


def test_no_address_and_no_browser_is_kept_anywhere(version: Any, tmp_path: Path) -> None:
    told = {
        "X-Forwarded-For": MARKER,
        "User-Agent": AGENT,
        "Accept-Language": "xx-MARKED",
        "Cookie": "marked=1",
    }
    bodies = [
        *bodies_of(version, 3),
        {"version": 1, "marked": 1},
        {**bodies_of(version, 1)[0], "key": "marked"},
    ]
    with web(database_url(), tmp_path) as base, worker(database_url(), tmp_path):
        sent = send(base, "habits", bodies, headers=told)
        send(base, "nothing", bodies, headers=told)
        finished(version)
    assert [statuses[0] for statuses in sent.statuses] == [201, 201, 201, 422, 422]
    kept = everything_kept(tmp_path)
    assert not [mark for mark in (MARKER, "203.0.113", AGENT, "MARKED", "marked=1") if mark.encode() in kept]
    # The control: the same search finds what is kept.
    Survey.objects.update(title_en=f"A survey for {MARKER}")
    assert MARKER.encode() in everything_kept(tmp_path)


def finished(version: Any) -> None:
    """Close the survey and wait until the worker has written everything that it ever writes."""
    Survey.objects.filter(pk=version.survey_id).update(state="closed")
    deadline = time.monotonic() + 90
    while not Estimate.objects.exists():
        assert time.monotonic() < deadline, "no worker finished the survey"
        time.sleep(0.2)


def everything_kept(folder: Path) -> bytes:
    """Return the bytes of the database, of its log ahead, and of every file that server, worker and queue wrote."""
    files = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    if connection.vendor == "sqlite":
        name = Path(str(connection.settings_dict["NAME"]))
        return files + b"".join(path.read_bytes() for path in name.parent.glob(f"{name.name}*"))
    dump = [shutil.which("pg_dump") or str(postgres_programs() / "pg_dump"), "--inserts", database_url()]
    return files + subprocess.run(dump, check=True, capture_output=True).stdout


def test_a_lone_report_does_not_wait_for_company(base: str, version: Any) -> None:
    assert send(base, "habits", bodies_of(version, 1), connections=1).acknowledged() == 1

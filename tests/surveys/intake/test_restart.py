"""A database that is killed and comes back costs nobody a report, and stores none twice."""

import signal
import threading
import time
from pathlib import Path
from typing import Any

import psycopg

from tests import cast
from tests.faults.running import environment, web
from tests.faults.seeding import seed
from tests.faults.sending import Sent, send
from tests.services import postgres

NUMBER = 1500


def test_respondents_live_through_a_crash_of_the_database(tmp_path: Path) -> None:
    with postgres() as database:
        manifest = seed(environment(database.url, tmp_path))
        bodies = [cast.report(manifest, [0]) for _ in range(NUMBER)]
        with web(database.url, tmp_path) as base:
            result: list[Sent] = []
            load = threading.Thread(target=lambda: result.append(sent_patiently(base, bodies)))
            load.start()
            for how in (signal.SIGKILL, signal.SIGINT):
                wait_for(database.url, 50)
                database.restart(how)
            load.join()
            sent = result[0]
            assert sent.acknowledged() == NUMBER
            assert {status for statuses in sent.statuses for status in statuses} <= {200, 201, 503}
            assert counts(database.url) == (NUMBER, NUMBER)
            # Nothing was drawn anew: each key is known under its own bytes, with the receipt it was given.
            assert send(base, "habits", bodies, connections=16).receipts == sent.receipts


def sent_patiently(base: str, bodies: list[dict[str, Any]]) -> Sent:
    return send(base, "habits", bodies, connections=4, attempts=200)


def wait_for(url: str, more: int) -> None:
    """Return once so many more reports are stored, so that the crash comes amid the load."""
    aim = counts(url)[0] + more
    while counts(url)[0] < aim:
        time.sleep(0.01)


def counts(url: str) -> tuple[int, int]:
    with psycopg.connect(url) as connection:
        asked = "SELECT (SELECT count(*) FROM surveys_spent), (SELECT count(*) FROM surveys_inboxreport)"
        row = connection.execute(asked).fetchone()
        assert row is not None
        return row[0], row[1]

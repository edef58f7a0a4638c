"""One round of faults: respondents send, and everything they rely on is killed at random moments."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.faults.judging import CLOSE, faults_of, program, state_of
from tests.faults.respondents import bodies_of
from tests.faults.running import ROOT, environment
from tests.faults.seeding import seed
from tests.faults.sending import Sent, send
from tests.services import Service, free_port, postgres

FINISHED_WITHIN = 120.0


@dataclass
class Round:
    """What happened and what was found wrong."""

    number: int
    kills: Counter[str] = field(default_factory=Counter)
    retries: int = 0
    faults: list[str] = field(default_factory=list)


@dataclass
class Immortal:
    """A process that is started again whenever it was killed."""

    command: Sequence[str]
    env: Mapping[str, str]
    log: Path
    running: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, in a group of its own."""
        with self.log.open("ab") as out:
            self.running = subprocess.Popen(
                self.command,
                cwd=ROOT,
                env=dict(self.env),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )

    def kill(self) -> None:
        """Kill it and its children, as a machine would that lost its power."""
        if self.running is not None:
            os.killpg(self.running.pid, signal.SIGKILL)
            self.running.wait()
            self.running = None

    def again(self) -> None:
        """Kill it and start it again."""
        self.kill()
        self.start()


def round_of(
    folder: Path, *, reports: int, kills: int, chance: random.Random, server: bool, celery: bool
) -> Round:
    """Play one round over PostgreSQL (`server`) or SQLite and judge it."""
    done = Round(reports)
    with ExitStack() as stack:
        database = stack.enter_context(postgres()) if server else None
        env = _environment(database, folder)
        manifest = seed(env)
        bodies = bodies_of(manifest, [[0]] * reports)
        base, cast_of = stack.enter_context(_processes(env, folder, celery))
        sent = _storm(base, bodies, cast_of, database, kills, chance, done)
        program(env, CLOSE)
        _until_finished(env, cast_of, chance, done)
        expected = Counter("".join(body["reports"]) for body in bodies)
        unanswered = reports - sent.acknowledged()
        done.faults += [f"{unanswered} respondents got no receipt"] if unanswered else []
        done.faults += faults_of(state_of(env), expected)
        # Everybody asks once more, and hears what he heard.
        again = send(base, "habits", bodies, connections=8, attempts=100)
        done.faults += ["a receipt changed"] if again.receipts != sent.receipts else []
    return done


def _environment(database: Service | None, folder: Path) -> dict[str, str]:
    url = f"sqlite:///{folder / 'deniable.sqlite3'}" if database is None else database.url
    return environment(
        url, folder, DJANGO_SETTINGS_MODULE="deploy.settings", SWEEP_SECONDS="0.5", POOL_SIZE="10"
    )


@contextmanager
def _processes(
    env: Mapping[str, str], folder: Path, celery: bool
) -> Iterator[tuple[str, dict[str, Immortal]]]:
    port = free_port()
    worker = [sys.executable, "-m", "celery", "--app", "deploy", "worker", "--beat", "--concurrency", "2"]
    commands = {
        "web": [sys.executable, "-m", "deploy.web", "--port", str(port)],
        "drainer 1": [sys.executable, "-m", "tests.faults.drainer"],
        "drainer 2": [sys.executable, "-m", "tests.faults.drainer"],
        **({"celery": [*worker, "--loglevel", "ERROR"]} if celery else {}),
    }
    running = {name: Immortal(command, env, folder / f"{name}.log") for name, command in commands.items()}
    try:
        for one in running.values():
            one.start()
        yield f"http://127.0.0.1:{port}", running
    finally:
        for one in running.values():
            one.kill()


def _storm(
    base: str,
    bodies: list[dict[str, Any]],
    running: dict[str, Immortal],
    database: Service | None,
    kills: int,
    chance: random.Random,
    done: Round,
) -> Sent:
    result: list[Sent] = []
    load = threading.Thread(
        target=lambda: result.append(send(base, "habits", bodies, connections=4, attempts=2000, pause=0.05))
    )
    load.start()
    deeds: dict[str, Callable[[], None]] = {name: one.again for name, one in running.items()}
    if database is not None:
        deeds["database"] = lambda: database.restart(signal.SIGKILL)
    # Each at least once, as far as the kills go.
    order = chance.sample(list(deeds), k=len(deeds)) + chance.choices(list(deeds), k=kills)
    for name in order[:kills]:
        time.sleep(chance.uniform(0.2, 2.5))
        deeds[name]()
        done.kills[name] += 1
    load.join()
    done.retries = result[0].retries
    return result[0]


def _until_finished(
    env: Mapping[str, str], running: dict[str, Immortal], chance: random.Random, done: Round
) -> None:
    """Kill the workers twice more amid the closing, then wait until they are done."""
    for name in ("drainer 1", "drainer 2"):
        time.sleep(chance.uniform(0.0, 0.3))
        running[name].again()
        done.kills[name] += 1
    deadline = time.monotonic() + FINISHED_WITHIN
    while time.monotonic() < deadline:
        if state_of(env)["estimated"]:
            return
        time.sleep(0.5)
    done.faults.append("the survey was never finished")


def table_of(rounds: Sequence[tuple[str, Round]]) -> str:
    """Return the rounds as text."""
    lines = [f"{'database':<12}{'reports':>8}{'retries':>9}  kills"]
    for name, one in rounds:
        kills = ", ".join(f"{what} {times}" for what, times in sorted(one.kills.items()))
        lines.append(f"{name:<12}{one.number:>8}{one.retries:>9}  {kills}")
        lines += [f"    FAULT: {fault}" for fault in one.faults]
    return "\n".join(lines)


def rounds_json(rounds: Sequence[tuple[str, Round]]) -> str:
    """Return the rounds as JSON."""
    rows = [
        {"database": name, **{k: getattr(one, k) for k in ("number", "kills", "retries", "faults")}}
        for name, one in rounds
    ]
    return json.dumps(rows, indent=1, ensure_ascii=False)

"""`python -m tests.faults.spending`: threads that spend one budget at the same moment, on both databases."""

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.faults.running import ROOT, environment
from tests.services import postgres


@dataclass
class Got:
    """How many were let through, how many refused, and whatever else happened."""

    answers: int = 0
    refused: int = 0
    failures: list[str] = field(default_factory=list)


def together(threads: int, tries: int, deed: Callable[[], None]) -> Got:
    """Let threads begin at the same moment, each on a connection of its own."""
    from django.db import connections

    from surveys.errors import BudgetExhausted

    got, lock, start = Got(), threading.Lock(), threading.Barrier(threads)

    def once() -> None:
        try:
            deed()
            with lock:
                got.answers += 1
        except BudgetExhausted:
            with lock:
                got.refused += 1

    def work() -> None:
        try:
            start.wait()
            for _ in range(tries):
                once()
        except Exception as error:
            with lock:
                got.failures.append(repr(error))
        finally:
            connections.close_all()

    running = [threading.Thread(target=work) for _ in range(threads)]
    for one in running:
        one.start()
    for one in running:
        one.join()
    return got


def naive_charge(micro: int) -> None:
    """Read, compare, wait as long as a busy machine would, write: what must not be done."""
    from surveys.errors import BudgetExhausted
    from surveys.models import Budget

    budget = Budget.objects.get()
    if budget.spent + micro > budget.total:
        raise BudgetExhausted(micro, budget.total - budget.spent)
    time.sleep(0.05)
    Budget.objects.filter(pk=budget.pk).update(spent=budget.spent + micro)


def main() -> int:
    """Play the rounds on SQLite and on PostgreSQL; give 1 when a count was wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.spending", description=__doc__)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--threads", type=int, default=200)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.inside:
        return _rounds(asked.rounds, asked.threads)
    wrong = 0
    for name, url in _databases(asked.threads):
        with tempfile.TemporaryDirectory(prefix="deniable-spending-") as folder:
            env = environment(url or f"sqlite:///{folder}/d.sqlite3", Path(folder))
            more = ["--rounds", str(asked.rounds), "--threads", str(asked.threads), "--inside"]
            print(name, flush=True)
            command = [sys.executable, "-m", "tests.faults.spending", *more]
            wrong += subprocess.run(command, cwd=ROOT, env=env).returncode
    return 1 if wrong else 0


def _databases(threads: int) -> Iterator[tuple[str, str]]:
    yield "SQLite", ""
    with _server(threads) as url:
        yield "PostgreSQL", url


@contextmanager
def _server(threads: int) -> Iterator[str]:
    with postgres(settings=(f"max_connections={threads + 20}",)) as service:
        yield service.url


def _rounds(rounds: int, threads: int) -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    if connection.vendor == "sqlite":
        # 200 writers wait for each other, and SQLite's waiting knows no queue.
        connection.settings_dict["OPTIONS"]["timeout"] = 300
    call_command("migrate", verbosity=0)
    wrong = [at for at in range(rounds) if not _round(at, threads)]
    print(f"{rounds} rounds of {threads} threads, {len(wrong)} wrong")
    return 1 if wrong else 0


def _round(at: int, threads: int) -> bool:
    """Play one round with its own ε and a budget that does not divide evenly; say whether the count was exact."""
    from surveys.models import Budget, Source
    from surveys.services.ledger import budget_charge

    epsilon = 100_000 + 7919 * at
    fits = threads // 2 + at % (threads // 2)
    Budget.objects.all().update(total=fits * epsilon + epsilon - 1, spent=0)
    source = Source.objects.get(name="service")

    def deed() -> None:
        budget_charge(actor=None, source=source, entities=["respondent"], epsilon=epsilon)

    began = time.monotonic()
    got = together(threads, 1, deed)
    right = (got.answers, got.refused, got.failures) == (fits, threads - fits, [])
    right = right and Budget.objects.get().spent == fits * epsilon
    if not right or at == 0:
        print(
            f"  round {at}: {got.answers} answers of {fits}, {time.monotonic() - began:.1f} s {got.failures[:2]}"
        )
    return right


if __name__ == "__main__":
    sys.exit(main())

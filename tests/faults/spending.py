"""`python -m tests.faults.spending`: threads that spend one budget at the same moment, on both databases."""

import argparse
import json
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


@dataclass(frozen=True)
class Spent:
    """What the rounds on one database came to."""

    database: str
    rounds: int
    threads: int
    answers: int
    refused: int
    wrong: list[str]
    naive: int  # how many answers the control let through beyond its budget
    seconds: float


def main() -> int:
    """Play the rounds on SQLite and on PostgreSQL; give 1 when a count was wrong, or the control found exact."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.spending", description=__doc__)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--threads", type=int, default=200)
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.inside:
        print(json.dumps(vars(_rounds(asked.inside, asked.rounds, asked.threads))))
        return 0
    table, faults = spending_played(asked.rounds, asked.threads)
    print(table)
    return 1 if faults else 0


def spending_played(rounds: int, threads: int = 200) -> tuple[str, int]:
    """Play the rounds on both databases; return a table, and how many faults there are."""
    lines = [f"{'database':<12}{'rounds':>7}{'threads':>9}{'answers':>9}{'refused':>9}{'wrong':>7}"]
    lines[0] += f"{'naive overspends by':>21}{'seconds':>9}"
    faults = 0
    for name, url in _databases(threads):
        one = _played(name, url, rounds, threads)
        lines.append(
            f"{name:<12}{one.rounds:>7}{one.threads:>9}{one.answers:>9}{one.refused:>9}{len(one.wrong):>7}"
            f"{one.naive:>21}{one.seconds:>9.1f}"
        )
        lines += [f"    FAULT: {fault}" for fault in one.wrong]
        lines += [] if one.naive else ["    FAULT: the control did not overspend: the rounds say nothing"]
        faults += len(one.wrong) + (one.naive == 0)
    return "\n".join(lines), faults


def _played(name: str, url: str, rounds: int, threads: int) -> Spent:
    with tempfile.TemporaryDirectory(prefix="deniable-spending-") as folder:
        env = environment(url or f"sqlite:///{folder}/d.sqlite3", Path(folder))
        more = ["--rounds", str(rounds), "--threads", str(threads), "--inside", name]
        command = [sys.executable, "-m", "tests.faults.spending", *more]
        done = subprocess.run(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True, check=True)
        return Spent(**json.loads(done.stdout))


def _databases(threads: int) -> Iterator[tuple[str, str]]:
    yield "SQLite", ""
    with _server(threads) as url:
        yield "PostgreSQL", url


@contextmanager
def _server(threads: int) -> Iterator[str]:
    with postgres(settings=(f"max_connections={threads + 20}",)) as service:
        yield service.url


def _rounds(database: str, rounds: int, threads: int) -> Spent:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from aggregator import tasks

    if connection.vendor == "sqlite":
        # 200 writers wait for each other, and SQLite's waiting knows no queue.
        connection.settings_dict["OPTIONS"]["timeout"] = 300
    call_command("migrate", verbosity=0)
    tasks.wake_query = lambda run_id: None
    began, answers, refused, wrong = time.monotonic(), 0, 0, list[str]()
    for at in range(rounds):
        got, fault = _round(at, threads)
        answers, refused, wrong = answers + got.answers, refused + got.refused, wrong + fault
    seconds = time.monotonic() - began
    return Spent(database, rounds, threads, answers, refused, wrong, _overspent(min(threads, 24)), seconds)


def _round(at: int, threads: int) -> tuple[Got, list[str]]:
    """Play one round with its own ε and a budget that does not divide evenly; say what was not exact.

    In every fifth the threads ask a query each, all others charge the ledger alone.
    """
    from surveys.models import Budget, QueryRun

    epsilon = 100_000 + 7919 * at
    fits = threads // 2 + at % (threads // 2)
    Budget.objects.all().update(total=fits * epsilon + epsilon - 1, spent=0)
    before = QueryRun.objects.count()
    got = together(threads, 1, _asking(epsilon, threads) if at % 5 == 4 else _charging(epsilon))
    found = {
        "answers": (got.answers, fits),
        "refused": (got.refused, threads - fits),
        "failures": (got.failures[:2], []),
        "spent": (Budget.objects.get().spent, fits * epsilon),
        "runs": (QueryRun.objects.count() - before, fits if at % 5 == 4 else 0),
    }
    return got, [f"round {at}: {what} {one}, not {two}" for what, (one, two) in found.items() if one != two]


def _charging(epsilon: int) -> Callable[[], None]:
    from surveys.models import Source
    from surveys.services.ledger import budget_charge

    source = Source.objects.get(name="service")
    return lambda: budget_charge(actor=None, source=source, entities=["respondent"], epsilon=epsilon)


def _asking(epsilon: int, threads: int) -> Callable[[], None]:
    from surveys.models import Source
    from surveys.services.ledger import epsilon_text
    from surveys.services.queries import query_submit

    source, text, numbers = Source.objects.get(name="service"), epsilon_text(epsilon), iter(range(threads))

    def ask() -> None:
        # No two ask the same: that would be one charge.
        sql = f"SELECT COUNT(*) FROM respondent WHERE id > {next(numbers) + 1}"
        query_submit(actor=None, source=source, sql=sql, epsilon=text)

    return ask


def _overspent(threads: int) -> int:
    """Play a round over the naive ledger; return how many answers were too many."""
    from surveys.models import Budget

    Budget.objects.all().update(total=3 * 100_000, spent=0)
    return together(threads, 1, lambda: naive_charge(100_000)).answers - 3


if __name__ == "__main__":
    sys.exit(main())

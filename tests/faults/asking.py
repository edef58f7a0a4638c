"""A charged query, killed before and after every statement that it sends to the database."""

import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

SQL = "SELECT COUNT(*) FROM respondent"


def main() -> None:
    """Submit, run and read one query, with a kill at each step; print what was found."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connections

    from aggregator import tasks

    folder = Path(sys.argv[1])
    call_command("migrate", verbosity=0)
    # No child may inherit a connection: killed, it would leave the other end amid a transaction.
    connections.close_all()
    tasks.wake_query = lambda run_id: None
    from tests import people

    with people.engine_of(people.drawing(folder / "drawn")):
        found = [_round(folder, at) for at in range(2)]
    print(json.dumps(found))


def _round(folder: Path, at: int) -> dict[str, Any]:
    epsilon = f"0.{at + 1}"

    def read() -> list[str]:
        return _read((at + 1) * 100_000)

    (folder / "drawn").write_text("")
    released: set[str] = set()
    kills = 0
    for deed in (lambda: _submit(epsilon), _run):
        # One step further each time, until the deed is done without a kill.
        step = 0
        while _killed_at(step, deed):
            step, kills = step + 1, kills + 1
            released |= _in_child(read)
        released |= _in_child(read)
    return {
        "kills": kills,
        "drawn": len((folder / "drawn").read_text().split()),
        "released": sorted(released),
        **_in_child_json(_state),
    }


def _submit(epsilon: str) -> None:
    from surveys.models import Source
    from surveys.services.queries import query_submit

    query_submit(actor=None, source=Source.objects.get(), sql=SQL, epsilon=epsilon)


def _run() -> None:
    from aggregator.queries import query_run
    from surveys.models import QueryRun

    query_run(QueryRun.objects.latest("pk").pk)


def _read(micro: int) -> list[str]:
    """Return the answer of this round's query as a reader finds it now; before, there was another round."""
    from surveys.models import QueryRun
    from surveys.services.queries import run_state

    run = QueryRun.objects.filter(epsilon=micro).order_by("-pk").first()
    shown = run is not None and run.released_at is not None and run_state(run, run.released_at) == "done"
    return [run.answer["rows"][0][0]] if shown and run is not None and run.answer else []


def _state() -> dict[str, Any]:
    from surveys.models import AuditEntry, Budget, QueryRun

    return {
        "states": [str(one) for one in QueryRun.objects.order_by("pk").values_list("state", flat=True)],
        "spent": Budget.objects.get().spent,
        "charges": AuditEntry.objects.filter(action="budget.charge").count(),
    }


def _killed_at(step: int, deed: Callable[[], None]) -> bool:
    """Do a deed in a child that kills itself at its nth step; say whether it came so far."""
    child = os.fork()
    if child == 0:
        _watch(step)
        deed()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return True
    if os.waitstatus_to_exitcode(status) != 0:
        raise RuntimeError("the deed failed by itself")
    return False


def _watch(last: int) -> None:
    """Kill this process at its nth step; every statement and every commit is two: before and after."""
    from django.db import connection
    from django.db.backends.base.base import BaseDatabaseWrapper

    steps = iter(range(last, -1, -1))

    def step() -> None:
        if next(steps, -1) == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def around(execute: Any, sql: Any, params: Any, many: Any, context: Any) -> Any:
        step()
        done = execute(sql, params, many, context)
        step()
        return done

    plain = BaseDatabaseWrapper._commit

    def commit(self: Any) -> Any:
        step()
        done = plain(self)
        step()
        return done

    BaseDatabaseWrapper._commit = commit
    connection.execute_wrappers.append(around)


def _in_child(read: Callable[[], list[str]]) -> set[str]:
    return set(_in_child_json(read))


def _in_child_json(read: Callable[[], Any]) -> Any:
    # A connection of its own: none that was opened here may be shared with a child that is killed.
    take, give = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(take)
        os.write(give, json.dumps(read()).encode())
        os._exit(0)
    os.close(give)
    with os.fdopen(take) as told:
        found = json.load(told)
    os.waitpid(child, 0)
    return found


if __name__ == "__main__":
    main()

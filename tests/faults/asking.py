"""A charged query, killed before and after every statement and every deed between: its charge, its run, its release."""

import json
import os
import re
import signal
import sys
from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

SQL = "SELECT COUNT(*) FROM respondent"


def main() -> None:
    """Submit, run and read one query, with a kill at each step; print what was found."""
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connections
    from django.test import Client

    from aggregator import answering, tasks
    from surveys.services import queries

    call_command("migrate", verbosity=0)
    _reader()
    # All that a request needs is imported once, and by no child.
    Client().get("/api/v1/queries/1/", headers={"host": "127.0.0.1"})
    # No child may inherit a connection: killed, it would leave the other end amid a transaction.
    connections.close_all()
    tasks.wake_query = lambda run_id: None
    # No lease to wait for, and a try for every kill.
    queries.MARGIN, queries.TRIES = -timedelta(seconds=settings.QUERY_SECONDS), 1000
    folder = Path(sys.argv[1])
    answering.engine = _noted(answering.engine, folder / "drawn")
    print(json.dumps([_round(folder, at) for at in range(2)]))


def _reader() -> None:
    from tests import cast

    cast.token(cast.person("owner", "admin"))


def _round(folder: Path, at: int) -> dict[str, Any]:
    epsilon, micro = f"0.{at + 1}", (at + 1) * 100_000
    for name in ("drawn", "steps"):
        (folder / name).write_text("")
    seen: list[dict[str, Any]] = []
    deeds: Mapping[str, Callable[[], None]] = {
        "charge": lambda: _submit(epsilon),
        "run": _run,
        "release": lambda: _get(micro),
    }
    for name, deed in deeds.items():
        # One step further each time, until the deed is done without a kill.
        step = 0
        while _killed_at(step, deed, folder / "steps", name):
            step += 1
            seen.append(_in_child(lambda: _look(micro)))
        seen.append(_in_child(lambda: _look(micro)))
    return {
        "kills": (folder / "steps").read_text().splitlines(),
        "drawn": len((folder / "drawn").read_text().split()),
        "released": sorted({one["released"] for one in seen} - {None}),
        "spending": [one["spent"] for one in seen],
        **_in_child(_state),
    }


def _submit(epsilon: str) -> None:
    from surveys.models import Source
    from surveys.services.queries import query_submit

    query_submit(actor=None, source=Source.objects.get(name="service"), sql=SQL, epsilon=epsilon)


def _run() -> None:
    from aggregator.queries import query_run
    from surveys.models import QueryRun

    query_run(QueryRun.objects.latest("pk").pk)


def _get(micro: int) -> None:
    """Fetch the answer over the API, as soon as it is released."""
    import time

    from django.test import Client

    from surveys.models import QueryRun
    from tests import cast

    run = QueryRun.objects.get(epsilon=micro)
    assert run.released_at is not None
    time.sleep(max(0.0, run.released_at.timestamp() - time.time()))
    headers = {**_authorization(cast), "host": "127.0.0.1"}
    told = Client().get(f"/api/v1/queries/{run.pk}/", headers=headers).json()
    assert told["answer"]["rows"], told


def _authorization(cast: Any) -> dict[str, str]:
    from django.contrib.auth import get_user_model

    return {"authorization": f"Token {cast.token(get_user_model().objects.get())}"}


def _look(micro: int) -> dict[str, Any]:
    """Return this round's answer as a reader finds it now, and what is spent; before, there was another round."""
    from surveys.models import Budget, QueryRun
    from surveys.services.queries import run_state

    run = QueryRun.objects.filter(epsilon=micro).order_by("-pk").first()
    shown = run is not None and run.released_at is not None and run_state(run, run.released_at) == "done"
    answer = run.answer if shown and run is not None else None
    return {"released": None if answer is None else answer["draw"], "spent": Budget.objects.get().spent}


def _state() -> dict[str, Any]:
    from surveys.models import AuditEntry, Budget, QueryRun

    return {
        "states": [str(one) for one in QueryRun.objects.order_by("pk").values_list("state", flat=True)],
        "spent": Budget.objects.get().spent,
        "charges": AuditEntry.objects.filter(action="budget.charge").count(),
    }


def _noted(engine: Callable[..., Any], log: Path) -> Callable[..., Any]:
    """Return an engine that notes every draw, gives each a name, and may be killed around all that it does."""

    def noted(*given: Any, **more: Any) -> Callable[[], Mapping[str, Any]]:
        _step("before the data is touched")
        draw = engine(*given, **more)
        _step("after the data was measured")

        def named() -> Mapping[str, Any]:
            name = os.urandom(8).hex()
            answer = {**draw(), "draw": name}
            with log.open("a") as out:
                out.write(name + "\n")
            _step("after the noise was drawn")
            return answer

        return named

    return noted


def _step(what: str) -> None:
    """Pass one step of this process; a watched one is killed at its last."""


def _killed_at(step: int, deed: Callable[[], None], log: Path, name: str) -> bool:
    """Do a deed in a child that kills itself at its nth step; say whether it came so far."""
    child = os.fork()
    if child == 0:
        _watch(step, log, name)
        deed()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return True
    if os.waitstatus_to_exitcode(status) != 0:
        raise RuntimeError("the deed failed by itself")
    return False


def _watch(last: int, log: Path, name: str) -> None:
    """Kill this process at its nth step; every statement and every commit is two: before and after."""
    from django.db import connection
    from django.db.backends.base.base import BaseDatabaseWrapper

    steps = iter(range(last, -1, -1))

    def step(what: str) -> None:
        if next(steps, -1) == 0:
            with log.open("a") as out:
                out.write(f"{name}: {what}\n")
            os.kill(os.getpid(), signal.SIGKILL)

    def around(execute: Any, sql: Any, params: Any, many: Any, context: Any) -> Any:
        what = re.sub(r'"', "", " ".join(re.findall(r'^\w+|(?<=FROM |INTO )"\w+"|(?<=UPDATE )"\w+"', sql)))
        step(f"before {what}")
        done = execute(sql, params, many, context)
        step(f"after {what}")
        return done

    plain = BaseDatabaseWrapper._commit

    def commit(self: Any) -> Any:
        step("before COMMIT")
        done = plain(self)
        step("after COMMIT")
        return done

    globals()["_step"] = step
    BaseDatabaseWrapper._commit = commit
    connection.execute_wrappers.append(around)


def _in_child(read: Callable[[], Any]) -> Any:
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

"""Figures of real people: YRBS answers through the HTTP API, and how near the estimates come."""

import json
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.bench.figures import Figure
from tests.bench.machine import Unavailable
from tests.bench.sizes import Size
from tests.estimation import yrbs
from tests.estimation.shared import YRBS
from tests.faults.judging import CLOSE, program
from tests.faults.respondents import bodies_of
from tests.faults.running import environment, web, worker
from tests.faults.seeding import seed
from tests.faults.sending import send
from tests.services import postgres

GROUP = "Real people (YRBS 2019, ten sensitive questions, spinner, ε = 1.6 each)"
EPSILON = "1.6"
_RESULT = """
import json
import django
django.setup()
from surveys.models import Estimate
found = Estimate.objects.filter(version__isnull=False).first()
print(json.dumps(found and found.body))
"""


def figures(size: Size) -> Iterator[Figure]:
    """Send the respondents' real answers as randomised reports and compare the results with the truth."""
    if not YRBS.exists():
        raise Unavailable(f"the sample file is not at {YRBS}")
    from tests.aggregator.yrbs_survey import compared, people, survey_values

    truths = people(size.people)
    with tempfile.TemporaryDirectory(prefix="deniable-bench-") as name, postgres(durable=True) as database:
        folder = Path(name)
        env = environment(database.url, folder)
        bodies = bodies_of(seed(env, **survey_values(EPSILON)), truths.tolist())
        with web(database.url, folder) as base, worker(database.url, folder):
            sent = send(base, "yrbs", bodies, connections=16, attempts=20)
            started = time.monotonic()
            program(env, CLOSE)
            document = _document(env)
            waited = time.monotonic() - started
    rows = compared(document, truths)
    print(_table(rows))
    yield Figure(GROUP, "respondents", float(size.people))
    yield Figure(GROUP, "receipts", float(sent.acknowledged()), "", f"≥ {size.people}")
    yield Figure(GROUP, "closing to results, by a real worker", waited, "s")
    yield Figure(GROUP, "largest error, in standard errors", max(abs(row.z) for row in rows), "", "≤ 5.8")
    error = sum(abs(row.estimate - row.true) for row in rows) / len(rows)
    yield Figure(GROUP, "mean error of a share", 100 * error, "points")
    yield Figure(
        GROUP, "mean standard error", 100 * sum(row.standard_error for row in rows) / len(rows), "points"
    )
    yield from _coverage()


def _coverage() -> Iterator[Figure]:
    from tests.estimation.coverage import REPETITIONS, coverage_of_intervals

    name = f"95 % intervals that hold the truth, {REPETITIONS:,} surveys"
    percent = 100 * coverage_of_intervals(yrbs.true_counts(), EPSILON).overall
    # A goal is one limit: the same figure stands against each.
    yield Figure(GROUP, name, percent, "%", "≥ 94", note="all respondents")
    yield Figure(GROUP, name, percent, "%", "≤ 97", note="all respondents")


def _document(env: Mapping[str, str]) -> dict[str, Any]:
    deadline = time.monotonic() + 180
    while time.monotonic() < deadline:
        found = json.loads(program({**env, "DJANGO_SETTINGS_MODULE": "deploy.settings"}, _RESULT))
        if found:
            return dict(found)
        time.sleep(0.5)
    raise Unavailable("no worker computed the results")


def _table(rows: Sequence[Any]) -> str:
    lines = [f"{'question':<44}{'answer':<14}{'true':>8}{'estimate':>10}{'±':>8}{'z':>7}"]
    for row in rows:
        name = row.question if len(row.question) <= 42 else row.question[:41] + "…"
        lines.append(
            f"{name:<44}{row.answer:<14}{row.true:>8.1%}{row.estimate:>10.1%}"
            f"{1.96 * row.standard_error:>8.1%}{row.z:>7.2f}"
        )
    return "\n".join(lines)

"""What must be true of a database after any faults."""

import json
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from tests.faults.running import ROOT

_PROGRAM = """
import json
import django
django.setup()
from collections import Counter
from tests.aggregator.inbox import archived, recounted, tallies
from surveys.models import Estimate, InboxReport, Spent, Survey, Version
version = Version.objects.get()
print(json.dumps({
    "state": version.survey.state,
    "rewritten": version.survey.rewritten,
    "inbox": InboxReport.objects.count(),
    "spent": Spent.objects.count(),
    "archive": {packed.hex(): n for packed, n in archived().items()},
    "tallies": tallies(version),
    "recounted": recounted(version),
    "estimated": {e.version_id is None: e.n for e in Estimate.objects.all()},
}))
"""
CLOSE = """
import django
django.setup()
from surveys.models import Survey
from surveys.services.publishing import survey_close
survey_close(actor=None, survey=Survey.objects.get())
"""


def program(env: Mapping[str, str], text: str) -> str:
    """Run a program with the settings of this environment and return what it printed."""
    done = subprocess.run(
        [sys.executable, "-c", text],
        cwd=ROOT,
        env={**env, "DJANGO_SETTINGS_MODULE": "deploy.settings"},
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        raise RuntimeError(done.stderr[-3000:])
    return done.stdout


def state_of(env: Mapping[str, str]) -> dict[str, Any]:
    """Return what the database holds now."""
    found: dict[str, Any] = json.loads(program(env, _PROGRAM))
    return found


def faults_of(found: Mapping[str, Any], expected: Mapping[str, int]) -> list[str]:
    """Return what is wrong: each report of `expected` (packed, hexadecimal) must be counted as often as it was sent."""
    n = sum(expected.values())
    checks = {
        "the survey is not finished": found["state"] == "closed" and found["rewritten"],
        f"{found['inbox']} reports are left in the inbox": found["inbox"] == 0,
        f"{found['spent']} keys are spent by {n} reports": found["spent"] == n,
        "the archive does not hold what was sent": found["archive"] == dict(expected),
        "the tallies do not say what the archive says": found["tallies"] == found["recounted"],
        "the tallies count another number": {t[0] for t in found["tallies"].values()} == {n},
        "the estimates are of another number": set(found["estimated"].values()) == {n},
    }
    return [what for what, true in checks.items() if not true]

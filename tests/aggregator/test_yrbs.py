"""Real people's answers, sent as randomised reports over HTTP, come back as their true shares."""

import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from surveys.models import Estimate
from surveys.services.publishing import survey_close
from tests import cast
from tests.aggregator.yrbs_survey import Z, compared, people, survey_values
from tests.estimation.shared import needs_yrbs
from tests.faults.respondents import bodies_of
from tests.faults.running import database_url, web, worker
from tests.faults.sending import send

RESPONDENTS = 2000


@needs_yrbs
@pytest.mark.django_db(transaction=True)
def test_true_shares_come_back_through_the_http_api(owner: Any, tmp_path: Path) -> None:
    version = cast.published(owner, **survey_values("1.5"))
    truths = people(RESPONDENTS)
    bodies = bodies_of(json.loads(version.manifest), truths.tolist())
    with web(database_url(), tmp_path) as base, worker(database_url(), tmp_path):
        assert send(base, "yrbs", bodies, connections=16, attempts=20).acknowledged() == RESPONDENTS
        survey_close(actor=owner, survey=version.survey)
        document = estimated(version)
    assert document["n"] == RESPONDENTS
    rows = compared(document, truths)
    assert len(rows) >= 30
    assert max(abs(row.z) for row in rows) <= Z, max(rows, key=lambda row: abs(row.z))
    assert_reports_were_randomised(document, truths)


def assert_reports_were_randomised(document: Mapping[str, Any], truths: np.ndarray) -> None:
    """The control: what was reported is far from what is true."""
    observed = np.array([q["parts"][0]["answers"][0]["observed"] for q in document["questions"]])
    true = (truths == 0).mean(axis=0)
    assert np.abs(observed - true).max() > 0.1


def estimated(version: Any) -> dict[str, Any]:
    """Wait for the worker, which is told by nobody but finds its work in the database."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        found = Estimate.objects.filter(version=version).first()
        if found is not None:
            return dict(found.body)
        time.sleep(0.2)
    raise AssertionError("no worker computed the results")

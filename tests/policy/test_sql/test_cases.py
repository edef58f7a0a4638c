"""Every published case and counterexample is translated."""

import json
from typing import Any

import pytest

from privacy.policy.errors import PolicyInvalid
from privacy.policy.labels import policy_from
from privacy.policy.schema import schema_from
from privacy.policy.sql import translate
from tests.estimation.shared import SHARED

FILE = SHARED / "cases" / "policy_cases.json"
PUBLISHED: dict[str, Any] = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
CASES = [*PUBLISHED.get("cases", ()), *PUBLISHED.get("counterexamples", ())]


@pytest.mark.skipif(not CASES, reason=f"the published cases are not at {FILE}")
@pytest.mark.parametrize("case", CASES, ids=[one["name"] for one in CASES])
def test_a_published_case_is_translated(case: dict[str, Any]) -> None:
    schema = schema_from(PUBLISHED["schemas"][case["schema"]])
    try:
        policy = policy_from(PUBLISHED["policies"][case["policy"]], schema)
    except PolicyInvalid:
        assert case["name"].startswith("CE19")
        return
    assert translate(case["sql"], policy).root.aggregates

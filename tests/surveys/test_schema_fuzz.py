"""The whole OpenAPI schema, fuzzed through the real server: no server error, nothing undocumented."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
import yaml
from django.core.management import call_command
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

from surveys.services.publishing import survey_close
from tests import cast
from tests.faults.running import database_url, web

COMMITTED = Path(__file__).resolve().parents[2] / "surveys" / "api" / "openapi.yaml"
ASKING = ["query", "answer", "query_plan", "ledger"]
OPERATIONS = ["manifest", "estimates", "plan", "report", *ASKING]
EXAMPLES = 25


@pytest.fixture
def base(transactional_db: None, tmp_path: Path) -> Iterator[str]:
    """Return the address of a real server with an open, a closed and a draft survey."""
    owner = cast.person("owner", "admin")
    cast.published(owner, questions=[cast.YES_NO, cast.SINGLE, cast.MULTIPLE])
    survey_close(actor=owner, survey=cast.published(owner, "closed").survey)
    cast.draft(owner, "draft")
    with web(database_url(), tmp_path) as address:
        yield address


def schema() -> Any:
    return schemathesis.openapi.from_dict(yaml.safe_load(COMMITTED.read_text(encoding="utf-8")))


def operation(name: str) -> Any:
    found = (one.ok() for one in schema().get_all_operations())
    return next(one for one in found if one.definition.raw["operationId"] == name)


def known_slugs(case: Any, at: int) -> Any:
    """Send most cases to a survey that is there: an unknown address says nothing about the rest."""
    if "slug" in case.path_parameters and at % 4:
        case.path_parameters["slug"] = ["habits", "closed", "draft"][at % 3]
    if "name" in case.path_parameters and at % 4:
        case.path_parameters["name"] = "service"
    return case


def fuzz(base: str, name: str, headers: dict[str, str], mode: GenerationMode) -> dict[int, int]:
    """Try one operation; return how often each status was answered."""
    seen: dict[int, int] = {}

    @given(case=operation(name).as_strategy(generation_mode=mode))
    @settings(
        max_examples=EXAMPLES,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def one(case: Any) -> None:
        case = known_slugs(case, sum(seen.values()))
        # How long a busy machine takes is not under test.
        response = case.call(base_url=base, headers=headers, timeout=120)
        seen[response.status_code] = seen.get(response.status_code, 0) + 1
        # What a version or a mechanism takes is narrower than any schema: valid JSON may be refused.
        case.validate_response(response, headers=headers, excluded_checks=[positive_data_acceptance])

    one()
    return seen


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.name.lower())
def test_the_server_answers_as_the_schema_says(base: str, mode: GenerationMode) -> None:
    token = cast.token(cast.person("fuzzer", "admin"))
    for name in OPERATIONS:
        seen = fuzz(base, name, {"Authorization": f"Token {token}"}, mode)
        assert sum(seen.values()) >= EXAMPLES / 2
        assert not any(status >= 500 for status in seen)


def test_strangers_are_told_to_log_in_whatever_they_send(base: str) -> None:
    for name in ("estimates", "plan", *ASKING):
        seen = fuzz(base, name, {}, GenerationMode.POSITIVE)
        assert 401 in seen
        assert set(seen) <= {401, 404, 405}


def test_every_operation_is_fuzzed() -> None:
    found = [one.ok().definition.raw["operationId"] for one in schema().get_all_operations()]
    assert sorted(found) == sorted(OPERATIONS)


def test_the_committed_schema_is_that_of_the_code(tmp_path: Path) -> None:
    made = tmp_path / "openapi.yaml"
    call_command("spectacular", "--file", str(made), "--fail-on-warn")
    assert made.read_text(encoding="utf-8") == COMMITTED.read_text(encoding="utf-8")

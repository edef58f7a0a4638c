"""The published cases: never above the number to reach, never below what neighbours attain."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from privacy.policy.errors import PolicyLayerError
from privacy.policy.labels import policy_from
from privacy.policy.plan import plan_query
from privacy.policy.schema import schema_from
from tests.estimation.shared import SHARED
from tests.policy.soundness.fixed import PUBLISHED

CASES, COUNTEREXAMPLES = PUBLISHED["cases"], PUBLISHED["counterexamples"]


def inline(case: dict[str, Any]) -> dict[str, Any]:
    return {
        "schema": PUBLISHED["schemas"][case["schema"]],
        "policy": PUBLISHED["policies"][case["policy"]],
        "sql": case["sql"],
    }


@pytest.mark.parametrize("case", CASES, ids=[one["name"] for one in CASES])
def test_a_case_has_the_bound_to_reach(case: dict[str, Any]) -> None:
    given = inline(case)
    l1 = plan_query(given["sql"], policy_from(given["policy"], schema_from(given["schema"]))).l1
    assert case["at_least"] <= l1 <= case["at_most"]


@pytest.mark.parametrize("case", COUNTEREXAMPLES, ids=[one["name"] for one in COUNTEREXAMPLES])
def test_a_counterexample_is_refused_or_has_the_change_that_was_seen(case: dict[str, Any]) -> None:
    given = inline(case)
    try:
        l1 = plan_query(given["sql"], policy_from(given["policy"], schema_from(given["schema"]))).l1
    except PolicyLayerError:
        return
    assert l1 >= case["refused_or_at_least"]


def test_the_command_tells_the_same(tmp_path: Path) -> None:
    file, told = tmp_path / "cases.json", StringIO()
    file.write_text(json.dumps([inline(one) for one in (*CASES, *COUNTEREXAMPLES)]), "utf-8")
    call_command("policy_bound", case=str(file), stdout=told)
    answers = json.loads(told.getvalue())
    for case, answer in zip(CASES, answers, strict=False):
        assert answer["accepted"], case["name"]
        assert case["at_least"] <= answer["sensitivity"] <= case["at_most"], case["name"]
        assert answer["trace"], case["name"]
    for case, answer in zip(COUNTEREXAMPLES, answers[len(CASES) :], strict=True):
        assert not answer["accepted"] or answer["sensitivity"] >= case["refused_or_at_least"], case["name"]


@pytest.mark.parametrize("epsilon", ["abc", "", "-1", 0, 1e400, True, ["1"], "101"])
def test_an_epsilon_that_is_none_is_refused_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], epsilon: object
) -> None:
    file, case = tmp_path / "cases.json", inline(CASES[0])
    sound = [case | {"epsilon": one} for one in ("ln(3)", "0.5", 0.5, 1, None)]
    file.write_text(json.dumps([*sound, case | {"epsilon": epsilon}]), "utf-8")
    with pytest.raises(SystemExit) as caught:
        call_command("policy_bound", case=str(file))
    assert caught.value.code == 2
    assert capsys.readouterr().err.startswith(f"error: case {len(sound)}: epsilon: ")


def test_a_text_that_is_nested_too_deep_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "deep.json"
    file.write_text("[" * 200_000, "utf-8")
    with pytest.raises(SystemExit) as caught:
        call_command("policy_bound", case=str(file))
    assert caught.value.code == 2
    assert capsys.readouterr().err == f"error: {file}: nested too deep; write one case, or a list of cases\n"


def test_the_cases_are_those_that_were_published() -> None:
    shared = SHARED / "cases" / "policy_cases.json"
    if not shared.exists():
        pytest.skip(f"the published cases are not at {shared}")
    assert json.loads(shared.read_text("utf-8")) == PUBLISHED

"""manage.py policy_bound: how much noise a policy asks of a query, without a database."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from privacy.policy.errors import PolicyLayerError, QueryRefused
from privacy.policy.labels import policy_from
from privacy.policy.plan import baselines, plan_query
from privacy.policy.schema import schema_from
from privacy.policy.sensitivity import Sensitivity
from surveys.errors import ParameterInvalid
from surveys.management.refusing import RefusingCommand, refuse
from surveys.services.ledger import epsilon_read

FIELDS = ("schema", "policy", "sql")


class Command(RefusingCommand):
    """Print the bound of one case, or of a list of cases."""

    help = (
        'One case {"schema", "policy", "sql", "epsilon"?} or a list of them, as JSON; schema and policy inline. '
        'Prints {"accepted": true, "aggregates", "sensitivity", "baselines", "trace"} or '
        '{"accepted": false, "reason", "line", "column"}. JSON that is malformed: exit status 2.'
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the file."""
        parser.add_argument("--case", required=True, help="a file, or - for standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the answers as JSON."""
        cases = _read(options["case"])
        several = isinstance(cases, list)
        answers = [_answer(one, at) for at, one in enumerate(cases if several else [cases])]
        self.stdout.write(json.dumps(answers if several else answers[0], indent=2, ensure_ascii=False))


def _read(name: str) -> Any:
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text("utf-8")
        return json.loads(text)
    except OSError as error:
        refuse(f"{name}: {error.strerror}")
    except ValueError as error:
        refuse(f"{name}: not JSON: {error}")
    except RecursionError:
        refuse(f"{name}: nested too deep; write one case, or a list of cases")


def _answer(case: Any, at: int) -> dict[str, Any]:
    if not isinstance(case, Mapping):
        refuse(f"case {at}: expected an object with {', '.join(FIELDS)}")
    for field in FIELDS:
        if field not in case:
            refuse(f"case {at}: {field} is missing")
    if not isinstance(case["sql"], str):
        refuse(f"case {at}: sql: expected a text")
    _epsilon_checked(case.get("epsilon"), at)
    try:
        return _bound(case)
    except QueryRefused as refused:
        return {
            "accepted": False,
            "reason": str(refused.reason),
            "hint": refused.hint,
            "line": refused.line,
            "column": refused.column,
        }
    except PolicyLayerError as refused:
        return {"accepted": False, "reason": str(refused), "line": None, "column": None}


def _epsilon_checked(epsilon: Any, at: int) -> None:
    """Refuse an ε that nothing could be asked with; the bound itself needs none."""
    number = isinstance(epsilon, int | float) and not isinstance(epsilon, bool)
    try:
        if epsilon is not None:
            epsilon_read(str(epsilon) if number else epsilon)
    except ParameterInvalid as refused:
        refuse(f"case {at}: epsilon: {refused}")


def _bound(case: Mapping[str, Any]) -> dict[str, Any]:
    policy = policy_from(case["policy"], schema_from(case["schema"]))
    plan = plan_query(case["sql"], policy)
    uniform = baselines(case["sql"], policy)
    return {
        "accepted": True,
        "aggregates": [_told(one) for one in plan.sensitivities],
        "sensitivity": number(plan.l1),
        "baselines": {
            "unbounded": None if uniform.unbounded is None else number(uniform.unbounded),
            "bounded": None if uniform.bounded is None else number(uniform.bounded),
        },
        "trace": list(plan.trace),
    }


def _told(one: Sensitivity) -> dict[str, Any]:
    return {"name": one.aggregate.attribute.name, "sensitivity": number(one.l1), "public": one.public}


def number(value: Fraction) -> int | float:
    """Return an exact number as JSON has it."""
    return value.numerator if value.denominator == 1 else float(value)

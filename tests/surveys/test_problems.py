"""Every refusal has its place in the one table, and what HTTP is told is stable."""

import inspect
import json

import pytest

from privacy.errors import EpsilonMalformed
from privacy.policy.errors import PolicyInvalid, QueryRefused
from surveys import errors
from surveys.api import problems

EXAMPLES = {
    "slug": "habits",
    "version": 9,
    "name": "q9",
    "state": "paused",
    "action": "publish",
    "reason": "not-closed",
    "field": "reports[3]",
    "limit": 65536,
    "waiting": 4096,
    "actor": "stranger",
    "findings": [errors.Finding("text-missing", "text_en", "q1")],
    "number": 7,
    "why": "digest differs",
    "requested": 500_000,
    "remaining": 200_000,
    "rows": [errors.RowFinding(3, "region", "value-undeclared")],
}


def every_class(base: type[Exception]) -> list[type[Exception]]:
    return (
        [base]
        if not base.__subclasses__()
        else [base, *(c for b in base.__subclasses__() for c in every_class(b))]
    )


def example(kind: type[Exception]) -> Exception:
    names = list(inspect.signature(kind.__init__).parameters)[1:]
    return kind(*(EXAMPLES[name] for name in names if name in EXAMPLES))


def unplaced(table: dict) -> list[str]:
    classes = every_class(errors.DeniableError)[1:]
    return [c.__name__ for c in classes if not any(base in table for base in c.__mro__)]


def test_every_error_has_a_place_in_the_table() -> None:
    assert unplaced(problems.TABLE) == []


def test_an_error_without_a_place_would_be_noticed() -> None:
    less = {kind: place for kind, place in problems.TABLE.items() if kind is not errors.KeyReused}
    assert unplaced(less) == ["KeyReused"]


@pytest.mark.parametrize("kind", every_class(errors.DeniableError)[1:], ids=lambda c: c.__name__)
def test_every_error_becomes_a_problem_document(kind: type[Exception]) -> None:
    problem = problems.problem_of(example(kind))
    document = json.loads(problem.body())
    assert document["type"] == f"/problems/{problem.kind.slug}"
    assert document["status"] == problem.status
    assert 400 <= problem.status < 600
    assert document["title"]
    assert document["detail"]


def test_one_wrong_field_is_named() -> None:
    document = problems.problem_of(errors.ReportMalformed("reports[3]", "expected 2 digits")).document()
    assert document["field"] == "reports[3]"
    assert document["detail"] == "expected 2 digits"


def test_a_full_queue_says_when_to_come_back() -> None:
    assert problems.problem_of(errors.IntakeFull(5)).headers == {"Retry-After": "1"}


def test_a_refusal_of_the_mathematics_is_the_callers_mistake() -> None:
    assert problems.problem_of(EpsilonMalformed("x")).status == 400


def test_a_refused_query_says_where_and_what_instead() -> None:
    document = problems.problem_of(QueryRefused("division", "multiply", 2, 7)).document()
    assert (document["status"], document["line"], document["column"], document["hint"]) == (
        422,
        2,
        7,
        "multiply",
    )
    assert (
        problems.problem_of(QueryRefused("division")).document().keys() & {"line", "column", "hint"} == set()
    )


def test_an_ill_formed_policy_says_where() -> None:
    document = problems.problem_of(PolicyInvalid(("labels", "t"), "no label", 4)).document()
    assert (document["type"], document["line"]) == ("/problems/policy-invalid", 4)


def test_an_unforeseen_error_tells_nothing_of_itself() -> None:
    problem = problems.problem_of(RuntimeError("password=hunter2"))
    assert problem.status == 500
    assert b"hunter2" not in problem.body()


def test_a_type_names_one_status_and_title() -> None:
    places = [*problems.PROTOCOL.values(), *problems.TABLE.values()]
    assert len({place.slug for place in places}) == len(set(places))

"""What the intake can answer and what the API's schema says are one list."""

import re
from pathlib import Path

from surveys import intake
from surveys.api.documenting import INTAKE_PROBLEMS
from surveys.api.problems import PROTOCOL, TABLE


def source() -> str:
    return "\n".join(file.read_text(encoding="utf-8") for file in Path(intake.__file__).parent.glob("*.py"))


def answered(text: str) -> set[str]:
    """Return the types of the problems that some code raises or answers with."""
    known = {kind.__name__: kind for kind in TABLE}
    named = {name for name in re.findall(r"\b[A-Z]\w+\b", text) if name in known}
    statuses = re.findall(r"problem_of_status\((\d+)", text)
    return {TABLE[known[name]].slug for name in named} | {PROTOCOL[int(one)].slug for one in statuses}


def test_every_refusal_of_the_intake_is_documented() -> None:
    assert answered(source()) - set(INTAKE_PROBLEMS) == set()


def test_an_undocumented_refusal_would_be_noticed() -> None:
    """The control: one more refusal in the code."""
    assert answered(source() + "\nraise NotAllowed(actor, action)") - set(INTAKE_PROBLEMS) == {"not-allowed"}


def test_no_refusal_is_documented_that_cannot_happen() -> None:
    # Reports are packed by surveys.wire; an address that is none reaches Django.
    elsewhere = {"report-malformed", "not-found"}
    assert set(INTAKE_PROBLEMS) - answered(source()) <= elsewhere

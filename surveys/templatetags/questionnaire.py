"""A whole questionnaire written out: every text in both languages, conditions in words, and the integers."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import template

from surveys.models import Question
from surveys.wire.manifest import NO_ANSWER

register = template.Library()
_LANGUAGES = (("ko", "한국어"), ("en", "English"))


@register.inclusion_tag("surveys/parts/questionnaire.html")
def questionnaire(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Write out a manifest as it will be fixed."""
    questions = manifest["questions"]
    return {
        "manifest": manifest,
        "languages": _LANGUAGES,
        "rows": [_row(entry, questions) for entry in questions],
    }


@register.filter
def clauses_of(visible_if: Mapping[str, Any] | None, questions: Sequence[Mapping[str, Any]]) -> list[Any]:
    """Give each clause of a condition as the question's id and the texts of its answers."""
    by_id = {entry["id"]: entry for entry in questions}
    clauses = next(iter((visible_if or {"all": []}).values()))
    return [
        {"question": clause["question"], "answers": _answers(by_id[clause["question"]], clause["is"])}
        for clause in clauses
        if clause["question"] in by_id
    ]


def _row(entry: Mapping[str, Any], questions: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    asked = "mechanism" in entry
    silent = asked and (not entry["required"] or "visible_if" in entry)
    # Of boxes each may be left without an answer; it is none of them.
    boxes = entry["kind"] == Question.Kind.MULTIPLE
    return {
        **entry,
        "kind": Question.Kind(entry["kind"]).label,
        "answers": [*entry["choices"], *([NO_ANSWER] if silent and not boxes else [])],
        "boxes_may_be_silent": silent and boxes,
        "mode": next(iter(entry.get("visible_if", {"": []}))),
        "clauses": clauses_of(entry.get("visible_if"), questions),
        "integers": ", ".join(f"{name} {value}" for name, value in entry.get("mechanism", {}).items()),
    }


def _answers(entry: Mapping[str, Any], ids: Sequence[str]) -> list[Mapping[str, str]]:
    return [choice["text"] for choice in entry["choices"] if choice["id"] in ids]

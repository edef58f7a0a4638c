"""The manifest: a draft as the device receives it, every ε turned into the integers that are drawn with."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from privacy import accounting
from privacy.mechanisms.catalogue import Mechanism, configure
from surveys.models import Question, Survey
from surveys.wire.fingerprint import fingerprint_of

YES_NO = (
    {"id": "yes", "text": {"ko": "예", "en": "Yes"}},
    {"id": "no", "text": {"ko": "아니요", "en": "No"}},
)
# What the extra category is called in results; no answer of a question may have this id.
NO_ANSWER = {"id": "no-answer", "text": {"ko": "무응답", "en": "No answer"}}
Kind = Question.Kind


def manifest_build(survey: Survey, questions: Iterable[Question], number: int) -> dict[str, Any]:
    """Return the manifest of a draft as version `number`; raises PrivacyError where no mechanism exists."""
    asked = [question_build(question) for question in questions]
    manifest = {
        "slug": survey.slug,
        "version": number,
        "title": both(survey.title_en, survey.title_ko),
        "intro": both(survey.intro_en, survey.intro_ko),
        "questions": asked,
        "epsilon_total": accounting.total(q["epsilon"] for q in asked if "epsilon" in q),
        "closes": None if survey.closes_at is None else instant(survey.closes_at),
        "target": survey.target,
    }
    return {**manifest, "fingerprint": fingerprint_of(manifest)}


def question_build(question: Question) -> dict[str, Any]:
    """Return one question of the manifest."""
    entry: dict[str, Any] = {
        "id": question.name,
        "text": both(question.text_en, question.text_ko),
        "kind": question.kind,
        "choices": choices_of(question),
        "required": question.required,
    }
    if question.visible_if:
        entry["visible_if"] = question.visible_if
    if question.kind == Kind.NOTE:
        return entry
    mechanism = mechanism_of(question)
    return {
        **entry,
        "epsilon": mechanism.epsilon,
        "epsilon_asked": question.epsilon,
        "mechanism": mechanism.manifest(),
    }


def mechanism_of(question: Question) -> Mechanism:
    """Return what randomises the answer; raises PrivacyError when the settings name nothing that exists."""
    listed = len(choices_of(question))
    silent = int(may_be_silent(question))
    tosses = question.tosses if question.protocol == Question.Protocol.COIN else None
    if question.kind == Kind.MULTIPLE:
        return configure(question.protocol, question.epsilon, 2 + silent, boxes=listed)
    return configure(question.protocol, question.epsilon, listed + silent, tosses=tosses)


def may_be_silent(question: Question) -> bool:
    """Say whether "no answer" is one of the reports: the question can be skipped or is not shown to all."""
    return not question.required or bool(question.visible_if)


def choices_of(question: Question) -> list[dict[str, Any]]:
    """Return the answers (or boxes) shown, each with an id and a text in both languages."""
    if question.kind == Kind.NOTE:
        return []
    if question.kind == Kind.YES_NO:
        return [dict(choice) for choice in YES_NO]
    return [
        {"id": choice["id"], "text": both(choice["text"].get("en", ""), choice["text"].get("ko", ""))}
        for choice in question.choices
    ]


def both(en: str, ko: str) -> dict[str, str]:
    """Return a text in both languages; one that is missing repeats the other."""
    return {"ko": ko or en, "en": en or ko}


def instant(moment: datetime) -> str:
    """Return a moment in UTC to the second, as text."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def choice_ids(question: Mapping[str, Any]) -> list[str]:
    """Return the ids of a manifest question's answers."""
    return [choice["id"] for choice in question["choices"]]

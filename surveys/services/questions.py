"""What may be done with the questions of a draft or paused survey: add, change, copy, move, delete."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction

from surveys.errors import Finding, QuestionUnknown, SettingInvalid
from surveys.models import Question, Survey
from surveys.permissions import may_configure, required
from surveys.services.audit import audit_append
from surveys.services.checks import QUESTIONS, question_findings
from surveys.services.surveys import QUESTION_FIELDS, survey_locked

_NUMBERED = re.compile(r"q([1-9][0-9]{0,8})")


def question_add(*, actor: Any, survey: Survey, position: int | None = None, **values: Any) -> Question:
    """Add a question at a place (0 is the first; the end when none is given) under the next free id."""
    required(may_configure(actor), actor, "configure surveys")
    with transaction.atomic():
        kept = survey_locked(survey, "get questions")
        questions = list(kept.questions.all())
        if len(questions) >= QUESTIONS:
            params = (("least", 1), ("most", QUESTIONS), ("count", len(questions) + 1))
            raise SettingInvalid([Finding("choices-count", "questions", params=params)])
        question = Question(survey=kept, name=next_name(kept, questions), **_known(values))
        at = len(questions) if position is None else max(0, min(position, len(questions)))
        _refuse(question, questions[:at])
        _save_at(question, questions, at)
        _audit(actor, "question.add", question, values)
    return question


def question_update(*, actor: Any, question: Question, **values: Any) -> Question:
    """Change named fields of a question."""
    required(may_configure(actor), actor, "configure surveys")
    with transaction.atomic():
        kept, questions = _locked(question)
        for name, value in _known(values).items():
            setattr(kept, name, value)
        _refuse(kept, questions[: questions.index(kept)])
        kept.save(update_fields=list(values))
        _audit(actor, "question.update", kept, values)
    return kept


def question_judged(*, survey: Survey, question: Question | None = None, **values: Any) -> list[Finding]:
    """Return every refusal of a question as typed so far: a new one, or this one changed."""
    questions = list(survey.questions.all())
    at = next((at for at, other in enumerate(questions) if other == question), len(questions))
    return list(question_findings(Question(survey=survey, **_known(values)), questions[:at]))


def question_duplicate(*, actor: Any, question: Question) -> Question:
    """Copy a question to the place after it, under an id of its own."""
    questions = list(question.survey.questions.all())
    values = {name: getattr(question, name) for name in QUESTION_FIELDS}
    return question_add(actor=actor, survey=question.survey, position=questions.index(question) + 1, **values)


def question_move(*, actor: Any, question: Question, position: int) -> None:
    """Move a question to a place; a condition that then looks ahead is found when publishing."""
    required(may_configure(actor), actor, "configure surveys")
    with transaction.atomic():
        kept, questions = _locked(question)
        questions.remove(kept)
        at = max(0, min(position, len(questions)))
        _save_at(kept, questions, at)
        _audit(actor, "question.move", kept, {"position": at})


def question_delete(*, actor: Any, question: Question) -> None:
    """Delete a question; conditions on it are found when publishing."""
    required(may_configure(actor), actor, "configure surveys")
    with transaction.atomic():
        kept, questions = _locked(question)
        questions.remove(kept)
        _audit(actor, "question.delete", kept, {})
        kept.delete()
        _renumber(questions)


def next_name(survey: Survey, questions: Sequence[Question]) -> str:
    """Return an id that neither the draft nor any published version has used."""
    names = {question.name for question in questions}
    for manifest in survey.versions.values_list("manifest", flat=True):
        names |= {question["id"] for question in json.loads(manifest)["questions"]}
    numbers = [int(match[1]) for name in names if (match := _NUMBERED.fullmatch(name))]
    return f"q{max(numbers, default=0) + 1}"


def _locked(question: Question) -> tuple[Question, list[Question]]:
    """Return the row of a question and all of its survey in order, under the survey's lock."""
    survey = survey_locked(question.survey, "be changed")
    questions = list(survey.questions.all())
    for kept in questions:
        if kept.pk == question.pk:
            return kept, questions
    raise QuestionUnknown(survey.slug, question.name)


def _save_at(question: Question, others: list[Question], at: int) -> None:
    question.position = at
    question.save(update_fields=None if question.pk is None else ["position"])
    _renumber([*others[:at], question, *others[at:]])


def _renumber(questions: Sequence[Question]) -> None:
    for position, question in enumerate(questions):
        if question.position != position:
            Question.objects.filter(pk=question.pk).update(position=position)


def _refuse(question: Question, earlier: Sequence[Question]) -> None:
    if found := list(question_findings(question, earlier)):
        raise SettingInvalid(found)


def _known(values: Mapping[str, Any]) -> dict[str, Any]:
    if unknown := set(values) - set(QUESTION_FIELDS):
        raise TypeError(f"no such field: {min(unknown)}")
    return dict(values)


def _audit(actor: Any, action: str, question: Question, values: Mapping[str, Any]) -> None:
    facts = {name: json.dumps(value, ensure_ascii=False) for name, value in values.items()}
    audit_append(
        actor=actor, action=action, subject=question.survey.slug, facts={"question": question.name, **facts}
    )

"""What a designer should think about: questions that identify, branches and ε that tell too much."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from django.conf import settings

from privacy.budget import Epsilon
from privacy.errors import PrivacyError
from surveys.errors import Finding
from surveys.models import Question, Survey
from surveys.services.checks import Kind, epsilon_total
from surveys.services.identifying import asked_for, shown_in
from surveys.wire.manifest import choices_of

BRANCH_LENGTH = 3
EPSILON_HIGH, EPSILON_TOTAL_HIGH = Decimal(3), Decimal(8)


def warnings_of(survey: Survey, questions: Sequence[Question]) -> list[Finding]:
    """Return the warnings about a draft: of the survey first, then of each question in order."""
    return [
        *_of_target(survey),
        *_of_total(questions),
        *(w for at, q in enumerate(questions) for w in question_warnings(q, questions[at:])),
    ]


def question_warnings(question: Question, following: Sequence[Question] = ()) -> list[Finding]:
    """Return the warnings about one question, given the questions from it on."""
    found = [
        *_identifying(question),
        *_choices(question),
        *_epsilon(question),
        *_branches(question, following),
    ]
    if question.text_en.strip() == "" or question.text_ko.strip() == "":
        found.append(Finding("one-language", "text_ko" if question.text_en.strip() else "text_en"))
    return [Finding(one.code, one.field, question.name, one.params) for one in found]


def _identifying(question: Question) -> Iterator[Finding]:
    fields = {"text_en": asked_for(question.text_en), "text_ko": asked_for(question.text_ko)}
    fields["choices"] = shown_in(
        text for choice in _choices_kept(question) for text in choice["text"].values()
    )
    for field, codes in fields.items():
        yield from (Finding(code, field) for code in dict.fromkeys(codes))


def _choices(question: Question) -> Iterator[Finding]:
    for language in ("en", "ko"):
        texts = [choice["text"].get(language, "").strip().casefold() for choice in _choices_kept(question)]
        filled = [text for text in texts if text]
        if len(set(filled)) < len(filled):
            yield Finding("choices-equal", "choices")
            return


def _choices_kept(question: Question) -> list[dict[str, Any]]:
    return choices_of(question) if question.kind not in (Kind.YES_NO, Kind.NOTE) else []


def _epsilon(question: Question) -> Iterator[Finding]:
    try:
        if question.kind != Kind.NOTE and Epsilon.parse(question.epsilon).bounds()[0] > EPSILON_HIGH:
            yield Finding("epsilon-high", "epsilon")
    except PrivacyError:
        return  # a refusal, which the checks tell


def _of_target(survey: Survey) -> Iterator[Finding]:
    if survey.target is not None and survey.target < settings.MINIMUM_N:
        yield Finding("target-too-small", "target", params=(("minimum", settings.MINIMUM_N),))


def _of_total(questions: Sequence[Question]) -> Iterator[Finding]:
    try:
        total = epsilon_total(questions)
    except PrivacyError:
        return
    if Decimal(total) > EPSILON_TOTAL_HIGH:
        yield Finding("epsilon-total-high", "epsilon_ceiling", params=(("total", total),))


def _branches(question: Question, following: Sequence[Question]) -> Iterator[Finding]:
    lengths = [_shown_after(question, {choice["id"]}, following) for choice in choices_of(question)]
    difference = max(lengths, default=0) - min(lengths, default=0)
    if difference > BRANCH_LENGTH:
        yield Finding("branch-lengths", "choices", params=(("difference", difference),))


def _shown_after(question: Question, answer: set[str], following: Sequence[Question]) -> int:
    """Count the questions that may be shown once this one is answered so; what else was answered is open."""
    hidden: set[str] = set()
    for later in following:
        if later.name != question.name and not _may_be_shown(later.visible_if, question.name, answer, hidden):
            hidden.add(later.name)
    return len(following) - len(hidden)


def _may_be_shown(condition: Any, name: str, answer: set[str], hidden: set[str]) -> bool:
    if not condition:
        return True
    mode, clauses = next(iter(condition.items()))
    met = [
        bool(answer & set(clause["is"])) if clause["question"] == name else clause["question"] not in hidden
        for clause in clauses
    ]
    return any(met) if mode == "any" else all(met)

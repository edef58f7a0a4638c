"""What a survey and its questions must be like before they are kept, and before they are published."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any

from privacy import accounting, errors
from privacy.budget import Ceiling, Epsilon
from privacy.mechanisms.every_box import EveryBox
from surveys.errors import Finding
from surveys.models import Question, Survey
from surveys.wire.manifest import NO_ANSWER, choices_of, may_be_silent, mechanism_of

Kind, Protocol = Question.Kind, Question.Protocol
SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")
RESERVED = frozenset({"new"})
CHOICE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,19}")
CHOICE_TEXT, QUESTIONS = 500, 200
# Least and most answers by kind; "no answer" is one of the 256 of a wheel, but none of the boxes.
CHOICES = {Kind.SINGLE: (2, 256), Kind.LIKERT: (2, 256), Kind.MULTIPLE: (2, 64)}
# Years in which a survey may close: every database and time zone can write them.
YEARS = range(2000, 2201)
# What no text needs and some database or page cannot keep; tabs and line ends are text.
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
ONE_ANSWER = frozenset({Protocol.SPINNER, Protocol.SPINNER_COIN, Protocol.COIN})
BOXES = frozenset({Protocol.ONE_BOX, Protocol.EVERY_BOX})

Findings = Iterator[Finding]


def survey_findings(survey: Survey) -> Findings:
    """Find what is wrong with a survey's own fields."""
    if not SLUG.fullmatch(survey.slug):
        yield Finding("slug-malformed", "slug")
    if survey.slug in RESERVED:
        yield Finding("slug-reserved", "slug")
    yield from _text_findings(survey, ("title_en", "title_ko"), 200)
    yield from _text_findings(survey, ("intro_en", "intro_ko"), 4000)
    yield from ceiling_findings(survey)
    if survey.closes_at is not None and survey.closes_at.year not in YEARS:
        yield Finding("time-invalid", "closes_at", params=(("least", YEARS[0]), ("most", YEARS[-1])))
    for name in ("target", "population"):
        value = getattr(survey, name)
        if value is not None and not 1 <= value < 2**31:
            yield Finding("number-invalid", name, params=(("least", 1), ("most", 2**31 - 1)))


def question_findings(question: Question, earlier: Sequence[Question]) -> Findings:
    """Find what is wrong with a question, given the questions that are asked before it."""
    for finding in _question_findings(question, earlier):
        yield Finding(finding.code, finding.field, question.name, finding.params)


def publish_findings(survey: Survey, questions: Sequence[Question], now: datetime) -> Findings:
    """Find every reason why this draft cannot be published."""
    yield from survey_findings(survey)
    if not (survey.title_en or survey.title_ko).strip():
        yield Finding("title-missing", "title_en")
    if survey.closes_at is None and survey.target is None:
        yield Finding("closing-missing", "closes_at")
    if survey.closes_at is not None and survey.closes_at <= now:
        yield Finding("closing-past", "closes_at")
    if len({question.name for question in questions}) != len(questions):
        yield Finding("ids-repeated", "questions")
    wrong = [f for at, q in enumerate(questions) for f in question_findings(q, questions[:at])]
    yield from wrong
    if all(question.kind == Kind.NOTE for question in questions):
        yield Finding("nothing-asked", "questions")
    if not wrong:
        yield from _total_findings(survey, questions)


def epsilon_findings(text: object, field: str) -> Findings:
    """Find what is wrong with the text of an ε."""
    try:
        Epsilon.parse(text)  # type: ignore[arg-type]  # refuses what is no text
    except errors.EpsilonInvalid as error:
        yield Finding(error.code, field)


def ceiling_findings(survey: Survey) -> Findings:
    """Find what is wrong with a survey's ceiling, which may be higher than the ε of any question."""
    try:
        Ceiling(survey.epsilon_ceiling)
    except errors.EpsilonOutOfRange:
        yield Finding("ceiling-out-of-range", "epsilon_ceiling")
    except errors.EpsilonInvalid as error:
        yield Finding(error.code, "epsilon_ceiling")


def epsilon_total(questions: Iterable[Question]) -> str:
    """Return the published ε of all questions together; raises PrivacyError."""
    return accounting.total(mechanism_of(q).epsilon for q in questions if q.kind != Kind.NOTE)


def _total_findings(survey: Survey, questions: Sequence[Question]) -> Findings:
    if next(ceiling_findings(survey), None) is not None:
        return
    total = epsilon_total(questions)
    if not Ceiling(survey.epsilon_ceiling).allows(total, _ratio_total(questions)):
        params = (("total", total), ("ceiling", survey.epsilon_ceiling))
        yield Finding("epsilon-total", "epsilon_ceiling", params=params)


def _ratio_total(questions: Iterable[Question]) -> Fraction:
    """Return e^ε of a whole report, exactly: what the questions' channels allow, multiplied."""
    product = Fraction(1)
    for mechanism in (mechanism_of(question) for question in questions if question.kind != Kind.NOTE):
        ratio = mechanism.channel().ratio()
        if ratio is None:
            raise errors.EpsilonInfinite
        product *= ratio ** (mechanism.boxes if isinstance(mechanism, EveryBox) else 1)
    return product


def _question_findings(question: Question, earlier: Sequence[Question]) -> Findings:
    if question.kind not in Kind.values:
        yield Finding("kind-unknown", "kind")
        return
    if not (question.text_en or question.text_ko).strip():
        yield Finding("text-missing", "text_en")
    yield from _text_findings(question, ("text_en", "text_ko"), 2000)
    choices = list(_choice_findings(question))
    yield from choices
    yield from condition_findings(question.visible_if, earlier)
    if question.kind != Kind.NOTE:
        yield from _mechanism_findings(question, countable=not choices)


def _choice_findings(question: Question) -> Findings:
    if question.kind not in CHOICES:
        return
    if not isinstance(question.choices, list) or not all(map(_is_choice, question.choices)):
        yield Finding("choices-malformed", "choices")
        return
    least, most = choices_limits(question)
    if not least <= len(question.choices) <= most:
        params = (("least", least), ("most", most), ("count", len(question.choices)))
        yield Finding("choices-count", "choices", params=params)
    yield from _choice_id_findings([choice["id"] for choice in question.choices])
    for number, choice in enumerate(question.choices, start=1):
        yield from _choice_text_findings(number, choice["text"].values())


def choices_limits(question: Question) -> tuple[int, int]:
    """Return how few and how many answers a question of choices may have."""
    least, most = CHOICES[Kind(question.kind)]
    silent = question.kind != Kind.MULTIPLE and may_be_silent(question)
    return least, most - silent


def _choice_id_findings(ids: Sequence[str]) -> Findings:
    for name, times in Counter(ids).items():
        if times > 1:
            yield Finding("choice-id-repeated", "choices", params=(("id", name[:40]),))
        if name == NO_ANSWER["id"] or not CHOICE_ID.fullmatch(name):
            yield Finding("choice-id-malformed", "choices", params=(("id", name[:40]),))


def _choice_text_findings(number: int, texts: Iterable[str]) -> Findings:
    """Find what is wrong with the texts of one answer; `number` counts from 1 in the order shown."""
    for text in texts:
        if len(text) > CHOICE_TEXT:
            yield Finding("choice-too-long", "choices", params=(("number", number), ("most", CHOICE_TEXT)))
        if _UNPRINTABLE.search(text):
            yield Finding("choice-unprintable", "choices", params=(("number", number),))


def _is_choice(choice: Any) -> bool:
    if not isinstance(choice, dict) or set(choice) != {"id", "text"} or not isinstance(choice["id"], str):
        return False
    text = choice["text"]
    if not isinstance(text, dict) or not text or not set(text) <= {"en", "ko"}:
        return False
    return all(isinstance(words, str) for words in text.values()) and any(map(str.strip, text.values()))


def condition_findings(visible_if: Any, earlier: Sequence[Question]) -> Findings:
    """Find what is wrong with the condition under which a question is shown."""
    if visible_if is None:
        return
    if visible_if in ({"all": []}, {"any": []}):
        yield Finding("condition-empty", "visible_if")
        return
    if not _is_condition(visible_if):
        yield Finding("condition-malformed", "visible_if")
        return
    known = {question.name: question for question in earlier}
    for clause in next(iter(visible_if.values())):
        if clause["question"] not in known:
            asked = clause["question"][:40]
            yield Finding("condition-not-earlier", "visible_if", params=(("question", asked),))
            continue
        ids = {choice["id"] for choice in choices_of(known[clause["question"]])}
        for choice in clause["is"]:
            if choice not in ids:
                params = (("question", clause["question"]), ("choice", choice[:40]))
                yield Finding("condition-no-choice", "visible_if", params=params)


def _is_condition(value: Any) -> bool:
    if not isinstance(value, dict) or set(value) not in ({"all"}, {"any"}):
        return False
    clauses = next(iter(value.values()))
    return isinstance(clauses, list) and bool(clauses) and all(map(_is_clause, clauses))


def _is_clause(value: Any) -> bool:
    if (
        not isinstance(value, dict)
        or set(value) != {"question", "is"}
        or not isinstance(value["question"], str)
    ):
        return False
    wanted = value["is"]
    return isinstance(wanted, list) and bool(wanted) and all(isinstance(one, str) for one in wanted)


def _mechanism_findings(question: Question, *, countable: bool) -> Findings:
    # Each field by itself first, so that all of them are told at once.
    wrong = [*epsilon_findings(question.epsilon, "epsilon"), *_protocol_findings(question)]
    yield from wrong
    if wrong or not countable:
        return
    try:
        mechanism_of(question).epsilon  # noqa: B018  (refuses an infinite one)
    except errors.EpsilonOutOfRange:
        # What was typed is not: what is left of it for one box is.
        yield _share_finding(len(question.choices))
    except errors.PrivacyError as error:
        yield mechanism_finding(error)


def _share_finding(boxes: int) -> Finding:
    params = (("boxes", boxes), ("least", f"{boxes / 100:.2f}"))
    return Finding("epsilon-share-too-small", "epsilon", params=params)


def _protocol_findings(question: Question) -> Findings:
    if question.protocol not in Protocol.values:
        yield Finding("protocol-unknown", "protocol")
    elif question.protocol not in (BOXES if question.kind == Kind.MULTIPLE else ONE_ANSWER):
        yield Finding("protocol-misfit", "protocol")
    elif question.protocol == Protocol.COIN and question.tosses is None:
        yield Finding("tosses-needed", "tosses")


def mechanism_finding(error: errors.PrivacyError) -> Finding:
    """Return the finding that a refusal of the mathematics becomes, beside the field that caused it."""
    match error:
        case errors.EpsilonInvalid() | errors.EpsilonInfinite():
            return Finding(error.code, "epsilon")
        case errors.TossesTooFew():
            return Finding("tosses-too-few", "tosses")
        case errors.TossesOutOfRange():
            return Finding("tosses-needed", "tosses")
        case errors.TruthNotFavoured():
            return Finding("truth-not-favoured", "epsilon")
    return Finding("mechanism-refused", "epsilon", params=(("why", str(error)),))


def _text_findings(thing: Any, names: Iterable[str], most: int) -> Findings:
    for name in names:
        if len(getattr(thing, name)) > most:
            yield Finding("too-long", name, params=(("most", most),))
        if _UNPRINTABLE.search(getattr(thing, name)):
            yield Finding("unprintable", name)


def texts_of(mapping: Mapping[str, str]) -> list[str]:
    """Return the texts that are filled in."""
    return [text for text in mapping.values() if text.strip()]

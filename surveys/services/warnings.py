"""What a designer should think about: questions that identify, branches and ε that tell too much."""

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from django.conf import settings

from privacy.budget import Epsilon
from privacy.errors import PrivacyError
from surveys.errors import Finding
from surveys.models import Question, Survey
from surveys.services.checks import Kind, epsilon_total
from surveys.wire.manifest import choices_of

BRANCH_LENGTH = 3
EPSILON_HIGH, EPSILON_TOTAL_HIGH = Decimal(3), Decimal(8)

_WHOSE = r"\b(?:your|respondent'?s?|student'?s?|parents?'?|mother'?s?|father'?s?)\s+(?:\w+\s+)?"
# The words of a question, and examples such as 010-1234-5678 that show what shall be typed or chosen.
_PATTERNS: Mapping[str, tuple[str, ...]] = {
    "asks-name": (
        _WHOSE + r"names?\b",
        r"\b(?:full|first|last|family|real|legal)\s+names?\b",
        r"\bwho are you\b",
        r"이름(?!난|표)|성명|성함|실명",
    ),
    "asks-phone": (
        r"\b(?:tele)?phone\s*(?:numbers?|no\.?)",
        r"\b(?:mobile|cell(?:ular)?|contact)\s*(?:numbers?|no\.?)",
        r"전화\s*번호|연락처|휴대\s*(?:폰|전화)\s*번호|핸드폰\s*번호",
        r"\b01[016789][- .]?[\dxX*○]{3,4}[- .]?[\dxX*○]{4}\b",
        r"\(\d{3}\)\s*\d{3}-\d{4}|\+\d{1,3}[- ]\d{1,4}[- ]\d{3,4}[- ]\d{3,4}",
    ),
    "asks-email": (
        r"\be-?mail\s*(?:address(?:es)?|id)",
        _WHOSE + r"e-?mail\b",
        r"이\s?메일|전자\s*우편|메일\s*주소",
        r"[\w.+-]+@[\w-]+\.\w{2,}",
    ),
    "asks-address": (
        r"\b(?:home|street|postal|mailing|residential)\s+address\b",
        _WHOSE + r"address\b",
        r"\bwhere exactly do you live\b|\b(?:zip|postal)\s*codes?\b",
        r"(?:집|거주지|자택|우편|상세|도로명)\s*주소|(?<!메일 )(?<!메일)주소(?:를|는|가|란)|우편\s*번호",
    ),
    "asks-resident-number": (
        r"주민\s*(?:등록)?\s*번호|외국인\s*등록\s*번호|여권\s*번호|운전\s*면허\s*번호",
        r"\bresident\s+registration\s+(?:numbers?|no\.?)|\bsocial\s+security\s+(?:numbers?|no\.?)|\bSSN\b",
        r"\bpassport\s+(?:numbers?|no\.?)|\bnational\s+id(?:entity|entification)?\b",
        r"\b\d{6}\s?-\s?[1-8][\dxX*○]{6}|\b\d{3}-\d{2}-\d{4}\b",
    ),
    "asks-student-number": (
        r"\b(?:student|staff|employee|personnel|member(?:ship)?)\s*(?:ids?|numbers?|no\.?)(?!\w)",
        r"학번|사번|수험\s*번호|회원\s*번호|학생증\s*번호|군번",
    ),
    "asks-birth-date": (
        r"\b(?:date of birth|birth\s*dates?|birthday)\b",
        r"생년월일|생일(?:을|은|이)",
        r"\b(?:yyyy|19\d\d|20\d\d)[-./](?:mm|\d\d)[-./](?:dd|\d\d)\b",
    ),
}
IDENTIFYING = {code: re.compile("|".join(parts), re.IGNORECASE) for code, parts in _PATTERNS.items()}


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
    shown = [("text_en", question.text_en), ("text_ko", question.text_ko)]
    shown += [("choices", text) for choice in _choices_kept(question) for text in choice["text"].values()]
    for code, pattern in IDENTIFYING.items():
        field = next((field for field, text in shown if pattern.search(text)), None)
        if field is not None:
            yield Finding(code, field)


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

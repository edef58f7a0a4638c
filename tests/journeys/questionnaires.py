"""Questionnaires for the respondent's journeys, as manifests with true ε and fingerprints."""

from typing import Any

from privacy.accounting import total
from privacy.mechanisms.catalogue import configure
from surveys.wire.fingerprint import fingerprint_of

Row = dict[str, Any]


def texts(en: str, ko: str) -> dict[str, str]:
    """Return a text in both languages."""
    return {"ko": ko, "en": en}


def manifest(slug: str, questions: list[Row], **values: Any) -> Row:
    """Return the manifest of these questions."""
    row: Row = {
        "slug": slug,
        "version": 1,
        "title": texts("Life at our school", "우리 학교 생활 설문"),
        "intro": texts(
            "Nine questions about things that nobody likes to talk about.\nThey take about three minutes.",
            "말하기 어려운 일들에 관한 아홉 가지 질문입니다.\n약 3분이 걸립니다.",
        ),
        "questions": questions,
        "epsilon_total": total([question["epsilon"] for question in questions if "epsilon" in question]),
        "closes": "2031-12-31T14:59:00Z",
        "target": 500,
        **values,
    }
    return sealed({**row, "state": values.get("state", "open")})


def sealed(row: Row) -> Row:
    """Return the manifest with its own fingerprint."""
    return {**row, "fingerprint": fingerprint_of(row)}


def question(
    name: str,
    text: dict[str, str],
    kind: str,
    choices: list[tuple[str, dict[str, str]]],
    protocol: str = "spinner",
    epsilon: str = "1",
    *,
    required: bool = True,
    visible_if: Row | None = None,
    tosses: int | None = None,
) -> Row:
    """Return one question; a choice is its id and its text."""
    extra = int(not required or visible_if is not None)
    boxes = len(choices) if kind == "multiple" else None
    own = configure(protocol, epsilon, (2 if boxes else len(choices)) + extra, boxes, tosses)
    return {
        "id": name,
        "text": text,
        "kind": kind,
        "choices": [{"id": choice, "text": label} for choice, label in choices],
        "required": required,
        **({} if visible_if is None else {"visible_if": visible_if}),
        "epsilon": own.epsilon,
        "epsilon_asked": epsilon,
        "mechanism": own.manifest(),
    }


def note(name: str, text: dict[str, str]) -> Row:
    """Return a page that only says something."""
    return {"id": name, "text": text, "kind": "note", "choices": [], "required": False}


YES_NO = [("yes", texts("Yes", "예")), ("no", texts("No", "아니요"))]
OFTEN = [
    ("never", texts("Never", "한 번도 없음")),
    ("once", texts("Once or twice", "한두 번")),
    ("several", texts("Several times", "여러 번")),
    ("weekly", texts("Every week", "매주")),
]
AGREE = [
    ("1", texts("Strongly disagree", "전혀 그렇지 않다")),
    ("2", texts("Disagree", "그렇지 않다")),
    ("3", texts("Neither", "보통이다")),
    ("4", texts("Agree", "그렇다")),
    ("5", texts("Strongly agree", "매우 그렇다")),
]
SUBSTANCES = [
    ("tobacco", texts("Tobacco or e-cigarettes", "담배 또는 전자담배")),
    ("alcohol", texts("Alcohol", "술")),
    ("cannabis", texts("Cannabis", "대마초")),
    ("pills", texts("Pills without a prescription", "처방받지 않은 약")),
]
CHEATED = ("Have you cheated in an exam this year?", "올해 시험에서 부정행위를 한 적이 있습니까?")


def every_kind(slug: str = "every", **values: Any) -> Row:
    """Return a questionnaire with every kind of question, every mechanism, a branch and a note."""
    return manifest(
        slug,
        [
            question("cheated", texts(*CHEATED), "yes_no", YES_NO, "spinner", "ln(3)"),
            question(
                "often",
                texts("How often did you cheat?", "얼마나 자주 하셨습니까?"),
                "single",
                OFTEN,
                "spinner",
                visible_if={"all": [{"question": "cheated", "is": ["yes"]}]},
            ),
            note(
                "half",
                texts(
                    "The next questions are about health.\nTake your time.",
                    "다음은 건강에 관한 질문입니다.\n천천히 답해 주십시오.",
                ),
            ),
            question(
                "safe",
                texts("I feel safe at school.", "나는 학교에서 안전하다고 느낀다."),
                "likert",
                AGREE,
                "spinner-coin",
                "2",
            ),
            question(
                "hurt",
                texts("Have you been hurt by somebody close?", "가까운 사람에게 맞은 적이 있습니까?"),
                "yes_no",
                YES_NO,
                "spinner-coin",
            ),
            question(
                "theft",
                texts("Have you ever stolen anything?", "물건을 훔친 적이 있습니까?"),
                "yes_no",
                YES_NO,
                "coin",
                "ln(3)",
                tosses=1,
            ),
            question(
                "drunk",
                texts("Have you ever come to school drunk?", "술에 취해 등교한 적이 있습니까?"),
                "yes_no",
                YES_NO,
                "coin",
                "ln(3)",
                required=False,
                tosses=3,
            ),
            question(
                "used",
                texts("Which of these have you used this year?", "올해 사용해 본 것을 고르십시오."),
                "multiple",
                SUBSTANCES,
                "one-box",
                "1.5",
            ),
            question(
                "seen",
                texts("Which of these have you seen at school?", "학교에서 본 적이 있는 것을 고르십시오."),
                "multiple",
                SUBSTANCES,
                "every-box",
                "3",
                required=False,
            ),
        ],
        **values,
    )


def two_questions(slug: str = "two", protocol: str = "spinner", **values: Any) -> Row:
    """Return a questionnaire of two yes-or-no questions."""
    return manifest(
        slug,
        [
            question(
                name,
                texts(f"Marked question {name}?", f"표시 문항 {name}"),
                "yes_no",
                YES_NO,
                protocol,
                "ln(3)",
                tosses=1 if protocol == "coin" else None,
            )
            for name in ("first", "second")
        ],
        **values,
    )

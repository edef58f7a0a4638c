"""Ten sensitive questions of the CDC's Youth Risk Behavior Survey 2019, with their 13,677 real answers.

Source: CDC, YRBS 2019 national public-use file (US federal work), `shared/samples/yrbs2019.sav`.

| id | variable | asks | codes of the file → choices |
|---|---|---|---|
| forced | Q19 | ever physically forced to have intercourse | 1 yes, 2 no |
| sad | Q25 | sad or hopeless for two weeks | 1 yes, 2 no |
| considered | Q26 | seriously considered suicide | 1 yes, 2 no |
| attempted | Q28 | suicide attempts in 12 months | 1 none, 2 one, 3-5 more |
| vapor | Q34 | ever used an electronic vapor product | 1 yes, 2 no |
| alcohol | Q41 | days with alcohol of the past 30 | 1 none, 2 1-2, 3-4 3-9, 5-7 10 or more |
| marijuana | Q47 | marijuana in the past 30 days | 1 none, 2 1-2, 3 3-9, 4-6 10 or more times |
| cocaine | Q50 | ever used cocaine | 2-6 yes, 1 no |
| intercourse | Q58 | ever had intercourse | 1 yes, 2 no |
| identity | Q66 | sexual identity | 1 heterosexual, 2 gay or lesbian, 3 bisexual, 4 not sure |

A respondent who left a question out gives the extra category "no answer", the last index: the questions
are not required, so every question has it and every respondent reports on all ten.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pyreadstat

from tests.estimation.shared import YRBS

RESPONDENTS = 13_677
YES_NO = ((("yes", "Yes", "예"), (1,)), (("no", "No", "아니요"), (2,)))

# A choice: (id, English, Korean) and the codes of the file that mean it.
Choice = tuple[tuple[str, str, str], tuple[int, ...]]


@dataclass(frozen=True)
class Question:
    """A question of the file and how its codes become choices."""

    id: str
    variable: str
    kind: str  # as in the manifest
    english: str
    korean: str
    choices: tuple[Choice, ...]

    @property
    def answers(self) -> int:
        """How many answers its mechanism has: the choices and "no answer"."""
        return len(self.choices) + 1

    def truth(self, code: float | None) -> int:
        """The index of the answer that a code means."""
        codes = {number: index for index, (_, numbers) in enumerate(self.choices) for number in numbers}
        return len(self.choices) if code is None else codes[int(code)]

    def manifest(self) -> dict[str, Any]:
        """Text, kind and choices as a survey's designer enters them."""
        return {
            "id": self.id,
            "kind": self.kind,
            "required": False,
            "text": {"en": self.english, "ko": self.korean},
            "choices": [{"id": name, "text": {"en": en, "ko": ko}} for (name, en, ko), _ in self.choices],
        }


TIMES: tuple[Choice, ...] = (
    (("0", "0 times", "없음"), (1,)),
    (("1-2", "1 or 2 times", "1~2회"), (2,)),
    (("3-9", "3 to 9 times", "3~9회"), (3,)),
    (("10", "10 or more times", "10회 이상"), (4, 5, 6)),
)
DAYS: tuple[Choice, ...] = (
    (("0", "0 days", "없음"), (1,)),
    (("1-2", "1 or 2 days", "1~2일"), (2,)),
    (("3-9", "3 to 9 days", "3~9일"), (3, 4)),
    (("10", "10 or more days", "10일 이상"), (5, 6, 7)),
)
ATTEMPTS: tuple[Choice, ...] = (
    (("0", "0 times", "없음"), (1,)),
    (("1", "1 time", "1회"), (2,)),
    (("2", "2 or more times", "2회 이상"), (3, 4, 5)),
)
IDENTITIES: tuple[Choice, ...] = (
    (("heterosexual", "Heterosexual (straight)", "이성애자"), (1,)),
    (("gay", "Gay or lesbian", "동성애자"), (2,)),
    (("bisexual", "Bisexual", "양성애자"), (3,)),
    (("unsure", "Not sure", "잘 모르겠음"), (4,)),
)
QUESTIONS = (
    Question(
        "forced",
        "Q19",
        "yes_no",
        "Have you ever been physically forced to have sexual intercourse when you did not want to?",
        "원하지 않는 성관계를 강제로 당한 적이 있습니까?",
        YES_NO,
    ),
    Question(
        "sad",
        "Q25",
        "yes_no",
        "During the past 12 months, did you ever feel so sad or hopeless almost every day for two weeks or more "
        "that you stopped doing some usual activities?",
        "지난 12개월 동안 2주 이상 거의 매일 일상 활동을 중단할 만큼 슬프거나 절망적이라고 느낀 적이 있습니까?",
        YES_NO,
    ),
    Question(
        "considered",
        "Q26",
        "yes_no",
        "During the past 12 months, did you ever seriously consider attempting suicide?",
        "지난 12개월 동안 심각하게 자살을 생각한 적이 있습니까?",
        YES_NO,
    ),
    Question(
        "attempted",
        "Q28",
        "single",
        "During the past 12 months, how many times did you actually attempt suicide?",
        "지난 12개월 동안 실제로 자살을 시도한 횟수는 몇 번입니까?",
        ATTEMPTS,
    ),
    Question(
        "vapor",
        "Q34",
        "yes_no",
        "Have you ever used an electronic vapor product?",
        "전자담배를 사용해 본 적이 있습니까?",
        YES_NO,
    ),
    Question(
        "alcohol",
        "Q41",
        "single",
        "During the past 30 days, on how many days did you have at least one drink of alcohol?",
        "지난 30일 동안 술을 한 잔 이상 마신 날은 며칠입니까?",
        DAYS,
    ),
    Question(
        "marijuana",
        "Q47",
        "single",
        "During the past 30 days, how many times did you use marijuana?",
        "지난 30일 동안 대마초를 몇 번 사용했습니까?",
        TIMES,
    ),
    Question(
        "cocaine",
        "Q50",
        "yes_no",
        "Have you ever used any form of cocaine?",
        "어떤 형태로든 코카인을 사용한 적이 있습니까?",
        ((("yes", "Yes", "예"), (2, 3, 4, 5, 6)), (("no", "No", "아니요"), (1,))),
    ),
    Question(
        "intercourse",
        "Q58",
        "yes_no",
        "Have you ever had sexual intercourse?",
        "성관계를 가진 적이 있습니까?",
        YES_NO,
    ),
    Question(
        "identity",
        "Q66",
        "single",
        "Which of the following best describes you?",
        "다음 중 자신을 가장 잘 나타내는 것은 무엇입니까?",
        IDENTITIES,
    ),
)


@cache
def _columns() -> Mapping[str, list[float | None]]:
    columns, _ = pyreadstat.read_sav(
        str(YRBS), usecols=[question.variable for question in QUESTIONS], output_format="dict"
    )
    # Missing values come as None or as NaN.
    return {
        name: [None if code is None or code != code else code for code in codes]
        for name, codes in columns.items()
    }


def truths() -> np.ndarray:
    """The respondents' answers, (respondents, questions) uint8: the index of a choice, the last "no answer"."""
    columns = [[question.truth(code) for code in _columns()[question.variable]] for question in QUESTIONS]
    return np.array(columns, dtype=np.uint8).T


def true_counts() -> list[np.ndarray]:
    """How many respondents gave each answer, question by question."""
    return [
        np.bincount(column, minlength=question.answers)
        for question, column in zip(QUESTIONS, truths().T, strict=True)
    ]


def true_shares() -> list[np.ndarray]:
    """The shares of all answers, question by question."""
    return [counts / counts.sum() for counts in true_counts()]

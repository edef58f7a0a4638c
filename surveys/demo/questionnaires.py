"""The two questionnaires of a first start, in both languages."""

from pathlib import Path
from typing import Any

# Weighted shares, computed from the national public-use file of the Youth Risk Behavior Survey 2019 (Centers
# for Disease Control and Prevention; a work of the US government, public domain): 13,677 students, variable
# `weight`, missing answers left out. They are the published ones, e.g. 36.8 % ever used marijuana.
PROPORTIONS = Path(__file__).with_name("yrbs2019.csv")

Values = dict[str, Any]


def _answers(*rows: tuple[str, str, str]) -> list[Values]:
    return [{"id": name, "text": {"en": en, "ko": ko}} for name, en, ko in rows]


OPEN: Values = {
    "slug": "student-life",
    "title_en": "Honest answers about student life",
    "title_ko": "학교생활 솔직 설문",
    "intro_en": (
        "Some questions are hard to answer truthfully. Your device changes your answers by chance before "
        "anything is sent, so nobody can tell what you said."
    ),
    "intro_ko": (
        "솔직하게 답하기 어려운 문항이 있습니다. 답변은 보내기 전에 이 기기에서 우연에 따라 바뀌므로, "
        "누구도 실제 답변을 알 수 없습니다."
    ),
    "epsilon_ceiling": "4",
    "target": 100_000,
}
OPEN_QUESTIONS: list[Values] = [
    {
        "kind": "yes_no",
        "text_en": "Have you ever cheated in an exam?",
        "text_ko": "시험에서 부정행위를 한 적이 있습니까?",
        "epsilon": "ln(3)",
        "required": True,
    },
    {
        "kind": "single",
        "text_en": "How did you do it the last time?",
        "text_ko": "가장 최근에는 어떤 방법을 썼습니까?",
        "choices": _answers(
            ("notes", "With hidden notes", "미리 적어 둔 쪽지"),
            ("phone", "With a phone or watch", "휴대전화나 스마트워치"),
            ("neighbour", "By copying from somebody", "다른 사람의 답을 베낌"),
            ("other", "In another way", "다른 방법"),
        ),
        "visible_if": {"all": [{"question": "q1", "is": ["yes"]}]},
        "epsilon": "0.5",
    },
    {
        "kind": "likert",
        "text_en": "At my school, people who cheat are caught.",
        "text_ko": "우리 학교에서는 부정행위를 하면 적발됩니다.",
        "choices": _answers(
            ("1", "Strongly disagree", "전혀 그렇지 않다"),
            ("2", "Disagree", "그렇지 않다"),
            ("3", "Neither", "보통이다"),
            ("4", "Agree", "그렇다"),
            ("5", "Strongly agree", "매우 그렇다"),
        ),
        "epsilon": "0.5",
        "protocol": "spinner-coin",
    },
    {
        "kind": "note",
        "text_en": "The next questions are about health. You can skip each of them.",
        "text_ko": "다음은 건강에 관한 문항입니다. 답하고 싶지 않은 문항은 건너뛸 수 있습니다.",
    },
    {
        "kind": "multiple",
        "text_en": "Which of these have you taken in the past 30 days?",
        "text_ko": "지난 30일 동안 다음 중 무엇을 하거나 복용했습니까?",
        "choices": _answers(
            ("alcohol", "Alcohol", "음주"),
            ("cigarettes", "Cigarettes", "일반 담배"),
            ("vapour", "Electronic cigarettes", "전자담배"),
            ("pills", "Sleeping pills or stimulants without a prescription", "처방받지 않은 수면제나 각성제"),
        ),
        "epsilon": "0.6",
        "protocol": "one-box",
    },
    {
        "kind": "yes_no",
        "text_en": "In the past 12 months, were you too hopeless for your usual activities for two weeks?",
        "text_ko": "지난 12개월 동안 2주 내내 일상생활을 그만둘 만큼 절망감을 느낀 적이 있습니까?",
        "epsilon": "0.6",
        "protocol": "coin",
        "tosses": 8,
    },
    {
        "kind": "multiple",
        "text_en": "Whom did you tell?",
        "text_ko": "누구에게 이야기했습니까?",
        "choices": _answers(
            ("friends", "Friends", "친구"),
            ("family", "Family", "가족"),
            ("teacher", "A teacher or counsellor", "교사나 상담사"),
        ),
        "visible_if": {"any": [{"question": "q6", "is": ["yes"]}]},
        "epsilon": "0.6",
        "protocol": "every-box",
    },
]
CLOSED: Values = {
    "slug": "student-health",
    "title_en": "Student health (simulated after YRBS 2019)",
    "title_ko": "학생 건강(YRBS 2019 비율에 따른 모의 설문)",
    "intro_en": (
        "Nobody answered this survey: simulated respondents with the shares of the Youth Risk Behavior "
        "Survey 2019 (CDC, United States, weighted) sent randomised reports."
    ),
    "intro_ko": (
        "실제 응답자가 없는 설문입니다. 미국 CDC의 2019년 청소년 위험행동조사(YRBS) 가중 비율에 따라 만든 "
        "가상의 응답자가 무작위 응답을 보냈습니다."
    ),
    "epsilon_ceiling": "8",
    "target": 3000,
}
CLOSED_QUESTIONS: list[Values] = [
    {
        "kind": "yes_no",
        "text_en": "Have you ever used an electronic vapour product?",
        "text_ko": "전자담배를 사용한 적이 있습니까?",
        "epsilon": "1",
        "required": True,
    },
    {
        "kind": "single",
        "text_en": "In the past 30 days, on how many days did you drink alcohol?",
        "text_ko": "지난 30일 동안 술을 마신 날은 며칠입니까?",
        "choices": _answers(
            ("none", "None", "없음"),
            ("few", "1 or 2 days", "1~2일"),
            ("some", "3 to 9 days", "3~9일"),
            ("many", "10 days or more", "10일 이상"),
        ),
        "epsilon": "1",
        "required": True,
    },
    {
        "kind": "yes_no",
        "text_en": "Have you ever used marijuana?",
        "text_ko": "대마초를 사용한 적이 있습니까?",
        "epsilon": "ln(3)",
        "protocol": "coin",
        "tosses": 1,
        "required": True,
    },
    {
        "kind": "yes_no",
        "text_en": "Have you used it in the past 30 days?",
        "text_ko": "지난 30일 동안 사용한 적이 있습니까?",
        "visible_if": {"all": [{"question": "q3", "is": ["yes"]}]},
        "epsilon": "1",
        "required": True,
    },
    {
        "kind": "single",
        "text_en": "In the past 12 months, how often were you in a physical fight?",
        "text_ko": "지난 12개월 동안 몸싸움을 한 적이 몇 번 있습니까?",
        "choices": _answers(
            ("none", "Never", "없음"), ("once", "Once", "한 번"), ("more", "More often", "두 번 이상")
        ),
        "epsilon": "0.9",
        "protocol": "spinner-coin",
        "required": True,
    },
    {
        "kind": "likert",
        "text_en": "How often do you wear a seat belt in a car?",
        "text_ko": "차에 탈 때 안전띠를 얼마나 자주 맵니까?",
        "choices": _answers(
            ("never", "Never", "전혀 매지 않음"),
            ("rarely", "Rarely", "거의 매지 않음"),
            ("sometimes", "Sometimes", "가끔 맴"),
            ("mostly", "Most of the time", "대부분 맴"),
            ("always", "Always", "항상 맴"),
        ),
        "epsilon": "1",
        "required": True,
    },
    {
        "kind": "multiple",
        "text_en": "Which of these have you used in the past 30 days?",
        "text_ko": "지난 30일 동안 다음 중 무엇을 사용했습니까?",
        "choices": _answers(
            ("cigarettes", "Cigarettes", "일반 담배"),
            ("vapour", "Electronic vapour products", "전자담배"),
            ("cigars", "Cigars", "시가"),
            ("smokeless", "Smokeless tobacco", "씹는담배 등 무연 담배"),
        ),
        "epsilon": "1",
        "protocol": "one-box",
        "required": True,
    },
    {
        "kind": "yes_no",
        "text_en": "In the past 12 months, were you sad or hopeless almost every day for two weeks?",
        "text_ko": "지난 12개월 동안 2주 이상 거의 매일 슬프거나 절망적이라고 느낀 적이 있습니까?",
        "epsilon": "1",
    },
]

"""A designer is warned of questions that identify, of branches and of ε that tell too much."""

from typing import Any

import pytest
from django.utils.translation import override

from surveys.errors import Finding
from surveys.findings import WARNINGS, message_of
from surveys.models import Question, Survey
from surveys.services.warnings import question_warnings, warnings_of
from tests import cast


def codes(question: Question) -> set[str]:
    return {warning.code for warning in question_warnings(question)}


def question(en: str = "", ko: str = "", **values: Any) -> Question:
    return Question(name="q1", text_en=en or "Fine?", text_ko=ko or "괜찮습니까?", **values)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("What is your name?", "asks-name"),
        ("Please give your full name", "asks-name"),
        ("What is your mother's maiden name?", "asks-name"),
        ("이름이 무엇입니까?", "asks-name"),
        ("성명을 적어 주십시오.", "asks-name"),
        ("Your phone number?", "asks-phone"),
        ("Mobile no. (e.g. 010-1234-5678)", "asks-phone"),
        ("휴대전화 번호를 알려 주십시오.", "asks-phone"),
        ("연락처", "asks-phone"),
        ("예: 010-XXXX-XXXX", "asks-phone"),
        ("Call (202) 555-0143", "asks-phone"),
        ("What is your e-mail address?", "asks-email"),
        ("Your email?", "asks-email"),
        ("이메일을 입력하십시오.", "asks-email"),
        ("전자우편 주소", "asks-email"),
        ("such as kim@example.com", "asks-email"),
        ("What is your home address?", "asks-address"),
        ("Your ZIP code", "asks-address"),
        ("집 주소를 알려 주십시오.", "asks-address"),
        ("우편번호", "asks-address"),
        ("주민등록번호를 입력하십시오.", "asks-resident-number"),
        ("주민번호 앞자리", "asks-resident-number"),
        ("Resident registration number", "asks-resident-number"),
        ("e.g. 900101-1234567", "asks-resident-number"),
        ("Your social security number (123-45-6789)", "asks-id-number"),
        ("What is your student ID?", "asks-student-number"),
        ("Student number", "asks-student-number"),
        ("학번이 무엇입니까?", "asks-student-number"),
        ("사번을 적어 주십시오.", "asks-student-number"),
        ("What is your date of birth?", "asks-birth-date"),
        ("생년월일", "asks-birth-date"),
        ("Name", "asks-name"),
        ("Name:", "asks-name"),
        ("Please enter your name.", "asks-name"),
        ("What is your surname?", "asks-name"),
        ("Surname", "asks-name"),
        ("What is the name of your boss?", "asks-name"),
        ("Could you tell us your name?", "asks-name"),
        ("이름", "asks-name"),
        ("이름:", "asks-name"),
        ("귀하의 성함은?", "asks-name"),
        ("상사의 이름을 적어 주십시오.", "asks-name"),
        ("본인의 이름은 무엇입니까?", "asks-name"),
        ("Phone:", "asks-phone"),
        ("Your phone?", "asks-phone"),
        ("Mobile phone (required)", "asks-phone"),
        ("전화:", "asks-phone"),
        ("휴대폰:", "asks-phone"),
        ("전번", "asks-phone"),
        ("전화번호가 어떻게 되십니까?", "asks-phone"),
        ("E-mail:", "asks-email"),
        ("email", "asks-email"),
        ("Your e-mail, please", "asks-email"),
        ("Do you have an account? Please enter your e-mail address.", "asks-email"),
        ("주소", "asks-address"),
        ("Address:", "asks-address"),
        ("주소를 입력해 주세요", "asks-address"),
        ("민증 번호", "asks-resident-number"),
        ("ID number", "asks-id-number"),
        ("Identity card number:", "asks-id-number"),
        ("여권 번호를 입력하십시오.", "asks-id-number"),
        ("외국인등록번호", "asks-id-number"),
        ("카톡 아이디", "asks-account"),
        ("Your KakaoTalk ID", "asks-account"),
        ("계좌번호", "asks-account"),
        ("Bank account number", "asks-account"),
    ],
)
def test_a_question_that_identifies_is_noticed(text: str, code: str) -> None:
    assert code in codes(question(text))
    assert code in codes(question(ko=text))


def test_each_text_that_identifies_is_warned_of_once() -> None:
    listed = cast.choices("kim@example.com", "lee@example.com")
    one = question(
        "Your e-mail? Such as kim@example.com", "이메일을 입력하십시오.", kind="single", choices=listed
    )
    told = [(warning.field, warning.code) for warning in question_warnings(one)]
    assert told == [(field, "asks-email") for field in ("text_en", "text_ko", "choices")]


@pytest.mark.parametrize(
    "text",
    [
        "Have you ever cheated in an exam?",
        "How many students cheat, in your opinion?",
        "Do you know the names of banned drugs?",
        "How many hours a day do you use your phone?",
        "Does the school address bullying well enough?",
        "How many e-mails do you get a day?",
        "In which year did you start school, 2019 or 2020?",
        "부정행위를 한 적이 있습니까?",
        "휴대전화를 하루에 몇 시간 사용합니까?",
        "학교가 괴롭힘 문제를 잘 다룹니까?",
        "이름난 학원에 다닙니까?",
        "그 약의 이름을 압니까?",
        "상사의 이름을 알고 있습니까?",
        "낯선 사람에게 이메일 주소를 알려 줍니까?",
        "이메일을 하루에 몇 통 받습니까?",
        "주민등록번호를 도용당한 적이 있습니까?",
        "남에게 계좌번호를 빌려준 적이 있습니까?",
        "집 주소를 인터넷에 올린 적이 있습니까?",
        "부모님 생일을 기억합니까?",
        "복용하는 약의 이름",
        "전화 통화 횟수",
        "회사번호판을 본 적이 있습니까?",
        "실명제에 찬성합니까?",
        "학교 누리집 주소가 자주 바뀝니까?",
        "Do you give your e-mail address to strangers?",
        "Have you ever told a stranger your phone number?",
        "Did somebody use your name without asking?",
        "How often do you change your mobile phone?",
        "Has anybody ever misused your account number?",
        "Should ID numbers be printed on exams?",
        "Is your home address known to your employer?",
        "By what name is the drug sold?",
    ],
)
def test_an_ordinary_question_is_left_in_peace(text: str) -> None:
    assert codes(question(text)) == set() == codes(question(ko=text))


@pytest.mark.parametrize("word", ["E-mail", "Phone", "전화", "By phone number", "이메일 주소"])
def test_an_answer_that_only_names_a_thing_is_left_in_peace(word: str) -> None:
    assert codes(question(kind="single", choices=cast.choices(word, "not at all"))) == set()


@pytest.mark.parametrize("code", sorted(code for code in WARNINGS if code.startswith("asks-")))
@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_law_is_named_for_the_resident_number_alone(code: str, language: str) -> None:
    with override(language):
        told = message_of(Finding(code, "text_en"))
    assert ("law" in told or "법" in told) == (code == "asks-resident-number")


@pytest.mark.parametrize(
    ("language", "said"), [("en", "Without a basis in law"), ("ko", "법령에 근거가 없으면")]
)
def test_the_resident_number_is_not_said_to_be_forbidden_always(language: str, said: str) -> None:
    with override(language):
        assert said in message_of(Finding("asks-resident-number", "text_ko"))


def test_an_answer_that_identifies_is_noticed() -> None:
    one = question(kind="single", choices=cast.choices("by e-mail: kim@example.com", "not at all"))
    assert codes(one) == {"asks-email"}


def test_equal_answers_are_noticed() -> None:
    assert codes(question(kind="single", choices=cast.choices("Often", "often "))) == {"choices-equal"}


@pytest.mark.parametrize(
    ("epsilon", "high"), [("3", False), ("3.0001", True), ("ln(20)", False), ("ln(21)", True)]
)
def test_an_epsilon_above_three_is_noticed(epsilon: str, high: bool) -> None:
    assert codes(question(epsilon=epsilon)) == ({"epsilon-high"} if high else set())


def test_a_text_in_one_language_is_noticed() -> None:
    one = Question(name="q1", text_en="Fine?")
    assert [(warning.code, warning.field) for warning in question_warnings(one)] == [
        ("one-language", "text_ko")
    ]


def test_a_total_above_eight_is_noticed(owner: Any) -> None:
    survey = cast.draft(owner, questions=[{**cast.YES_NO, "epsilon": "2.9"}] * 3, epsilon_ceiling="16")
    warnings = warnings_of(survey, list(survey.questions.all()))
    assert [warning.code for warning in warnings] == ["epsilon-total-high"]
    assert "8.7" in message_of(warnings[0])


@pytest.mark.parametrize(("target", "warned"), [(49, ["target-too-small"]), (50, [])])
def test_a_target_whose_results_are_never_shown_is_noticed(
    owner: Any, target: int, warned: list[str]
) -> None:
    survey = cast.draft(owner, target=target)
    assert [warning.code for warning in warnings_of(survey, list(survey.questions.all()))] == warned


def branched(owner: Any, shown: int, hidden: int) -> list[str]:
    """Return the warnings of a survey that shows so many questions after yes, and so many after no."""
    questions = [cast.YES_NO]
    for answer, times in (("yes", shown), ("no", hidden)):
        questions += [{**cast.YES_NO, "visible_if": {"all": [{"question": "q1", "is": [answer]}]}}] * times
    survey: Survey = cast.draft(owner, questions=questions, epsilon_ceiling="16")
    return [
        warning.code
        for warning in warnings_of(survey, list(survey.questions.all()))
        if "branch" in warning.code
    ]


@pytest.mark.parametrize(
    ("shown", "hidden", "warned"), [(4, 0, True), (3, 0, False), (5, 2, False), (0, 4, True)]
)
def test_branches_of_very_different_length_are_noticed(
    owner: Any, shown: int, hidden: int, warned: bool
) -> None:
    assert branched(owner, shown, hidden) == (["branch-lengths"] if warned else [])


def test_what_follows_a_hidden_question_is_hidden_too(owner: Any) -> None:
    chain = [
        {**cast.YES_NO, "visible_if": {"all": [{"question": f"q{at}", "is": ["yes"]}]}} for at in range(1, 5)
    ]
    survey = cast.draft(owner, questions=[cast.YES_NO, *chain], epsilon_ceiling="16")
    warned = [warning.question for warning in warnings_of(survey, list(survey.questions.all()))]
    assert warned == ["q1"]

"""What a designer types is kept or told beside its field, all at once; nothing typed brings the service down."""

import html
import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from surveys.models import Question, Survey
from tests import cast

QUESTION = {"do": "save", "kind": "yes_no", "text_en": "Fine?", "text_ko": "괜찮습니까?"}
QUESTION |= {"required": "on", "visible_if": "always", "protocol": "spinner", "epsilon": "ln(3)"}
SURVEY = {"slug": "other", "title_en": "Other", "epsilon_ceiling": "8", "target": "200"}
NEW = "/surveys/habits/questions/new"


@pytest.fixture
def designer(built: Any, owner: Any, client: Client) -> Client:
    """Return the owner at a desk, with a draft of one question."""
    cast.draft(owner)
    client.force_login(owner)
    client.cookies["django_language"] = "en"
    return client


def errors_of(body: str, field: str) -> list[str]:
    """Return what stands beside a field."""
    found = re.search(rf'<ul class="errors" id="{field}_errors">(.*?)</ul>', body, re.DOTALL)
    return [] if found is None else [html.unescape(one) for one in re.findall("<li>(.*?)</li>", found[1])]


def refused(client: Client, path: str, **typed: Any) -> str:
    before = list(Survey.objects.values_list("slug", "questions__name"))
    answer = client.post(path, typed)
    assert answer.status_code == 200
    assert list(Survey.objects.values_list("slug", "questions__name")) == before
    return str(answer.content.decode())


@pytest.mark.parametrize("mode", ["all", "any"])
def test_a_condition_without_ticks_is_not_taken_for_everybody(designer: Client, mode: str) -> None:
    body = refused(designer, NEW, **{**QUESTION, "visible_if": mode})
    assert errors_of(body, "id_visible_if") == [
        "Tick at least one answer, or show the question to everybody."
    ]
    assert re.search(rf'value="{mode}"[^>]* checked', body)


@pytest.mark.parametrize("year", ["0001", "1999", "2201", "9999"])
def test_a_closing_time_of_another_age_is_refused(designer: Client, year: str) -> None:
    for path, typed in (("/surveys/new", SURVEY), ("/surveys/habits/edit", {**SURVEY, "slug": "habits"})):
        body = refused(designer, path, **{**typed, "closes_at": f"{year}-01-01T00:00"})
        assert errors_of(body, "id_closes_at") == ["Give a time between the years 2000 and 2200."]
        assert f'value="{year}-01-01T00:00"' in body


@pytest.mark.parametrize("character", ["\0", "\x08", "\x1b", "\x9f"])
def test_a_character_that_cannot_be_shown_is_refused_beside_its_text(
    designer: Client, character: str
) -> None:
    spoilt = f"How{character}ever"
    for field in ("text_en", "text_ko"):
        assert errors_of(refused(designer, NEW, **{**QUESTION, field: spoilt}), f"id_{field}")
    for field in ("title_en", "title_ko", "intro_en", "intro_ko"):
        assert errors_of(refused(designer, "/surveys/new", **{**SURVEY, field: spoilt}), f"id_{field}")
    body = answers(designer, ["never", spoilt, "always"])
    assert errors_of(body, "answer_2") == [
        "Answer 2: there is a character in it that cannot be shown. Type the text anew."
    ]


def answers(designer: Client, texts: list[str], **typed: Any) -> str:
    """Return the page after single-choice answers were refused."""
    rows = {"answer_id": [""] * len(texts), "answer_en": texts, "answer_ko": [""] * len(texts)}
    return refused(designer, NEW, **{**QUESTION, "kind": "single", **rows, **typed})


def test_lines_and_tabs_are_text(designer: Client) -> None:
    typed = {**QUESTION, "text_en": "One\r\ntwo\tthree"}
    assert designer.post(NEW, typed).status_code == 302
    assert Question.objects.get(name="q2").text_en == "One\r\ntwo\tthree"


def test_an_answer_that_is_too_long_is_told_beside_that_answer(designer: Client) -> None:
    body = answers(designer, ["never", "often", "x" * 501])
    assert errors_of(body, "answer_3") == ["Answer 3: at most 500 characters."]
    assert body.count('aria-describedby="answer_3_errors"') == 2
    assert errors_of(body, "id_choices") == []
    assert "x" * 501 in body


def test_four_hundred_answers_get_a_message_and_are_kept(designer: Client) -> None:
    body = answers(designer, [f"answer {at}" for at in range(400)])
    assert errors_of(body, "id_choices") == ["Give from 2 to 256 answers; there are 400."]
    assert 'value="answer 399"' in body


@pytest.mark.parametrize(("required", "most"), [(True, 256), (False, 255)])
def test_no_answer_is_one_of_the_256_of_a_wheel(designer: Client, required: bool, most: int) -> None:
    typed = {name: value for name, value in QUESTION.items() if required or name != "required"}
    rows = {"answer_en": [f"answer {at}" for at in range(most + 1)]}
    rows |= {"answer_id": [""] * (most + 1), "answer_ko": [""] * (most + 1)}
    body = refused(designer, NEW, **{**typed, "kind": "single", **rows})
    assert errors_of(body, "id_choices") == [f"Give from 2 to {most} answers; there are {most + 1}."]
    fewer = {name: values[:-1] for name, values in rows.items()}
    assert designer.post(NEW, {**typed, "kind": "single", **fewer}).status_code == 302


def test_everything_wrong_with_a_question_is_told_at_once(designer: Client) -> None:
    wrong = {"kind": "single", "text_en": "", "text_ko": "", "protocol": "coin", "epsilon": "17"}
    body = refused(designer, NEW, **{**QUESTION, **wrong, "tosses": "99", "visible_if": "all"})
    for field in ("id_text_en", "id_choices", "id_epsilon", "id_tosses", "id_visible_if"):
        assert len(errors_of(body, field)) == 1, field


def test_everything_wrong_with_a_survey_is_told_at_once(designer: Client) -> None:
    wrong = {"slug": "habits", "title_en": "t" * 201, "epsilon_ceiling": "much", "target": "many"}
    body = refused(designer, "/surveys/new", **{**SURVEY, **wrong, "closes_at": "soon", "population": "0"})
    for field in ("slug", "title_en", "epsilon_ceiling", "target", "closes_at", "population"):
        assert len(errors_of(body, f"id_{field}")) == 1, field


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            "divided by the number of boxes, 2, and that must be at least 0.01: raise ε to at least 0.02.",
        ),
        ("ko", "ε을 항목 수(2)로 나눈 값이 적용되며, 이 값은 0.01 이상이어야 합니다. ε을 0.02 이상으로"),
    ],
)
def test_an_epsilon_too_small_for_its_boxes_is_told_as_their_share(
    designer: Client, language: str, said: str
) -> None:
    designer.cookies["django_language"] = language
    every = {"kind": "multiple", "protocol": "every-box"}
    (told,) = errors_of(answers(designer, ["a", "b"], **every, epsilon="0.01"), "id_epsilon")
    assert said in told
    rows = {"answer_id": ["", ""], "answer_en": ["a", "b"], "answer_ko": ["", ""]}
    assert designer.post(NEW, {**QUESTION, **every, **rows, "epsilon": "0.02"}).status_code == 302


def test_a_closing_time_of_the_past_is_refused_beside_its_field(designer: Client) -> None:
    past = (timezone.localtime() - timedelta(minutes=2)).strftime("%Y-%m-%dT%H:%M")
    for path, typed in (("/surveys/new", SURVEY), ("/surveys/habits/edit", {**SURVEY, "slug": "habits"})):
        body = refused(designer, path, **{**typed, "closes_at": past})
        assert errors_of(body, "id_closes_at") == ["The closing time must lie in the future."]
        assert f'value="{past}"' in body


@pytest.mark.parametrize("field", ["kind", "visible_if", "protocol", "is_q1"])
def test_what_no_form_offers_is_not_repeated_at_length(designer: Client, field: str) -> None:
    body = refused(designer, NEW, **{**QUESTION, "visible_if": "all", "is_q1": "yes", field: "x" * 10_000})
    beside = "visible_if" if field == "is_q1" else field
    assert len(errors_of(body, f"id_{beside}")) == 1
    assert "x" * 41 not in body


# What hands and programs type that forms forget: other digits, huge numbers, markup, controls, half characters.
_ODD = (
    "",
    "0",
    "-1",
    "1e400",
    "nan",
    "inf",
    "9" * 400,
    "９",
    "ln(0)",
    "<script>",
    "\0",
    "\x1b",
    "\u202e",
    "x" * 5000,
)
_TEXT = st.sampled_from(_ODD) | st.text(st.characters(codec="utf-8"), max_size=12)
_MOMENT = st.sampled_from(("0001-01-01T00:00", "9999-12-31T23:59", "2026-02-30T00:00")) | st.datetimes().map(
    lambda moment: moment.strftime("%Y-%m-%dT%H:%M")
)
_KINDS, _PROTOCOLS = [*Question.Kind.values], [*Question.Protocol.values]
_ROWS = st.lists(_TEXT, max_size=4)
_QUESTIONS = st.fixed_dictionaries(
    {
        "do": st.sampled_from(("save", "rows", "plan", "refresh", "preset-agree-5", "preset-")) | _TEXT,
        "kind": st.sampled_from(_KINDS) | _TEXT,
        "text_en": _TEXT,
        "text_ko": _TEXT,
        "visible_if": st.sampled_from(("always", "all", "any")) | _TEXT,
        "protocol": st.sampled_from(_PROTOCOLS) | _TEXT,
        "epsilon": st.sampled_from(("ln(3)", "1", "16")) | _TEXT,
        "tosses": st.integers(-1, 40).map(str) | _TEXT,
        "answer_id": _ROWS,
        "answer_en": _ROWS,
        "answer_ko": _ROWS,
        "is_q1": st.lists(st.sampled_from(("yes", "no")) | _TEXT, max_size=2),
        "plan_n": _TEXT,
        "plan_prevalence": _TEXT,
        "plan_margin": _TEXT,
    },
    optional={"required": _TEXT},
)
_SURVEYS = st.fixed_dictionaries(
    {
        "slug": st.sampled_from(("other", "habits", "new")) | _TEXT,
        **dict.fromkeys(("title_en", "title_ko", "intro_en", "intro_ko"), _TEXT),
        "epsilon_ceiling": st.sampled_from(("8", "ln(27)", "0.01")) | _TEXT,
        "closes_at": _MOMENT | _TEXT,
        "target": st.integers(-1, 2**31).map(str) | _TEXT,
        "population": st.integers(-1, 2**31).map(str) | _TEXT,
    }
)
_TRIALS = st.fixed_dictionaries(
    {"n": st.integers(-1, 60).map(str) | _TEXT, "share_q1_yes": _TEXT, "share_q1_no": _TEXT}
)
_bounded = settings(
    max_examples=40,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def survives(designer: Client, path: str, typed: dict[str, Any]) -> None:
    """Send a form: whatever it says, it is taken, or shown again with what was typed."""
    answer = designer.post(path, typed)
    assert answer.status_code in {200, 302}
    if answer.status_code == 200:
        form = answer.context["form"]
        assert all(form.data.get(name) == value for name, value in typed.items() if isinstance(value, str))
    assert designer.get("/surveys/habits/publish").status_code == 200


@_bounded
@given(typed=_QUESTIONS)
@example(typed={**QUESTION, "kind": "single", "answer_id": ["", ""], "answer_en": ["a\0", "b"]})
@example(typed={**QUESTION, "do": "plan", "plan_n": "9" * 400, "plan_margin": "nan"})
def test_no_question_form_brings_the_service_down(designer: Client, typed: dict[str, Any]) -> None:
    survives(designer, NEW, typed)
    survives(designer, "/surveys/habits/questions/q1/edit", typed)
    Question.objects.exclude(name="q1").delete()


@_bounded
@given(typed=_SURVEYS)
@example(typed={**SURVEY, "closes_at": "0001-01-01T00:00"})
def test_no_survey_form_brings_the_service_down(designer: Client, typed: dict[str, Any]) -> None:
    survives(designer, "/surveys/new", typed)
    survives(designer, "/surveys/habits/edit", {**typed, "slug": "habits"})
    Survey.objects.exclude(slug="habits").delete()


@_bounded
@given(typed=_TRIALS)
def test_no_trial_form_brings_the_service_down(designer: Client, typed: dict[str, Any]) -> None:
    survives(designer, "/surveys/habits/try", typed)

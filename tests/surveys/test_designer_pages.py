"""What a designer reads before and while publishing: all of it, in both languages, and drawn as it will be."""

import html
from typing import Any

import pytest
from django.test import Client

from surveys.pages.question_form import QuestionForm
from surveys.services.publishing import draft_manifest
from tests import cast

BRANCH = {**cast.SINGLE, "visible_if": {"all": [{"question": "q1", "is": ["yes"]}]}}
INTRO = {"intro_en": "Nobody learns\nwhat you say.", "intro_ko": "무엇이라고 답했는지 아무도 모릅니다."}


@pytest.fixture
def designer(built: Any, owner: Any, client: Client) -> Client:
    """Return the owner at a desk."""
    client.force_login(owner)
    client.cookies["django_language"] = "en"
    return client


def page(designer: Client, path: str) -> str:
    return html.unescape(designer.get(path).content.decode())


def texts_of(manifest: dict[str, Any]) -> list[str]:
    """Return every text of a manifest in the order in which it is asked."""
    asked = [manifest["title"], manifest["intro"]]
    for question in manifest["questions"]:
        asked += [question["text"], *(choice["text"] for choice in question["choices"])]
    return [text[language] for text in asked for language in ("ko", "en")]


def test_everything_that_becomes_final_is_shown(designer: Client, owner: Any) -> None:
    every = (cast.YES_NO, BRANCH, cast.LIKERT, cast.MULTIPLE, cast.NOTE, cast.COIN)
    survey = cast.draft(owner, "habits", every, epsilon_ceiling="16", **INTRO)
    manifest = draft_manifest(survey, list(survey.questions.all()))
    shown = page(designer, "/surveys/habits/publish")
    assert [text for text in texts_of(manifest) if text not in shown] == []
    assert [str(q["mechanism"]["num"]) in shown for q in manifest["questions"] if "mechanism" in q] == [
        True
    ] * 5
    order = [shown.index(f'id="final-{question["id"]}"') for question in manifest["questions"]]
    assert order == sorted(order)
    condition = shown[shown.index('id="final-q2"') : shown.index('id="final-q3"')]
    assert "Shown only if all of these were answered: <b>q1</b> Yes</p>" in condition
    assert "No answer" in condition


def test_coins_are_drawn_as_coins_wherever_a_question_is(designer: Client, owner: Any) -> None:
    cast.draft(owner, questions=(cast.COIN,))
    for path in ("/surveys/habits/edit", "/surveys/habits/publish", "/surveys/habits/questions/q1/edit"):
        body = page(designer, path)
        drawing = body[body.index('<div class="coins"') :]
        assert drawing.count('class="c-own"', 0, 600) == 1 == drawing.count('class="c-other"', 0, 600), path
    assert '<svg class="wheel"' not in page(designer, "/surveys/habits/edit").split("<main", 1)[1]


def test_what_an_epsilon_means_stands_before_the_field_itself(designer: Client, owner: Any) -> None:
    cast.draft(owner)
    body = page(designer, "/surveys/habits/questions/q1/edit")
    places = [body.index(part) for part in ('data-brief="odds"', 'id="id_epsilon"', 'id="plan_n"', "</form>")]
    assert places == sorted(places)


def test_the_one_address_that_is_taken_is_named_with_its_reason(designer: Client) -> None:
    assert "Only “new” is taken." in page(designer, "/surveys/new")
    refused = designer.post("/surveys/new", {"slug": "new"}).content.decode()
    assert "“new” cannot be an address: /surveys/new is the page on which surveys are made." in refused


def test_warnings_stand_beside_what_is_typed_before_it_is_saved(designer: Client, owner: Any) -> None:
    cast.draft(owner)
    typed = {"do": "plan", "kind": "yes_no", "text_ko": "전화:", "text_en": "Fine?", "visible_if": "always"}
    answer = designer.post("/surveys/habits/questions/new", {**typed, "protocol": "spinner", "epsilon": "4"})
    assert isinstance(answer.context["form"], QuestionForm)
    body = answer.content.decode()
    assert 'id="id_text_ko_warnings"' in body
    assert 'id="id_epsilon_warnings"' in body
    assert 'id="id_text_en_warnings"' not in body


def test_warnings_are_told_while_typing(designer: Client, owner: Any) -> None:
    cast.draft(owner)
    typed: dict[str, Any] = {"kind": "single", "text_ko": "괜찮습니까?", "text_en": "Name:", "epsilon": "1"}
    typed |= {"answer_id": ["", ""], "answer_en": ["same", "same"], "answer_ko": ["하나", "둘"]}
    told = designer.post("/surveys/habits/questions/warnings", typed).json()
    assert sorted(told) == ["choices", "text_en"]
    assert "ask for a name" in told["text_en"][0]


def test_a_saved_question_is_shown_with_its_warnings(designer: Client, owner: Any) -> None:
    cast.draft(owner)
    typed = {"do": "save", "kind": "yes_no", "text_en": "E-mail:", "text_ko": "메일", "visible_if": "always"}
    typed |= {"protocol": "spinner", "epsilon": "1"}
    saved = designer.post("/surveys/habits/questions/new", typed)
    assert saved["Location"] == "/surveys/habits/edit#q2"
    card = page(designer, "/surveys/habits/edit").split('id="q2"')[1]
    assert "This seems to ask for an e-mail address." in card

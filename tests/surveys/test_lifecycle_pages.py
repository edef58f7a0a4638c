"""What an admin agreed to is what is published; copies find an address; nothing tells how many have answered."""

import itertools
import re
from typing import Any

import pytest
from django.test import Client

from surveys.errors import SettingInvalid
from surveys.models import Account, Question, Survey, Version
from surveys.services.publishing import survey_close, survey_pause, survey_publish
from surveys.services.surveys import survey_create, survey_delete, survey_duplicate, survey_update
from surveys.wire.fingerprint import words_by_language
from tests import cast

pytestmark = pytest.mark.usefixtures("built")


@pytest.fixture
def designer(owner: Any, client: Client) -> Client:
    """Return the owner at a desk."""
    client.force_login(owner)
    client.cookies["django_language"] = "en"
    return client


def agreed(designer: Client, slug: str = "habits") -> dict[str, str]:
    """Return what the form of the publish page sends."""
    body = designer.get(f"/surveys/{slug}/publish").content.decode()
    found = re.search(r'name="fingerprint" value="([0-9a-f]{64})"', body)
    assert found is not None
    return {"fingerprint": found[1]}


def test_what_was_shown_is_published(designer: Client, owner: Any) -> None:
    cast.draft(owner)
    shown = agreed(designer)
    assert designer.post("/surveys/habits/publish", shown).status_code == 302
    assert Version.objects.get().fingerprint == shown["fingerprint"]


def test_what_changed_after_it_was_shown_is_asked_again(designer: Client, owner: Any) -> None:
    survey = cast.draft(owner)
    shown = agreed(designer)
    Question.objects.filter(survey=survey).update(epsilon="2")
    answer = designer.post("/surveys/habits/publish", shown)
    assert answer.status_code == 422
    assert "changed after this page was shown" in answer.content.decode()
    assert Version.objects.count() == 0
    assert Survey.objects.get().state == "draft"
    # Looked at again, it is published.
    assert designer.post("/surveys/habits/publish", agreed(designer)).status_code == 302


def test_a_warning_about_both_languages_is_told_once_before_publishing(designer: Client, owner: Any) -> None:
    cast.draft(owner, questions=[{**cast.YES_NO, "text_en": "Your name?", "text_ko": "이름:"}])
    assert designer.get("/surveys/habits/publish").content.decode().count("ask for a name") == 1


def test_publishing_what_nobody_was_shown_is_refused(designer: Client, owner: Any) -> None:
    cast.draft(owner)
    assert designer.post("/surveys/habits/publish").status_code == 422
    assert Version.objects.count() == 0


def test_a_copy_does_not_want_the_address_of_a_deleted_survey(designer: Client, owner: Any) -> None:
    original = cast.draft(owner, target=500)
    copy = survey_duplicate(actor=owner, survey=original, slug="habits-2")
    survey_publish(actor=owner, survey=copy)
    survey_close(actor=owner, survey=copy)
    survey_delete(actor=owner, survey=copy)
    answer = designer.post("/surveys/habits/duplicate")
    assert answer.headers["Location"] == "/surveys/habits-3/edit"


def test_a_copy_of_an_address_full_of_hyphens_finds_one_of_its_own(designer: Client, owner: Any) -> None:
    slug = f"{'a' * 45}{'-' * 9}b"
    cast.draft(owner, slug)
    copies = [designer.post(f"/surveys/{slug}/duplicate").headers["Location"] for _ in range(2)]
    assert copies == [f"/surveys/{'a' * 45}-{number}/edit" for number in (2, 3)]


def taken_before_asking(monkeypatch: pytest.MonkeyPatch, owner: Any, times: int) -> None:
    """Let somebody else take the address that was found free, this many times."""
    asked = itertools.count(1)

    def slower(*, actor: Any, survey: Survey, slug: str) -> Survey:
        if next(asked) <= times:
            survey_create(actor=owner, slug=slug)
        return survey_duplicate(actor=actor, survey=survey, slug=slug)

    monkeypatch.setattr("surveys.pages.lifecycle.survey_duplicate", slower)


@pytest.mark.parametrize(
    ("times", "shown", "said"), [(1, "habits-3", "copy"), (2, "habits", "has this address")]
)
def test_copying_goes_on_or_says_why_when_somebody_else_was_quicker(
    designer: Client, owner: Any, monkeypatch: pytest.MonkeyPatch, times: int, shown: str, said: str
) -> None:
    cast.draft(owner)
    taken_before_asking(monkeypatch, owner, times)
    answer = designer.post("/surveys/habits/duplicate", follow=True)
    assert answer.redirect_chain == [(f"/surveys/{shown}/edit", 302)]
    assert said in str(next(iter(answer.context["messages"])))


def test_the_preview_of_an_unchanged_survey_shows_its_words(designer: Client, version: Version) -> None:
    manifest = designer.get("/surveys/habits/preview/manifest/").json()
    assert manifest["fingerprint"] == version.fingerprint


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_words_are_shown_and_handed_out_in_both_languages(
    designer: Client, owner: Any, version: Version, language: str
) -> None:
    survey_pause(actor=owner, survey=version.survey)
    designer.cookies["django_language"] = language
    named = {"ko": "한국어", "en": "English"}
    for path in ("share", "edit", "publish"):
        body = designer.get(f"/surveys/habits/{path}").content.decode()
        for spoken, words in words_by_language(version.fingerprint).items():
            assert all(f"<li>{word}</li>" in body for word in words)
            assert f'<p class="small soft" lang="{spoken}">{named[spoken]}</p>' in body
    invitation = designer.get("/surveys/habits/share").content.decode().split("<textarea", 1)[1]
    for spoken, words in words_by_language(version.fingerprint).items():
        assert f"\n{named[spoken]}: {' · '.join(words)}" in invitation


def reopened(owner: Any, version: Version, target: int | None) -> None:
    survey = version.survey
    survey.refresh_from_db()
    survey_pause(actor=owner, survey=survey)
    survey_update(actor=owner, survey=survey, target=target)
    survey_publish(actor=owner, survey=survey)


def test_a_published_target_cannot_be_lowered_to_feel_for_the_count(owner: Any) -> None:
    version = cast.published(owner, target=1000)
    reopened(owner, version, 2000)
    with pytest.raises(SettingInvalid) as refused:
        reopened(owner, version, 1999)
    assert [one.code for one in refused.value.findings] == ["target-lowered"]


def test_a_raised_target_cannot_be_lowered_again_before_it_is_published(owner: Any) -> None:
    survey = cast.published(owner, target=1000).survey
    survey_pause(actor=owner, survey=survey)
    survey_update(actor=owner, survey=survey, target=2000)
    # Late reports count while the survey is paused: each step down would tell that fewer have answered.
    with pytest.raises(SettingInvalid):
        survey_update(actor=owner, survey=survey, target=1500)
    survey_update(actor=owner, survey=survey, target=None)
    with pytest.raises(SettingInvalid):
        survey_update(actor=owner, survey=survey, target=1500)


def test_the_target_of_a_draft_moves_freely(owner: Any) -> None:
    survey = cast.draft(owner)
    for target in (2000, 1000, 3000):
        survey_update(actor=owner, survey=survey, target=target)
    survey.refresh_from_db()
    assert survey.target == 3000


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "can only rise or be taken away"), ("ko", "늘리거나 없앨 수만 있습니다")],
)
def test_a_lowered_target_is_refused_beside_its_field(
    designer: Client, owner: Any, language: str, said: str
) -> None:
    survey = cast.published(owner, target=1000).survey
    survey_pause(actor=owner, survey=survey)
    designer.cookies["django_language"] = language
    page = designer.get("/surveys/habits/edit")
    kept = page.context["form"].initial
    form = {name: value for name, value in kept.items() if isinstance(value, str | int)}
    answer = designer.post("/surveys/habits/edit", {**form, "target": "999"})
    assert said in str(answer.context["form"].errors["target"])
    survey.refresh_from_db()
    assert survey.target == 1000


def test_a_target_cannot_be_set_after_a_version_without_one(owner: Any) -> None:
    version = cast.published(owner, target=1000)
    reopened(owner, version, None)
    with pytest.raises(SettingInvalid):
        reopened(owner, version, 5000)


def test_a_token_waits_for_the_password_to_be_replaced(researcher: Any) -> None:
    text = cast.token(researcher)
    asked = {"path": "/api/v1/plan/?epsilon=1", "HTTP_AUTHORIZATION": f"Token {text}"}
    before = Client().get(**asked).status_code
    Account.objects.update_or_create(user=researcher, defaults={"must_change_password": True})
    assert (before, Client().get(**asked).status_code) == (200, 401)

"""An owner's draft becomes a version that never changes; closing is final."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from surveys.errors import NotAllowed, PublishRefused, SettingInvalid, StateForbids, SurveyClosed
from surveys.findings import message_of
from surveys.models import Survey, Version
from surveys.services.publishing import manifest_of, survey_close, survey_pause, survey_publish
from surveys.services.questions import question_add, question_move, question_update
from surveys.services.surveys import survey_update
from surveys.signals import survey_closed
from surveys.wire.fingerprint import canonical, fingerprint_of
from tests import cast


def codes(survey: Survey, owner: Any) -> set[str]:
    with pytest.raises(PublishRefused) as caught:
        survey_publish(actor=owner, survey=survey)
    return {finding.code for finding in caught.value.findings}


def test_a_published_survey_is_open_with_its_first_version(owner: Any, draft: Survey) -> None:
    version = survey_publish(actor=owner, survey=draft)
    assert Survey.objects.get().state == "open"
    assert version.number == 1
    assert version.fingerprint == fingerprint_of(manifest_of(version))


def test_the_kept_manifest_is_canonical(version: Version) -> None:
    assert version.manifest.encode() == canonical(manifest_of(version))


def test_a_manifest_holds_integers_and_the_published_epsilon(owner: Any) -> None:
    questions = [cast.YES_NO, cast.SINGLE, cast.LIKERT, cast.MULTIPLE, cast.NOTE, cast.COIN]
    manifest = manifest_of(cast.published(owner, questions=questions))
    mechanisms = [q.get("mechanism") for q in manifest["questions"]]
    assert [m and m["name"] for m in mechanisms] == [
        "spinner",
        "spinner",
        "spinner-coin",
        "one-box",
        None,
        "coin",
    ]
    assert mechanisms[0]["choices"] == 3  # yes, no and no answer
    assert mechanisms[5] == {"name": "coin", "choices": 2, "tosses": 1, "num": 1}
    assert manifest["questions"][5]["epsilon"] == "1.0987"
    assert manifest["questions"][5]["epsilon_asked"] == "ln(3)"
    assert "epsilon" not in manifest["questions"][4]


def test_of_two_publications_one_is_refused(owner: Any, draft: Survey) -> None:
    survey_publish(actor=owner, survey=draft)
    with pytest.raises(StateForbids):
        survey_publish(actor=owner, survey=draft)


def test_a_survey_that_breaks_a_rule_stays_a_draft(owner: Any) -> None:
    survey = cast.draft(owner, questions=[], closes_at=None)
    assert codes(survey, owner) == {"closing-missing", "nothing-asked"}
    assert Survey.objects.get().state == "draft"
    assert not Version.objects.exists()


def test_a_closing_time_of_the_past_is_refused(owner: Any) -> None:
    survey = cast.draft(owner, closes_at=timezone.now() - timedelta(seconds=1))
    assert codes(survey, owner) == {"closing-past"}


def test_a_target_alone_is_a_closing_rule(owner: Any) -> None:
    assert cast.published(owner, closes_at=None, target=500).number == 1


def test_a_condition_that_came_to_look_ahead_is_found(owner: Any, draft: Survey) -> None:
    condition = {"any": [{"question": "q1", "is": ["yes"]}]}
    later = question_add(actor=owner, survey=draft, **{**cast.SINGLE, "visible_if": condition})
    question_move(actor=owner, question=later, position=0)
    assert codes(draft, owner) == {"condition-not-earlier"}


def test_the_ceiling_is_kept(owner: Any) -> None:
    survey = cast.draft(owner, questions=[cast.YES_NO, cast.YES_NO], epsilon_ceiling="2.1")
    assert codes(survey, owner) == {"epsilon-total"}


def test_a_paused_survey_is_resumed_with_the_same_version(owner: Any, version: Version) -> None:
    survey_pause(actor=owner, survey=version.survey)
    assert survey_publish(actor=owner, survey=version.survey) == version


def test_a_changed_draft_becomes_the_next_version(owner: Any, version: Version) -> None:
    survey_pause(actor=owner, survey=version.survey)
    question_update(actor=owner, question=version.survey.questions.get(), text_en="Have you ever lied?")
    second = survey_publish(actor=owner, survey=version.survey)
    assert second.number == 2
    assert Version.objects.get(number=1).manifest == version.manifest


def test_an_open_survey_cannot_be_edited(owner: Any, version: Version) -> None:
    with pytest.raises(StateForbids):
        survey_update(actor=owner, survey=version.survey, title_en="Other")
    with pytest.raises(StateForbids):
        question_add(actor=owner, survey=version.survey, **cast.YES_NO)


def test_closing_is_final(owner: Any, version: Version) -> None:
    survey_close(actor=owner, survey=version.survey)
    for act in (survey_publish, survey_pause, survey_close):
        with pytest.raises(SurveyClosed):
            act(actor=owner, survey=version.survey)


def test_closing_wakes_up_the_workers_after_commit(
    owner: Any, version: Version, django_capture_on_commit_callbacks: Any
) -> None:
    heard: list[int] = []

    def listen(survey_id: int, **_: Any) -> None:
        heard.append(survey_id)

    survey_closed.connect(listen)
    with django_capture_on_commit_callbacks() as waiting:
        survey_close(actor=owner, survey=version.survey)
    assert heard == []
    waiting[0]()
    assert heard == [version.survey_id]


def test_only_an_admin_publishes(draft: Survey, researcher: Any, auditor: Any, stranger: Any) -> None:
    for somebody in (researcher, auditor, stranger):
        with pytest.raises(NotAllowed):
            survey_publish(actor=somebody, survey=draft)


def test_three_questions_at_ln_3_fit_under_ln_27(owner: Any) -> None:
    three = [{**cast.YES_NO, "epsilon": "ln(3)"}] * 3
    survey_publish(actor=owner, survey=cast.draft(owner, "exact", three, epsilon_ceiling="ln(27)"))
    for slug, ceiling in (("less", "ln(26)"), ("decimal", "3.2958")):
        with pytest.raises(PublishRefused) as refusal:
            survey_publish(actor=owner, survey=cast.draft(owner, slug, three, epsilon_ceiling=ceiling))
        assert [finding.code for finding in refusal.value.findings] == ["epsilon-total"]
    total = refusal.value.findings[0].facts()["total"]
    assert f"at least {total}" in message_of(refusal.value.findings[0])
    # What the message says to type is enough.
    survey_publish(actor=owner, survey=cast.draft(owner, "told", three, epsilon_ceiling=total))


def test_every_box_counts_against_an_exact_ceiling(owner: Any) -> None:
    boxes = {**cast.MULTIPLE, "protocol": "every-box", "epsilon": "ln(27)"}
    survey_publish(actor=owner, survey=cast.draft(owner, "whole", [boxes], epsilon_ceiling="ln(27)"))
    with pytest.raises(PublishRefused):
        survey_publish(actor=owner, survey=cast.draft(owner, "less", [boxes], epsilon_ceiling="ln(26)"))


def test_a_ceiling_goes_up_to_what_a_device_takes(owner: Any) -> None:
    cast.draft(owner, "most", epsilon_ceiling="64")
    cast.draft(owner, "power", epsilon_ceiling="ln(10460353203)")
    for ceiling in ("64.0001", "0.009", "ln(1)"):
        with pytest.raises(SettingInvalid) as refusal:
            cast.draft(owner, "more", epsilon_ceiling=ceiling)
        assert [finding.code for finding in refusal.value.findings] == ["ceiling-out-of-range"]


def test_the_page_says_that_an_unchanged_survey_is_resumed(client: Any, owner: Any) -> None:
    survey = cast.published(owner).survey
    survey_pause(actor=owner, survey=survey)
    client.force_login(owner)
    text = client.get("/surveys/habits/publish").content.decode()
    assert "Resume version 1" in text
    assert "version 2" not in text
    assert "withheld for ever" not in text
    # Changed, it becomes a version of its own, and that may cost results.
    question_update(actor=owner, question=survey.questions.get(), text_en="Have you cheated?")
    text = client.get("/surveys/habits/publish").content.decode()
    assert "Publish version 2 and open" in text
    assert "with fewer than 50 answers are withheld for ever" in text

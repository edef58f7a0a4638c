"""An owner configures surveys and questions; what cannot be kept is refused by field."""

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone
from django.utils.translation import override

from surveys import findings
from surveys.errors import DeniableError, Finding, NotAllowed, QuestionUnknown, SettingInvalid, StateForbids
from surveys.models import Grant, Question, Report, Survey, Version
from surveys.services.publishing import survey_close, survey_pause, survey_publish
from surveys.services.questions import (
    question_add,
    question_delete,
    question_duplicate,
    question_move,
    question_update,
)
from surveys.services.surveys import (
    grant_add,
    grant_remove,
    survey_create,
    survey_delete,
    survey_duplicate,
    survey_update,
)
from tests import cast

LATER = {"any": [{"question": "q1", "is": ["yes"]}]}


def found(act: Any, **values: Any) -> list[tuple[str, str]]:
    with pytest.raises(SettingInvalid) as caught:
        act(**values)
    assert all(findings.message_of(finding) for finding in caught.value.findings)
    return [(finding.field, finding.code) for finding in caught.value.findings]


def names(survey: Survey) -> list[str]:
    return list(survey.questions.values_list("name", flat=True))


@pytest.mark.parametrize(
    ("slug", "code"),
    [
        ("", "slug-malformed"),
        ("Habits", "slug-malformed"),
        ("-habits", "slug-malformed"),
        ("ha_bits", "slug-malformed"),
        ("습관", "slug-malformed"),
        ("h" * 61, "slug-malformed"),
        ("new", "slug-reserved"),
    ],
)
def test_an_address_that_cannot_be_is_refused(owner: Any, slug: str, code: str) -> None:
    assert found(survey_create, actor=owner, slug=slug) == [("slug", code)]


def test_an_address_is_given_once(owner: Any, draft: Survey) -> None:
    assert found(survey_create, actor=owner, slug="habits") == [("slug", "slug-taken")]
    other = survey_create(actor=owner, slug="other")
    assert found(survey_update, actor=owner, survey=other, slug="habits") == [("slug", "slug-taken")]


def test_every_wrong_field_is_named_at_once(owner: Any) -> None:
    wrong = {"epsilon_ceiling": "much", "target": 0, "title_en": "x" * 201}
    assert found(survey_create, actor=owner, slug="habits", **wrong) == [
        ("title_en", "too-long"),
        ("epsilon_ceiling", "epsilon-malformed"),
        ("target", "number-invalid"),
    ]


def test_the_address_of_a_published_survey_stays(owner: Any, version: Version) -> None:
    survey_pause(actor=owner, survey=version.survey)
    assert found(survey_update, actor=owner, survey=version.survey, slug="other") == [("slug", "slug-fixed")]


def test_the_address_of_a_deleted_survey_is_never_used_again(owner: Any, version: Version) -> None:
    slug = version.survey.slug
    survey_close(actor=owner, survey=version.survey)
    survey_delete(actor=owner, survey=version.survey)
    other = survey_create(actor=owner, slug="other")
    assert found(survey_create, actor=owner, slug=slug) == [("slug", "slug-retired")]
    assert found(survey_update, actor=owner, survey=other, slug=slug) == [("slug", "slug-retired")]
    assert found(survey_duplicate, actor=owner, survey=other, slug=slug) == [("slug", "slug-retired")]
    assert list(Survey.objects.values_list("slug", flat=True)) == ["other"]


def test_the_address_of_a_draft_that_was_deleted_is_free(owner: Any, draft: Survey) -> None:
    survey_delete(actor=owner, survey=draft)
    assert survey_create(actor=owner, slug=draft.slug).slug == draft.slug


def test_a_paused_survey_is_not_closed_by_a_slip(owner: Any, version: Version) -> None:
    survey_pause(actor=owner, survey=version.survey)
    past = {"closes_at": timezone.now() - timedelta(minutes=1)}
    assert found(survey_update, actor=owner, survey=version.survey, **past) == [("closes_at", "closing-past")]


@pytest.mark.parametrize(
    ("question", "field", "code"),
    [
        ({"text_en": "", "text_ko": " "}, "text_en", "text-missing"),
        ({"kind": "essay"}, "kind", "kind-unknown"),
        ({"epsilon": "0"}, "epsilon", "epsilon-out-of-range"),
        ({"epsilon": "17"}, "epsilon", "epsilon-out-of-range"),
        ({"epsilon": "ln(3"}, "epsilon", "epsilon-malformed"),
        ({"epsilon": ""}, "epsilon", "epsilon-malformed"),
        ({"protocol": "dice"}, "protocol", "protocol-unknown"),
        ({"protocol": "one-box"}, "protocol", "protocol-misfit"),
        ({"protocol": "coin"}, "tosses", "tosses-needed"),
        ({"protocol": "coin", "tosses": 40}, "tosses", "tosses-needed"),
        ({"protocol": "coin", "tosses": 2, "epsilon": "0.01"}, "tosses", "tosses-too-few"),
        ({"kind": "single"}, "choices", "choices-count"),
        ({"kind": "single", "choices": cast.choices("one")}, "choices", "choices-count"),
        ({"kind": "single", "choices": "a, b"}, "choices", "choices-malformed"),
        ({"kind": "single", "choices": [{"id": "a"}, {"id": "b"}]}, "choices", "choices-malformed"),
        ({"kind": "single", "choices": cast.choices("", " ")[:1] * 2}, "choices", "choice-id-repeated"),
        ({"kind": "multiple", "choices": cast.choices("a", "b")}, "protocol", "protocol-misfit"),
        ({"visible_if": {"some": []}}, "visible_if", "condition-malformed"),
        ({"visible_if": {"any": []}}, "visible_if", "condition-empty"),
        ({"visible_if": LATER}, "visible_if", "condition-not-earlier"),
    ],
)
def test_one_wrong_setting_of_a_question_is_named(owner: Any, question: Any, field: str, code: str) -> None:
    survey = survey_create(actor=owner, slug="habits")
    values = {**cast.YES_NO, **question}
    assert (field, code) in found(question_add, actor=owner, survey=survey, **values)
    assert not survey.questions.exists()


def test_a_condition_names_an_answer_that_exists(owner: Any, draft: Survey) -> None:
    condition = {"all": [{"question": "q1", "is": ["maybe"]}]}
    values = {**cast.SINGLE, "visible_if": condition}
    assert found(question_add, actor=owner, survey=draft, **values) == [("visible_if", "condition-no-choice")]


def test_what_means_no_answer_is_no_answer_of_ones_own(owner: Any, draft: Survey) -> None:
    choices = [{"id": "no-answer", "text": {"en": "none"}}, {"id": "b", "text": {"en": "b"}}]
    values = {**cast.SINGLE, "choices": choices}
    assert found(question_add, actor=owner, survey=draft, **values) == [("choices", "choice-id-malformed")]


def test_questions_keep_their_order(owner: Any) -> None:
    survey = cast.draft(owner, questions=[cast.YES_NO, cast.SINGLE, cast.LIKERT])
    assert names(survey) == ["q1", "q2", "q3"]
    question_move(actor=owner, question=survey.questions.get(name="q3"), position=0)
    assert names(survey) == ["q3", "q1", "q2"]
    question_duplicate(actor=owner, question=survey.questions.get(name="q1"))
    assert names(survey) == ["q3", "q1", "q4", "q2"]
    question_delete(actor=owner, question=survey.questions.get(name="q1"))
    assert names(survey) == ["q3", "q4", "q2"]
    assert list(survey.questions.values_list("position", flat=True)) == [0, 1, 2]


def test_an_id_of_a_published_version_is_never_used_again(owner: Any, version: Version) -> None:
    survey_pause(actor=owner, survey=version.survey)
    question_delete(actor=owner, question=version.survey.questions.get())
    assert question_add(actor=owner, survey=version.survey, **cast.SINGLE).name == "q2"


def test_a_question_deleted_in_another_window_is_unknown(owner: Any, draft: Survey) -> None:
    question = draft.questions.get()
    Question.objects.all().delete()
    with pytest.raises(QuestionUnknown):
        question_update(actor=owner, question=question, text_en="Other?")


def test_a_copy_is_a_draft_with_the_same_questions(owner: Any, version: Version) -> None:
    copy = survey_duplicate(actor=owner, survey=version.survey, slug="habits-2")
    assert (copy.state, copy.title_ko, names(copy)) == ("draft", "습관", ["q1"])
    assert not copy.versions.exists()


def test_an_open_survey_is_closed_before_it_is_deleted(owner: Any, version: Version) -> None:
    with pytest.raises(StateForbids):
        survey_delete(actor=owner, survey=version.survey)
    survey_pause(actor=owner, survey=version.survey)
    with pytest.raises(StateForbids):
        survey_delete(actor=owner, survey=version.survey)


def test_deleting_a_closed_survey_leaves_nothing_of_it(owner: Any, version: Version) -> None:
    Report.objects.create(version=version, packed=b"\0")
    survey_close(actor=owner, survey=version.survey)
    survey_delete(actor=owner, survey=version.survey)
    assert not any(table.objects.exists() for table in (Survey, Question, Version, Report))


def test_a_grant_is_given_once_and_taken_back(owner: Any, researcher: Any, draft: Survey) -> None:
    for _ in range(2):
        grant_add(actor=owner, survey=draft, researcher=researcher)
    assert Grant.objects.count() == 1
    grant_remove(actor=owner, survey=draft, researcher=researcher)
    assert not Grant.objects.exists()


def test_nobody_but_an_admin_configures(draft: Survey, researcher: Any, auditor: Any, stranger: Any) -> None:
    question = draft.questions.get()
    for person in (researcher, auditor, stranger):
        acts = [
            lambda p=person: survey_create(actor=p, slug="other"),
            lambda p=person: survey_update(actor=p, survey=draft, title_en="Other"),
            lambda p=person: survey_duplicate(actor=p, survey=draft, slug="other"),
            lambda p=person: survey_delete(actor=p, survey=draft),
            lambda p=person: survey_pause(actor=p, survey=draft),
            lambda p=person: survey_close(actor=p, survey=draft),
            lambda p=person: grant_add(actor=p, survey=draft, researcher=p),
            lambda p=person: grant_remove(actor=p, survey=draft, researcher=p),
            lambda p=person: question_add(actor=p, survey=draft, **cast.YES_NO),
            lambda p=person: question_update(actor=p, question=question, text_en="Other?"),
            lambda p=person: question_duplicate(actor=p, question=question),
            lambda p=person: question_move(actor=p, question=question, position=0),
            lambda p=person: question_delete(actor=p, question=question),
        ]
        for act in acts:
            with pytest.raises(NotAllowed):
                act()


@pytest.mark.django_db(transaction=True)
def test_of_racing_publications_one_wins() -> None:
    """Six threads publish one draft on the real database: one version, five refusals."""
    owner = cast.person("racer", "admin")
    survey = cast.draft(owner, closes_at=timezone.now() + timedelta(days=1))
    outcomes: list[str] = []
    start = threading.Barrier(6)

    def work() -> None:
        try:
            start.wait()
            survey_publish(actor=owner, survey=Survey.objects.get(pk=survey.pk))
            outcomes.append("won")
        except DeniableError as error:
            outcomes.append(type(error).__name__)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["StateForbids"] * 5 + ["won"]
    assert Version.objects.count() == 1


def test_every_finding_has_a_message() -> None:
    import re
    from pathlib import Path

    sources = Path(findings.__file__).parent.rglob("*.py")
    used = {code for file in sources for code in re.findall(r'Finding\(\s*"([a-z-]+)"', file.read_text())}
    assert used - set(findings.MESSAGES) == set()
    assert len(used) > 25


def test_messages_are_filled_with_facts() -> None:
    finding = Finding("choices-count", "choices", params=(("least", 2), ("most", 64), ("count", 1)))
    with override("en"):
        assert findings.message_of(finding) == "Give from 2 to 64 answers; there are 1."

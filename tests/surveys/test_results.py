"""A closed survey's documents: what is shown of each version, what of all together, and what of neither."""

import json
from typing import Any

import pytest

from privacy.mechanisms.catalogue import mechanism_from
from surveys.services.publishing import manifest_of, survey_pause, survey_publish
from surveys.services.questions import question_add, question_update
from surveys.services.results import WITHHELD, VersionTally, results_documents
from tests import cast

QUESTIONS = [cast.YES_NO, cast.SINGLE, cast.LIKERT, cast.MULTIPLE, cast.NOTE, cast.COIN]


def tally(manifest: dict[str, Any], n: int) -> VersionTally:
    """Count n reports that fall as evenly as they can."""
    counts = {}
    for question in manifest["questions"]:
        if "mechanism" in question:
            mechanism = mechanism_from(question["mechanism"])
            per = n if mechanism.manifest()["name"] != "every-box" else n * mechanism.boxes
            cells = mechanism.cells
            counts[question["id"]] = [per // cells + (at < per % cells) for at in range(cells)]
    return VersionTally(manifest, n, counts)


@pytest.fixture
def manifest(owner: Any) -> dict[str, Any]:
    return manifest_of(cast.published(owner, questions=QUESTIONS))


@pytest.fixture
def two(owner: Any) -> list[dict[str, Any]]:
    """Return the manifests of two versions that share one question and differ in the other."""
    first = cast.published(owner, questions=[cast.YES_NO, cast.SINGLE])
    survey = first.survey
    survey_pause(actor=owner, survey=survey)
    question_update(actor=owner, question=survey.questions.get(name="q2"), text_en="How very often?")
    question_update(actor=owner, question=survey.questions.get(name="q1"), epsilon="2")
    return [manifest_of(first), manifest_of(survey_publish(actor=owner, survey=survey))]


def test_every_question_but_a_note_has_its_results(manifest: dict[str, Any]) -> None:
    document = results_documents([tally(manifest, 120)], minimum=50)[1]
    assert [question["id"] for question in document["questions"]] == ["q1", "q2", "q3", "q4", "q6"]
    assert [len(question["parts"]) for question in document["questions"]] == [1, 1, 1, 3, 1]


def test_answers_are_labelled_in_both_languages(manifest: dict[str, Any]) -> None:
    document = results_documents([tally(manifest, 120)], minimum=50)[1]
    single, multiple = document["questions"][1], document["questions"][3]
    assert [answer["id"] for answer in single["parts"][0]["answers"]] == ["a", "b", "c", "no-answer"]
    assert [answer["id"] for answer in single["parts"][0]["among_asked"] or []] in ([], ["a", "b", "c"])
    assert [part["box"]["text"]["en"] for part in multiple["parts"]] == ["maths", "English", "science"]
    assert [answer["id"] for answer in multiple["parts"][0]["answers"]] == [
        "ticked",
        "not-ticked",
        "no-answer",
    ]


def test_a_document_is_plain_json(manifest: dict[str, Any]) -> None:
    documents = results_documents([tally(manifest, 120)], minimum=50)
    assert json.loads(json.dumps(documents[1], allow_nan=False)) == documents[1]


def test_fewer_than_the_minimum_are_withheld(manifest: dict[str, Any]) -> None:
    assert results_documents([tally(manifest, 49)], minimum=50) == {None: WITHHELD, 1: WITHHELD}


def test_questions_asked_alike_are_pooled_and_others_are_not(two: list[dict[str, Any]]) -> None:
    pooled = results_documents([tally(two[0], 100), tally(two[1], 80)], minimum=50)[None]
    versions = [(question["id"], question["versions"]) for question in pooled["questions"]]
    assert versions == [("q1", [1, 2]), ("q2", [1]), ("q2", [2])]
    assert pooled["questions"][0]["mechanism"] is None  # two sets of integers
    assert pooled["questions"][0]["epsilon"] == two[1]["questions"][0]["epsilon"]


def test_the_answers_to_a_small_version_cannot_be_found_by_difference(two: list[dict[str, Any]]) -> None:
    documents = results_documents([tally(two[0], 71), tally(two[1], 49)], minimum=50)
    assert documents[1] == documents[2] == WITHHELD
    assert [question["versions"] for question in documents[None]["questions"]] == [[1, 2]]
    assert "49" not in json.dumps({**documents[None], "questions": []})
    assert '"n": 71' not in json.dumps(documents)


def test_a_population_smaller_than_the_answers_narrows_nothing(manifest: dict[str, Any]) -> None:
    wide = results_documents([tally(manifest, 120)], minimum=50)[1]
    assert (
        results_documents([tally(manifest, 120)], minimum=50, population=100)[1]["questions"]
        == wide["questions"]
    )


def test_a_question_of_a_later_version_has_results_there_only(owner: Any, draft: Any) -> None:
    first = survey_publish(actor=owner, survey=draft)
    survey_pause(actor=owner, survey=draft)
    question_add(actor=owner, survey=draft, **cast.SINGLE)
    second = survey_publish(actor=owner, survey=draft)
    documents = results_documents([tally(manifest_of(v), 60) for v in (first, second)], minimum=50)
    assert [len(documents[key]["questions"]) for key in (1, 2)] == [1, 2]

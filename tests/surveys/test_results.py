"""A closed survey's documents: what is shown of each version, what of all together, and what of neither."""

import json
from typing import Any

import pytest

from privacy.mechanisms.catalogue import mechanism_from
from surveys.services.publishing import manifest_of, survey_pause, survey_publish
from surveys.services.questions import question_add, question_update
from surveys.services.results import VersionTally, results_documents
from tests import cast

TOO_FEW, ANOTHER = {"withheld": "too-few"}, {"withheld": "another-version"}
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


@pytest.fixture
def apart(owner: Any) -> list[dict[str, Any]]:
    """Return the manifests of two versions, closing at 120 answers, that share no question."""
    first = cast.published(owner, questions=[cast.YES_NO], target=120)
    survey = first.survey
    survey_pause(actor=owner, survey=survey)
    question_update(actor=owner, question=survey.questions.get(name="q1"), text_en="Did you ever?")
    return [manifest_of(first), manifest_of(survey_publish(actor=owner, survey=survey))]


def test_every_question_but_a_note_has_its_results(manifest: dict[str, Any]) -> None:
    document = results_documents([tally(manifest, 120)], minimum=50)[1]
    assert [question["id"] for question in document["questions"]] == ["q1", "q2", "q3", "q4", "q6"]
    assert [len(question["parts"]) for question in document["questions"]] == [1, 1, 1, 3, 1]


def test_answers_are_labelled_in_both_languages(manifest: dict[str, Any]) -> None:
    document = results_documents([tally(manifest, 240)], minimum=50)[1]
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
    assert results_documents([tally(manifest, 49)], minimum=50) == {None: TOO_FEW, 1: TOO_FEW}


def test_questions_asked_alike_are_pooled_and_others_are_not(two: list[dict[str, Any]]) -> None:
    pooled = results_documents([tally(two[0], 100), tally(two[1], 80)], minimum=50)[None]
    versions = [(question["id"], question["versions"]) for question in pooled["questions"]]
    # What one version alone asks stands in the document of that version.
    assert versions == [("q1", [1, 2])]
    assert pooled["questions"][0]["mechanism"] is None  # two sets of integers
    assert pooled["questions"][0]["epsilon"] == two[1]["questions"][0]["epsilon"]


def test_the_answers_to_a_small_version_cannot_be_found_by_difference(two: list[dict[str, Any]]) -> None:
    documents = results_documents([tally(two[0], 71), tally(two[1], 49)], minimum=50)
    # Two questions of 71 people are more than one of 120.
    assert (documents[None], documents[2]) == (ANOTHER, TOO_FEW)
    assert documents[1]["n"] == 71
    assert "120" not in json.dumps(documents)
    assert "49" not in json.dumps([documents[None], documents[2]])


def test_versions_asked_alike_are_joined_where_one_is_small(owner: Any) -> None:
    first = cast.published(owner, questions=[cast.YES_NO])
    survey_pause(actor=owner, survey=first.survey)
    question_update(actor=owner, question=first.survey.questions.get(), epsilon="2")
    second = survey_publish(actor=owner, survey=first.survey)
    documents = results_documents([tally(manifest_of(first), 71), tally(manifest_of(second), 49)], minimum=50)
    assert (documents[1], documents[2]) == (ANOTHER, TOO_FEW)
    assert documents[None]["n"] == 120
    assert '"n": 71' not in json.dumps(documents)


def test_the_number_of_all_is_told_only_where_a_question_stands_for_all(owner: Any) -> None:
    first = cast.published(owner, questions=[cast.YES_NO, cast.SINGLE])
    survey, manifests = first.survey, [manifest_of(first)]
    for text in ("Often?", "Rarely?"):
        survey_pause(actor=owner, survey=survey)
        question_update(actor=owner, question=survey.questions.get(name="q1"), text_en=text)
        manifests.append(manifest_of(survey_publish(actor=owner, survey=survey)))
    counted = [tally(manifest, n) for manifest, n in zip(manifests, (90, 80, 70), strict=True)]
    assert results_documents(counted, minimum=50)[None]["n"] == 240
    # The last version asks the other question differently as well: nothing stands for all three.
    counted[2].manifest["questions"][1]["text"]["en"] = "How seldom?"
    pooled = results_documents(counted, minimum=50, pool=50)[None]
    assert pooled["n"] is None
    assert [question["n"] for question in pooled["questions"]] == [170]
    assert "perhaps-one-batch" in pooled["notes"]


def one_box(owner: Any, per_box: list[int]) -> dict[int | None, Any]:
    """Return the results of one question with so many reports about each box."""
    boxes = {**cast.MULTIPLE, "choices": cast.choices(*map(str, range(len(per_box))))}
    manifest = manifest_of(cast.published(owner, questions=[boxes]))
    counts = [count for n in per_box for count in (n // 3, n // 3, n - n // 3 * 2)]
    return results_documents([VersionTally(manifest, sum(per_box), {"q1": counts})], minimum=50)


def test_boxes_that_few_drew_are_withheld_with_their_numbers(owner: Any) -> None:
    parts = one_box(owner, [7, 8, 9, 5, 6, 7, 9, 9])[1]["questions"][0]["parts"]
    assert [part["withheld"] for part in parts] == [True] * 8
    assert [(part["n"], part["answers"], part["notes"]) for part in parts] == [
        (None, [], ["box-withheld"])
    ] * 8


def test_a_box_that_would_follow_by_subtraction_is_withheld_with_a_second(owner: Any) -> None:
    documents = one_box(owner, [120, 70, 31, 90])
    for number in (None, 1):
        parts = documents[number]["questions"][0]["parts"]
        assert [part["n"] for part in parts] == [120, None, None, 90]


def test_fewer_than_two_pools_are_said_to_be_one_batch(manifest: dict[str, Any]) -> None:
    few = results_documents([tally(manifest, 99)], minimum=50, pool=50)[1]
    many = results_documents([tally(manifest, 100)], minimum=50, pool=50)[1]
    assert "one-batch" in few["notes"]
    assert "one-batch" not in many["notes"]


def test_all_documents_use_the_population_alike(two: list[dict[str, Any]]) -> None:
    counted = [tally(two[0], 80), tally(two[1], 80)]
    endless = results_documents(counted, minimum=50)
    for population, told in ((159, True), (160, False)):
        documents = results_documents(counted, minimum=50, population=population)
        for number in (None, 1, 2):
            assert ("population-exceeded" in documents[number]["notes"]) is told
            assert (documents[number]["questions"] == endless[number]["questions"]) is told


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


@pytest.mark.parametrize(
    ("target", "hidden"),
    [
        (120, True),
        # Not reached: fewer than 75 answered in all, so fewer than four the second version.
        (75, True),
        (130, True),
        # Far away, it tells no more than that the second version is withheld; nor does none.
        (170, False),
        (100_000, False),
        (None, False),
    ],
)
def test_a_target_takes_the_place_of_the_total(
    apart: list[dict[str, Any]], target: int | None, hidden: bool
) -> None:
    last = 3 if target == 75 else 49
    tallies = [tally({**apart[0], "target": target}, 71), tally({**apart[1], "target": target}, last)]
    found = results_documents(tallies, minimum=50)
    assert (found[1] == ANOTHER) == hidden
    assert found[2] == TOO_FEW
    assert found[None] == {"withheld": "nothing-alike"}


def test_a_target_that_was_taken_away_is_remembered(apart: list[dict[str, Any]]) -> None:
    tallies = [tally(apart[0], 71), tally({**apart[1], "target": None}, 49)]
    assert results_documents(tallies, minimum=50)[1] == ANOTHER

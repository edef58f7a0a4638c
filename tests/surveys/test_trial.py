"""A designer sees results before asking anybody: simulated, in memory, with the real mechanisms."""

from typing import Any

import pytest

from surveys.errors import ParameterInvalid
from surveys.models import InboxReport, Report, Spent, Survey, Tally, Version
from surveys.services.results import results_document
from surveys.services.trial import Respondents, trial_run
from tests import cast

CONDITION = {"all": [{"question": "q1", "is": ["yes"]}]}
QUESTIONS = [cast.YES_NO, {**cast.SINGLE, "visible_if": CONDITION, "epsilon": "8"}, cast.MULTIPLE, cast.NOTE]


@pytest.fixture
def survey(owner: Any) -> Survey:
    return cast.draft(owner, questions=QUESTIONS, epsilon_ceiling="16")


def run(survey: Survey, n: int = 200, **shares: Any) -> dict[str, Any]:
    return trial_run(survey=survey, questions=list(survey.questions.all()), n=n, shares=shares or None)


def test_a_trial_gives_a_document_of_the_results_shape(survey: Survey) -> None:
    document = run(survey)
    assert document["n"] == 200
    assert document["notes"] == ["simulated", "open-survey"]
    assert [question["id"] for question in document["questions"]] == ["q1", "q2", "q3"]
    assert results_document.__doc__


def test_a_trial_stores_nothing(survey: Survey) -> None:
    run(survey)
    assert not any(table.objects.exists() for table in (Version, InboxReport, Report, Spent, Tally))


def test_simulated_respondents_follow_branches(survey: Survey) -> None:
    """At ε = 8 a report is nearly always true: of 400 with no yes, 9 in 10 say nothing to the branch."""
    document = run(survey, n=400, q1=[0, 1])
    shown = document["questions"][1]["parts"][0]["answers"]
    assert shown[-1]["id"] == "no-answer"
    assert shown[-1]["observed"] > 0.9


def test_simulated_respondents_never_answer_what_they_are_not_shown(survey: Survey) -> None:
    from privacy.bits import SecureBits
    from surveys.services.publishing import draft_manifest

    people = Respondents(draft_manifest(survey, list(survey.questions.all())), {})
    for _ in range(100):
        first, second, _boxes = people.truths(SecureBits())
        assert (second == 3) == (first == 1)


@pytest.mark.parametrize("shares", [[1], [1, 1, 1, 1], [-1, 2], [0, 0], [float("nan"), 1]])
def test_shares_that_fit_no_answers_are_refused(survey: Survey, shares: list[float]) -> None:
    with pytest.raises(ParameterInvalid) as caught:
        run(survey, q1=shares)
    assert caught.value.field == "shares.q1"


@pytest.mark.parametrize("n", [0, 5001])
def test_a_trial_has_its_limits(survey: Survey, n: int) -> None:
    with pytest.raises(ParameterInvalid):
        run(survey, n=n)

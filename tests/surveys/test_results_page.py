"""What the results page says: nothing before closing, nothing of too few, and how far a liar gets."""

from typing import Any

import pytest

from surveys.models import Survey
from surveys.services.publishing import survey_close
from surveys.services.results import VersionTally, results_documents
from surveys.wire.manifest import manifest_build
from tests import cast


def closed(owner: Any, sizes: dict[int, int]) -> Survey:
    """Return a closed survey of one yes-or-no question with so many answers to each version."""
    survey = cast.published(owner, questions=({**cast.YES_NO, "required": True},)).survey
    first = survey.versions.get()
    manifests = {number: manifest_build(survey, survey.questions.all(), number) for number in sizes}
    for number in sizes:
        if number != first.number:
            kept = {"manifest": first.manifest, "fingerprint": manifests[number]["fingerprint"]}
            survey.versions.create(number=number, **kept)
    survey_close(actor=owner, survey=survey)
    survey.estimates.all().delete()
    tallies = [VersionTally(manifests[at], n, {"q1": [n // 4, n - n // 4]}) for at, n in sizes.items()]
    for number, body in results_documents(tallies, minimum=50).items():
        version = None if number is None else survey.versions.get(number=number)
        survey.estimates.create(version=version, n=sum(sizes.values()), body=body, code_version="test")
    return survey


@pytest.fixture
def page(client: Any, owner: Any) -> Any:
    """Return what the owner reads at an address."""
    client.force_login(owner)
    return lambda path: client.get(path).content.decode()


def test_nothing_is_shown_while_people_answer(page: Any, version: Any) -> None:
    text = page("/surveys/habits/results")
    assert "Hidden until the survey closes" in text
    assert "<table" not in text


def test_a_share_below_zero_is_drawn_and_explained(page: Any, owner: Any) -> None:
    closed(owner, {1: 400})
    survey = Survey.objects.get()
    body = survey.estimates.get(version__number=1).body
    body["questions"][0]["parts"][0]["answers"][0]["unbiased"] = -0.031
    body["questions"][0]["parts"][0]["notes"] = ["negative-estimate"]
    survey.estimates.filter(version__number=1).update(body=body)
    text = page("/surveys/habits/results")
    assert "−3.1 %" in text
    assert 'class="bar below"' in text
    assert "An estimate is below zero" in text


def test_every_page_of_results_says_how_far_a_liar_gets(page: Any, owner: Any) -> None:
    closed(owner, {1: 400})
    text = page("/surveys/habits/results")
    assert "anyone can answer more than once" in text
    # 1/(n delta) with n = 400 and delta = 1/2.
    assert "up to 0.50 percentage points" in text


def test_versions_have_tabs_of_their_own(page: Any, owner: Any) -> None:
    closed(owner, {1: 400, 2: 300})
    assert "n = 700 reports" in page("/surveys/habits/results")
    assert "n = 300 reports" in page("/surveys/habits/results?version=2")


def test_a_small_version_and_what_would_reveal_it_are_withheld(page: Any, owner: Any) -> None:
    closed(owner, {1: 71, 2: 49})
    for address in ("", "?version=1", "?version=2"):
        text = page(f"/surveys/habits/results{address}")
        assert "n = 120 reports" in text
        assert "n = 71 reports" not in text
        assert "n = 49 reports" not in text
        assert "Some versions are not shown by themselves" in text


def test_too_few_in_all_show_nothing(page: Any, owner: Any) -> None:
    closed(owner, {1: 49})
    text = page("/surveys/habits/results")
    assert "Withheld: too few answers" in text
    assert "49" not in text.split("<main", 1)[1]


def test_downloads_are_linked(page: Any, owner: Any) -> None:
    closed(owner, {1: 400})
    text = page("/surveys/habits/results")
    for name in ("json", "csv", "csv-excel", "xlsx"):
        assert f'/api/v1/surveys/habits/estimates/?format={name}"' in text


def test_a_researcher_without_a_grant_is_refused(client: Any, owner: Any, researcher: Any) -> None:
    closed(owner, {1: 400})
    client.force_login(researcher)
    assert client.get("/surveys/habits/results").status_code == 403

"""What the results page says: nothing before closing, nothing of too few, and how far a liar gets."""

import re
from typing import Any

import pytest

from surveys.models import Survey
from surveys.pages.drawing import document_drawings
from surveys.services.publishing import manifest_of, survey_close
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
        assert "Version 1 is withheld because of another version with few answers" in text
        assert "Version 2 is withheld: fewer than 50 people answered it." in text


def test_a_box_that_few_drew_is_named_without_figures(page: Any, owner: Any) -> None:
    survey = cast.published(owner, questions=({**cast.MULTIPLE, "required": True},)).survey
    survey_close(actor=owner, survey=survey)
    survey.estimates.all().delete()
    manifest = manifest_of(survey.versions.get())
    counted = VersionTally(manifest, 231, {"q1": [50, 50, 60, 40, 21, 10]})
    for number, body in results_documents([counted], minimum=50).items():
        version = None if number is None else survey.versions.get(number=number)
        survey.estimates.create(version=version, n=231, body=body, code_version="test")
    text = page("/surveys/habits/results")
    assert text.count("Withheld: fewer than 50 reports fell on this box") == 2
    # The control: the third has its figures; neither of the others has.
    assert "n = 100 reports" in text or "n = 131 reports" in text or text.count('class="bars"') == 1
    assert "n = 31 reports" not in text


def test_no_two_elements_have_one_id(page: Any, owner: Any) -> None:
    survey = closed(owner, {1: 400})
    kept = survey.estimates.get(version__number=1)
    # A question that two versions ask in one way and two others in another.
    kept.body["questions"].append(kept.body["questions"][0])
    kept.save()
    ids = re.findall(r'\bid="([^"]+)"', page("/surveys/habits/results"))
    assert len(ids) == len(set(ids))


def test_the_notes_of_a_document_are_told(page: Any, owner: Any) -> None:
    survey = closed(owner, {1: 400})
    kept = survey.estimates.get(version__number=1)
    kept.body["notes"] += ["one-batch", "population-exceeded"]
    kept.save()
    text = page("/surveys/habits/results")
    assert "Fewer than 100 people answered" in text
    assert "There are more answers than people who can answer" in text


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


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_drawing_that_was_kept_is_the_one_that_would_be_made(
    client: Any, owner: Any, language: str
) -> None:
    survey = closed(owner, {1: 400})
    client.force_login(owner)
    made = client.get(f"/surveys/habits/results?lang={language}").content
    for kept in survey.estimates.all():
        survey.estimates.filter(pk=kept.pk).update(drawings=document_drawings(kept.body))
    assert client.get(f"/surveys/habits/results?lang={language}").content == made


def test_a_drawing_of_these_figures_is_not_made_again(page: Any, owner: Any) -> None:
    survey = closed(owner, {1: 400})
    kept = survey.estimates.get(version__number=1)
    drawn = {**document_drawings(kept.body), "en": "<p>as it was drawn</p>"}
    survey.estimates.filter(pk=kept.pk).update(drawings=drawn)
    assert "<p>as it was drawn</p>" in page("/surveys/habits/results")
    # Other figures, or another version of the program, are drawn anew.
    survey.estimates.filter(pk=kept.pk).update(drawings={**drawn, "edition": "another"})
    assert "<p>as it was drawn</p>" not in page("/surveys/habits/results")

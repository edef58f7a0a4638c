"""Respondents need no session, researchers send a token, and everybody is refused by stable problems."""

import json
from typing import Any

import pytest
from django.test import Client

from surveys.api.shapes import PLAN
from surveys.models import AuditEntry, Estimate, Survey, Version
from surveys.services.publishing import manifest_of, survey_close, survey_pause, survey_publish
from surveys.services.questions import question_add
from surveys.services.results import results_documents
from surveys.services.surveys import grant_add
from tests import cast
from tests.surveys.test_results import tally


def problem(response: Any, status: int, slug: str) -> dict[str, Any]:
    assert response.status_code == status, response.content
    assert response["Content-Type"] == "application/problem+json"
    document: dict[str, Any] = json.loads(response.content)
    assert document["type"] == f"/problems/{slug}"
    assert document["status"] == status
    return document


def of(user: Any) -> dict[str, str]:
    return {"HTTP_AUTHORIZATION": f"Token {cast.token(user)}"}


@pytest.fixture
def closed(owner: Any) -> Survey:
    """Return a closed survey with results of 240 answers."""
    version = cast.published(owner, questions=[cast.YES_NO, cast.SINGLE, cast.MULTIPLE])
    survey_close(actor=owner, survey=version.survey)
    for number, body in results_documents([tally(manifest_of(version), 240)], minimum=50).items():
        Estimate.objects.create(
            survey=version.survey, version=version if number else None, n=240, body=body, code_version="test"
        )
    return version.survey


def test_a_respondent_loads_the_manifest_without_a_session(client: Client, version: Version) -> None:
    response = client.get("/api/v1/surveys/habits/")
    assert response.json() == manifest_of(version)
    assert not response.cookies
    assert "Cookie" not in response.get("Vary", "")


def test_a_manifest_that_is_kept_is_not_sent_again(client: Client, version: Version) -> None:
    etag = client.get("/api/v1/surveys/habits/")["ETag"]
    response = client.get("/api/v1/surveys/habits/", headers={"if-none-match": f'"other", W/{etag}'})
    assert response.status_code == 304
    assert response.content == b""


def test_pausing_changes_the_etag(client: Client, owner: Any, version: Version) -> None:
    etag = client.get("/api/v1/surveys/habits/")["ETag"]
    survey_pause(actor=owner, survey=version.survey)
    response = client.get("/api/v1/surveys/habits/", headers={"if-none-match": etag})
    assert response.json()["state"] == "paused"


def test_past_its_closing_time_a_survey_counts_as_closed(client: Client, version: Version) -> None:
    Survey.objects.update(closes_at=version.published_at)
    assert client.get("/api/v1/surveys/habits/").json()["state"] == "closed"


def test_a_device_reads_again_the_version_that_it_drew_under(
    client: Client, owner: Any, version: Version
) -> None:
    survey_pause(actor=owner, survey=version.survey)
    question_add(actor=owner, survey=version.survey, **cast.SINGLE)
    second = survey_publish(actor=owner, survey=version.survey)
    assert client.get("/api/v1/surveys/habits/").json()["fingerprint"] == second.fingerprint
    first = client.get("/api/v1/surveys/habits/?version=1").json()
    assert (first["version"], first["fingerprint"], first["state"]) == (1, version.fingerprint, "open")
    problem(client.get("/api/v1/surveys/habits/?version=3"), 404, "survey-unknown")
    problem(client.get("/api/v1/surveys/habits/?version=x"), 400, "parameter-invalid")


def test_a_draft_is_not_told_from_nothing(client: Client, draft: Survey) -> None:
    told = [
        problem(client.get(f"/api/v1/surveys/{slug}/"), 404, "survey-unknown")
        for slug in ("habits", "habitz")
    ]
    assert told[0]["detail"].replace("habits", "") == told[1]["detail"].replace("habitz", "")


def test_a_researcher_reads_granted_estimates(
    client: Client, owner: Any, researcher: Any, closed: Survey
) -> None:
    grant_add(actor=owner, survey=closed, researcher=researcher)
    rows = client.get("/api/v1/surveys/habits/estimates/", **of(researcher)).json()["rows"]
    assert {row["question"] for row in rows} == {"q1", "q2", "q3"}
    assert all(row["version"] == 1 and row["state"] == "closed" for row in rows)


@pytest.mark.parametrize("name", ["json", "csv", "csv-excel", "xlsx"])
def test_every_format_is_sent_and_noted(client: Client, owner: Any, closed: Survey, name: str) -> None:
    response = client.get(f"/api/v1/surveys/habits/estimates/?format={name}", **of(owner))
    assert response.status_code == 200
    assert response["Content-Disposition"].startswith('attachment; filename="habits-estimates.')
    entry = AuditEntry.objects.latest("number")
    assert (entry.action, entry.actor, entry.facts) == ("results.export", "owner", {"format": name})


def test_a_researcher_without_a_grant_is_refused(client: Client, researcher: Any, closed: Survey) -> None:
    problem(client.get("/api/v1/surveys/habits/estimates/", **of(researcher)), 403, "not-allowed")
    problem(client.get("/api/v1/surveys/nothing/estimates/", **of(researcher)), 403, "not-allowed")


def test_a_stranger_is_asked_to_log_in(client: Client, closed: Survey) -> None:
    response = client.get("/api/v1/surveys/habits/estimates/")
    problem(response, 401, "not-authenticated")
    assert response["WWW-Authenticate"] == "Token"


def test_results_are_hidden_until_closing(client: Client, owner: Any, version: Version) -> None:
    response = client.get("/api/v1/surveys/habits/estimates/", **of(owner))
    assert "until the survey closes" in problem(response, 409, "results-hidden")["detail"]


def test_results_of_a_draft_are_hidden(client: Client, owner: Any, draft: Survey) -> None:
    problem(client.get("/api/v1/surveys/habits/estimates/", **of(owner)), 409, "results-hidden")


def test_results_of_too_few_are_hidden(client: Client, owner: Any, closed: Survey) -> None:
    Estimate.objects.update(body={"withheld": "too-few"}, n=49)
    response = client.get("/api/v1/surveys/habits/estimates/", **of(owner))
    problem(response, 409, "results-hidden")
    assert b"49" not in response.content


def test_an_unknown_format_is_named(client: Client, owner: Any, closed: Survey) -> None:
    response = client.get("/api/v1/surveys/habits/estimates/?format=pdf", **of(owner))
    assert problem(response, 400, "parameter-invalid")["field"] == "format"


def test_a_plan_holds_all_that_an_admin_is_told(client: Client, owner: Any) -> None:
    query = {"epsilon": "ln(3)", "n": "400", "prevalence": "0.1", "margin": "0.05"}
    figures = client.get("/api/v1/plan/", query, **of(owner)).json()
    assert figures["mechanism"] == {"name": "spinner", "choices": 2, "num": 3221225472, "bits": 32}
    assert figures["odds"] == 75
    assert set(figures) == set(PLAN["properties"])
    assert figures["factor_direct"] == pytest.approx(9.3, abs=0.1)
    assert all(value is not None for name, value in figures.items() if name not in ("boxes", "boxes_better"))


def test_a_plan_of_boxes_says_which_way_is_better(client: Client, researcher: Any) -> None:
    query = {"protocol": "one-box", "epsilon": "1", "boxes": "4", "choices": "2"}
    assert client.get("/api/v1/plan/", query, **of(researcher)).json()["boxes_better"] == "one-box"


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({}, "epsilon"),
        ({"epsilon": "0"}, "epsilon"),
        ({"epsilon": "1,5"}, "epsilon"),
        ({"epsilon": "1", "choices": "1"}, "choices"),
        ({"epsilon": "1", "choices": "300"}, "choices"),
        ({"epsilon": "1", "choices": "2.5"}, "choices"),
        ({"epsilon": "1", "n": "-4"}, "n"),
        ({"epsilon": "1", "n": "٣"}, "n"),
        ({"epsilon": "1", "prevalence": "1.2"}, "prevalence"),
        ({"epsilon": "1", "prevalence": "nan"}, "prevalence"),
        ({"epsilon": "1", "margin": "0"}, "margin"),
        ({"epsilon": "1", "protocol": "dice"}, "protocol"),
        ({"epsilon": "1", "protocol": "coin"}, "tosses"),
        ({"epsilon": "0.01", "protocol": "coin", "tosses": "2"}, "tosses"),
        ({"epsilon": "1", "tosses": "3"}, "tosses"),
        ({"epsilon": "1", "protocol": "one-box"}, "boxes"),
        ({"epsilon": "1", "protocol": "one-box", "boxes": "3", "choices": "5"}, "choices"),
        ({"epsilon": "1", "epsylon": "2"}, "epsylon"),
    ],
)
def test_one_wrong_value_of_a_plan_is_named(
    client: Client, owner: Any, query: dict[str, str], field: str
) -> None:
    assert (
        problem(client.get("/api/v1/plan/", query, **of(owner)), 400, "parameter-invalid")["field"] == field
    )


def test_an_auditor_plans_nothing(client: Client, auditor: Any) -> None:
    problem(client.get("/api/v1/plan/?epsilon=1", **of(auditor)), 403, "not-allowed")


def test_an_address_without_operation_is_a_problem_too(client: Client, db: None) -> None:
    problem(client.get("/api/v1/nothing/here"), 404, "not-found")
    problem(client.post("/api/v1/nothing/here"), 404, "not-found")


def test_a_method_that_is_not_taken_is_a_problem(client: Client, version: Version) -> None:
    problem(client.post("/api/v1/surveys/habits/", {}), 405, "method-not-allowed")


def test_the_schema_and_its_page_are_public(client: Client, db: None) -> None:
    assert b"openapi: 3.1.0" in client.get("/api/v1/schema/").content
    page = client.get("/api/v1/docs/").content.decode()
    for path in ("/api/v1/surveys/{slug}/reports/", "/api/v1/plan/", "/problems/key-reused"):
        assert path in page


def test_the_schemas_page_says_in_korean_what_each_operation_does(client: Client, db: None) -> None:
    page = client.get("/api/v1/docs/?lang=ko").content.decode()
    for title in ("무작위 응답 보내기", "마감된 설문의 추정값", "게시된 설문지", "문항 설계하기"):
        assert f">{title}</h2>" in page
    assert '<p lang="en">' not in page


def test_alive_and_ready_are_told_apart(client: Client, db: None) -> None:
    assert client.get("/healthz").json() == {"alive": True}
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["worker"] is False


def test_a_broker_that_is_gone_is_told(client: Client, db: None, settings: Any) -> None:
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:9/0"
    settings.CELERY_BROKER_TRANSPORT_OPTIONS = {}
    response = client.get("/readyz")
    assert (response.status_code, response.json()["broker"]) == (503, False)


def test_ready_is_who_has_a_worker(client: Client, db: None) -> None:
    from surveys.services.workers import worker_sign

    worker_sign(worker="one")
    worker_sign(worker="one")
    assert client.get("/readyz").json() == {"database": True, "broker": True, "worker": True}

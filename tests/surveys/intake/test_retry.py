"""A report is stored once: the same bytes get the same receipt, other bytes under its key are refused."""

import asyncio
import json
from typing import Any

import pytest
from django.db import OperationalError

from surveys.errors import SettingInvalid
from surveys.intake import versions
from surveys.intake.application import Intake
from surveys.models import Survey
from surveys.services.publishing import survey_close, survey_pause, survey_publish
from surveys.services.surveys import survey_delete
from tests import cast
from tests.surveys.intake.asgi import Answer, post, run, send_all, stored

pytestmark = pytest.mark.django_db(transaction=True)


def body_of(version: Any, truth: int = 0) -> dict[str, Any]:
    return cast.report(json.loads(version.manifest), [truth])


def other(body: dict[str, Any]) -> dict[str, Any]:
    return {**body, "reports": ["01" if body["reports"] == ["00"] else "00"]}


def test_the_same_bytes_get_the_same_receipt(version: Any) -> None:
    body = body_of(version)
    first, again = send_all("habits", body, body)
    assert (first.status, again.status) == (201, 200)
    assert first.receipt == again.receipt
    assert stored() == (1, 1, 0)


def test_a_second_server_gives_the_same_receipt(version: Any) -> None:
    body = body_of(version)
    assert send_all("habits", body)[0].receipt == send_all("habits", body)[0].receipt


def test_packed_bytes_are_compared_and_not_json(version: Any) -> None:
    body = body_of(version)
    spaced = json.dumps(dict(reversed(body.items())), indent=3).encode()
    first, again = send_all("habits", body, spaced)
    assert (again.status, again.receipt) == (200, first.receipt)


def test_other_bytes_under_the_same_key_are_refused(version: Any) -> None:
    body = body_of(version)
    answer = send_all("habits", body, other(body))[1]
    assert (answer.status, answer.type, answer.field) == (409, "key-reused", "key")
    assert stored() == (1, 1, 0)


def test_a_key_may_serve_two_surveys(version: Any, owner: Any) -> None:
    second = cast.published(owner, slug="other")
    body = body_of(version)
    assert [send_all(slug, body)[0].status for slug in ("habits", second.survey.slug)] == [201, 201]


def test_of_equal_keys_in_one_flush_one_is_stored(version: Any) -> None:
    body = body_of(version)

    async def story(app: Intake) -> list[Answer]:
        sent = [post(app, "habits", body) for _ in range(20)]
        return await asyncio.gather(*sent, *(post(app, "habits", other(body)) for _ in range(20)))

    answers = run(story)
    kept = sorted(answer.status for answer in answers)
    assert kept == [200] * 19 + [201] + [409] * 20
    assert stored() == (1, 1, 0)


def test_a_report_of_a_deleted_survey_is_never_counted_in_another(version: Any, owner: Any) -> None:
    body, survey = body_of(version), version.survey
    assert send_all("habits", body)[0].status == 201
    survey_close(actor=owner, survey=survey)
    survey_delete(actor=owner, survey=survey)
    with pytest.raises(SettingInvalid):
        cast.published(owner)
    assert (send_all("habits", body)[0].status, stored()) == (404, (0, 0, 0))


def test_a_stored_report_is_confirmed_in_every_state(version: Any, owner: Any) -> None:
    body, survey = body_of(version), Survey.objects.get(slug="habits")
    receipt = send_all("habits", body)[0].receipt
    for change in (survey_pause, survey_close):
        change(actor=owner, survey=survey)
        again = send_all("habits", body)[0]
        assert (again.status, again.receipt) == (200, receipt)
        assert send_all("habits", other(body))[0].type == "key-reused"


def test_reports_of_an_old_version_are_taken_until_closing(version: Any, owner: Any) -> None:
    survey = Survey.objects.get(slug="habits")
    survey_pause(actor=owner, survey=survey)
    survey.questions.update(text_en="Have you ever lied?")
    assert survey_publish(actor=owner, survey=survey).number == 2
    assert send_all("habits", body_of(version))[0].status == 201
    survey_close(actor=owner, survey=survey)
    assert send_all("habits", body_of(version))[0].type == "survey-closed"


def test_while_the_database_restarts_a_device_is_told_to_come_again(
    version: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: Any) -> None:
        raise OperationalError("the database system is starting up")

    with monkeypatch.context() as patched:
        patched.setattr(versions, "_read", away)
        refused = send_all("habits", body_of(version))[0]
    assert refused.status == 503
    assert int(refused.headers["retry-after"]) > 0
    assert send_all("habits", body_of(version))[0].status == 201

"""Whatever is wrong with a report is named, stays outside, and is never the server's fault."""

import json
from typing import Any

import pytest

from surveys.intake.http import BODY_LIMIT
from tests import cast
from tests.surveys.intake.asgi import send_all, stored

pytestmark = pytest.mark.django_db(transaction=True)


def changed(good: dict[str, Any], **values: Any) -> dict[str, Any]:
    return {**good, **values}


def bad_bodies(good: dict[str, Any]) -> list[tuple[str, Any, int, str, str | None]]:
    """What is sent, and the status, type and field of its refusal."""
    reports, key = good["reports"], good["key"]
    malformed = (422, "report-malformed")
    return [
        ("no JSON", b"{", 400, "request-malformed", None),
        ("nothing", b"", 400, "request-malformed", None),
        ("not UTF-8", b'{"version":1,"key":"\xff"}', 400, "request-malformed", None),
        ("a list", [], 400, "request-malformed", None),
        ("a number", 7, 400, "request-malformed", None),
        ("deep nesting", b"[" * 20_000, 400, "request-malformed", None),
        ("no version", {"reports": reports, "key": key}, *malformed, "version"),
        ("no reports", {"version": 1, "key": key}, *malformed, "reports"),
        ("no key", {"version": 1, "reports": reports}, *malformed, "key"),
        ("a superfluous field", changed(good, name="Kim"), *malformed, "name"),
        ("version as text", changed(good, version="1"), *malformed, "version"),
        ("version with a fraction", changed(good, version=1.5), *malformed, "version"),
        ("version null", changed(good, version=None), *malformed, "version"),
        ("version true", changed(good, version=True), *malformed, "version"),
        ("version 0", changed(good, version=0), *malformed, "version"),
        ("version beyond any column", changed(good, version=2**70), *malformed, "version"),
        ("a version never published", changed(good, version=9), 422, "version-unknown", "version"),
        ("reports as text", changed(good, reports="0000"), *malformed, "reports"),
        ("a report missing", changed(good, reports=reports[:-1]), *malformed, "reports"),
        ("a report too many", changed(good, reports=[*reports, "00"]), *malformed, "reports"),
        ("no report at all", changed(good, reports=[]), *malformed, "reports"),
        ("a number as report", changed(good, reports=[0, *reports[1:]]), *malformed, "reports[0]"),
        ("no such answer", changed(good, reports=["02", *reports[1:]]), *malformed, "reports[0]"),
        ("too wide", changed(good, reports=["0000", *reports[1:]]), *malformed, "reports[0]"),
        ("too narrow", changed(good, reports=["0", *reports[1:]]), *malformed, "reports[0]"),
        ("capitals", changed(good, reports=[reports[0], "0A"]), *malformed, "reports[1]"),
        ("no hexadecimal", changed(good, reports=[reports[0], "zz"]), *malformed, "reports[1]"),
        ("wide digits", changed(good, reports=[reports[0], "٠٠"]), *malformed, "reports[1]"),
        ("half a pair of UTF-16", changed(good, reports=["\ud800", "00"]), 400, "request-malformed", None),
        ("a short key", changed(good, key=key[:-1]), *malformed, "key"),
        ("a padded key", changed(good, key=key + "="), *malformed, "key"),
        ("a key of other letters", changed(good, key="*" * 43), *malformed, "key"),
        ("spare bits in a key", changed(good, key=key[:-1] + "B"), *malformed, "key"),
        ("a number as key", changed(good, key=1), *malformed, "key"),
        ("a huge body", b" " * (BODY_LIMIT + 1), 413, "body-too-large", None),
    ]


def test_every_bad_report_is_refused_by_name_and_nothing_is_stored(owner: Any) -> None:
    good = cast.report(manifest_of(cast.published(owner, questions=[required(), cast.SINGLE])), [0, 1])
    cases = bad_bodies(good)
    answers = send_all("habits", *(case[1] for case in cases))
    said = [(name, a.status, a.type, a.field) for (name, *_), a in zip(cases, answers, strict=True)]
    assert said == [(name, status, kind, field) for name, _, status, kind, field in cases]
    assert stored() == (0, 0, 0)
    # The control: what was left as it was is taken.
    assert send_all("habits", good)[0].status == 201


def test_a_refusal_is_a_problem_document_that_nobody_keeps(version: Any) -> None:
    answer = send_all("habits", b"{")[0]
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.document["status"] == 400
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("slug", ["nothing", "a%00b", "\x00", "설문", "x" * 300, "' OR 1=1 --"])
def test_a_survey_that_does_not_exist_is_unknown(slug: str, version: Any) -> None:
    answer = send_all(slug, cast.report(manifest_of(version), [0]))[0]
    assert (answer.status, answer.type) == (404, "survey-unknown")
    assert stored() == (0, 0, 0)


def test_a_draft_is_not_told_from_nothing(owner: Any) -> None:
    body = cast.report(manifest_of(cast.published(owner)), [0])
    cast.draft(owner, slug="secret")
    drafted, missing = send_all("secret", body)[0], send_all("missing", body)[0]
    assert (drafted.status, drafted.type) == (missing.status, missing.type) == (404, "survey-unknown")


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_only_post_is_taken(method: str) -> None:
    answer = send_all("habits", b"", method=method)[0]
    assert (answer.status, answer.type, answer.headers["allow"]) == (405, "method-not-allowed", "POST")


@pytest.mark.parametrize("media", [None, "text/plain", "application/x-www-form-urlencoded", "text/json"])
def test_what_another_site_could_send_unasked_is_refused(media: str | None, version: Any) -> None:
    answer = send_all("habits", cast.report(manifest_of(version), [0]), media=media)[0]
    assert (answer.status, answer.type) == (415, "media-type-unsupported")
    assert stored() == (0, 0, 0)


@pytest.mark.parametrize("chunks", [2, 7, 50])
def test_a_body_may_come_in_pieces(chunks: int, version: Any) -> None:
    answer = send_all(
        "habits",
        cast.report(manifest_of(version), [0]),
        chunks=chunks,
        media="application/json; charset=utf-8",
    )[0]
    assert answer.status == 201


def test_a_huge_body_in_pieces_is_never_held_whole(version: Any) -> None:
    assert send_all("habits", b" " * (10 * BODY_LIMIT), chunks=10)[0].type == "body-too-large"


def required() -> dict[str, Any]:
    return {**cast.YES_NO, "required": True}


def manifest_of(version: Any) -> dict[str, Any]:
    manifest: dict[str, Any] = json.loads(version.manifest)
    return manifest

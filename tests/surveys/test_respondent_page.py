"""The respondent page opens no session, allows nothing foreign, and names exactly this checkout's files."""

import base64
from hashlib import sha384
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from surveys.models import Survey, Version
from surveys.services.publishing import survey_close
from surveys.services.questions import question_add
from surveys.verification import differences
from tests import cast

pytestmark = pytest.mark.usefixtures("built")


def test_the_page_names_survey_and_fingerprint(client: Client, version: Version) -> None:
    html = client.get("/s/habits/").content.decode()
    assert f'data-slug="habits" data-fingerprint="{version.fingerprint}">' in html
    assert "<form" not in html
    assert 'lang="ko"' in html
    assert 'lang="en"' in html


def test_nothing_is_asked_for_before_the_script_does_so_without_cookies(
    client: Client, version: Version
) -> None:
    assert "preload" not in client.get("/s/habits/").content.decode()


def test_every_file_of_the_page_is_pinned_by_its_hash(client: Client, version: Version, built: Path) -> None:
    html = client.get("/s/habits/").content.decode()
    for file in ("assets/respondent-0a1b2c3d.js", "assets/respondent-4e5f6a7b.css"):
        digest = base64.b64encode(sha384((built / file).read_bytes()).digest()).decode()
        assert f'/static/{file}" integrity="sha384-{digest}"' in html
    assert html.count("integrity=") == html.count("/static/")


def test_the_page_allows_nothing_foreign_and_keeps_nothing(client: Client, version: Version) -> None:
    response = client.get("/s/habits/")
    policy = response["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; ")
    assert "form-action 'none'" in policy
    assert "require-trusted-types-for 'script'; trusted-types 'none'" in policy
    assert response["Cache-Control"] == "no-store"
    assert response["Referrer-Policy"] == "no-referrer"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "camera=()" in response["Permissions-Policy"]
    assert not response.cookies


def test_no_query_about_sessions_or_accounts_is_made(
    client: Client, version: Version, django_assert_num_queries: Any
) -> None:
    client.cookies["sessionid"] = "stolen"
    with django_assert_num_queries(1):
        client.get("/s/habits/")
    with django_assert_num_queries(1):
        client.get("/api/v1/surveys/habits/")


@pytest.mark.parametrize(
    ("query", "accepted", "language"),
    [
        ("", "ko-KR,ko;q=0.9,en;q=0.8", "ko"),
        ("", "de,en;q=0.5", "en"),
        ("", "", "en"),
        ("?lang=ko", "en", "ko"),
        ("?lang=xx", "ko", "ko"),
    ],
)
def test_the_page_speaks_the_language_asked_for(
    client: Client, version: Version, query: str, accepted: str, language: str
) -> None:
    html = client.get(f"/s/habits/{query}", headers={"accept-language": accepted}).content.decode()
    assert f'<html lang="{language}">' in html


@pytest.mark.parametrize("query", ["", "?lang=ko"])
def test_an_address_without_its_last_slash_leads_to_the_page(
    client: Client, version: Version, django_assert_num_queries: Any, query: str
) -> None:
    client.cookies["sessionid"] = "stolen"
    with django_assert_num_queries(0):
        response = client.get(f"/s/habits{query}")
    assert (response.status_code, response["Location"]) == (302, f"/s/habits/{query}")
    assert response["Referrer-Policy"] == "no-referrer"
    assert not response.cookies


def test_a_draft_has_no_page(client: Client, draft: Survey) -> None:
    response = client.get("/s/habits/")
    assert response.status_code == 404
    assert response.content == client.get("/s/nothing/").content
    assert response["Content-Security-Policy"].startswith("default-src 'none'")


def test_a_closed_survey_still_has_its_page(client: Client, owner: Any, version: Version) -> None:
    survey_close(actor=owner, survey=version.survey)
    assert client.get("/s/habits/").status_code == 200


def test_a_designer_previews_a_draft(client: Client, owner: Any, draft: Survey) -> None:
    client.force_login(owner, backend="django.contrib.auth.backends.ModelBackend")
    response = client.get("/surveys/habits/preview/")
    html = response.content.decode()
    assert 'data-preview="/surveys/habits/edit" data-manifest-url="/surveys/habits/preview/manifest/"' in html
    assert response["Content-Security-Policy"].startswith("default-src 'none'")
    manifest = client.get("/surveys/habits/preview/manifest/").json()
    assert (manifest["version"], manifest["state"]) == (1, "open")
    assert not Version.objects.exists()


def test_a_preview_of_what_cannot_be_published_is_refused(client: Client, owner: Any, draft: Survey) -> None:
    condition = {"any": [{"question": "q1", "is": ["yes"]}]}
    question_add(actor=owner, survey=draft, **{**cast.SINGLE, "visible_if": condition})
    draft.questions.get(name="q1").delete()
    client.force_login(owner, backend="django.contrib.auth.backends.ModelBackend")
    response = client.get("/surveys/habits/preview/manifest/")
    assert response.status_code == 422
    assert response.json()["type"] == "/problems/publish-refused"


def test_what_a_server_sends_is_compared_with_the_checkout(
    live_server: Any, version: Version, built: Path
) -> None:
    url = f"{live_server.url}/s/habits/"
    server_lacks_assets = [
        f"/static/assets/respondent-{name}: the server answers 404"
        for name in ("0a1b2c3d.js", "4e5f6a7b.css")
    ]
    assert differences(url) == server_lacks_assets


def test_a_tampered_page_is_noticed(
    live_server: Any, version: Version, built: Path, monkeypatch: Any
) -> None:
    from surveys.pages import respondent

    monkeypatch.setitem(respondent.HEADERS, "Content-Security-Policy", "default-src *")
    page = respondent.page

    def tampered(request: Any, template: str, facts: Any, status: int = 200) -> Any:
        response = page(request, template, facts, status)
        response.content = response.content.replace(b"</body>", b"<script src=/evil.js></script></body>")
        response["Content-Security-Policy"] = "default-src 'self'"
        return response

    monkeypatch.setattr(respondent, "page", tampered)
    found = differences(f"{live_server.url}/s/habits/")
    assert "the document differs" in found
    assert any(one.startswith("header Content-Security-Policy differs") for one in found)


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "after that only the receipt and the survey's version stay"),
        ("ko", "그 뒤에는 접수 번호와 설문의 버전 번호만 남습니다"),
    ],
)
def test_the_limits_page_says_what_stays_on_the_device(
    client: Client, db: None, lang: str, said: str
) -> None:
    assert said in client.get(f"/limits/?lang={lang}").content.decode()

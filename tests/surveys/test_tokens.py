"""An API token is made by its owner, read once, kept as a digest, and ended whenever its owner wants."""

import re
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from rest_framework.authtoken.models import Token

from surveys.errors import NotAllowed
from surveys.models import AuditEntry
from surveys.services.tokens import token_create, token_digest, token_revoke
from tests import cast

pytestmark = pytest.mark.usefixtures("built")
PLAN = "/api/v1/plan/?epsilon=1"
PAGE = "/accounts/token/"


def calls(text: str) -> int:
    return Client().get(PLAN, HTTP_AUTHORIZATION=f"Token {text}").status_code


@pytest.fixture
def reader(client: Any, researcher: Any, settings: Any) -> Client:
    """Return the browser of a researcher who has just confirmed the password."""
    settings.ACCOUNT_RATE_LIMITS = False
    client.post("/accounts/login/", {"login": "researcher", "password": cast.PASSWORD})
    client.post("/accounts/reauthenticate/", {"password": cast.PASSWORD})
    return client


def shown(page: Any) -> str | None:
    found = re.search(r'id="token"[^>]* value="([0-9a-f]{40})"', page.content.decode())
    return found and found[1]


def noted() -> list[tuple[str, str]]:
    entries = AuditEntry.objects.filter(action__startswith="token.").values_list("action", "subject")
    return list(entries)


def test_a_researcher_makes_replaces_and_revokes_a_token(reader: Client) -> None:
    first = shown(reader.post(PAGE, {"act": "create"}))
    assert first is not None
    assert calls(first) == 200
    second = shown(reader.post(PAGE, {"act": "create"}))
    assert second is not None
    assert (calls(first), calls(second)) == (401, 200)
    assert reader.post(PAGE, {"act": "revoke"}, follow=True).status_code == 200
    assert calls(second) == 401
    assert noted() == [(f"token.{act}", "researcher") for act in ("create", "replace", "revoke")]


def test_a_token_is_shown_once_and_kept_nowhere(reader: Client, caplog: Any) -> None:
    page = reader.post(PAGE, {"act": "create"})
    text = shown(page)
    assert text is not None
    assert "no-store" in page["Cache-Control"]
    assert shown(reader.get(PAGE)) is None
    assert text not in str(Token.objects.values()) + str(AuditEntry.objects.values()) + str(
        dict(reader.session)
    )
    # What the database holds is not what opens the API.
    assert calls(Token.objects.get().key) == 401


def test_a_token_is_made_only_after_the_password_is_confirmed(client: Any, researcher: Any) -> None:
    client.force_login(researcher, backend="django.contrib.auth.backends.ModelBackend")
    answer = client.post(PAGE, {"act": "create"})
    assert answer["Location"].startswith("/accounts/reauthenticate/")
    assert not Token.objects.exists()
    resumed = client.post(answer["Location"], {"password": cast.PASSWORD, "next": PAGE})
    assert shown(resumed) is not None


def test_the_account_page_leads_there_who_may_have_a_token(
    client: Any, researcher: Any, auditor: Any
) -> None:
    client.force_login(researcher, backend="django.contrib.auth.backends.ModelBackend")
    assert PAGE in client.get("/accounts/2fa/").content.decode()
    client.force_login(auditor, backend="django.contrib.auth.backends.ModelBackend")
    assert PAGE not in client.get("/accounts/2fa/").content.decode()


def test_others_have_no_token(auditor: Any, stranger: Any) -> None:
    for person in (auditor, stranger):
        with pytest.raises(NotAllowed):
            token_create(actor=person)
    assert (Token.objects.count(), noted()) == (0, [])


def test_a_token_of_an_account_that_is_gone_from_service_opens_nothing(researcher: Any) -> None:
    text = token_create(actor=researcher)
    get_user_model().objects.update(is_active=False)
    assert calls(text) == 401


def test_revoking_nothing_is_no_act(researcher: Any) -> None:
    assert not token_revoke(actor=researcher)
    assert noted() == []


@pytest.mark.parametrize("text", ["", "x", "é", "0" * 39, "0" * 4000, "\ud800"])
def test_what_is_no_token_has_a_digest_all_the_same(text: str) -> None:
    assert re.fullmatch("[0-9a-f]{40}", token_digest(text))

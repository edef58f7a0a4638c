"""Second steps of log-in at a real browser: an authenticator app, recovery codes and passkeys."""

import re
from datetime import timedelta
from typing import Any

import pytest
from allauth.account import app_settings as account_settings
from allauth.mfa import app_settings as mfa_settings
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser, CDPSession, Page, expect

from surveys.models import Account
from tests import cast
from tests.journeys.browser import axe_violations
from tests.journeys.staff import Staff


@pytest.fixture
def house(transactional_db: None, live_server: Any) -> str:
    cast.person("owner", "admin")
    return live_server.url


def code_of(secret: str) -> str:
    """Return what an authenticator app shows at this moment."""
    return format_hotp_value(hotp_value(secret, next(iter(yield_hotp_counters_from_time()))))


def opens_after_confirming(owner: Staff, path: str) -> Page:
    """Open a page of second steps, which asks for the password once more."""
    owner.opens(path)
    owner.page.fill("#id_password", cast.PASSWORD)
    owner.sends()
    assert owner.page.url.endswith(path)
    return owner.page


def plugs_in_a_key(page: Page) -> CDPSession:
    """Give the browser a virtual passkey device whose owner is always there, until the session is left."""
    device = page.context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    device.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return device


def test_an_authenticator_app_is_set_up_and_asked_for(house: str, browser: Browser) -> None:
    owner = Staff(browser, house, 360)
    owner.logs_in("owner")
    page = opens_after_confirming(owner, "/accounts/2fa/totp/activate/")
    expect(page.locator("img.qr")).to_be_visible()
    assert (axe_violations(page), owner.refused()) == ([], [])
    assert page.evaluate("document.querySelector('img.qr').naturalWidth") > 0
    secret = page.input_value("#authenticator_secret")
    page.fill("#id_code", code_of(secret))
    owner.sends('form[method="post"]')
    assert "/recovery-codes/" in page.url
    assert (axe_violations(page), owner.refused()) == ([], [])
    owner.opens("/accounts/logout/")
    owner.presses("Log out", "main form")

    page = owner.logs_in("owner")
    assert page.url.endswith("/accounts/2fa/authenticate/")
    assert (axe_violations(page), owner.refused(), owner.sideways()) == ([], [], 0)
    owner.opens("/surveys/")
    assert "/accounts/2fa/authenticate/" in page.url, "the password alone must not be enough"
    page.fill("#id_code", "000000")
    owner.sends('form[action="/accounts/2fa/authenticate/"]')
    assert owner.errors_of("id_code")
    owner.context.close()


def test_a_passkey_is_added_and_logs_in(house: str, browser: Browser) -> None:
    owner = Staff(browser, house)
    owner.logs_in("owner")
    page = opens_after_confirming(owner, "/accounts/2fa/webauthn/add/")
    assert (axe_violations(page), owner.refused()) == ([], [])
    device = plugs_in_a_key(page)
    assert page.is_checked("#id_passwordless"), "a passkey logs in unless that is ruled out"
    with page.expect_navigation():
        page.click("#mfa_webauthn_add")
    page = owner.opens("/accounts/2fa/webauthn/")
    expect(page.get_by_text("passkey", exact=True)).to_be_visible()
    owner.opens("/accounts/logout/")
    owner.presses("Log out", "main form")

    mistakes(Client(), "owner")
    owner.logs_in("owner")
    expect(page.get_by_text("locked for five minutes")).to_be_visible()
    owner.opens("/accounts/login/")
    with page.expect_navigation():
        page.click("#passkey_login")
    page.wait_for_url("**/surveys/")
    assert owner.refused() == []
    device.detach()
    owner.context.close()


def test_a_passkey_that_fails_is_told_on_the_page(house: str, browser: Browser) -> None:
    stranger = Staff(browser, house)
    page = stranger.opens("/accounts/login/?lang=ko")
    # Somebody presses "cancel" when the browser asks for the key.
    page.evaluate(
        "() => { navigator.credentials.get = () => Promise.reject(new DOMException('no', 'NotAllowedError')); }"
    )
    page.click("#passkey_login")
    expect(page.locator("#passkey-error")).to_be_visible()
    expect(page.locator("#passkey-error")).to_be_focused()
    stranger.context.close()


def test_a_passkey_that_cannot_be_added_is_told_on_the_page(house: str, browser: Browser) -> None:
    owner = Staff(browser, house)
    owner.logs_in("owner")
    page = opens_after_confirming(owner, "/accounts/2fa/webauthn/add/")
    page.evaluate(
        "() => { navigator.credentials.create = () => Promise.reject(new DOMException('no', 'NotAllowedError')); }"
    )
    page.click("#mfa_webauthn_add")
    expect(page.locator("#passkey-error")).to_be_focused()
    owner.context.close()


def test_a_wrong_password_says_so_and_keeps_the_name(house: str, browser: Browser) -> None:
    stranger = Staff(browser, house)
    page = stranger.logs_in("owner", "not the passphrase")
    expect(page.get_by_role("alert")).to_be_visible()
    assert page.input_value("#id_login") == "owner"
    stranger.context.close()


def test_guessing_passwords_is_stopped(client: Any, db: None, settings: Any) -> None:
    cast.person("owner", "admin")
    settings.ACCOUNT_RATE_LIMITS = False
    for _guess in range(settings.AXES_FAILURE_LIMIT):
        client.post("/accounts/login/", {"login": "owner", "password": "a guess"})
    answer = client.post("/accounts/login/", {"login": "owner", "password": cast.PASSWORD})
    assert answer.status_code == 429
    assert b"locked for five minutes" in answer.content
    assert "_auth_user_id" not in client.session


def mistakes(client: Any, name: str) -> None:
    """Type wrong passwords until the account is locked."""
    for _guess in range(settings.AXES_FAILURE_LIMIT):
        client.post("/accounts/login/", {"login": name, "password": "a guess"})


def test_a_lock_by_a_stranger_is_short_and_not_put_off(client: Any, db: None) -> None:
    """Time is moved by moving the mistakes back."""
    cast.person("owner", "admin")
    mistakes(client, "owner")
    minutes = settings.AXES_COOLOFF_TIME - timedelta(seconds=30)
    AccessAttempt.objects.update(attempt_time=timezone.now() - minutes)
    own = {"login": "owner", "password": cast.PASSWORD}
    assert client.post("/accounts/login/", own).status_code == 429
    mistakes(client, "owner")
    assert AccessAttempt.objects.get().attempt_time < timezone.now() - minutes
    AccessAttempt.objects.update(attempt_time=timezone.now() - settings.AXES_COOLOFF_TIME)
    client.post("/accounts/login/", own)
    assert "_auth_user_id" in client.session


@pytest.mark.parametrize("language", ["ko", "en"])
def test_the_page_that_tells_of_a_lock_is_clean(house: str, browser: Browser, language: str) -> None:
    mistakes(Client(), "owner")
    owner = Staff(browser, house, 360)
    owner.opens(f"/accounts/login/?lang={language}")
    page = owner.logs_in("owner")
    expect(page.get_by_text("5분 동안" if language == "ko" else "five minutes")).to_be_visible()
    assert (axe_violations(page), owner.refused(), owner.small_targets()) == ([], [], [])
    owner.context.close()


def test_strangers_mistakes_do_not_lock_out_an_admin(client: Any, db: None) -> None:
    """All come from one address, as behind nginx, where allauth by itself would stop everybody after ten."""
    cast.person("owner", "admin")
    for guess in range(40):
        client.post("/accounts/login/", {"login": f"stranger{guess}", "password": "a guess"})
        client.post("/accounts/2fa/webauthn/login/", {"credential": "{}"})
    client.post("/accounts/login/", {"login": "owner", "password": cast.PASSWORD})
    assert "_auth_user_id" in client.session


def test_no_limit_counts_addresses() -> None:
    limits = {**account_settings.RATE_LIMITS, **mfa_settings.RATE_LIMITS}
    assert limits["login_failed"], "codes of a second step could be guessed"
    assert [name for name, limit in limits.items() if limit and not limit.endswith(("/key", "/user"))] == []


def test_nobody_signs_up_and_no_mail_is_sent(client: Any, db: None, mailoutbox: list[Any]) -> None:
    me = {"username": "me", "password1": cast.PASSWORD, "password2": cast.PASSWORD}
    assert client.post("/accounts/signup/", me).status_code == 404
    client.post("/accounts/password/reset/", {"email": "me@example.org"})
    assert mailoutbox == []
    assert not get_user_model().objects.filter(username="me").exists()


@pytest.fixture
def newcomer(client: Any, db: None) -> Any:
    """Return somebody who has just logged in with a one-time password."""
    user = cast.person("newcomer", "admin")
    Account.objects.create(user=user, must_change_password=True)
    client.post("/accounts/login/", {"login": "newcomer", "password": cast.PASSWORD})
    return user


OWN = "quite another passphrase"
CHANGE = {"oldpassword": cast.PASSWORD, "password1": OWN, "password2": OWN}


def test_after_the_first_change_of_password_work_begins(client: Any, newcomer: Any) -> None:
    """Whoever asked for a page comes to it; whoever asked for none, to the surveys."""
    asked = client.get("/surveys/new?lang=ko")
    assert asked["Location"] == "/accounts/password/change/?next=%2Fsurveys%2Fnew%3Flang%3Dko"
    assert b'name="next" value="/surveys/new?lang=ko"' in client.get(asked["Location"]).content
    done = client.post("/accounts/password/change/", {**CHANGE, "next": "/surveys/new?lang=ko"})
    assert done["Location"] == "/surveys/new?lang=ko"
    again = {"oldpassword": OWN, "password1": cast.PASSWORD, "password2": cast.PASSWORD}
    assert client.post("/accounts/password/change/", again)["Location"] == "/surveys/"
    assert client.get("/surveys/").status_code == 200


def test_a_form_sent_too_early_is_not_asked_for_again(client: Any, newcomer: Any) -> None:
    assert client.post("/surveys/new", {})["Location"] == "/accounts/password/change/"


def test_nothing_leads_in_a_circle_while_the_password_must_be_changed(client: Any, newcomer: Any) -> None:
    page = client.get("/accounts/password/change/").content.decode()
    assert "/accounts/password/reset/" not in page
    told = client.get("/accounts/password/reset/")
    assert told.status_code == 200
    assert b'<a class="button" href="/accounts/password/change/">' in told.content


KOREAN_PAGES = (
    "/accounts/2fa/",
    "/accounts/2fa/totp/activate/",
    "/accounts/2fa/recovery-codes/",
    "/accounts/2fa/recovery-codes/generate/",
    "/accounts/2fa/webauthn/",
    "/accounts/2fa/webauthn/add/",
    "/accounts/password/change/",
    "/accounts/password/reset/",
    "/accounts/reauthenticate/",
    "/accounts/logout/",
)
# What allauth's own catalogue says, and what it leaves in English.
FOREIGN = re.compile(r"[A-Za-z]{3,}|보안키|총 \d+개 계정|아이디")
NAMES = re.compile(r"owner|API|PIN|[A-Z2-7]{32}")


def said(page: bytes) -> str:
    main = page.decode().partition("<main")[2].partition("</main>")[0].partition(">")[2]
    return re.sub(r"<script.*?</script>|<textarea.*?</textarea>|<[^>]*>", " ", main, flags=re.DOTALL)


def test_every_account_page_is_korean(client: Any, db: None) -> None:
    owner = cast.person("owner", "admin")
    client.post("/accounts/login/?lang=ko", {"login": "owner", "password": cast.PASSWORD})
    client.post("/accounts/reauthenticate/", {"password": cast.PASSWORD})
    RecoveryCodes.activate(owner)
    answers = {path: client.get(path, {"lang": "ko"}) for path in KOREAN_PAGES}
    data = {"name": "패스키 1", "passwordless": True, "credential": {}}
    key = Authenticator.objects.create(user=owner, type=Authenticator.Type.WEBAUTHN, data=data).pk
    for path in (
        "/accounts/2fa/webauthn/",
        *(f"/accounts/2fa/webauthn/keys/{key}/{do}/" for do in ("edit", "remove")),
    ):
        answers[path] = client.get(path, {"lang": "ko"})
    assert {path: answer["Location"] for path, answer in answers.items() if answer.status_code != 200} == {}
    foreign = {path: FOREIGN.findall(NAMES.sub("", said(answer.content))) for path, answer in answers.items()}
    assert {path: words for path, words in foreign.items() if words} == {}


def test_what_is_not_korean_would_be_noticed(client: Any, db: None) -> None:
    """The control: the same page in English."""
    assert FOREIGN.findall(said(client.get("/accounts/password/reset/?lang=en").content))


def test_a_wrong_log_in_is_told_in_korean(client: Any, db: None) -> None:
    page = client.post(
        "/accounts/login/?lang=ko", {"login": "nobody", "password": "a guess"}
    ).content.decode()
    assert "사용자 이름 또는 비밀번호가 맞지 않습니다." in page
    assert "로그인 상태 유지" in page

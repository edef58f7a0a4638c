"""Every address of the service, tried by everybody: nobody gets in who is not meant to."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from surveys.models import Budget, Grant, Share
from tests import cast

PEOPLE = ("respondent", "stranger", "researcher", "granted", "auditor", "admin", "operator")
ACCOUNTS = PEOPLE[1:]

# Who gets in, by policy; everybody else is asked to log in, or refused.
POLICIES = {
    "public": PEOPLE,
    "guest": ("respondent",),  # whoever is logged in is led on, which is being let in too
    "account": ACCOUNTS,
    "configure": ("admin", "operator"),
    "results": ("granted", "admin", "operator"),
    "plan": ("researcher", "granted", "admin", "operator"),
    "ask": ("granted", "admin", "operator"),
    "ledger": ("granted", "auditor", "admin", "operator"),
    "audit": ("auditor", "admin", "operator"),
    "operate": ("operator",),
    "gone": (),  # of allauth, but not for a service that keeps no addresses
}
ROUTES = {
    "": "public",
    "limits/": "public",
    "problems/<slug:slug>": "public",
    "healthz": "public",
    "readyz": "public",
    "s/<slug:slug>/": "public",
    "s/<slug:slug>": "public",
    "api/v1/surveys/<slug:slug>/": "public",
    "api/v1/schema/": "public",
    "api/v1/docs/": "public",
    "api/v1/^[\\s\\S]*$": "public",
    "api/v1/surveys/<slug:slug>/estimates/": "results",
    "api/v1/plan/": "plan",
    "api/v1/sources/<slug:name>/queries/": "ask",
    "api/v1/sources/<slug:name>/plans/": "ask",
    "api/v1/sources/<slug:name>/ledger/": "ledger",
    "api/v1/queries/<int:number>/": "configure",  # and whoever asked it
    "accounts/token/": "plan",
    "audit/": "audit",
    "audit/chain.jsonl": "audit",
    "panels/": "configure",
    "panels/organisations/new": "configure",
    "panels/new": "configure",
    "panels/<int:number>/": "configure",
    "panels/<int:number>/edit": "configure",
    "panels/<int:number>/import": "configure",
    "panels/<int:number>/erase": "configure",
    "surveys/": "account",
    "surveys/new": "configure",
    "surveys/<slug:slug>/edit": "configure",
    "surveys/<slug:slug>/questions/new": "configure",
    "surveys/<slug:slug>/questions/warnings": "configure",
    "surveys/<slug:slug>/questions/<slug:name>/edit": "configure",
    "surveys/<slug:slug>/questions/<slug:name>/move": "configure",
    "surveys/<slug:slug>/questions/<slug:name>/duplicate": "configure",
    "surveys/<slug:slug>/questions/<slug:name>/delete": "configure",
    "surveys/<slug:slug>/preview/": "configure",
    "surveys/<slug:slug>/preview/manifest/": "configure",
    "surveys/<slug:slug>/try": "configure",
    "surveys/<slug:slug>/publish": "configure",
    "surveys/<slug:slug>/pause": "configure",
    "surveys/<slug:slug>/close": "configure",
    "surveys/<slug:slug>/delete": "configure",
    "surveys/<slug:slug>/duplicate": "configure",
    "surveys/<slug:slug>/share": "configure",
    "surveys/<slug:slug>/grants": "configure",
    "surveys/<slug:slug>/results": "results",
    "sources/": "account",
    "sources/new/": "configure",
    "sources/<slug:name>/": "ledger",
    "sources/<slug:name>/queries/<int:number>/": "configure",  # and whoever asked it
    "sources/<slug:name>/queries/<int:number>/answer.csv": "configure",
    "sources/<slug:name>/ledger/": "ledger",
    "sources/<slug:name>/budget": "configure",
    "sources/<slug:name>/share": "configure",
    "sources/<slug:name>/unshare": "configure",
    "sources/<slug:name>/policy/": "configure",
    "sources/<slug:name>/declaration/": "configure",
    "sources/<slug:name>/check": "configure",
    "sources/<slug:name>/close": "configure",
    "accounts/login/": "guest",
    "accounts/logout/": "guest",
    "accounts/inactive/": "guest",
    "accounts/signup/": "gone",
    "accounts/confirm-email/": "gone",
    "accounts/password/reset/": "public",
    "accounts/password/reset/done/": "gone",
    "accounts/password/reset/key/done/": "gone",
    "accounts/login/code/confirm/": "gone",
    "accounts/^confirm-email/(?P<key>[-:\\w]+)/$": "gone",
    "accounts/^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$": "gone",
    "accounts/reauthenticate/": "account",
    "accounts/reauthenticate/code/": "gone",
    "accounts/reauthenticate/code/confirm/": "gone",
    "accounts/email/": "gone",
    "accounts/password/change/": "account",
    "accounts/password/set/": "account",
    "accounts/2fa/": "account",
    "accounts/2fa/authenticate/": "guest",
    "accounts/2fa/reauthenticate/": "account",
    "accounts/2fa/totp/activate/": "account",
    "accounts/2fa/totp/deactivate/": "account",
    "accounts/2fa/recovery-codes/": "account",
    "accounts/2fa/recovery-codes/generate/": "account",
    "accounts/2fa/recovery-codes/download/": "account",
    "accounts/2fa/webauthn/": "account",
    "accounts/2fa/webauthn/add/": "account",
    "accounts/2fa/webauthn/reauthenticate/": "account",
    "accounts/2fa/webauthn/keys/<int:pk>/remove/": "account",
    "accounts/2fa/webauthn/keys/<int:pk>/edit/": "account",
    "accounts/2fa/webauthn/login/": "guest",
    "admin/login/": "guest",
    "admin/logout/": "guest",
}
FILLED = (
    (r"sources/<slug:name>", "sources/service"),
    (r"<slug:slug>", "habits"),
    (r"<slug:name>", "q1"),
    (r"\^\[.*", "nothing"),
    (r"<path:\w+>|<int:\w+>|<id>", "1"),
    (r"\^confirm-email/.*", "confirm-email/abc/"),
    (r"\^password/reset/key/.*", "password/reset/key/1-abc/"),
    (r"\^\(\?P<app_label>.*", "auth/"),
    (r"\(\?P<url>.*", "nothing"),
)
ASKED_TO_LOG_IN = re.compile(r"^(/accounts/login/|/admin/login/)")


def routes(resolver: URLResolver, before: str = "") -> Iterator[str]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLPattern):
            yield before + str(pattern.pattern)
        else:
            yield from routes(pattern, before + str(pattern.pattern))


def every_route() -> list[str]:
    return [*dict.fromkeys([*routes(get_resolver("surveys.pages.respondent_urls")), *routes(get_resolver())])]


def policy_of(route: str, table: dict[str, str] = ROUTES) -> str | None:
    # Django's admin makes its own addresses: all are for operators.
    return table.get(route) or ("operate" if route.startswith("admin/") else None)


def address_of(route: str) -> str:
    for pattern, value in FILLED:
        route = re.sub(pattern, value, route)
    return f"/{route}"


@pytest.fixture
def people(owner: Any, built: Any) -> dict[str, Client]:
    """Return a browser for each person; the operator also runs Django's admin."""
    survey = cast.draft(owner)
    roles = {"researcher": "researcher", "granted": "researcher", "auditor": "auditor", "admin": "admin"}
    users = {name: cast.person(name, roles.get(name)) for name in ("stranger", *roles)}
    users["operator"] = cast.person("operator", "admin")
    users["operator"].is_staff = users["operator"].is_superuser = True
    users["operator"].save()
    Grant.objects.create(survey=survey, researcher=users["granted"])
    Share.objects.create(budget=Budget.objects.get(), researcher=users["granted"], total=1)
    browsers = {"respondent": Client(raise_request_exception=False)}
    for name, user in users.items():
        browsers[name] = Client(raise_request_exception=False)
        browsers[name].force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return browsers


def gets_in(response: Any) -> bool:
    if response.status_code in (401, 403, 405):
        return False
    return not (response.status_code == 302 and ASKED_TO_LOG_IN.match(response["Location"]))


def test_every_route_has_its_policy() -> None:
    assert [route for route in every_route() if policy_of(route) is None] == []


def test_a_new_route_would_be_noticed() -> None:
    """The control: one entry less, and the walk finds its route."""
    less = {route: policy for route, policy in ROUTES.items() if route != "audit/"}
    assert [route for route in every_route() if policy_of(route, less) is None] == ["audit/"]


def test_no_entry_is_left_of_a_route_that_is_gone() -> None:
    assert set(ROUTES) <= set(every_route())


def wrong(policy: str, route: str, name: str, browser: Client) -> str | None:
    """Tell what is wrong with how one person is received at one address, if anything is."""
    address = address_of(route)
    answers = [browser.get(address)]
    if name in POLICIES[policy]:
        # Guests' pages and those of Django's admin decide among themselves what they show to whom.
        welcome = policy in ("guest", "operate") or answers[0].status_code == 405 or gets_in(answers[0])
    elif policy == "gone":
        answers.append(browser.post(address))
        welcome = all(response.status_code == 404 for response in answers)
    else:
        answers.append(browser.post(address))
        welcome = (policy == "guest") or not any(map(gets_in, answers))
    broken = any(response.status_code >= 500 for response in answers) and route != "readyz"
    return None if welcome and not broken else f"{name} at {address}: {[one.status_code for one in answers]}"


@pytest.mark.parametrize("policy", POLICIES)
def test_only_who_is_meant_to_gets_in(policy: str, people: dict[str, Client]) -> None:
    here = [route for route in every_route() if policy_of(route) == policy]
    found = [wrong(policy, route, *person) for route in here for person in people.items()]
    assert here
    assert [one for one in found if one] == []


def test_an_open_door_would_be_noticed(people: dict[str, Client]) -> None:
    """The control: a public page, taken for one of admins, lets a stranger in."""
    assert wrong("configure", "limits/", "stranger", people["stranger"])
    assert wrong("gone", "limits/", "stranger", people["stranger"])
    assert not wrong("configure", "surveys/<slug:slug>/edit", "stranger", people["stranger"])

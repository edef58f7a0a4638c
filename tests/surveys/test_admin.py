"""Accounts in Django's admin: made by an admin, with passwords that nobody but their owners keeps."""

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from rest_framework.authtoken.models import Token

from surveys.models import Account
from tests import cast

GIVEN = "given over the counter"


@pytest.fixture
def operator(client: Client, owner: Any) -> Client:
    """Return the browser of an admin who may use Django's admin."""
    type(owner).objects.filter(pk=owner.pk).update(is_staff=True, is_superuser=True)
    client.force_login(owner, backend="django.contrib.auth.backends.ModelBackend")
    return client


def must_change(name: str) -> bool:
    return Account.objects.filter(user__username=name, must_change_password=True).exists()


def sets_password(operator: Client, user: Any, **more: str) -> None:
    form = {"password1": GIVEN, "password2": GIVEN, "usable_password": "true", **more}
    answer = operator.post(f"/admin/auth/user/{user.pk}/password/", form)
    assert answer.status_code == 302, answer.context["adminForm"].errors


def test_the_password_of_a_new_account_is_a_one_time_password(operator: Client) -> None:
    form = {"username": "newcomer", "password1": GIVEN, "password2": GIVEN, "usable_password": "true"}
    operator.post("/admin/auth/user/add/", form)
    newcomer = Client()
    newcomer.post("/accounts/login/", {"login": "newcomer", "password": GIVEN})
    assert newcomer.get("/surveys/")["Location"].startswith("/accounts/password/change/")


def test_a_password_given_to_somebody_else_is_a_one_time_password(operator: Client, researcher: Any) -> None:
    assert not must_change("researcher")
    sets_password(operator, researcher)
    assert must_change("researcher")
    own = {"oldpassword": GIVEN, "password1": cast.PASSWORD, "password2": cast.PASSWORD}
    again = Client()
    again.post("/accounts/login/", {"login": "researcher", "password": GIVEN})
    again.post("/accounts/password/change/", own)
    assert not must_change("researcher")


def test_a_token_ends_with_the_password_that_it_came_from(operator: Client, researcher: Any) -> None:
    asked = {"path": "/api/v1/plan/?epsilon=1", "HTTP_AUTHORIZATION": f"Token {cast.token(researcher)}"}
    assert Client().get(**asked).status_code == 200
    sets_password(operator, researcher)
    assert not Token.objects.filter(user=researcher).exists()
    # Not even once the password was replaced.
    Account.objects.filter(user=researcher).update(must_change_password=False)
    assert Client().get(**asked).status_code == 401


def test_ones_own_password_is_no_one_time_password(operator: Client, owner: Any) -> None:
    sets_password(operator, owner)
    assert not must_change("owner")
    assert operator.get("/admin/auth/user/").status_code == 200


def test_an_account_without_a_password_has_none_to_replace(operator: Client, researcher: Any) -> None:
    off = {"usable_password": "false", "unset-password": "1"}
    sets_password(operator, researcher, **off)
    assert not get_user_model().objects.get(username="researcher").has_usable_password()
    assert not must_change("researcher")


def test_a_form_that_is_refused_changes_nothing(operator: Client, researcher: Any) -> None:
    form = {"password1": GIVEN, "password2": "something else", "usable_password": "true"}
    assert operator.post(f"/admin/auth/user/{researcher.pk}/password/", form).status_code == 200
    assert not must_change("researcher")


def test_the_admin_speaks_korean(operator: Client) -> None:
    page = operator.get("/admin/?lang=ko").content.decode()
    names = ("사용자 관리", "결과 열람 권한", "일회용 비밀번호", "설문")
    assert [name for name in names if name not in page] == []
    assert "Grants" not in page
    assert (
        "다음 로그인 때 바꾸어야 함" in operator.get("/admin/surveys/account/add/?lang=ko").content.decode()
    )


def test_no_addresses_of_staff_are_asked_for(operator: Client, researcher: Any) -> None:
    page = operator.get(f"/admin/auth/user/{researcher.pk}/change/").content
    assert b'name="username"' in page
    assert b'name="email"' not in page


def test_no_page_of_the_admin_asks_for_an_icon(operator: Client) -> None:
    for path in ("/admin/", "/admin/auth/user/"):
        assert '<link rel="icon" href="data:,">' in operator.get(path).content.decode()

"""Log-in of staff: accounts are made by an admin, nobody signs up."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.signals import password_changed, password_set
from django.dispatch import receiver
from django.http import HttpRequest

from surveys.models import Account


class ClosedSignup(DefaultAccountAdapter):
    """No open sign-up."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Refuse, always."""
        return False


@receiver([password_changed, password_set])
def password_is_own(user: Any, **_facts: Any) -> None:
    """Remember that the one-time password is gone."""
    Account.objects.filter(user=user).update(must_change_password=False)

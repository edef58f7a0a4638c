"""Log-in of staff: accounts are made by an admin, nobody signs up."""

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class ClosedSignup(DefaultAccountAdapter):
    """No open sign-up."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Refuse, always."""
        return False

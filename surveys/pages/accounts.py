"""Log-in of staff: accounts are made by an admin, nobody signs up."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.forms import ChangePasswordForm, LoginForm, ReauthenticateForm
from allauth.account.signals import password_changed, password_set
from django.dispatch import receiver
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from surveys.models import Account


class StaffLogin(LoginForm):
    """Name and password; a forgotten password is replaced by an administrator, not by e-mail."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Leave out the link to a reset by e-mail."""
        super().__init__(*args, **kwargs)
        self.fields["password"].help_text = ""


class StaffReauthentication(ReauthenticateForm):
    """The password once more, before second steps are changed."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Leave out the link to a reset by e-mail."""
        super().__init__(*args, **kwargs)
        self.fields["password"].help_text = ""


class OwnPassword(ChangePasswordForm):
    """A password of one's own in the place of the one before."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Leave out the link to a reset by e-mail."""
        super().__init__(*args, **kwargs)
        self.fields["oldpassword"].help_text = ""


class ClosedSignup(DefaultAccountAdapter):
    """No open sign-up, and no e-mail: the service knows no addresses of staff."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Refuse, always."""
        return False

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send nothing, whoever asks."""

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count no wrong passwords here: axes does, by name and in the database, for every process alike."""

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        """Go to the surveys after a change of the password, unless the form says where to."""
        return reverse("survey_list")


@require_safe
def forgotten(request: HttpRequest) -> HttpResponse:
    """Say who helps with a forgotten password; nothing can be sent to anybody."""
    return render(request, "account/password_reset.html")


def gone(request: HttpRequest, **_facts: Any) -> HttpResponse:
    """Answer that nothing is here."""
    raise Http404


@receiver([password_changed, password_set])
def password_is_own(user: Any, **_facts: Any) -> None:
    """Remember that the one-time password is gone."""
    Account.objects.filter(user=user).update(must_change_password=False)

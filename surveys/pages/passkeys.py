"""Passkeys as we offer them: a new one logs in by itself unless that is ruled out."""

from typing import Any

from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.forms import AddWebAuthnForm, EditWebAuthnForm
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _


class PasskeyForm(AddWebAuthnForm):
    """A new passkey, and whether it can take the place of name and password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Say in plain words what is chosen, and choose what "passkey" promises."""
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("Name of the passkey")
        alone = self.fields["passwordless"]
        alone.initial = True
        alone.label = _("Log in with this passkey alone, without name and password")
        alone.help_text = _(
            "Your device then asks for a fingerprint, your face or a PIN. "
            "Untick it for a security key that is only a second step after the password."
        )


class PasskeyName(EditWebAuthnForm):
    """Another name for a passkey."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Name the field."""
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("Name of the passkey")


class SecondSteps(DefaultMFAAdapter):
    """What second steps are called."""

    def get_totp_issuer(self) -> str:
        """Give the name under which an authenticator app lists us."""
        return f"Deniable ({self._get_site_name()})"

    def generate_authenticator_name(self, user: Any, type: Authenticator.Type) -> str:
        """Propose a name for a new passkey."""
        number = Authenticator.objects.filter(user_id=user.pk, type=type).count() + 1
        return gettext("Passkey %(number)d") % {"number": number}

"""What the product knows of a member of staff beyond Django's user."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Account(models.Model):
    """Whether the password in use is a one-time password that must be changed first."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        primary_key=True,
        related_name="account",
        verbose_name=_("account"),
    )
    must_change_password = models.BooleanField(_("must be replaced at the next log-in"), default=False)

    class Meta:
        """Named by what an admin sees."""

        verbose_name = _("one-time password")
        verbose_name_plural = _("one-time passwords")

    def __str__(self) -> str:
        """Give the user."""
        return str(self.user)

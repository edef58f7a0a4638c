"""What the product knows of a member of staff beyond Django's user."""

from django.conf import settings
from django.db import models


class Account(models.Model):
    """Whether the password in use is a one-time password that must be changed first."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="account"
    )
    must_change_password = models.BooleanField(default=False)

    def __str__(self) -> str:
        """Give the user."""
        return str(self.user)

"""Django's admin: accounts, groups and grants. Surveys have their own pages, and answers have none at all."""

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.admin.sites import NotRegistered
from rest_framework.authtoken.models import TokenProxy

from surveys.models import Account, Grant


@admin.register(Grant)
class GrantAdmin(admin.ModelAdmin):
    """Which researcher may read which survey's estimates."""

    list_display = ("survey", "researcher")
    list_filter = ("researcher",)


@admin.register(Account)
class AccountAdmin(admin.ModelAdmin):
    """Who must replace a one-time password at the next log-in."""

    list_display = ("user", "must_change_password")


# Keys, tokens and second steps belong to their owners.
for _model in (EmailAddress, Authenticator, TokenProxy):
    try:
        admin.site.unregister(_model)
    except NotRegistered:
        continue

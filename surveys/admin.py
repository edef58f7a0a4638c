"""Django's admin: accounts, groups and grants. Surveys have their own pages, and answers have none at all."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.admin.exceptions import NotRegistered
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.http import HttpRequest
from rest_framework.authtoken.models import TokenProxy

from surveys.models import Account, Grant
from surveys.services.audit import audit_append


class Audited(admin.ModelAdmin):
    """Notes every act in the audit log too: Django's own log can be changed without a trace."""

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Note what was added."""
        _note(request, "admin.add", obj, str(message))
        return super().log_addition(request, obj, message)

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Note what was changed, by the names of its fields."""
        _note(request, "admin.change", obj, str(message))
        return super().log_change(request, obj, message)

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        """Note each thing that is deleted."""
        for obj in queryset:
            _note(request, "admin.delete", obj, "")
        return super().log_deletions(request, queryset)


def _note(request: HttpRequest, action: str, obj: Any, message: str) -> None:
    facts = {"table": obj._meta.label_lower, "key": str(obj.pk), "message": message}
    audit_append(actor=request.user, action=action, subject=str(obj)[:200], facts=facts)


@admin.register(Grant)
class GrantAdmin(Audited):
    """Which researcher may read which survey's estimates."""

    list_display = ("survey", "researcher")
    list_filter = ("researcher",)


@admin.register(Account)
class AccountAdmin(Audited):
    """Who must replace a one-time password at the next log-in."""

    list_display = ("user", "must_change_password")


class AuditedUserAdmin(Audited, UserAdmin):
    """Accounts and their roles."""


class AuditedGroupAdmin(Audited, GroupAdmin):
    """The groups behind the roles."""


# Keys, tokens and second steps belong to their owners; accounts and groups are registered anew.
for _model in (EmailAddress, Authenticator, TokenProxy, User, Group):
    try:
        admin.site.unregister(_model)
    except NotRegistered:
        continue

admin.site.register(User, AuditedUserAdmin)
admin.site.register(Group, AuditedGroupAdmin)

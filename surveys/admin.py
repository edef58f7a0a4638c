"""Django's admin: accounts, groups and grants. Surveys have their own pages, and answers have none at all."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from axes.models import AccessFailureLog, AccessLog
from django import forms
from django.contrib import admin, messages
from django.contrib.admin.exceptions import NotRegistered
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from rest_framework.authtoken.models import Token, TokenProxy

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
    """Accounts and their roles; no names and addresses, and passwords that are replaced at the first log-in."""

    list_display = ("username", "is_active", "is_staff", "is_superuser", "last_login")
    search_fields = ("username",)
    readonly_fields = ("last_login", "date_joined")
    filter_horizontal = ()
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        (_("Roles"), {"fields": ("is_active", "groups", "is_staff", "is_superuser")}),
        (_("Important dates"), {"fields": ("last_login", "date_joined")}),
    )

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Tick roles: Django's two lists with arrows have no names for screen readers."""
        return super().formfield_for_manytomany(
            db_field, request, **{**kwargs, "widget": forms.CheckboxSelectMultiple}
        )

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Let the password of a new account be a one-time password."""
        super().save_model(request, obj, form, change)
        if not change:
            _one_time(request, obj)

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:
        """Let a password that was given to somebody else be a one-time password."""
        with transaction.atomic():
            before = _password_of(id)
            response = super().user_change_password(request, id, form_url)
            if _password_of(id) != before and str(request.user.pk) != id:
                _one_time(request, User.objects.get(pk=id))
        return response


def _password_of(key: str) -> str | None:
    # Even the same password has another hash when it is set again.
    return User.objects.filter(pk=key).values_list("password", flat=True).first()


def _one_time(request: HttpRequest, user: Any) -> None:
    replaced = user.has_usable_password()
    Account.objects.update_or_create(user=user, defaults={"must_change_password": replaced})
    Token.objects.filter(user=user).delete()
    if replaced:
        messages.info(request, gettext("It is a one-time password: it must be replaced at the next log-in."))


class AuditedGroupAdmin(Audited, GroupAdmin):
    """The groups behind the roles."""


# Keys, tokens and second steps belong to their owners; accounts and groups are registered anew; axes' logs stay empty.
for _model in (EmailAddress, Authenticator, TokenProxy, AccessLog, AccessFailureLog, User, Group):
    try:
        admin.site.unregister(_model)
    except NotRegistered:
        continue

admin.site.register(User, AuditedUserAdmin)
admin.site.register(Group, AuditedGroupAdmin)

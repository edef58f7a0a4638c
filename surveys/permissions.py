"""Who may do what: admins configure, researchers read granted estimates, auditors read the audit log."""

from typing import Any

from django.contrib.auth.models import Group

from surveys.errors import NotAllowed
from surveys.models import Grant, Survey

ADMIN, RESEARCHER, AUDITOR = ROLES = ("admin", "researcher", "auditor")


def roles_of(user: Any) -> frozenset[str]:
    """Return the roles of an account; a stranger has none. Read once a request."""
    if not user.is_authenticated or not user.is_active:
        return frozenset()
    if not hasattr(user, "_roles"):
        named = user.groups.filter(name__in=ROLES).values_list("name", flat=True)
        user._roles = frozenset(named) | ({ADMIN} if user.is_superuser else frozenset())
    return user._roles


def may_configure(user: Any) -> bool:
    """Say whether this account configures surveys, and grants them to researchers."""
    return ADMIN in roles_of(user)


def may_plan(user: Any) -> bool:
    """Say whether this account may use the planner."""
    return bool(roles_of(user) & {ADMIN, RESEARCHER})


def may_read_results(user: Any, survey: Survey) -> bool:
    """Say whether this account may read the estimates of a survey (nobody reads more than those)."""
    roles = roles_of(user)
    if ADMIN in roles:
        return True
    return RESEARCHER in roles and Grant.objects.filter(survey=survey, researcher=user).exists()


def may_read_audit(user: Any) -> bool:
    """Say whether this account may read the audit log."""
    return bool(roles_of(user) & {ADMIN, AUDITOR})


def required(allowed: bool, user: Any, action: str) -> None:
    """Refuse, where the answer of one of the questions above is no."""
    if not allowed:
        raise NotAllowed(user.get_username(), action)


def groups_create(**_sender: Any) -> None:
    """Make the groups behind the roles; called after every migration."""
    for role in ROLES:
        Group.objects.get_or_create(name=role)

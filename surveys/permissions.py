"""Who may do what: admins configure, researchers read granted estimates, auditors read the audit log."""

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import Group, User

from surveys.errors import NotAllowed
from surveys.models import Asking, Grant, QueryRun, Share, Source, Survey

ADMIN, RESEARCHER, AUDITOR = ROLES = ("admin", "researcher", "auditor")


@dataclass(frozen=True, slots=True)
class Standing:
    """What the product knows of an account, beyond its name."""

    roles: frozenset[str]
    must_change_password: bool


_STRANGER = Standing(frozenset(), must_change_password=False)


def standing_of(user: Any) -> Standing:
    """Return the standing of an account; a stranger has none. Read once a request, in one query."""
    if not user.is_authenticated or not user.is_active:
        return _STRANGER
    if not hasattr(user, "_standing"):
        known = User.objects.filter(pk=user.pk)
        rows = list(known.values_list("groups__name", "account__must_change_password"))
        named = frozenset(name for name, _ in rows if name in ROLES)
        user._standing = Standing(
            named | ({ADMIN} if user.is_superuser else frozenset()), any(changes for _, changes in rows)
        )
    return user._standing


def roles_of(user: Any) -> frozenset[str]:
    """Return the roles of an account."""
    return standing_of(user).roles


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


def may_ask(user: Any, source: Source) -> bool:
    """Say whether this account may ask a source: an admin, or a researcher with a share of its budget."""
    roles = roles_of(user)
    if ADMIN in roles:
        return True
    return RESEARCHER in roles and Share.objects.filter(budget__source=source, researcher=user).exists()


def shares_needed(user: Any) -> bool:
    """Say whether what this account asks is charged to a share of its own; an admin spends the budget itself."""
    return ADMIN not in roles_of(user)


def may_read_run(user: Any, run: QueryRun) -> bool:
    """Say whether this account may read an answer: an admin, or a granted researcher who asked for it."""
    if ADMIN in roles_of(user):
        return True
    return may_ask(user, run.source) and Asking.objects.filter(run=run, actor=user).exists()


def may_read_ledger(user: Any, source: Source) -> bool:
    """Say whether this account may read a source's ledger, a researcher of it only what is their own."""
    return may_read_audit(user) or may_ask(user, source)


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

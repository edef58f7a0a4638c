"""A source that was declared wrongly: declared anew in its place, or taken back, while it never passed a check."""

from typing import Any

from django.db import transaction

from privacy.policy.files import source_from
from surveys.errors import Finding, SettingInvalid
from surveys.models import AuditEntry, Source
from surveys.permissions import may_configure, required
from surveys.services.audit import audit_append
from surveys.services.sources import CHECKS, policies_keep

ACTION = "source.redeclare"


def source_redeclarable(source: Source) -> bool:
    """Say whether a source never passed a check and was never asked, so that what it declares can still change."""
    fresh = source.kind != Source.Kind.SERVICE and source.checked_caps is None
    return fresh and not source.runs.exists()


def source_redeclare(*, actor: Any, source: Source, text: str) -> Source:
    """Declare a source anew as a file describes it; its connection stays, and so do the checks that were counted.

    Each declaration that is checked tells something about the data: once a check told anything, so many more
    declarations are taken and then none. Raises SettingInvalid, and what `source_register_text` raises for its text.
    """
    required(may_configure(actor), actor, "register sources")
    file = source_from(text)
    with transaction.atomic():
        kept = _redeclarable(source)
        told = int(kept.told_on is not None)
        noted = AuditEntry.objects.filter(action=ACTION, subject=kept.name, facts__told=1)
        if told and noted.count() >= CHECKS:
            raise SettingInvalid([Finding("source-told", "text")])
        kept.schema, kept.tables = file.described, dict(file.tables)
        kept.state, kept.reason, kept.checked_on = Source.State.CLOSED, "", None
        kept.save(update_fields=("schema", "tables", "state", "reason", "checked_on"))
        kept.policies.all().delete()
        kept.budgets.exclude(entity__in=[one.entity for one in file.policies]).delete()
        # Under another version than before: a check that is under way is one of the earlier declaration.
        policies_keep(kept, file.policies)
        audit_append(actor=actor, action=ACTION, subject=kept.name, facts={"told": told})
    return kept


def source_remove(*, actor: Any, source: Source) -> None:
    """Take a registration back: its name and its database are free again.

    Raises SettingInvalid once a check told something about the data: registered anew, none would be counted.
    """
    required(may_configure(actor), actor, "register sources")
    with transaction.atomic():
        kept = _redeclarable(source)
        if kept.told_on is not None:
            raise SettingInvalid([Finding("source-told", "name")])
        kept.delete()
        audit_append(actor=actor, action="source.forget", subject=kept.name)


def _redeclarable(source: Source) -> Source:
    kept = Source.objects.select_for_update().get(pk=source.pk)
    if not source_redeclarable(kept):
        raise SettingInvalid([Finding("source-opened", "name")])
    return kept

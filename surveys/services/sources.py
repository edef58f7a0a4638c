"""What may be done with a source: register, label, check, close."""

import re
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from privacy.policy.errors import PolicyInvalid
from privacy.policy.labels import policy_document, policy_from
from privacy.policy.schema import schema_from
from surveys.errors import Finding, SettingInvalid, SourceUnknown
from surveys.models import Source, SourcePolicy
from surveys.permissions import may_configure, may_read_ledger, required
from surveys.services.audit import audit_append
from surveys.services.queries import policies_of
from surveys.sources.checking import first_broken
from surveys.sources.connecting import ConnectionMissing, connections_named, source_connection

UNREACHABLE = "it cannot be read as declared"
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,59}")


def source_get(name: str) -> Source:
    """Return a source by its name."""
    source = Source.objects.filter(name=name).first()
    if source is None:
        raise SourceUnknown(name)
    return source


def source_for(user: Any, name: str) -> Source:
    """Return the source that an account asks about; only an admin learns that there is no such source."""
    source = Source.objects.filter(name=name).first()
    if source is None:
        required(may_configure(user), user, "ask this source")
        raise SourceUnknown(name)
    required(may_read_ledger(user, source), user, "ask this source")
    return source


def source_register(
    *, actor: Any, name: str, kind: str, schema: object, policies: list[object],
    connection: str = "", tables: Mapping[str, str] | None = None,
) -> Source:  # fmt: skip
    """Register a source with its schema and a policy for each entity kind; it stays closed until it was checked.

    Raises SchemaInvalid, PolicyInvalid, SettingInvalid.
    """
    _allowed(actor, "register sources")
    known = schema_from(schema)
    documents = [policy_document(policy_from(one, known)) for one in policies]
    if not documents:
        raise PolicyInvalid((), "a source needs a policy")
    with transaction.atomic():
        _register_checked(name, kind, connection)
        source = Source.objects.create(
            name=name, kind=kind, connection=connection, schema=schema, tables=dict(tables or {})
        )
        for document in documents:
            _policy_keep(source, document)
        audit_append(actor=actor, action="source.register", subject=name, facts={"kind": kind})
    return source


def source_policy_set(*, actor: Any, source: Source, document: object) -> SourcePolicy:
    """Label a source anew for one kind of entity; answers under the old labels stay stored under them."""
    _allowed(actor, "set policies")
    with transaction.atomic():
        kept = Source.objects.select_for_update().get(pk=source.pk)
        described = policy_document(policy_from(document, schema_from(kept.schema)))
        policy = _policy_keep(kept, described)
        facts = {"entity": policy.entity, "version": policy.version}
        audit_append(actor=actor, action="source.policy", subject=kept.name, facts=facts)
    return policy


def source_check(*, actor: Any, source: Source, changed: bool = False) -> Source:
    """Check that the data keeps every declared constraint, and open the source if so; close it if not.

    `changed`: the data are others than before, so answers are computed anew. What is told of a failure is the
    constraint, never how many rows break it.
    """
    _allowed(actor, "check sources")
    reason = _broken(source)
    with transaction.atomic():
        kept = Source.objects.select_for_update().get(pk=source.pk)
        kept.state = Source.State.OPEN if reason is None else Source.State.FAILED
        kept.reason, kept.checked_on = (reason or "")[:300], timezone.now().date()
        kept.data_version += bool(changed)
        kept.save(update_fields=("state", "reason", "checked_on", "data_version"))
        facts = {"state": str(kept.state), "reason": kept.reason, "data_version": kept.data_version}
        audit_append(actor=actor, action="source.check", subject=kept.name, facts=facts)
    return kept


def source_close(*, actor: Any, source: Source) -> None:
    """Let a source answer nothing until it is checked again."""
    _allowed(actor, "close sources")
    with transaction.atomic():
        if (
            Source.objects.filter(pk=source.pk)
            .exclude(state=Source.State.CLOSED)
            .update(state=Source.State.CLOSED, reason="")
        ):
            audit_append(actor=actor, action="source.close", subject=source.name)


def _broken(source: Source) -> str | None:
    schema = schema_from(source.schema)
    try:
        with source_connection(source) as reach:
            return first_broken(reach, schema, policies_of(source), dict(source.tables))
    except ConnectionMissing:
        return "the settings name no such connection"
    except Exception:  # whatever the driver says may repeat a row
        return UNREACHABLE


def _allowed(actor: Any, action: str) -> None:
    # At the command line there is no account: whoever runs it holds the database anyway.
    if actor is not None:
        required(may_configure(actor), actor, action)


def _register_checked(name: str, kind: str, connection: str) -> None:
    if not _NAME.fullmatch(name):
        raise SettingInvalid([Finding("name-malformed", "name")])
    if kind not in Source.Kind.values or kind == Source.Kind.SERVICE:
        raise SettingInvalid([Finding("source-kind-unknown", "kind")])
    if (connection or name) not in connections_named():
        raise SettingInvalid([Finding("connection-unknown", "connection")])
    if Source.objects.filter(name=name).exists():
        raise SettingInvalid([Finding("name-taken", "name")])


def _policy_keep(source: Source, document: dict[str, Any]) -> SourcePolicy:
    source.policy_version += 1
    source.save(update_fields=("policy_version",))
    return SourcePolicy.objects.create(
        source=source, entity=document["entity"], version=source.policy_version, document=document
    )

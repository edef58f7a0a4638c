"""What may be done with a source: register, label, check, close."""

import re
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import yaml
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from privacy.policy.errors import PolicyInvalid
from privacy.policy.files import SourceFile, policies_from, source_from, tables_from
from privacy.policy.labels import Policy, policy_document, policy_from
from privacy.policy.schema import schema_from
from surveys.errors import Finding, SettingInvalid, SourceUnknown
from surveys.models import Source, SourcePolicy
from surveys.permissions import may_configure, may_read_ledger, required
from surveys.services.audit import audit_append
from surveys.services.queries import policies_of
from surveys.sources.checking import first_broken
from surveys.sources.connecting import (
    ConnectionMissing,
    Unreachable,
    connection_kind,
    connections_named,
    source_connection,
    source_reach,
)
from surveys.sources.declared import first_undeclared
from surveys.sources.identity import database_of, database_own
from surveys.sources.spelling import Spelling

UNREACHABLE = gettext_noop("it cannot be read as declared")
UNNAMED = gettext_noop(
    "the settings name no such connection; put it back into SOURCE_CONNECTIONS or the folder of sources, then check "
    "again"
)
UNREACHED = gettext_noop(
    "its database cannot be reached now, which says nothing of its data; see that it runs and that its connection "
    "leads there, then check again"
)
UNFINISHED = gettext_noop("its data changed and the check of it has not ended")
UNCHECKED = gettext_noop("a policy declares other rows per entity than were checked")
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,59}")
PAGE = "new"  # /sources/new/ is the page that registers one
# On a day and for a source, so many checks by an account may tell something: what they tell is exact and costs no ε.
CHECKS = 3

# How a check ends: the state, and why it is not open.
_Verdict = tuple[Source.State, str]


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
    found = [policy_from(one, known) for one in policies]
    if not found:
        raise PolicyInvalid((), "a source needs a policy")
    assert isinstance(schema, Mapping)
    file = SourceFile(schema, known, tuple(found), tables_from(tables, known))
    return _registered(actor, name, kind, connection, file)


def source_register_text(*, actor: Any, name: str, text: str, connection: str = "", kind: str = "") -> Source:
    """Register a source as a file describes it, in YAML or JSON; it stays closed until it was checked.

    `connection` is a name in the settings, that of the source unless given, and says the kind unless that is given.
    Raises SettingInvalid, and with line and reason DocumentInvalid, SchemaInvalid, PolicyInvalid.
    """
    _allowed(actor, "register sources")
    return _registered(actor, name, kind, connection, source_from(text))


def source_policy_set(*, actor: Any, source: Source, document: object) -> SourcePolicy:
    """Label a source anew for one kind of entity; answers under the old labels stay stored under them.

    A source whose new policy declares other rows per entity is closed until that was checked.
    """
    _allowed(actor, "set policies")
    with transaction.atomic():
        kept = Source.objects.select_for_update().get(pk=source.pk)
        return _policies_set(actor, kept, [policy_from(document, schema_from(kept.schema))])[0]


def source_policy_text(*, actor: Any, source: Source, text: str) -> list[SourcePolicy]:
    """Set the policies of a file, all or none: one policy as it is, or a source's file with the registered schema."""
    _allowed(actor, "set policies")
    with transaction.atomic():
        kept = Source.objects.select_for_update().get(pk=source.pk)
        found = policies_from(text, schema_from(kept.schema), kept.schema)
        return _policies_set(actor, kept, found)


def source_text(source: Source) -> str:
    """Return the file that describes a source as it is now."""
    policies = [policy_document(one) for one in policies_of(source)]
    tables = {"tables": source.tables} if source.tables else {}
    described = {**tables, "schema": source.schema, "policies": policies}
    return yaml.safe_dump(described, allow_unicode=True, sort_keys=False, default_flow_style=None, width=110)


def source_reason(source: Source) -> str:
    """Return why a source is closed, in the language of the reader."""
    place, colon, promise = source.reason.rpartition(": ")
    return f"{place}{colon}{gettext(promise)}" if promise else ""


def source_check(*, actor: Any, source: Source, changed: bool = False) -> Source:
    """Check that the data keeps every declared constraint, and open the source if so; close it if not.

    `changed`: the data are others than before, so answers are computed anew. What is told of a failure is the
    constraint, never how many rows break it. Raises SettingInvalid where an account has no check left today. A check
    that found no database, or other tables and columns than declared, told nothing about anybody: it is not counted.
    """
    _allowed(actor, "check sources")
    unready = _unready(Source.objects.get(pk=source.pk))
    if unready is None and actor is not None:
        _check_counted(source)
    if changed:
        # Of data that nobody has checked nothing is answered.
        news = {"data_version": F("data_version") + 1, "state": Source.State.CLOSED, "reason": UNFINISHED}
        Source.objects.filter(pk=source.pk).update(**news)
    while True:
        checked = Source.objects.get(pk=source.pk)
        verdict = unready or _broken(checked)
        with transaction.atomic():
            kept = Source.objects.select_for_update().get(pk=source.pk)
            # What was checked may have been declared otherwise meanwhile.
            if _declared(kept) == _declared(checked):
                return _checked(actor, kept, *verdict)
        if unready is not None:
            # From the start: only a check that is counted looks at rows.
            return source_check(actor=actor, source=source)


def _check_counted(source: Source) -> None:
    """Count a check before it looks at data, as one that tells something; one that is cut off has told it."""
    today = timezone.localdate()
    with transaction.atomic():
        kept = Source.objects.select_for_update().get(pk=source.pk)
        told = kept.told if kept.told_on == today else 0
        seen = Source.objects.filter(pk=kept.pk, told_on=kept.told_on, told=kept.told)
        if told >= CHECKS or not seen.update(told_on=today, told=told + 1):
            raise SettingInvalid([Finding("checks-used", "check", params=(("most", CHECKS),))])


def _declared(source: Source) -> tuple[object, ...]:
    return source.data_version, source.policy_version, source.schema, source.tables


def _checked(actor: Any, source: Source, state: Source.State, reason: str) -> Source:
    source.state, source.reason, source.checked_on = state, reason[:300], timezone.now().date()
    if state == Source.State.OPEN:
        caps = _caps(source)
        # That what held holds still is all that most checks tell: those are not counted.
        source.told -= int(actor is not None and caps == source.checked_caps and source.told > 0)
        source.checked_caps = caps
    source.save(update_fields=("state", "reason", "checked_on", "checked_caps", "told"))
    facts = {"state": str(source.state), "reason": source.reason, "data_version": source.data_version}
    audit_append(actor=actor, action="source.check", subject=source.name, facts=facts)
    return source


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


def source_forget(*, source: Source) -> None:
    """Take a registration back, at the command line only: a declaration that was wrong could not be corrected else.

    Raises SettingInvalid once anything was asked: what was learnt then stays learnt, and so does its budget.
    """
    with transaction.atomic():
        kept = Source.objects.select_for_update().get(pk=source.pk)
        if kept.kind == Source.Kind.SERVICE or kept.runs.exists():
            raise SettingInvalid([Finding("source-asked", "name")])
        kept.delete()
        audit_append(actor=None, action="source.forget", subject=kept.name)


def _unready(source: Source) -> _Verdict | None:
    """Say what keeps a source from being checked at all, without a look at any row."""
    try:
        source_reach(source)
    except Unreachable as error:
        return Source.State.CLOSED, UNNAMED if isinstance(error.__cause__, ConnectionMissing) else UNREACHED
    try:
        with source_connection(source) as reach:
            found = first_undeclared(
                reach, schema_from(source.schema), Spelling(reach.dialect, dict(source.tables))
            )
    except Exception:
        return None  # what else is wrong, the check itself finds, and is counted
    return None if found is None else (Source.State.FAILED, found)


def _broken(source: Source) -> _Verdict:
    schema = schema_from(source.schema)
    try:
        with source_connection(source) as reach:
            found = first_broken(reach, schema, policies_of(source), dict(source.tables))
    except Exception:  # whatever the driver says may repeat a row
        found = UNREACHABLE
    return (Source.State.OPEN, "") if found is None else (Source.State.FAILED, found)


def _allowed(actor: Any, action: str) -> None:
    # At the command line there is no account: whoever runs it holds the database anyway.
    if actor is not None:
        required(may_configure(actor), actor, action)


def _registered(actor: Any, name: str, kind: str, connection: str, file: SourceFile) -> Source:
    with transaction.atomic():
        source = Source.objects.create(
            name=name,
            kind=_register_checked(name, kind, connection),
            connection=connection or name,
            schema=file.described,
            tables=dict(file.tables),
        )
        policies_keep(source, file.policies)
        audit_append(actor=actor, action="source.register", subject=name, facts={"kind": str(source.kind)})
    return source


def _register_checked(name: str, kind: str, connection: str) -> str:
    """Return the kind of a source that can be registered."""
    if not _NAME.fullmatch(name):
        raise SettingInvalid([Finding("name-malformed", "name")])
    if name == PAGE:
        raise SettingInvalid([Finding("name-taken", "name")])
    if kind and (kind not in Source.Kind.values or kind == Source.Kind.SERVICE):
        raise SettingInvalid([Finding("source-kind-unknown", "kind")])
    if (connection or name) not in connections_named():
        known = ", ".join(sorted(connections_named())) or "–"
        raise SettingInvalid([Finding("connection-unknown", "connection", params=(("known", known),))])
    found = connection_kind(connection or name)
    if found is None or kind not in ("", found):
        raise SettingInvalid([Finding("connection-other", "connection")])
    if Source.objects.filter(name=name).exists():
        raise SettingInvalid([Finding("name-taken", "name")])
    if database_of(connections_named()[connection or name]) in _databases_taken():
        raise SettingInvalid([Finding("connection-taken", "connection")])
    return found


def _databases_taken() -> set[Hashable]:
    """Return where the registered sources are: a second one there would be a second budget for the same people."""
    named, known = connections_named(), Source.objects.values_list("connection", "name")
    asked = {connection or name for connection, name in known}
    return {database_own(), *(database_of(named[one]) for one in asked if one in named)}


def _policies_set(actor: Any, source: Source, policies: Sequence[Policy]) -> list[SourcePolicy]:
    caps = _caps(source)
    others = any(dict(one.caps) != caps.get(one.entity, {}) for one in policies)
    if others and source.state == Source.State.OPEN:
        source.state, source.reason = Source.State.CLOSED, UNCHECKED
        source.save(update_fields=("state", "reason"))
    found = policies_keep(source, policies)
    for kept in found:
        facts = {"entity": kept.entity, "version": kept.version}
        audit_append(actor=actor, action="source.policy", subject=source.name, facts=facts)
    return found


def _caps(source: Source) -> dict[str, dict[str, int]]:
    return {one.entity: dict(one.caps) for one in policies_of(source)}


def policies_keep(source: Source, policies: Sequence[Policy]) -> list[SourcePolicy]:
    """Keep policies that are set together under one new version of the source."""
    source.policy_version += 1
    source.save(update_fields=("policy_version",))
    make, version = SourcePolicy.objects.create, source.policy_version
    return [
        make(source=source, entity=one.entity, version=version, document=policy_document(one))
        for one in policies
    ]

"""The life of a survey: published once a version, paused, resumed, closed for ever."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from surveys.errors import Finding, PublishRefused, StateForbids, SurveyClosed
from surveys.models import Question, Survey, Version
from surveys.permissions import may_configure, required
from surveys.services.audit import audit_append
from surveys.services.checks import publish_findings
from surveys.signals import survey_closed
from surveys.wire.fingerprint import canonical, fingerprint_of
from surveys.wire.manifest import manifest_build

State = Survey.State


def survey_publish(
    *, actor: Any, survey: Survey, now: datetime | None = None, expected: str | None = None
) -> Version:
    """Open a draft or paused survey; of two racing publications one is refused.

    The draft becomes a version that never changes. A paused survey whose draft is still that of its last
    version is resumed with that version. `expected` is the fingerprint that was agreed to: any other is refused.
    Raises PublishRefused with every reason, StateForbids otherwise.
    """
    required(may_configure(actor), actor, "publish surveys")
    with transaction.atomic():
        _move(survey, (State.DRAFT, State.PAUSED), State.OPEN, "be published")
        kept = Survey.objects.get(pk=survey.pk)
        questions = list(kept.questions.all())
        if found := list(publish_findings(kept, questions, now or timezone.now())):
            raise PublishRefused(found)
        version, made = _version(kept, draft_manifest(kept, questions))
        if expected not in (None, version.fingerprint):
            raise PublishRefused([Finding("changed-meanwhile", "")])
        facts = {"version": version.number, "fingerprint": version.fingerprint}
        audit_append(
            actor=actor, action="survey.publish" if made else "survey.resume", subject=kept.slug, facts=facts
        )
    survey.state = State.OPEN
    return version


def survey_pause(*, actor: Any, survey: Survey) -> None:
    """Take no new answers until the survey is published again; it can be edited meanwhile."""
    required(may_configure(actor), actor, "pause surveys")
    with transaction.atomic():
        _move(survey, (State.OPEN,), State.PAUSED, "be paused")
        audit_append(actor=actor, action="survey.pause", subject=survey.slug)
    survey.state = State.PAUSED


def survey_close(*, actor: Any, survey: Survey) -> None:
    """Close a survey for ever and wake up the workers; `actor` is None when its closing rule does it."""
    if actor is not None:
        required(may_configure(actor), actor, "close surveys")
    with transaction.atomic():
        _move(survey, (State.OPEN, State.PAUSED), State.CLOSED, "be closed")
        audit_append(actor=actor, action="survey.close", subject=survey.slug)
        transaction.on_commit(lambda: survey_closed.send(Survey, survey_id=survey.pk), robust=True)
    survey.state = State.CLOSED


def draft_manifest(survey: Survey, questions: Sequence[Question]) -> dict[str, Any]:
    """Return the manifest that a draft would be published with now; raises PrivacyError."""
    return manifest_build(survey, questions, _next_number(survey))


def publication_planned(survey: Survey, questions: Sequence[Question]) -> tuple[dict[str, Any], bool]:
    """Return the manifest that publishing would open now, and whether it is the last version once more."""
    manifest = draft_manifest(survey, questions)
    last = _unchanged(survey, manifest)
    return (manifest, False) if last is None else (json.loads(last.manifest) | _mark(last), True)


def manifest_of(version: Version) -> dict[str, Any]:
    """Return the manifest of a version as the device receives it, with fingerprint and state."""
    return json.loads(version.manifest) | _mark(version) | {"state": str(version.survey.state)}


def _mark(version: Version) -> dict[str, Any]:
    return {"fingerprint": version.fingerprint}


def _move(survey: Survey, before: tuple[str, ...], after: str, action: str) -> None:
    """Change the state if it is one of these, as the database sees it at this moment."""
    if Survey.objects.filter(pk=survey.pk, state__in=before).update(state=after) == 1:
        return
    state = Survey.objects.filter(pk=survey.pk).values_list("state", flat=True).first()
    raise (
        SurveyClosed(survey.slug) if state == State.CLOSED else StateForbids(survey.slug, str(state), action)
    )


def _next_number(survey: Survey) -> int:
    last = survey.versions.order_by("-number").values_list("number", flat=True).first()
    return 1 if last is None else last + 1


def _version(survey: Survey, manifest: dict[str, Any]) -> tuple[Version, bool]:
    """Return the version to open and whether it is new; the last one again when only the number differs."""
    last = _unchanged(survey, manifest)
    if last is not None:
        return last, False
    version = Version.objects.create(
        survey=survey,
        number=manifest["version"],
        manifest=canonical(manifest).decode(),
        fingerprint=manifest["fingerprint"],
    )
    return version, True


def _unchanged(survey: Survey, manifest: dict[str, Any]) -> Version | None:
    last = survey.versions.order_by("-number").first()
    same = last is not None and fingerprint_of({**manifest, "version": last.number}) == last.fingerprint
    return last if same else None

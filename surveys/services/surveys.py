"""What may be done with a survey as a whole: create, change, copy, delete, grant."""

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from surveys.errors import Finding, SettingInvalid, StateForbids, SurveyUnknown
from surveys.models import Grant, Question, RetiredAddress, Survey
from surveys.permissions import may_configure, required
from surveys.services.audit import audit_append
from surveys.services.checks import survey_findings

State = Survey.State
EDITABLE = (State.DRAFT, State.PAUSED)
FIELDS = (
    *("title_en", "title_ko", "intro_en", "intro_ko"),
    *("epsilon_ceiling", "closes_at", "target", "population"),
)
QUESTION_FIELDS = (
    *("kind", "text_en", "text_ko", "choices", "required"),
    *("visible_if", "epsilon", "protocol", "tosses"),
)


def survey_create(*, actor: Any, slug: str, **values: Any) -> Survey:
    """Make a draft; raises SettingInvalid with a finding for each field that cannot be kept."""
    required(may_configure(actor), actor, "configure surveys")
    survey = Survey(slug=slug, owner=actor, **_known(values, FIELDS))
    with transaction.atomic():
        _refuse(survey_findings(survey))
        _save_new(survey)
        audit_append(actor=actor, action="survey.create", subject=survey.slug, facts=_facts(values))
    return survey


def survey_update(*, actor: Any, survey: Survey, **values: Any) -> Survey:
    """Change named fields of a draft or paused survey; the address only before the first publication."""
    required(may_configure(actor), actor, "configure surveys")
    with transaction.atomic():
        kept = survey_locked(survey, "be changed")
        before = kept.target
        if values.get("slug", kept.slug) != kept.slug and kept.versions.exists():
            raise SettingInvalid([Finding("slug-fixed", "slug")])
        for name, value in _known(values, (*FIELDS, "slug")).items():
            setattr(kept, name, value)
        _refuse(_update_findings(kept, values, before))
        _save_named(kept, values)
        audit_append(actor=actor, action="survey.update", subject=kept.slug, facts=_facts(values))
    return kept


def survey_judged(*, survey: Survey | None = None, **values: Any) -> list[Finding]:
    """Return every refusal of a survey as typed so far: a new one, or this one changed; nothing is kept."""
    judged = Survey() if survey is None else copy(survey)
    for name, value in _known(values, (*FIELDS, "slug")).items():
        setattr(judged, name, value)
    found = list(_update_findings(judged, values, None if survey is None else survey.target))
    if any(finding.field == "slug" for finding in found) or (survey and survey.slug == judged.slug):
        return found
    return [*found, *_address_findings(judged)]


def survey_duplicate(*, actor: Any, survey: Survey, slug: str) -> Survey:
    """Copy a survey of any state, with its questions, to a draft at another address."""
    copied = {name: getattr(survey, name) for name in FIELDS}
    with transaction.atomic():
        # A closing time of the past would only have to be changed.
        copy = survey_create(actor=actor, slug=slug, **{**copied, "closes_at": None})
        kept = ("position", "name", *QUESTION_FIELDS)
        Question.objects.bulk_create(
            Question(survey=copy, **{name: getattr(question, name) for name in kept})
            for question in survey.questions.all()
        )
        audit_append(actor=actor, action="survey.duplicate", subject=slug, facts={"from": survey.slug})
    return copy


def survey_delete(*, actor: Any, survey: Survey) -> None:
    """Delete a draft or a closed survey with everything of it; an open or paused one must be closed first."""
    required(may_configure(actor), actor, "configure surveys")
    with transaction.atomic():
        kept = _locked(survey)
        if kept.state not in (State.DRAFT, State.CLOSED):
            raise StateForbids(kept.slug, kept.state, "be deleted before it is closed")
        slug, state = kept.slug, kept.state
        if kept.versions.exists():
            # Digests of used keys go with the survey: under another one here, its reports would count once more.
            RetiredAddress.objects.get_or_create(slug=slug)
        kept.delete()
        audit_append(actor=actor, action="survey.delete", subject=slug, facts={"state": str(state)})


def grant_add(*, actor: Any, survey: Survey, researcher: Any) -> Grant:
    """Let a researcher read the estimates of a survey; a second time changes nothing."""
    required(may_configure(actor), actor, "grant access")
    with transaction.atomic():
        grant, made = Grant.objects.get_or_create(survey=survey, researcher=researcher)
        if made:
            _audit_grant(actor, "grant.add", grant)
    return grant


def grant_remove(*, actor: Any, survey: Survey, researcher: Any) -> None:
    """Take a researcher's access back."""
    required(may_configure(actor), actor, "grant access")
    with transaction.atomic():
        for grant in Grant.objects.filter(survey=survey, researcher=researcher):
            grant.delete()
            _audit_grant(actor, "grant.remove", grant)


def survey_locked(survey: Survey, action: str) -> Survey:
    """Return the survey's row, locked until the transaction ends; refuse where the draft cannot change."""
    kept = _locked(survey)
    if kept.state not in EDITABLE:
        raise StateForbids(kept.slug, kept.state, action)
    return kept


def _locked(survey: Survey) -> Survey:
    kept = Survey.objects.select_for_update().filter(pk=survey.pk).first()
    if kept is None:
        raise SurveyUnknown(survey.slug)
    return kept


def _refuse(findings: Iterable[Finding]) -> None:
    if found := list(findings):
        raise SettingInvalid(found)


def _save_new(survey: Survey) -> None:
    try:
        with transaction.atomic():
            survey.save(force_insert=True)
    except IntegrityError:
        raise SettingInvalid([Finding("slug-taken", "slug")]) from None
    _refuse_retired(survey.slug)


def _save_named(survey: Survey, values: Mapping[str, Any]) -> None:
    try:
        with transaction.atomic():
            survey.save(update_fields=list(values))
    except IntegrityError:
        raise SettingInvalid([Finding("slug-taken", "slug")]) from None
    _refuse_retired(survey.slug)


def _refuse_retired(slug: str) -> None:
    # After the address was taken: a deletion at the same moment has then been waited for, and is seen.
    if RetiredAddress.objects.filter(slug=slug).exists():
        raise SettingInvalid([Finding("slug-retired", "slug")])


def _address_findings(survey: Survey) -> Iterator[Finding]:
    if survey.pk is not None and survey.versions.exists():
        yield Finding("slug-fixed", "slug")
    elif Survey.objects.filter(slug=survey.slug).exists():
        yield Finding("slug-taken", "slug")
    elif RetiredAddress.objects.filter(slug=survey.slug).exists():
        yield Finding("slug-retired", "slug")


def _update_findings(survey: Survey, values: Mapping[str, Any], before: int | None) -> Iterator[Finding]:
    found = list(survey_findings(survey))
    told = {one.field for one in found}
    more = (*_closes_at_once(survey, values), *_target_lowered(survey, values, before))
    yield from (*found, *(one for one in more if one.field not in told))


def _closes_at_once(survey: Survey, values: Mapping[str, Any]) -> Iterator[Finding]:
    # It would close the survey for ever within seconds of its opening.
    closes_at = values.get("closes_at")
    if survey.state in EDITABLE and closes_at is not None and closes_at <= timezone.now():
        yield Finding("closing-past", "closes_at")


def _target_lowered(survey: Survey, values: Mapping[str, Any], before: int | None) -> Iterator[Finding]:
    # Whatever closes at it, or does not, would tell how many have answered: late reports count while paused, too.
    target = values.get("target")
    if target is None or survey.pk is None or not survey.versions.exists():
        return
    if before is None or target < before:
        yield Finding("target-lowered", "target")


def _known(values: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    if unknown := set(values) - set(names):
        raise TypeError(f"no such field: {min(unknown)}")
    return dict(values)


def _facts(values: Mapping[str, Any]) -> dict[str, str]:
    return {name: "" if value is None else str(value) for name, value in values.items()}


def _audit_grant(actor: Any, action: str, grant: Grant) -> None:
    facts = {"researcher": grant.researcher.get_username()}
    audit_append(actor=actor, action=action, subject=grant.survey.slug, facts=facts)

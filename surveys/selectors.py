"""What may be read: surveys, published manifests, results. Reads never touch reports."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from surveys.errors import ResultsHidden, SurveyUnknown
from surveys.models import Estimate, Survey, Version
from surveys.permissions import ADMIN, RESEARCHER, may_configure, may_read_results, required, roles_of
from surveys.services.publishing import manifest_of

State = Survey.State


@dataclass(frozen=True, slots=True)
class Results:
    """What may be shown of a closed survey: versions pooled (None when hidden) and by themselves."""

    survey: Survey
    pooled: Mapping[str, Any] | None
    versions: Sequence[Mapping[str, Any]]
    # Why a version by itself, or the versions together (None), may not be shown.
    withheld: Mapping[int | None, str]
    # The kept drawing of each, where one was asked for.
    drawings: Mapping[int | None, Mapping[str, str]]

    @property
    def documents(self) -> list[Mapping[str, Any]]:
        """Every document that may be shown, pooled first; one version alone is not repeated as pooled."""
        alone = self.pooled is not None and len(self.pooled["versions"]) == 1 and self.versions
        return [*([] if self.pooled is None or alone else [self.pooled]), *self.versions]


def surveys_visible(user: Any) -> QuerySet[Survey]:
    """Return the surveys that an account may see: an admin all, a researcher those granted."""
    roles = roles_of(user)
    if ADMIN in roles:
        return Survey.objects.all()
    return Survey.objects.filter(grants__researcher=user) if RESEARCHER in roles else Survey.objects.none()


def survey_get(slug: str) -> Survey:
    """Return a survey by its address."""
    survey = Survey.objects.filter(slug=slug).first()
    if survey is None:
        raise SurveyUnknown(slug)
    return survey


def version_public(slug: str, number: int | None = None) -> Version:
    """Return the version that respondents meet at an address, or that of this number; a draft has none."""
    versions = Version.objects.select_related("survey").filter(survey__slug=slug)
    if number is not None:
        versions = versions.filter(number=number)
    version = versions.exclude(survey__state=State.DRAFT).order_by("-number").first()
    if version is None:
        raise SurveyUnknown(slug)
    return version


def manifest_public(slug: str, number: int | None = None, now: datetime | None = None) -> dict[str, Any]:
    """Return the manifest that respondents load; past its closing time a survey counts as closed."""
    version = version_public(slug, number)
    manifest = manifest_of(version)
    closes = version.survey.closes_at
    if closes is not None and closes <= (now or timezone.now()):
        manifest["state"] = str(State.CLOSED)
    return manifest


def results_get(survey: Survey, language: str | None = None) -> Results:
    """Return what may be shown of a survey, and its drawings in a language; or raise ResultsHidden with the reason."""
    if survey.state != State.CLOSED:
        raise ResultsHidden(survey.slug, "draft" if survey.state == State.DRAFT else "not-closed")
    drawn = (f"drawings__{language}", "drawings__edition") if language else ()
    read = Estimate.objects.filter(survey=survey).order_by("version__number")
    rows = list(read.values_list("version__number", "body", *drawn))
    if not rows:
        raise ResultsHidden(survey.slug, "not-ready")
    shown: dict[int | None, Any] = {row[0]: row[1] for row in rows if "withheld" not in row[1]}
    if not shown:
        raise ResultsHidden(survey.slug, "too-few")
    versions = [body for number, body in shown.items() if number is not None]
    withheld = {row[0]: row[1]["withheld"] for row in rows if "withheld" in row[1]}
    drawings = {row[0]: {language: row[2], "edition": row[3]} for row in rows if language and row[2]}
    return Results(survey, shown.get(None), versions, withheld, drawings)


def results_for(user: Any, slug: str) -> Results:
    """Return the results that an account asks for; only an admin learns that there is no such survey."""
    survey = Survey.objects.filter(slug=slug).first()
    if survey is None:
        required(may_configure(user), user, "read these results")
        raise SurveyUnknown(slug)
    required(may_read_results(user, survey), user, "read these results")
    return results_get(survey)

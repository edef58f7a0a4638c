"""Published versions as the intake needs them, read once: a version never changes."""

import asyncio
import json
import re
from dataclasses import dataclass

from django.db import InterfaceError, OperationalError, connections

from surveys.errors import IntakeUnavailable, SurveyUnknown, VersionUnknown
from surveys.models import Survey, Version
from surveys.wire.packing import Layout

# More versions than this are not in use at once; past it the memory starts anew.
REMEMBERED = 2000
_SLUG = re.compile(r"[-a-zA-Z0-9_]{1,60}")


@dataclass(frozen=True, slots=True)
class Published:
    """A version's rows and the layout of its reports."""

    survey: int
    version: int
    layout: Layout


class Versions:
    """A memory of published versions. What is unknown is not remembered: it may be published in a moment."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int], Published] = {}

    def recall(self, slug: str, number: int) -> Published | None:
        """Return the version if it was read before."""
        return self._known.get((slug, number))

    async def read(self, slug: str, number: int) -> Published:
        """Return the version from the database; raises SurveyUnknown, VersionUnknown, IntakeUnavailable."""
        try:
            published = await asyncio.to_thread(_read, slug, number)
        except (InterfaceError, OperationalError) as error:
            # A database that restarts is soon back: the device sends the same bytes again.
            raise IntakeUnavailable from error
        if len(self._known) >= REMEMBERED:
            self._known.clear()
        self._known[slug, number] = published
        return published

    def forget(self, slug: str) -> None:
        """Drop a survey that was deleted."""
        for key in [key for key in self._known if key[0] == slug]:
            del self._known[key]


def _read(slug: str, number: int) -> Published:
    if not _SLUG.fullmatch(slug):
        raise SurveyUnknown(slug)
    try:
        return _published(slug, number)
    finally:
        # The thread is borrowed; its connection must not outlive the question.
        connections.close_all()


def _published(slug: str, number: int) -> Published:
    version = Version.objects.filter(survey__slug=slug, number=number).first()
    if version is not None:
        return Published(version.survey_id, version.pk, Layout.of(json.loads(version.manifest)))
    if Survey.objects.filter(slug=slug).exclude(state=Survey.State.DRAFT).exists():
        raise VersionUnknown(slug, number)
    raise SurveyUnknown(slug)

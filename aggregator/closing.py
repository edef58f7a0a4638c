"""The end of a survey: the last drain, one random order for everything, then the results."""

import json
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from aggregator.archive import answers_rewrite, tables_compact
from aggregator.drain import inbox_drain, versions_locked
from surveys.models import Estimate, InboxReport, Survey, Tally, Version
from surveys.pages.drawing import code_version, document_drawings
from surveys.services.results import VersionTally, results_documents

State = Survey.State
# Between two attempts at compacting, so that a table which is busy or too large for now holds up nobody for long.
PAUSE = timedelta(minutes=10)


def surveys_due() -> list[Survey]:
    """Return the surveys whose closing time has passed or whose target is reached, by the database's clock."""
    running = Survey.objects.filter(state__in=[State.OPEN, State.PAUSED])
    targets = running.filter(target__isnull=False).values_list("pk", "target")
    full = [survey_id for survey_id, target in targets if _taken(survey_id) >= (target or 0)]
    return list(running.filter(Q(closes_at__lte=Now()) | Q(pk__in=full)))


def _taken(survey_id: int) -> int:
    # Spent digests may be millions, and this runs at every sweep: what was drained is a number already.
    # The tallies come first: a drain in between is then overlooked until the next sweep, not counted twice.
    drained = Tally.objects.filter(version__survey=survey_id).values("version").annotate(most=Max("n"))
    return sum(one["most"] for one in drained) + InboxReport.objects.filter(version__survey=survey_id).count()


def surveys_unfinished() -> QuerySet[Survey]:
    """Return closed surveys for which something is still to be done."""
    waiting = InboxReport.objects.filter(version__survey=OuterRef("pk"))
    pooled = Estimate.objects.filter(survey=OuterRef("pk"), version=None)
    closed = Survey.objects.filter(state=State.CLOSED)
    loose = Q(compact_at__lte=Now())
    return closed.filter(Q(rewritten=False) | loose | Exists(waiting) | ~Exists(pooled))


def surveys_waiting(pool: int) -> QuerySet[Survey]:
    """Return the surveys whose inbox holds enough for a drain."""
    running = Survey.objects.filter(state__in=[State.OPEN, State.PAUSED])
    return running.annotate(waiting=Count("versions__inbox")).filter(waiting__gte=2 * pool)


def survey_finish(survey_id: int) -> None:
    """Bring a closed survey to its end from wherever a crash left it; do nothing for any other."""
    if not Survey.objects.filter(pk=survey_id, state=State.CLOSED).exists():
        return
    inbox_drain(survey_id)
    _rewrite(survey_id)
    estimates_refresh(survey_id)
    _compact(survey_id)


def _rewrite(survey_id: int) -> None:
    with transaction.atomic():
        versions = versions_locked(survey_id)
        if InboxReport.objects.filter(version__in=versions).exists():
            return
        # Of two workers one finds the flag set.
        unwritten = Survey.objects.filter(pk=survey_id, state=State.CLOSED, rewritten=False)
        if unwritten.update(rewritten=True, compact_at=Now()) == 1:
            answers_rewrite(survey_id)


def _compact(survey_id: int) -> None:
    loose = Survey.objects.filter(pk=survey_id, compact_at__lte=Now())
    # Of two workers one moves the time; should it die here, the sweep comes back after the pause.
    if loose.update(compact_at=Now() + PAUSE) == 0:
        return
    # One pass is enough for every survey that was rewritten before it began.
    together = list(Survey.objects.filter(compact_at__isnull=False).values_list("pk", flat=True))
    running = Survey.objects.filter(state__in=[State.OPEN, State.PAUSED]).exists()
    if tables_compact(patient=not running):
        Survey.objects.filter(pk__in=together).update(compact_at=None)


def estimates_refresh(survey_id: int) -> None:
    """Compute the results of a closed and rewritten survey from its tallies, and keep them."""
    with transaction.atomic():
        versions = versions_locked(survey_id)
        survey = Survey.objects.filter(pk=survey_id, state=State.CLOSED, rewritten=True).first()
        if survey is None or not versions:
            return
        tallies = [_tally_of(version) for version in versions]
        documents = results_documents(
            tallies, minimum=settings.MINIMUM_N, population=survey.population, pool=settings.POOL_SIZE
        )
        of_number = {version.number: version for version in versions}
        for number, document in documents.items():
            Estimate.objects.update_or_create(
                survey_id=survey_id,
                version=None if number is None else of_number[number],
                defaults={
                    "body": document,
                    "drawings": document_drawings(document),
                    # How many answered is not told where the answers are not.
                    "n": document.get("n") or 0,
                    "code_version": code_version(),
                },
            )


def _tally_of(version: Version) -> VersionTally:
    tallies = list(Tally.objects.filter(version=version))
    manifest = {**json.loads(version.manifest), "fingerprint": version.fingerprint}
    return VersionTally(
        manifest, max((tally.n for tally in tallies), default=0), {t.question: t.counts for t in tallies}
    )

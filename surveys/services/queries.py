"""Queries of a source: planned for nothing, charged once, answered once."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from math import ceil
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet, TextField
from django.db.models.functions import Cast
from django.utils import timezone

from privacy.policy.expected import ExpectedError, expected_errors
from privacy.policy.labels import Policy, policy_from
from privacy.policy.plan import Baselines, Plan, baselines, plan_query, plans_joined
from privacy.policy.schema import schema_from
from privacy.policy.shares import hidden
from surveys.errors import ParameterInvalid, QueryUnknown, SourceClosed, SourceResting, SourceUnreachable
from surveys.models import Asking, QueryRun, Source, SourcePolicy
from surveys.permissions import may_ask, may_configure, may_read_run, required
from surveys.services.ledger import MICRO, PICO, budget_charge, delta_read, epsilon_read
from surveys.signals import query_charged
from surveys.sources.connecting import Unreachable, source_reach

State = QueryRun.State
UNFINISHED = (State.CHARGED, State.RUNNING)
# Of a run whose worker ends before it does; then it has failed.
TRIES = 3
# What a worker needs beyond QUERY_SECONDS before another one takes its run.
MARGIN = timedelta(seconds=30)
# Charged queries of a source that fail within a day; then it takes no others until a day is over.
MOST_FAILED, DAY = 3, timedelta(days=1)
# Of asking while others change the source or ask the same.
ROUNDS = 5
_SCHEMA = {"schema_text": Cast("schema", TextField())}
_DOCUMENT = Cast("document", TextField())


class Outdated(Exception):
    """The source is no longer what the query was charged for."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A query under every policy of a source: the plan has the largest sensitivity of them all."""

    plan: Plan
    entities: tuple[str, ...]

    @property
    def digest(self) -> str:
        """The same for every spelling of the query."""
        return sha256(self.plan.query.canonical.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Submitted:
    """A run, and whether it was charged just now."""

    run: QueryRun
    fresh: bool


def query_plan(*, source: Source, sql: str, policy_version: int | None = None) -> Asked:
    """Plan a query under the policies of now, or of an earlier version; raises QueryRefused. Costs nothing."""
    _text_checked(sql)
    policies = policies_of(source, policy_version)
    plans = [plan_query(sql, policy, settings.MOST_GROUPS) for policy in policies]
    return Asked(plans_joined(plans), tuple(policy.entity for policy in policies))


def query_baselines(*, source: Source, sql: str) -> Baselines:
    """Return what a query needs under the two uniform policies: of several entity kinds, the larger."""
    found = [baselines(sql, policy) for policy in policies_of(source)]
    return Baselines(_most([one.unbounded for one in found]), _most([one.bounded for one in found]))


def query_expected(*, asked: Asked, epsilon: str, delta: str | None = None) -> tuple[ExpectedError, ...]:
    """Return how far off each figure will be at what is asked; raises ParameterInvalid, QueryRefused. Costs nothing."""
    micro, pico = epsilon_read(epsilon), delta_read(delta)
    return expected_errors(asked.plan.sensitivities, Fraction(micro, MICRO), Fraction(pico, PICO) or None)


def query_submit(
    *, actor: Any, source: Source, sql: str, epsilon: str, delta: str | None = None
) -> Submitted:
    """Charge a query and have it run, or return the run that answered the same before, without a charge.

    Raises QueryRefused, SourceClosed, SourceUnreachable, SourceResting, BudgetExhausted, ShareExhausted,
    DeltaExhausted, ParameterInvalid, NotAllowed. The charge is committed when this returns, and no data was touched
    before.
    """
    if actor is not None:
        required(may_ask(actor, source), actor, "ask this source")
    micro, pico = epsilon_read(epsilon), delta_read(delta)
    for left in reversed(range(ROUNDS)):
        kept = _open(source)
        asked = query_plan(source=kept, sql=sql)
        # Whatever can be refused is refused before it is charged.
        hidden(asked.plan.sensitivities, Fraction(micro, MICRO), Fraction(pico, PICO) or None)
        try:
            submitted = _stored(kept, asked, micro, pico) or _charged(actor, kept, asked, sql, micro, pico)
        except IntegrityError:
            # Somebody asked the same and was faster: look again. Another reason stays, and is told.
            if not left:
                raise
            continue
        if submitted is not None:
            break
    else:
        raise SourceClosed(source.name, "being changed")
    _note(actor, submitted.run, sql)
    if submitted.run.state in UNFINISHED:
        query_charged.send(QueryRun, run_id=submitted.run.pk)
    return submitted


def query_stored(*, source: Source, asked: Asked, epsilon: int, delta: int) -> QueryRun | None:
    """Return the run that answers a planned query without a charge, if there is one; ε in millionths, δ in 10⁻¹²."""
    found = _stored(source, asked, epsilon, delta)
    return None if found is None else found.run


def query_begin(*, run_id: int) -> QueryRun | None:
    """Take up a run that is charged and not answered; None where nothing is to do.

    It is this worker's until its lease ends; then a crash has left it, and another one may. After three tries it has
    failed: whatever ends its workers would end the next one too.
    """
    free, now = _free().filter(pk=run_id), timezone.now()
    until = now + timedelta(seconds=settings.QUERY_SECONDS) + MARGIN
    mine = {"state": State.RUNNING, "leased_until": until, "tries": F("tries") + 1}
    if free.filter(tries__lt=TRIES).update(**mine) == 0:
        if free.filter(tries__gte=TRIES).exists():
            _finish(run_id, State.FAILED, None)
        return None
    return QueryRun.objects.select_related("source").get(pk=run_id)


def query_answer(*, run_id: int, draw: Callable[[], Mapping[str, Any]]) -> bool:
    """Draw the noise, then record the answer in one transaction; of two workers one does.

    Nobody waits while noise is drawn. What is not recorded is shown to nobody, and what is recorded is never drawn
    again: one charge, one answer. Raises Outdated where the data changed since it was charged.
    """
    with transaction.atomic(durable=True):
        _same_data(run_id)
    if not QueryRun.objects.filter(pk=run_id, state__in=UNFINISHED).exists():
        return False
    answer = dict(draw())
    with transaction.atomic(durable=True):
        # The source first, as a charge locks it: in another order the two could wait for each other.
        _same_data(run_id)
        return _finish(run_id, State.DONE, answer)


def query_fail(*, run_id: int) -> bool:
    """End a run without an answer; it stays charged. Why is told to nobody: it could be about somebody."""
    return _finish(run_id, State.FAILED, None)


def query_get(*, actor: Any, run_id: int) -> QueryRun:
    """Return a run that an account may read; only an admin learns that there is none."""
    run = QueryRun.objects.select_related("source").filter(pk=run_id).first()
    if run is None:
        required(may_configure(actor), actor, "read this query")
        raise QueryUnknown(run_id)
    required(may_read_run(actor, run), actor, "read this query")
    return run


def run_state(run: QueryRun, now: datetime | None = None) -> str:
    """Return the state that people are told: how a run ended shows at a time that was known when it was charged."""
    ended = run.state not in UNFINISHED
    hidden = ended and run.released_at is not None and (now or timezone.now()) < run.released_at
    return str(State.RUNNING if hidden else run.state)


def runs_unfinished() -> Sequence[int]:
    """Return the runs that wait for a worker, or for another one."""
    return list(_free().order_by("pk").values_list("pk", flat=True))


def _free() -> QuerySet[QueryRun]:
    """Return the runs that no worker has, or has no longer."""
    unleased = Q(leased_until__isnull=True) | Q(leased_until__lte=timezone.now())
    return QueryRun.objects.filter(unleased, state__in=UNFINISHED)


def _same_data(run_id: int) -> None:
    """Lock the source of a run; raises Outdated where its data are no longer those that were charged for."""
    charged = QueryRun.objects.filter(pk=run_id).values_list("source", "data_version").first()
    if charged is not None:
        same = Source.objects.select_for_update().filter(pk=charged[0], data_version=charged[1])
        if same.values_list("pk").first() is None:
            raise Outdated


def policies_of(source: Source, version: int | None = None) -> list[Policy]:
    """Return the policy of each entity kind, as of a policy version of the source."""
    latest: dict[str, Any] = {}
    most = source.policy_version if version is None else version
    kept = SourcePolicy.objects.filter(source=source, version__lte=most).order_by("version")
    # As texts: read as documents once, not with every query.
    for entity, document in kept.values_list("entity", _DOCUMENT):
        latest[entity] = document
    if not latest:
        raise SourceClosed(source.name, "without a policy")
    schema = _schema_text(source)
    return [_policy(schema, latest[entity]) for entity in sorted(latest)]


def _schema_text(source: Source) -> str:
    known = getattr(source, "schema_text", None)
    return json.dumps(source.schema) if known is None else str(known)


@lru_cache(maxsize=256)
def _policy(schema: str, document: str) -> Policy:
    return policy_from(json.loads(document), schema_from(json.loads(schema)))


def _text_checked(sql: object) -> None:
    if not isinstance(sql, str):
        raise ParameterInvalid("sql", "expected a query, as a text")
    # Neither can be kept in a database's text.
    if "\0" in sql or sql.encode(errors="replace").decode() != sql:
        raise ParameterInvalid("sql", "there is a character in it that is none")


def _most(found: Sequence[Any]) -> Any:
    return None if None in found else max(found)


def _open(source: Source) -> Source:
    kept = Source.objects.filter(pk=source.pk).defer("schema", "tables").annotate(**_SCHEMA).first()
    if kept is None or kept.state != Source.State.OPEN:
        raise SourceClosed(source.name, "gone" if kept is None else str(kept.state))
    return kept


def _rested(source: Source) -> None:
    """Raise SourceResting where too many charged queries failed of late: that one did could tell of somebody."""
    now = timezone.now()
    failed = QueryRun.objects.filter(source=source, state=State.FAILED, charged__gt=0)
    if failed.filter(released_at__gt=now - DAY, released_at__lte=now).count() >= MOST_FAILED:
        raise SourceResting(source.name)


def _key(source: Source, asked: Asked, epsilon: int, delta: int) -> dict[str, Any]:
    return {
        "source": source,
        "data_version": source.data_version,
        "policy_version": source.policy_version,
        "canonical": asked.digest,
        "epsilon": epsilon,
        "delta": delta,
    }


def _stored(source: Source, asked: Asked, epsilon: int, delta: int) -> Submitted | None:
    key = _key(source, asked, epsilon, delta)
    # At most one, which a constraint keeps, and those whose failure nobody has seen.
    kept = Q(state__in=(*UNFINISHED, State.DONE)) | Q(state=State.FAILED, released_at__gt=timezone.now())
    run = QueryRun.objects.filter(kept, **key).order_by("-pk").first()
    if run is None:
        return None
    run.source = source
    return Submitted(run, fresh=False)


def _charged(
    actor: Any, source: Source, asked: Asked, sql: str, epsilon: int, delta: int
) -> Submitted | None:
    """Charge and note the run, both or neither; None where the source changed: look again."""
    _rested(source)
    # A database that is not there says nothing about anybody: that is found out before the charge.
    try:
        source_reach(source)
    except Unreachable:
        raise SourceUnreachable(source.name) from None
    # Where no policy sees anything to protect, the answer is exact and free.
    price = 0 if asked.plan.public else epsilon
    # Durable: no caller's transaction can take the charge back after data was touched.
    with transaction.atomic(durable=True):
        if not _unchanged(source):
            return None
        key = _key(source, asked, epsilon, delta)
        run = QueryRun.objects.create(**key, actor=actor, sql=sql, charged=price, released_at=_meant(price))
        if price:
            budget_charge(actor=actor, source=source, entities=asked.entities, epsilon=price, delta=delta)
    return Submitted(run, fresh=True)


def _unchanged(source: Source) -> bool:
    """Say, with the source's row locked, whether the plan was made for what the source is now."""
    locked = Source.objects.select_for_update().filter(pk=source.pk)
    now = locked.values_list("state", "data_version", "policy_version", _SCHEMA["schema_text"]).get()
    return now == (source.state, source.data_version, source.policy_version, _schema_text(source))


def _note(actor: Any, run: QueryRun, sql: str) -> None:
    if actor is not None:
        Asking.objects.get_or_create(run=run, actor=actor, defaults={"sql": sql})


def _finish(run_id: int, state: str, answer: Mapping[str, Any] | None) -> bool:
    waiting = QueryRun.objects.filter(pk=run_id, state__in=UNFINISHED)
    run = waiting.only("released_at", "charged").first()
    if run is None:
        return False
    return waiting.update(state=state, answer=answer, released_at=_release(run)) == 1


def _meant(price: int) -> datetime:
    """Return when the end of a run is to be shown, whole seconds all of them: at once if it is free."""
    now = timezone.now()
    return (now + _step()).replace(microsecond=0) + timedelta(seconds=1) if price else now


def _release(run: QueryRun) -> datetime | None:
    """Return when the end of a run is shown: when it was meant to, or as often QUERY_SECONDS later as it takes."""
    meant, now = run.released_at, timezone.now()
    if meant is None or now <= meant or not run.charged:
        return meant
    return meant + _step() * -((meant - now) // _step())


def _step() -> timedelta:
    return timedelta(seconds=ceil(settings.QUERY_SECONDS))

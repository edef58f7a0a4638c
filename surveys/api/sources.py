"""Queries of a source: asked and charged, read, planned for nothing; and what they have cost so far."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_noop
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from privacy.policy.expected import ExpectedError
from surveys.api import source_shapes as shapes
from surveys.api.documenting import responses
from surveys.errors import BodyMalformed, ParameterInvalid, delta_text
from surveys.models import QueryRun
from surveys.permissions import may_ask, required
from surveys.services.ledger import epsilon_text
from surveys.services.ledger_reading import ledger_of
from surveys.services.queries import (
    Asked,
    query_baselines,
    query_expected,
    query_get,
    query_plan,
    query_submit,
    run_state,
)
from surveys.services.sources import source_for
from surveys.services.titles import answer_titled, words_of

MOST = 2**63 - 1  # the largest number of a query that the database holds
_NAME = OpenApiParameter("name", {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$"}, OpenApiParameter.PATH)
_ANSWERED = ("not-authenticated", "not-allowed", "source-unknown", "not-found")
_BODY = ("request-malformed", "parameter-invalid", "media-type-unsupported")


class QueriesView(APIView):
    """The queries of a source."""

    @extend_schema(
        operation_id="query",
        summary=gettext_noop("Ask a source"),
        description=gettext_noop(
            "201: charged, and run by a worker. 200: the same query was asked before of the same data at the same "
            "ε: nothing is charged, and its answer is that of the id. What is charged is never refunded."
        ),
        parameters=[_NAME],
        request={"application/json": shapes.QUERY},
        responses=responses(
            {201: shapes.SUBMITTED, 200: shapes.SUBMITTED},
            *(*_ANSWERED, *_BODY, "query-refused", "source-closed", "source-unreachable", "source-resting"),
            *("budget-exhausted", "share-exhausted", "delta-exhausted"),
        ),
    )
    def post(self, request: Request, name: str) -> Response:
        """Charge the query and return its number, or that of the run that has its answer."""
        source = source_for(request.user, name)
        required(may_ask(request.user, source), request.user, "ask this source")
        body = _body(request, ("sql", "epsilon"), ("delta",))
        submitted = query_submit(actor=request.user, source=source, **body)
        told = {"id": submitted.run.pk, "state": run_state(submitted.run)}
        return _private(Response(told, status=201 if submitted.fresh else 200))


class QueryView(APIView):
    """One query."""

    @extend_schema(
        operation_id="answer",
        summary=gettext_noop("The answer of a query"),
        description=gettext_noop(
            "For administrators and researchers who asked it. How a run ended shows a fixed time after its charge; "
            "a failed one says nothing of why, and stays charged."
        ),
        parameters=[OpenApiParameter("number", {**shapes.NUMBER, "maximum": MOST}, OpenApiParameter.PATH)],
        responses=responses(
            {200: shapes.RUN}, "not-authenticated", "not-allowed", "query-unknown", "not-found"
        ),
    )
    def get(self, request: Request, number: int) -> Response:
        """Return the run, with its answer once there is one."""
        return _private(Response(_told(request.user, query_get(actor=request.user, run_id=number))))


class SourcePlansView(APIView):
    """Plans of queries."""

    @extend_schema(
        operation_id="query_plan",
        summary=gettext_noop("Plan a query"),
        description=gettext_noop(
            "Whether a query is answered, how far one person can move it and why, and what that would be under the two "
            "uniform policies (null: refused); with an ε, how far off each figure would be. Touches no data and "
            "charges nothing."
        ),
        parameters=[_NAME],
        request={"application/json": shapes.QUESTION},
        responses=responses({200: shapes.QUERY_PLAN}, *_ANSWERED, *_BODY, "query-refused", "source-closed"),
    )
    def post(self, request: Request, name: str) -> Response:
        """Return the plan."""
        source = source_for(request.user, name)
        required(may_ask(request.user, source), request.user, "ask this source")
        body = _body(request, ("sql",), ("epsilon", "delta"))
        sql = body["sql"]
        asked, uniform = query_plan(source=source, sql=sql), query_baselines(source=source, sql=sql)
        told = {
            "sensitivity": float(asked.plan.l1),
            "public": asked.plan.public,
            "aggregates": _aggregates(asked, body),
            "entities": list(asked.entities),
            "baselines": {"unbounded": _float(uniform.unbounded), "bounded": _float(uniform.bounded)},
            "trace": list(asked.plan.trace),
        }
        return _private(Response(told))


class LedgerView(APIView):
    """What a source's queries have cost."""

    @extend_schema(
        operation_id="ledger",
        summary=gettext_noop("The ledger of a source"),
        description=gettext_noop(
            "Administrators and auditors read all of it, researchers their own share and charges."
        ),
        parameters=[_NAME],
        responses=responses({200: shapes.LEDGER}, *_ANSWERED),
    )
    def get(self, request: Request, name: str) -> Response:
        """Return budgets, shares and the latest charges."""
        source = source_for(request.user, name)
        return _private(Response(ledger_of(actor=request.user, source=source)))


def _aggregates(asked: Asked, body: Mapping[str, Any]) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = [
        {
            "name": one.aggregate.attribute.name,
            "function": one.aggregate.function,
            "sensitivity": float(one.l1),
            "public": one.public,
        }
        for one in asked.plan.sensitivities
    ]
    if "epsilon" not in body:
        return told
    errors = query_expected(asked=asked, epsilon=body["epsilon"], delta=body.get("delta"))
    return [{**one, **_error(error)} for one, error in zip(told, errors, strict=True)]


def _error(error: ExpectedError) -> dict[str, Any]:
    parts = [{"figure": one.figure, "half_width": float(one.half_width)} for one in error.parts]
    return {"expected_error": _float(error.half_width), "part_errors": parts}


def _body(request: Request, needed: tuple[str, ...], optional: tuple[str, ...]) -> dict[str, Any]:
    given = request.data
    if not isinstance(given, Mapping):
        raise BodyMalformed("expected a JSON object")
    for name in given:
        if name not in (*needed, *optional):
            raise ParameterInvalid(str(name)[:80], f"unknown; known are {', '.join((*needed, *optional))}")
    for name in needed:
        if name not in given:
            raise ParameterInvalid(name, "needed")
    return dict(given)


def _told(user: Any, run: QueryRun) -> dict[str, Any]:
    sql = words_of(user, run)
    state = run_state(run)
    return {
        "id": run.pk,
        "source": run.source.name,
        "sql": sql,
        "state": state,
        "epsilon": epsilon_text(run.epsilon),
        "delta": delta_text(run.delta),
        "charged": epsilon_text(run.charged),
        "data_version": run.data_version,
        "policy_version": run.policy_version,
        "answer": answer_titled(run, sql) if state == QueryRun.State.DONE else None,
    }


def _float(value: Any) -> float | None:
    return None if value is None else float(value)


def _private(response: Response) -> Response:
    response["Cache-Control"] = "private, no-store"
    return response

"""One query that was charged: waiting, failed, or its answer; the answer as a file."""

from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from privacy.policy.errors import PolicyLayerError
from surveys.errors import DeniableError
from surveys.models import QueryRun, Source
from surveys.pages.console_answer import answer_context, answer_csv
from surveys.pages.sources import source_context
from surveys.pages.sources_access import ledger_page
from surveys.services.queries import query_get, query_plan, run_state
from surveys.services.titles import answer_titled, words_of

State = QueryRun.State
MOST = 2**63 - 1  # the largest number of a query that the database holds


@require_safe
@ledger_page
def run(request: HttpRequest, source: Source, number: int) -> HttpResponse:
    """Show a run to whoever may read it."""
    found = _found(request, source, number)
    state = run_state(found)
    sql = words_of(request.user, found)
    answer = answer_titled(found, sql) if state == State.DONE else None
    context: dict[str, Any] = {
        **source_context(request, source, "console"),
        "run": found,
        "state": state,
        "sql": sql,
        "waiting": state in (State.CHARGED, State.RUNNING),
        "outdated": (found.data_version, found.policy_version)
        != (source.data_version, source.policy_version),
    }
    if answer is not None:
        context["answer"] = answer_context(answer, _distinct(found))
    return render(request, "surveys/pages/console_run.html", context)


@require_safe
@ledger_page
def download(request: HttpRequest, source: Source, number: int) -> HttpResponse:
    """Hand the answer over as CSV, of every group."""
    found = _found(request, source, number)
    answer = answer_titled(found, words_of(request.user, found)) if run_state(found) == State.DONE else None
    if answer is None:
        raise Http404
    excel = request.GET.get("for") == "excel"
    response = HttpResponse(answer_csv(answer, mark=excel), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{source.name}-{found.pk}.csv"'
    return response


def _distinct(found: QueryRun) -> Sequence[bool]:
    """Say of each figure whether it counts equal values once: the answer itself does not tell."""
    try:
        asked = query_plan(source=found.source, sql=found.sql, policy_version=found.policy_version)
    except (PolicyLayerError, DeniableError):
        # The schema is another by now.
        return ()
    return [one.distinct for one in asked.plan.query.root.aggregates]


def _found(request: HttpRequest, source: Source, number: int) -> QueryRun:
    if number > MOST:
        raise Http404
    found = query_get(actor=request.user, run_id=number)
    if found.source_id != source.pk:
        raise Http404
    return found

"""The console of a source: what may be asked, what a query would cost, the question before a charge, the history."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from privacy.policy.errors import QueryRefused
from surveys.api.problems import problem_of
from surveys.errors import (
    BudgetExhausted,
    DeltaExhausted,
    DeniableError,
    ShareExhausted,
    SourceClosed,
)
from surveys.models import Asking, QueryRun, Source
from surveys.pages.console_form import FIRST_EPSILON, ConsoleForm
from surveys.pages.console_left import left_of, micro_text, pico_text
from surveys.pages.console_plan import plan_context, planned, price_context
from surveys.pages.console_refusal import refusal_context
from surveys.pages.policy_examples import examples_of
from surveys.pages.sources import source_context
from surveys.pages.sources_access import ledger_page
from surveys.pages.sources_schema import schema_context
from surveys.permissions import may_ask, may_configure, may_read_run
from surveys.services.queries import query_submit, run_state

LATEST = 50  # queries in the history
NOT_NOW = (BudgetExhausted, ShareExhausted, DeltaExhausted, SourceClosed)


@require_http_methods(["GET", "HEAD", "POST"])
@ledger_page
def console(request: HttpRequest, source: Source) -> HttpResponse:
    """Show the console; plan, ask before charging, or run what was posted. An auditor's place is the ledger."""
    if not may_ask(request.user, source):
        return redirect("source_ledger", name=source.name)
    if request.method != "POST":
        return _shown(request, source, ConsoleForm(initial=_first(request, source)))
    form = ConsoleForm(request.POST)
    if not form.is_valid():
        return _shown(request, source, form)
    steps = {"ask": _ask, "run": _run}
    try:
        return steps.get(request.POST.get("do", ""), _plan)(request, source, form)
    except QueryRefused as error:
        return _shown(request, source, form, refusal=refusal_context(error, form.cleaned_data["sql"]))
    except NOT_NOW as error:
        _tell(request, error)
        return _shown(request, source, form)


def _plan(request: HttpRequest, source: Source, form: ConsoleForm) -> HttpResponse:
    sql = form.cleaned_data["sql"]
    found = planned(source, sql, *form.amounts)
    price = price_context(request.user, source, found)
    return _shown(request, source, form, plan=plan_context(source, sql, found), price=price)


def _ask(request: HttpRequest, source: Source, form: ConsoleForm) -> HttpResponse:
    """Say what the run costs, of what is left; nothing was charged yet."""
    sql = form.cleaned_data["sql"]
    found = planned(source, sql, *form.amounts)
    context = {
        **source_context(request, source, "console"),
        "form": form,
        "typed": form.cleaned_data,
        "plan": plan_context(source, sql, found),
        "price": price_context(request.user, source, found),
    }
    return render(request, "surveys/pages/console_confirm.html", context)


def _run(request: HttpRequest, source: Source, form: ConsoleForm) -> HttpResponse:
    typed = form.cleaned_data
    asked = {"sql": typed["sql"], "epsilon": typed["epsilon"], "delta": typed["delta"] or None}
    submitted = query_submit(actor=request.user, source=source, **asked)
    if not submitted.fresh:
        text = gettext("This was answered before: nothing was charged, the answer is the same.")
        messages.success(request, text, extra_tags="good")
    return redirect("source_run", name=source.name, number=submitted.run.pk)


def _shown(request: HttpRequest, source: Source, form: ConsoleForm, **more: Any) -> HttpResponse:
    context = {
        **source_context(request, source, "console"),
        "form": form,
        "left": left_of(request.user, source),
        "schema": schema_context(source),
        "history": history_of(request.user, source),
        "examples": examples_of(source),
        **more,
    }
    return render(request, "surveys/pages/console.html", context)


def _tell(request: HttpRequest, error: DeniableError) -> None:
    kind = problem_of(error).kind
    messages.error(request, f"{gettext(kind.title)}. {gettext(kind.help)}", extra_tags="bad")


def _first(request: HttpRequest, source: Source) -> dict[str, str]:
    """Return what the editor starts with: an earlier query, an example, or nothing."""
    number, at = request.GET.get("run", ""), request.GET.get("example", "")
    if number.isascii() and number.isdigit() and len(number) < 19:
        run = QueryRun.objects.filter(pk=int(number), source=source).first()
        if run is not None and may_read_run(request.user, run):
            return _typed(run, _words(request.user, [run])[run.pk])
    examples = examples_of(source)
    if at.isascii() and at.isdigit() and int(at[:4]) < len(examples):
        return {"epsilon": FIRST_EPSILON, "sql": examples[int(at[:4])]}
    return {"epsilon": FIRST_EPSILON, "sql": ""}


def _typed(run: QueryRun, sql: str) -> dict[str, str]:
    delta = "" if run.delta == 0 else pico_text(run.delta)
    return {"sql": sql, "epsilon": micro_text(run.epsilon), "delta": delta}


def history_of(user: Any, source: Source) -> Sequence[Mapping[str, Any]]:
    """Return the latest queries that an account asked; an admin's list has everybody's."""
    runs = QueryRun.objects.filter(source=source).select_related("actor").defer("answer")
    if not may_configure(user):
        runs = runs.filter(askings__actor=user)
    latest = list(runs.order_by("-pk")[:LATEST])
    words = _words(user, latest)
    return [{"run": run, "sql": words[run.pk], "state": run_state(run)} for run in latest]


def _words(user: Any, runs: Sequence[QueryRun]) -> Mapping[int, str]:
    """Return each query in the words in which this account asked it, or else in which it was asked first."""
    own = dict(Asking.objects.filter(run__in=runs, actor=user).values_list("run_id", "sql"))
    return {run.pk: own.get(run.pk, run.sql) for run in runs}

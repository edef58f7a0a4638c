"""An answer under the names of whoever reads it: one that was bought for somebody else carries his."""

from collections.abc import Mapping
from typing import Any

from privacy.policy.errors import PolicyLayerError
from privacy.policy.sql.canonical import figures_named
from surveys.errors import DeniableError
from surveys.models import Asking, QueryRun
from surveys.services.queries import Asked, query_plan

Answer = Mapping[str, Any]


def words_of(actor: Any, run: QueryRun) -> str:
    """Return the text in which an account asked for a run, or that of the first who did."""
    own = Asking.objects.filter(run=run, actor_id=actor.pk).values_list("sql", flat=True).first()
    return own or run.sql


def answer_titled(run: QueryRun, sql: str) -> Answer | None:
    """Return a run's answer with columns, figures and trace called as a text of the same query calls them."""
    if run.answer is None or sql == run.sql or "columns" not in run.answer:
        return run.answer
    try:
        first, own = (_planned(run, text) for text in (run.sql, sql))
    except (PolicyLayerError, DeniableError):
        # The schema is another by now; whatever the first one wrote stays with them.
        return _unnamed(run.answer)
    names = dict(zip(figures_named(own.plan.query.root), _figures(own), strict=True))
    called = [names[one] for one in figures_named(first.plan.query.root)]
    return {
        **run.answer,
        "columns": [title for title, _ in own.plan.query.after.outputs],
        "figures": [{**one, "name": name} for one, name in zip(run.answer["figures"], called, strict=True)],
        "trace": list(own.plan.trace),
    }


def _planned(run: QueryRun, sql: str) -> Asked:
    return query_plan(source=run.source, sql=sql, policy_version=run.policy_version)


def _figures(asked: Asked) -> list[str]:
    return [one.attribute.name for one in asked.plan.query.root.aggregates]


def _unnamed(answer: Answer) -> Answer:
    return {
        **answer,
        "columns": [str(at) for at, _ in enumerate(answer["columns"], 1)],
        "figures": [{**one, "name": one["function"]} for one in answer["figures"]],
        "trace": [],
    }

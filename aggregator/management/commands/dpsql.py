"""manage.py dpsql: ask a source through the policy layer, and wait for the answer."""

import json
import time
from argparse import ArgumentParser
from typing import Any

from django.utils import timezone

from aggregator.queries import query_run
from privacy.policy.errors import PolicyLayerError
from surveys.errors import DeniableError
from surveys.management.refusing import RefusingCommand, refuse
from surveys.models import QueryRun, Source
from surveys.services.ledger import epsilon_text
from surveys.services.queries import query_baselines, query_plan, query_submit, run_state
from surveys.services.sources import source_get
from surveys.services.titles import answer_titled

_ENDED = (QueryRun.State.DONE, QueryRun.State.FAILED)


class Command(RefusingCommand):
    """Charge a query and print its answer; or explain it for nothing."""

    help = (
        "Answer one SELECT of aggregates with noise, charged to the budget of the source; the same query is answered "
        "from store and charged once. --explain charges nothing. Bad input: exit status 2 and one line, "
        "error: where: why."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the source, the query and what it may cost."""
        parser.add_argument("name", metavar="NAME")
        parser.add_argument("sql", metavar="SQL")
        parser.add_argument("--epsilon", help='such as 0.5 or "ln(3)"')
        parser.add_argument("--delta", help="such as 1e-9: Gaussian noise")
        parser.add_argument(
            "--explain", action="store_true", help="say why how much noise; nothing is charged"
        )

    def handle(self, *args: Any, name: str, sql: str, **options: Any) -> None:
        """Print JSON."""
        if not options["explain"] and options["epsilon"] is None:
            refuse("--epsilon: needed, unless --explain is given")
        try:
            source = source_get(name)
            told = (
                _explained(source, sql)
                if options["explain"]
                else _answered(source, sql, options["epsilon"], options["delta"])
            )
        except (DeniableError, PolicyLayerError) as refused:
            refuse(f"{getattr(refused, 'field', None) or name}: {refused}")
        self.stdout.write(json.dumps(told, indent=2, ensure_ascii=False))


def _explained(source: Source, sql: str) -> dict[str, Any]:
    asked, uniform = query_plan(source=source, sql=sql), query_baselines(source=source, sql=sql)
    return {
        "sensitivity": float(asked.plan.l1),
        "public": asked.plan.public,
        "baselines": {
            name: None if value is None else float(value)
            for name, value in (("unbounded", uniform.unbounded), ("bounded", uniform.bounded))
        },
        "trace": list(asked.plan.trace),
    }


def _answered(source: Source, sql: str, epsilon: str, delta: str | None) -> dict[str, Any]:
    submitted = query_submit(actor=None, source=source, sql=sql, epsilon=epsilon, delta=delta)
    query_run(submitted.run.pk)
    run = _released(submitted.run.pk)
    if run.state != QueryRun.State.DONE:
        refuse(f"{source.name}: the query failed; it stays charged")
    charged = epsilon_text(run.charged if submitted.fresh else 0)
    return {"id": run.pk, "charged_now": charged, "answer": answer_titled(run, sql)}


def _released(run_id: int) -> QueryRun:
    while True:
        run = QueryRun.objects.get(pk=run_id)
        # Another worker may have taken it up in the same moment.
        if run_state(run, timezone.now()) in _ENDED:
            return run
        time.sleep(0.05)

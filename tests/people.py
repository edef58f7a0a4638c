"""Panels, sources and engines that tests of the policy layer's service tell about."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from aggregator import answering, queries
from surveys.models import Budget, Organisation, Panel, QueryRun, Share, Source
from surveys.services.ledger import budget_set, share_set
from surveys.services.panels import panel_create, panel_import
from surveys.services.queries import Submitted, query_submit

DOMAINS = {"region": ["서울", "부산"], "sex": ["여", "남"], "age_band": ["-29", "30-49", "50-"]}
COUNT = "SELECT COUNT(*) FROM respondent"
ROWS = "reference,region,sex\nr1,서울,여\nr2,부산,남\nr3,,\n"


def panel(owner: Any, name: str = "ward", **values: Any) -> Panel:
    """Return an empty panel of a hospital."""
    organisation, _ = Organisation.objects.get_or_create(name="St. Mary", defaults={"kind": "hospital"})
    return panel_create(actor=owner, organisation=organisation, name=name, **{"domains": DOMAINS, **values})


def filled(owner: Any, name: str = "ward", rows: str = ROWS) -> Panel:
    """Return a panel with three respondents."""
    made = panel(owner, name)
    panel_import(actor=owner, panel=made, data=rows.encode())
    return made


def service() -> Source:
    """Return the service's own source."""
    return Source.objects.get(name="service")


def budget(owner: Any, micro: int, source: Source | None = None) -> Budget:
    """Return the budget of respondents, set to so many micro-ε."""
    return budget_set(actor=owner, source=source or service(), entity="respondent", total=micro)


def share(owner: Any, researcher: Any, micro: int) -> Share:
    """Return a researcher's share of it."""
    share_set(actor=owner, source=service(), researcher=researcher, total=micro)
    return Share.objects.get(researcher=researcher)


def drawing(log: Path | None = None) -> Callable[..., answering.Draw]:
    """Return an engine whose every draw is another number, noted in a file where one is given."""

    def engine(
        plan: Any, reach: Any, tables: Mapping[str, str], *, epsilon: Fraction, delta: Fraction
    ) -> answering.Draw:
        cursor = reach.raw.cursor()
        cursor.execute("SELECT 1")
        cursor.fetchone()

        def draw() -> Mapping[str, Any]:
            number = os.urandom(8).hex()
            if log is not None:
                with log.open("a") as out:
                    out.write(number + "\n")
            return {"rows": [[number]]}

        return draw

    return engine


@contextmanager
def engine_of(made: Callable[..., Any]) -> Iterator[None]:
    """Let workers use another engine for a while."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(answering, "engine", made)
        yield


def ask(actor: Any, sql: str = COUNT, epsilon: str = "0.5", **more: Any) -> Submitted:
    """Charge a query of the service's own source."""
    return query_submit(actor=actor, source=service(), sql=sql, epsilon=epsilon, **more)


def answered(actor: Any, **more: Any) -> QueryRun:
    """Charge a query, run it as a worker does, and return the run."""
    run = ask(actor, **more).run
    queries.query_run(run.pk)
    run.refresh_from_db()
    return run


def micro_spent() -> int:
    """Return what was spent of the budget of respondents."""
    return Budget.objects.get(entity="respondent").spent

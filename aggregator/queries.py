"""The run of a charged query: the exact figures are fetched, made noisy and recorded; only then is there an answer."""

import logging
from fractions import Fraction

from aggregator import answering
from surveys.models import QueryRun, Source
from surveys.services.ledger import MICRO, PICO
from surveys.services.queries import Outdated, query_answer, query_begin, query_fail, query_plan
from surveys.sources.connecting import source_connection

logger = logging.getLogger(__name__)


def query_run(run_id: int) -> None:
    """Bring a charged query to its answer, from wherever a crash left it; do nothing for any other.

    Until an answer is recorded, the same charge may be run again: nothing of an earlier try was shown to anybody.
    Every failure looks the same. What it says is neither kept nor logged: it could be about somebody.
    """
    run = query_begin(run_id=run_id)
    if run is None:
        return
    try:
        query_answer(run_id=run_id, draw=_fetched(run))
    except Exception:
        query_fail(run_id=run_id)
        logger.warning("query %s failed", run_id)


def _fetched(run: QueryRun) -> answering.Draw:
    # The policy is that of the charge; the data cannot be.
    if run.source.state != Source.State.OPEN or run.source.data_version != run.data_version:
        raise Outdated
    asked = query_plan(source=run.source, sql=run.sql, policy_version=run.policy_version)
    if asked.digest != run.canonical or (run.charged == 0) != asked.plan.public:
        raise Outdated
    with source_connection(run.source) as reach:
        return answering.engine(
            asked.plan,
            reach,
            run.source.tables,
            epsilon=Fraction(run.epsilon, MICRO),
            delta=Fraction(run.delta, PICO),
        )

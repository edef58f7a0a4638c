"""Example queries: those shipped with the service's own source, else made of the schema; and the latest asked."""

from collections.abc import Sequence

from privacy.policy.errors import QueryRefused
from surveys.errors import DeniableError
from surveys.models import QueryRun, Source
from surveys.pages.policy_samples import samples
from surveys.services.queries import policies_of, query_plan
from surveys.sources.service import NAME

LATEST = 5
SHIPPED: Sequence[str] = (
    "SELECT COUNT(*) FROM respondent",
    "SELECT region, COUNT(*) FROM respondent GROUP BY region",
    "SELECT age_band, sex, COUNT(*) FROM respondent GROUP BY age_band, sex",
    "SELECT o.kind, COUNT(*) FROM respondent r JOIN panel p ON p.id = r.panel_id "
    "JOIN organisation o ON o.id = p.organisation_id GROUP BY o.kind",
    "SELECT i.channel, COUNT(*) FROM invitation i JOIN respondent r ON r.id = i.respondent_id GROUP BY i.channel",
    "SELECT issued, COUNT(*) FROM invitation GROUP BY issued",
    "SELECT COUNT(*) FROM survey",
)


def examples_of(source: Source) -> Sequence[str]:
    """Return example queries that are answered, one line each; nobody's own: who may ask sees them all."""
    return [sql for sql in _known(source) if _answered(source, sql)]


def policy_examples(source: Source) -> Sequence[str]:
    """Return queries to price, one line each, for admins: the latest that were asked, before the others."""
    asked = QueryRun.objects.filter(source=source).order_by("-pk").values_list("sql", flat=True)
    lines = (" ".join(sql.split()) for sql in asked[: 4 * LATEST] if "--" not in sql)
    latest = [] if source.name == NAME else list(dict.fromkeys(lines))[:LATEST]
    return list(dict.fromkeys([*latest, *_known(source)]))


def _known(source: Source) -> Sequence[str]:
    if source.name == NAME:
        return SHIPPED
    return samples(policies_of(source)) if source.policies.exists() else ()


def _answered(source: Source, sql: str) -> bool:
    try:
        query_plan(source=source, sql=sql)
    except (QueryRefused, DeniableError):
        return False
    return True

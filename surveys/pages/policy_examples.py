"""Queries to look at beside a policy: those shipped with the service's own source, else the latest that were asked."""

from collections.abc import Sequence

from surveys.models import QueryRun, Source
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
    """Return example queries, one line each."""
    if source.name == NAME:
        return SHIPPED
    asked = QueryRun.objects.filter(source=source).order_by("-pk").values_list("sql", flat=True)
    lines = (" ".join(sql.split()) for sql in asked[: 4 * LATEST] if "--" not in sql)
    return list(dict.fromkeys(lines))[:LATEST]

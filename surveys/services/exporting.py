"""The download of a survey's results, noted in the audit log."""

from dataclasses import dataclass
from typing import Any

from django.db import transaction

from surveys.errors import ParameterInvalid
from surveys.exports.formats import FORMATS
from surveys.selectors import results_for
from surveys.services.audit import audit_append


@dataclass(frozen=True, slots=True)
class Download:
    """A file with the name and type under which it is sent."""

    content: bytes
    content_type: str
    name: str


def results_export(*, actor: Any, slug: str, format_name: str) -> Download:
    """Make a download of results; raises ParameterInvalid, SurveyUnknown, NotAllowed, ResultsHidden."""
    if format_name not in FORMATS:
        raise ParameterInvalid("format", f"one of {', '.join(FORMATS)}")
    results = results_for(actor, slug)
    chosen = FORMATS[format_name]
    with transaction.atomic():
        audit_append(actor=actor, action="results.export", subject=slug, facts={"format": format_name})
    return Download(chosen.write(results), chosen.content_type, f"{slug}-estimates.{chosen.ending}")

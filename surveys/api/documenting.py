"""How operations are documented: problems from the one table, the intake's operation from its shapes."""

from typing import Any

from django.utils.translation import gettext_noop
from drf_spectacular.utils import OpenApiResponse

from surveys.api import shapes
from surveys.api.problems import CONTENT_TYPE

# What the intake answers beside 201 and 200; surveys.intake goes through the same table (a test compares).
INTAKE_PROBLEMS = (
    *("request-malformed", "survey-unknown", "not-found", "survey-closed", "key-reused"),
    *("body-too-large", "media-type-unsupported", "version-unknown", "report-malformed"),
    *("intake-full", "unavailable", "method-not-allowed", "request-unfinished"),
)


def responses(good: dict[int, Any], *problems: str) -> dict[Any, Any]:
    """Return the responses of an operation: shapes by status, and the problems of these types."""
    documented: dict[Any, Any] = {
        status: OpenApiResponse(response=shape, description="") for status, shape in good.items()
    }
    for status, shape in shapes.problems_by_status(*problems).items():
        documented[status, CONTENT_TYPE] = OpenApiResponse(response=shape, description="Refused")
    return documented


def intake_added(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Add the report endpoint, which is no Django view, to the schema (a postprocessing hook)."""
    result["paths"]["/api/v1/surveys/{slug}/reports/"] = {"post": _report_operation()}
    result["paths"] = dict(sorted(result["paths"].items()))
    return result


def _report_operation() -> dict[str, Any]:
    receipt = {"application/json": {"schema": shapes.RECEIPT}}
    refused = {
        str(status): {"description": "Refused", "content": {CONTENT_TYPE: {"schema": shape}}}
        for status, shape in shapes.problems_by_status(*INTAKE_PROBLEMS).items()
    }
    return {
        "operationId": "report",
        "summary": gettext_noop("Send a randomised report"),
        "description": gettext_noop(
            "Stored once: the same key with the same bytes is answered 200 with the same receipt, "
            "with other bytes 409. Acknowledged only after it is durably stored."
        ),
        "tags": ["surveys"],
        "security": [],
        "parameters": [{"in": "path", "name": "slug", "required": True, "schema": SLUG}],
        "requestBody": {"required": True, "content": {"application/json": {"schema": shapes.REPORT}}},
        "responses": {
            "200": {"description": "Stored before: the same receipt", "content": receipt},
            "201": {"description": "Stored", "content": receipt},
            **refused,
        },
    }


SLUG = {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$"}

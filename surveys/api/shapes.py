"""The JSON shapes of the API, as OpenAPI schemas."""

from typing import Any

from surveys.api.problems import KINDS, Kind
from surveys.exports.rows import COLUMNS
from surveys.models import Question

Shape = dict[str, Any]

HEX_TEXT: Shape = {"type": "string", "pattern": "^([0-9a-f]{2}){1,64}$"}
KEY_TEXT: Shape = {
    "type": "string",
    "pattern": "^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$",
    "description": "32 fresh random bytes, base64url without padding; never used for another report",
}
EPSILON_TEXT: Shape = {"type": "string", "pattern": r"^[0-9]{1,6}\.[0-9]{4}$", "example": "1.0987"}
SHARE: Shape = {"type": "number"}
INTERVAL: Shape = {"type": "array", "items": SHARE, "minItems": 2, "maxItems": 2}


def record(properties: Shape, optional: tuple[str, ...] = (), **more: Any) -> Shape:
    """Return the shape of an object with exactly these members."""
    needed = [name for name in properties if name not in optional]
    return {
        "type": "object",
        "properties": properties,
        "required": needed,
        "additionalProperties": False,
        **more,
    }


def listed(items: Shape, **more: Any) -> Shape:
    """Return the shape of a list."""
    return {"type": "array", "items": items, **more}


def nullable(shape: Shape) -> Shape:
    """Return the shape that may also be null."""
    return {"oneOf": [shape, {"type": "null"}]}


PLACED = ("query-refused", "schema-invalid", "policy-invalid", "policy-refused")
PLACE: Shape = {
    "line": {"type": "integer", "minimum": 1},
    "column": {"type": "integer", "minimum": 1},
    "hint": {"type": "string", "description": "what can be done instead"},
}


def problem_shape(kinds: list[Kind]) -> Shape:
    """Return the shape of the problem documents of these kinds."""
    return record(
        {
            "type": {"type": "string", "enum": sorted({f"/problems/{kind.slug}" for kind in kinds})},
            "title": {"type": "string"},
            "status": {"type": "integer", "enum": sorted({kind.status for kind in kinds})},
            "detail": {"type": "string"},
            "field": {"type": "string", "description": "the part of the request that is wrong"},
            **(PLACE if any(kind.slug in PLACED for kind in kinds) else {}),
        },
        optional=("field", *PLACE),
    )


def problems_by_status(*slugs: str) -> dict[int, Shape]:
    """Return, for each status, the shape of its problems among these types."""
    kinds = [KINDS[slug] for slug in slugs]
    return {
        status: problem_shape([kind for kind in kinds if kind.status == status])
        for status in sorted({kind.status for kind in kinds})
    }


TEXT = record({"ko": {"type": "string"}, "en": {"type": "string"}})
LABEL = record({"id": {"type": "string"}, "text": TEXT})
CLAUSES = listed(
    record({"question": {"type": "string"}, "is": listed({"type": "string"}, minItems=1)}), minItems=1
)
VISIBLE_IF: Shape = {"oneOf": [record({"all": CLAUSES}), record({"any": CLAUSES})]}
WHOLE: Shape = {"type": "integer", "minimum": 1}


def _mechanism(name: str, *whole: str) -> Shape:
    return record({"name": {"type": "string", "enum": [name]}, **dict.fromkeys(whole, WHOLE)})


MECHANISM: Shape = {
    "oneOf": [
        _mechanism("spinner", "choices", "num", "bits"),
        _mechanism("spinner-coin", "choices", "num", "bits"),
        _mechanism("coin", "choices", "tosses", "num"),
        _mechanism("one-box", "boxes", "choices", "num", "bits"),
        _mechanism("every-box", "boxes", "choices", "num", "bits"),
    ]
}
QUESTION = record(
    {
        "id": {"type": "string"},
        "text": TEXT,
        "kind": {"type": "string", "enum": list(Question.Kind.values)},
        "choices": listed(LABEL),
        "required": {"type": "boolean"},
        "visible_if": VISIBLE_IF,
        "epsilon": EPSILON_TEXT,
        "epsilon_asked": {"type": "string", "example": "ln(3)"},
        "mechanism": MECHANISM,
    },
    optional=("visible_if", "epsilon", "epsilon_asked", "mechanism"),
)
MANIFEST = record(
    {
        "slug": {"type": "string"},
        "version": WHOLE,
        "title": TEXT,
        "intro": TEXT,
        "questions": listed(QUESTION),
        "epsilon_total": EPSILON_TEXT,
        "closes": nullable({"type": "string", "format": "date-time"}),
        "target": nullable(WHOLE),
        "fingerprint": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
        "state": {"type": "string", "enum": ["open", "paused", "closed"]},
    }
)
REPORT = record(
    {
        "version": {"type": "integer", "minimum": 1, "maximum": 2**32 - 1},
        "reports": listed(HEX_TEXT, description="one a question with a mechanism, in the manifest's order"),
        "key": KEY_TEXT,
    }
)
RECEIPT = record({"receipt": {"type": "string", "pattern": "^[0-9a-f]{32}$"}})
ANSWER_ROW = record(
    {column.name: {"type": ["string", "number", "null"], "description": column.en} for column in COLUMNS}
)
ESTIMATES = record(
    {
        "survey": {"type": "string"},
        "state": {"type": "string", "enum": ["closed"]},
        "rows": listed(ANSWER_ROW),
        "documents": listed({"type": "object", "additionalProperties": True}),
    }
)
_FIGURE = {"type": ["number", "null"]}
PLAN = record(
    {
        "protocol": {"type": "string"},
        "mechanism": MECHANISM,
        "choices": WHOLE,
        "boxes": {"type": ["integer", "null"]},
        "epsilon": EPSILON_TEXT,
        "p": SHARE,
        "delta": SHARE,
        "odds": {"type": "integer"},
        "prevalence": SHARE,
        "blind_rate": SHARE,
        "guess_rate": SHARE,
        "posterior_bound": SHARE,
        "factor_direct": _FIGURE,
        "factor_central": _FIGURE,
        "n": {"type": ["integer", "null"]},
        "expected_margin": _FIGURE,
        "direct_margin": _FIGURE,
        "central_margin": _FIGURE,
        "one_liar": _FIGURE,
        "margin": _FIGURE,
        "n_needed": {"type": ["integer", "null"]},
        "boxes_better": {"type": ["string", "null"], "enum": ["one-box", "every-box", None]},
    }
)

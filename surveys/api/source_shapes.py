"""The JSON shapes of queries, plans and ledgers."""

from surveys.api.shapes import Shape, listed, nullable, record
from surveys.models import QueryRun

EPSILON_ASKED: Shape = {
    "type": "string",
    "pattern": r"^([0-9]{1,3}(\.[0-9]{1,18})?|ln\([1-9][0-9]{0,18}\))$",
    "example": "0.5",
    "description": "above 0 and at most 100; charged in millionths, rounded up",
}
DELTA_ASKED: Shape = {
    "type": "string",
    "pattern": r"^(0?\.[0-9]{1,18}|[0-9]{1,3}(\.[0-9]{1,6})?e-[0-9]{1,2})$",
    "example": "1e-9",
    "description": "Gaussian noise instead of Laplace's; at most 0.001",
}
MICRO_TEXT: Shape = {"type": "string", "pattern": r"^[0-9]+\.[0-9]{6}$", "example": "0.500000"}
DELTA_TEXT: Shape = {"type": "string", "pattern": r"^([01]|[1-9](\.[0-9]+)?e-[0-9]+)$", "example": "1e-9"}
SQL: Shape = {"type": "string", "example": "SELECT COUNT(*) FROM respondent"}
STATE: Shape = {"type": "string", "enum": list(QueryRun.State.values)}
NUMBER: Shape = {"type": "integer", "minimum": 1}
FIGURE: Shape = {"type": ["number", "null"]}
QUERY = record({"sql": SQL, "epsilon": EPSILON_ASKED, "delta": nullable(DELTA_ASKED)}, optional=("delta",))
SUBMITTED = record({"id": NUMBER, "state": STATE})
CELL: Shape = {"type": ["number", "string", "boolean", "null"]}
INTERVAL: Shape = {
    "type": ["array", "null"],
    "items": {"type": ["number", "string"]},
    "minItems": 2,
    "maxItems": 2,
}
NOISE = record(
    {
        "figure": {"type": "string", "enum": ["count", "sum", "squares", "rank"]},
        "law": {"type": "string", "enum": ["none", "laplace", "gaussian", "exponential"]},
        "sensitivity": {"type": ["number", "string"]},
        "scale": {"type": ["number", "string", "null"]},
        "half_width": {
            "type": ["number", "string"],
            "description": "Half of the 95 % interval of this number; of a rank, in rows.",
        },
        "epsilon": MICRO_TEXT,
    }
)
ANSWERED_FIGURE = record(
    {
        "name": {"type": "string"},
        "function": {"type": "string"},
        "sensitivity": {"type": ["number", "string"]},
        "epsilon": MICRO_TEXT,
        "public": {"type": "boolean"},
        "parts": listed(NOISE),
    }
)
ANSWER = record(
    {
        "columns": listed({"type": "string"}),
        "rows": listed(listed(CELL)),
        "intervals": listed(listed(INTERVAL)),
        "figures": listed(ANSWERED_FIGURE),
        "epsilon": {"type": "string", "example": "0.5"},
        "delta": {"type": "string", "example": "0"},
        "public": {"type": "boolean"},
        "confidence": {"type": "number", "example": 0.95},
        "trace": listed({"type": "string"}),
    }
)
RUN = record(
    {
        "id": NUMBER,
        "source": {"type": "string"},
        "sql": SQL,
        "state": STATE,
        "epsilon": MICRO_TEXT,
        "delta": DELTA_TEXT,
        "charged": MICRO_TEXT,
        "data_version": NUMBER,
        "policy_version": NUMBER,
        "answer": nullable(ANSWER),
    }
)
QUESTION = record(
    {"sql": SQL, "epsilon": EPSILON_ASKED, "delta": nullable(DELTA_ASKED)}, optional=("epsilon", "delta")
)
PART_ERROR = record({"figure": {"type": "string"}, "half_width": {"type": "number"}})
AGGREGATE = record(
    {
        "name": {"type": "string"},
        "function": {"type": "string"},
        "sensitivity": FIGURE,
        "public": {"type": "boolean"},
        # Where an ε was given: half of the 95 % interval, null where it depends on the data; and of its parts.
        "expected_error": FIGURE,
        "part_errors": listed(PART_ERROR),
    },
    optional=("expected_error", "part_errors"),
)
QUERY_PLAN = record(
    {
        "sensitivity": FIGURE,
        "public": {"type": "boolean"},
        "aggregates": listed(AGGREGATE),
        "entities": listed({"type": "string"}),
        "baselines": record({"unbounded": FIGURE, "bounded": FIGURE}),
        "trace": listed({"type": "string"}),
    }
)
LEDGER = record(
    {
        "source": {"type": "string"},
        "state": {"type": "string", "enum": ["open", "closed", "failed"]},
        "budgets": listed(
            record(
                {
                    "entity": {"type": "string"},
                    "total": MICRO_TEXT,
                    "spent": MICRO_TEXT,
                    "left": MICRO_TEXT,
                    "delta_total": DELTA_TEXT,
                    "delta_spent": DELTA_TEXT,
                    "delta_left": DELTA_TEXT,
                }
            )
        ),
        "shares": listed(
            record(
                {
                    "entity": {"type": "string"},
                    "researcher": {"type": "string"},
                    "total": MICRO_TEXT,
                    "spent": MICRO_TEXT,
                    "left": MICRO_TEXT,
                }
            )
        ),
        "charges": listed(
            record(
                {
                    "id": NUMBER,
                    "actor": nullable({"type": "string"}),
                    "epsilon": MICRO_TEXT,
                    "delta": DELTA_TEXT,
                    "charged": MICRO_TEXT,
                    "state": STATE,
                }
            )
        ),
    }
)

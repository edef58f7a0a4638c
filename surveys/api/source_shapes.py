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
SQL: Shape = {"type": "string", "example": "SELECT COUNT(*) FROM respondent"}
STATE: Shape = {"type": "string", "enum": list(QueryRun.State.values)}
NUMBER: Shape = {"type": "integer", "minimum": 1}
FIGURE: Shape = {"type": ["number", "null"]}
QUERY = record({"sql": SQL, "epsilon": EPSILON_ASKED, "delta": nullable(DELTA_ASKED)}, optional=("delta",))
SUBMITTED = record({"id": NUMBER, "state": STATE})
RUN = record(
    {
        "id": NUMBER,
        "source": {"type": "string"},
        "sql": SQL,
        "state": STATE,
        "epsilon": MICRO_TEXT,
        "delta": {"type": "string", "example": "0"},
        "charged": MICRO_TEXT,
        "data_version": NUMBER,
        "policy_version": NUMBER,
        "answer": nullable({"type": "object", "additionalProperties": True}),
    }
)
QUESTION = record({"sql": SQL})
AGGREGATE = record({"name": {"type": "string"}, "sensitivity": FIGURE, "public": {"type": "boolean"}})
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
                {"entity": {"type": "string"}, "total": MICRO_TEXT, "spent": MICRO_TEXT, "left": MICRO_TEXT}
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
                    "charged": MICRO_TEXT,
                    "state": STATE,
                }
            )
        ),
    }
)

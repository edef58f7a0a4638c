"""smartnoise-sql on the same SQLite file; runs in an environment of its own and prints JSON.

Privacy of whole customers with at most 41 orders each, as under our policy.
"""

import json
import sqlite3
import statistics
import sys
import time
from typing import Any

from snsql import Privacy, from_connection

TABLE = {"row_privacy": False, "max_ids": 41, "sample_max_ids": True, "censor_dims": False}
METADATA = {
    "": {
        "": {
            "orders": {
                **TABLE,
                "o_custkey": {"type": "int", "private_id": True},
                "o_orderpriority": {"type": "string"},
            },
            "customer_orders": {
                **TABLE,
                "o_custkey": {"type": "int", "private_id": True},
                "c_mktsegment": {"type": "string"},
            },
        }
    }
}
# It joins no tables that have keys of different names: the join is a view.
VIEW = """CREATE TEMP VIEW customer_orders AS
SELECT o_custkey, c_mktsegment FROM orders JOIN customer ON o_custkey = c_custkey"""
QUERIES = {
    "COUNT": "SELECT COUNT(*) AS n FROM orders",
    "grouped COUNT": "SELECT o_orderpriority, COUNT(*) AS n FROM orders GROUP BY o_orderpriority",
    "joined COUNT": "SELECT c_mktsegment, COUNT(*) AS n FROM customer_orders GROUP BY c_mktsegment",
}


def main() -> None:
    """Measure the three queries."""
    connection = sqlite3.connect(sys.argv[1])
    connection.execute(VIEW)
    reader = from_connection(
        connection, engine="sqlite", privacy=Privacy(epsilon=1.0, delta=1e-9), metadata=METADATA
    )
    print(json.dumps({name: _milliseconds(reader, sql, int(sys.argv[2])) for name, sql in QUERIES.items()}))


def _milliseconds(reader: Any, sql: str, times: int) -> float:
    spent = []
    for _ in range(times + 1):
        started = time.perf_counter()
        reader.execute(sql)
        spent.append(time.perf_counter() - started)
    return statistics.median(spent[1:]) * 1e3


if __name__ == "__main__":
    main()

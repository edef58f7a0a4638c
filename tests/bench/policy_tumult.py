"""Tumult Analytics on the same files; runs in an environment of its own and prints JSON.

Privacy of whole customers with at most 41 orders each, as under our policy.
The first run of each query warms Spark up.
"""

import json
import os
import statistics
import sys
import time
from typing import Any

from pyspark.sql import SparkSession
from tmlt.analytics import (
    AddRowsWithID,
    KeySet,
    MaxRowsPerID,
    PureDPBudget,
    QueryBuilder,
    Session,
)

PRIORITIES = ["1-URGENT", "2-HIGH", "3-MEDIUM", "4-NOT SPECIFIED", "5-LOW"]
SEGMENTS = ["AUTOMOBILE", "BUILDING", "FURNITURE", "HOUSEHOLD", "MACHINERY"]


def main() -> None:
    """Measure the three queries."""
    folder, times = sys.argv[1], int(sys.argv[2])
    os.environ["PYSPARK_PYTHON"] = sys.executable
    spark = SparkSession.builder.master("local[*]").config("spark.ui.enabled", "false").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    orders = spark.read.parquet(f"{folder}/orders.parquet").withColumnRenamed("o_custkey", "custkey")
    customers = spark.read.parquet(f"{folder}/customer.parquet").withColumnRenamed("c_custkey", "custkey")
    wanted = {
        "orders": orders.select("custkey", "o_orderpriority"),
        "customer": customers.select("custkey", "c_mktsegment"),
    }
    session = _session(wanted)
    print(json.dumps({name: _milliseconds(session, query, times) for name, query in _queries().items()}))


def _session(frames: dict[str, Any]) -> Any:
    builder = Session.Builder().with_privacy_budget(PureDPBudget(float("inf"))).with_id_space("customers")
    for name, frame in frames.items():
        builder = builder.with_private_dataframe(name, frame.cache(), AddRowsWithID("custkey", "customers"))
    return builder.build()


def _queries() -> dict[str, Any]:
    orders = QueryBuilder("orders").enforce(MaxRowsPerID(41))
    customers = QueryBuilder("customer").enforce(MaxRowsPerID(1))
    # Each side is cut to one customer's rows already: of the pairs none is lost.
    joined = orders.join_private(customers)
    bounded = joined.enforce(MaxRowsPerID(41))
    return {
        "COUNT": orders.count(),
        "grouped COUNT": orders.groupby(KeySet.from_dict({"o_orderpriority": PRIORITIES})).count(),
        "joined COUNT": bounded.groupby(KeySet.from_dict({"c_mktsegment": SEGMENTS})).count(),
    }


def _milliseconds(session: Any, query: Any, times: int) -> float:
    spent = []
    for _ in range(times + 1):
        started = time.perf_counter()
        session.evaluate(query, PureDPBudget(1)).collect()
        spent.append(time.perf_counter() - started)
    return statistics.median(spent[1:]) * 1e3


if __name__ == "__main__":
    main()

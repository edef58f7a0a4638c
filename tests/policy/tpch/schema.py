"""TPC-H as a curator would register it: the keys and foreign keys of its specification, and what is publicly known.

Known are the values of the columns with few of them, the years of the dates, and how many rows share a parent at scale
factor 1. Two policies: about customers, whose orders are theirs, and about suppliers.
"""

from typing import Any

from privacy.policy.labels import Policy, policy_from
from privacy.policy.schema import schema_from

TEXT: dict[str, Any] = {"type": "text"}
KEY: dict[str, Any] = {"type": "integer", "bounds": [0, 6_000_000]}
DATE: dict[str, Any] = {"type": "date", "bounds": ["1992-01-01", "1998-12-31"]}


def _money(low: int, high: int) -> dict[str, Any]:
    return {"type": "decimal", "scale": 2, "bounds": [low, high]}


def _number(low: int, high: int) -> dict[str, Any]:
    return {"type": "integer", "bounds": [low, high]}


def _one_of(*values: str) -> dict[str, Any]:
    return {"type": "text", "domain": list(values)}


def _edge(columns: str, parent: str, to: str, rows: int) -> dict[str, Any]:
    return {"columns": columns.split(), "references": parent, "to": to.split(), "max_rows": rows}


RELATIONS: dict[str, Any] = {
    "region": {
        "key": ["r_regionkey"],
        "columns": {"r_regionkey": KEY, "r_name": TEXT, "r_comment": TEXT},
    },
    "nation": {
        "key": ["n_nationkey"],
        "columns": {"n_nationkey": KEY, "n_name": TEXT, "n_regionkey": KEY, "n_comment": TEXT},
        "foreign_keys": [_edge("n_regionkey", "region", "r_regionkey", 5)],
    },
    "part": {
        "key": ["p_partkey"],
        "columns": {
            "p_partkey": KEY,
            "p_name": TEXT,
            "p_mfgr": TEXT,
            "p_brand": TEXT,
            "p_type": TEXT,
            "p_size": _number(1, 50),
            "p_container": TEXT,
            "p_retailprice": _money(900, 2100),
            "p_comment": TEXT,
        },
    },
    "supplier": {
        "key": ["s_suppkey"],
        "columns": {
            "s_suppkey": KEY,
            "s_name": TEXT,
            "s_address": TEXT,
            "s_nationkey": KEY,
            "s_phone": TEXT,
            "s_acctbal": _money(-1000, 10_000),
            "s_comment": TEXT,
        },
        "foreign_keys": [_edge("s_nationkey", "nation", "n_nationkey", 438)],
    },
    "partsupp": {
        "key": ["ps_partkey", "ps_suppkey"],
        "columns": {
            "ps_partkey": KEY,
            "ps_suppkey": KEY,
            "ps_availqty": _number(0, 10_000),
            "ps_supplycost": _money(0, 1000),
            "ps_comment": TEXT,
        },
        "foreign_keys": [
            _edge("ps_partkey", "part", "p_partkey", 4),
            _edge("ps_suppkey", "supplier", "s_suppkey", 80),
        ],
    },
    "customer": {
        "key": ["c_custkey"],
        "columns": {
            "c_custkey": KEY,
            "c_name": TEXT,
            "c_address": TEXT,
            "c_nationkey": KEY,
            "c_phone": TEXT,
            "c_acctbal": _money(-1000, 10_000),
            "c_mktsegment": _one_of("AUTOMOBILE", "BUILDING", "FURNITURE", "HOUSEHOLD", "MACHINERY"),
            "c_comment": TEXT,
        },
        "foreign_keys": [_edge("c_nationkey", "nation", "n_nationkey", 6161)],
    },
    "orders": {
        "key": ["o_orderkey"],
        "columns": {
            "o_orderkey": KEY,
            "o_custkey": KEY,
            "o_orderstatus": _one_of("F", "O", "P"),
            "o_totalprice": _money(0, 600_000),
            "o_orderdate": DATE,
            "o_orderpriority": _one_of("1-URGENT", "2-HIGH", "3-MEDIUM", "4-NOT SPECIFIED", "5-LOW"),
            "o_clerk": TEXT,
            "o_shippriority": _number(0, 0),
            "o_comment": TEXT,
        },
        "foreign_keys": [_edge("o_custkey", "customer", "c_custkey", 41)],
    },
    "lineitem": {
        "key": ["l_orderkey", "l_linenumber"],
        "columns": {
            "l_orderkey": KEY,
            "l_partkey": KEY,
            "l_suppkey": KEY,
            "l_linenumber": _number(1, 7),
            "l_quantity": _money(1, 50),
            "l_extendedprice": _money(0, 105_000),
            "l_discount": _money(0, 1),
            "l_tax": _money(0, 1),
            "l_returnflag": _one_of("A", "N", "R"),
            "l_linestatus": _one_of("F", "O"),
            "l_shipdate": DATE,
            "l_commitdate": DATE,
            "l_receiptdate": DATE,
            "l_shipinstruct": TEXT,
            "l_shipmode": _one_of("AIR", "FOB", "MAIL", "RAIL", "REG AIR", "SHIP", "TRUCK"),
            "l_comment": TEXT,
        },
        "foreign_keys": [
            _edge("l_orderkey", "orders", "o_orderkey", 7),
            _edge("l_partkey", "part", "p_partkey", 57),
            _edge("l_suppkey", "supplier", "s_suppkey", 694),
            _edge("l_partkey l_suppkey", "partsupp", "ps_partkey ps_suppkey", 57),
        ],
    },
}
SCHEMA = schema_from(RELATIONS)

ORDERS = [
    "o_custkey",
    "o_orderstatus",
    "o_totalprice",
    "o_clerk",
    "o_shippriority",
    "o_orderdate",
    "o_orderpriority",
    "o_comment",
]
# As in the study: tpch/customer-flexible and tpch/supplier-flexible of its cases.
LABELS: dict[str, Any] = {
    "region": "PUB",
    "nation": "PUB",
    "part": "PUB",
    "supplier": {"REP": ["s_name", "s_address", "s_nationkey", "s_phone", "s_acctbal"]},
    "partsupp": {"REP": ["ps_availqty", "ps_supplycost", "ps_comment"]},
    "customer": "DEL",
    "orders": {"REP": ORDERS},
    "lineitem": "DEL",
}
CUSTOMERS: Policy = policy_from({"entity": "customer", "labels": LABELS}, SCHEMA)
SUPPLIERS: Policy = policy_from(
    {"entity": "supplier", "labels": LABELS, "max_rows_per_entity": {"lineitem": 694}}, SCHEMA
)

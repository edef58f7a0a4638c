"""TPC-H as a curator would register it at scale factor 1: keys and foreign keys, and what is publicly known.

Source: TPC-H Standard Specification, revision 3, clauses 1.4 and 4.2.3. It bounds every column; how many rows share a
parent is fixed in some places (4 suppliers a part, at most 7 lines an order) and drawn at random in others. There a
curator declares a bound: 41 orders of a customer and 694 lines of a supplier, as the study of these queries did, which
hold for the published population; elsewhere what the specification's law exceeds once in a million populations
(tests/policy/test_tpch_data.py computes it). Two policies: about customers, whose orders are theirs, and suppliers.
"""

from typing import Any

from privacy.policy.labels import Policy, policy_from
from privacy.policy.schema import schema_from

TEXT: dict[str, Any] = {"type": "text"}
PARTS, SUPPLIERS_LISTED, CUSTOMERS_LISTED, ORDER_NUMBERS = 200_000, 10_000, 150_000, 6_000_000


def _money(low: str, high: str) -> dict[str, Any]:
    return {"type": "decimal", "scale": 2, "bounds": [low, high]}


def _number(low: int, high: int) -> dict[str, Any]:
    return {"type": "integer", "bounds": [low, high]}


def _date(first: str, last: str) -> dict[str, Any]:
    return {"type": "date", "bounds": [first, last]}


def _one_of(*values: str) -> dict[str, Any]:
    return {"type": "text", "domain": list(values)}


def _edge(columns: str, parent: str, to: str, rows: int) -> dict[str, Any]:
    return {"columns": columns.split(), "references": parent, "to": to.split(), "max_rows": rows}


RELATIONS: dict[str, Any] = {
    "region": {
        "key": ["r_regionkey"],
        "columns": {"r_regionkey": _number(0, 4), "r_name": TEXT, "r_comment": TEXT},
    },
    "nation": {
        "key": ["n_nationkey"],
        "columns": {
            "n_nationkey": _number(0, 24),
            "n_name": TEXT,
            "n_regionkey": _number(0, 4),
            "n_comment": TEXT,
        },
        "foreign_keys": [_edge("n_regionkey", "region", "r_regionkey", 5)],
    },
    "part": {
        "key": ["p_partkey"],
        "columns": {
            "p_partkey": _number(1, PARTS),
            "p_name": TEXT,
            "p_mfgr": TEXT,
            "p_brand": TEXT,
            "p_type": TEXT,
            "p_size": _number(1, 50),
            "p_container": TEXT,
            "p_retailprice": _money("900.00", "2099.00"),
            "p_comment": TEXT,
        },
    },
    "supplier": {
        "key": ["s_suppkey"],
        "columns": {
            "s_suppkey": _number(1, SUPPLIERS_LISTED),
            "s_name": TEXT,
            "s_address": TEXT,
            "s_nationkey": _number(0, 24),
            "s_phone": TEXT,
            "s_acctbal": _money("-999.99", "9999.99"),
            "s_comment": TEXT,
        },
        "foreign_keys": [_edge("s_nationkey", "nation", "n_nationkey", 509)],
    },
    "partsupp": {
        "key": ["ps_partkey", "ps_suppkey"],
        "columns": {
            "ps_partkey": _number(1, PARTS),
            "ps_suppkey": _number(1, SUPPLIERS_LISTED),
            "ps_availqty": _number(1, 9_999),
            "ps_supplycost": _money("1.00", "1000.00"),
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
            "c_custkey": _number(1, CUSTOMERS_LISTED),
            "c_name": TEXT,
            "c_address": TEXT,
            "c_nationkey": _number(0, 24),
            "c_phone": TEXT,
            "c_acctbal": _money("-999.99", "9999.99"),
            "c_mktsegment": _one_of("AUTOMOBILE", "BUILDING", "FURNITURE", "HOUSEHOLD", "MACHINERY"),
            "c_comment": TEXT,
        },
        "foreign_keys": [_edge("c_nationkey", "nation", "n_nationkey", 6412)],
    },
    "orders": {
        "key": ["o_orderkey"],
        "columns": {
            "o_orderkey": _number(1, ORDER_NUMBERS),
            "o_custkey": _number(1, CUSTOMERS_LISTED),
            "o_orderstatus": _one_of("F", "O", "P"),
            "o_totalprice": _money("810.00", "793422.00"),
            "o_orderdate": _date("1992-01-01", "1998-08-02"),
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
            "l_orderkey": _number(1, ORDER_NUMBERS),
            "l_partkey": _number(1, PARTS),
            "l_suppkey": _number(1, SUPPLIERS_LISTED),
            "l_linenumber": _number(1, 7),
            "l_quantity": _money("1.00", "50.00"),
            "l_extendedprice": _money("900.00", "104950.00"),
            "l_discount": _money("0.00", "0.10"),
            "l_tax": _money("0.00", "0.08"),
            "l_returnflag": _one_of("A", "N", "R"),
            "l_linestatus": _one_of("F", "O"),
            "l_shipdate": _date("1992-01-02", "1998-12-01"),
            "l_commitdate": _date("1992-01-31", "1998-10-31"),
            "l_receiptdate": _date("1992-01-03", "1998-12-31"),
            "l_shipinstruct": _one_of("COLLECT COD", "DELIVER IN PERSON", "NONE", "TAKE BACK RETURN"),
            "l_shipmode": _one_of("AIR", "FOB", "MAIL", "RAIL", "REG AIR", "SHIP", "TRUCK"),
            "l_comment": TEXT,
        },
        "foreign_keys": [
            _edge("l_orderkey", "orders", "o_orderkey", 7),
            _edge("l_partkey", "part", "p_partkey", 74),
            _edge("l_suppkey", "supplier", "s_suppkey", 694),
            _edge("l_partkey l_suppkey", "partsupp", "ps_partkey ps_suppkey", 34),
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

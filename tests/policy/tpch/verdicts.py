"""What is said to each of TPC-H's 22 queries: how far its figures can move, or why it is refused, and where."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refusal: its reason, and the words of the query that it points at."""

    reason: str
    at: str
    line: int


ROWS = "single rows are not answered"
VIEW = Refusal("CREATE is not answered", "create view", 1)
Verdicts = dict[int, "Refusal | list[int]"]
# The L1 sensitivity of each figure, in whole numbers, rounded down: one customer …
OF_CUSTOMERS: Verdicts = {
    1: [14350, 30120650, 30120650, 32530302, 14637, 30120937, 315, 287],
    2: Refusal(ROWS, "s_acctbal,", 2),
    3: Refusal("which values lineitem.l_orderkey has depends on one customer", "l_orderkey,", 17),
    4: [369],
    5: [30120650],
    6: [3012065],
    7: [30120650],
    8: [30120650, 30120650],
    9: [30120363],
    10: Refusal("which values customer.c_custkey has depends on one customer", "c_custkey,", 23),
    11: [0],
    12: [287, 287],
    13: [83],
    14: [30120650, 30120650],
    15: VIEW,
    16: [0],
    17: [2259048750],
    18: Refusal("which values customer.c_name has depends on one customer", "c_name,", 25),
    19: [30120650],
    20: Refusal(ROWS, "s_name,", 2),
    21: [4305],
    22: Refusal("the value of this subquery depends on one customer", "avg(c_acctbal)", 16),
}
# … and one supplier.
OF_SUPPLIERS: Verdicts = {
    1: [34700, 72835300, 72835300, 78662124, 35394, 72835994, 763, 694],
    2: Refusal(ROWS, "s_acctbal,", 2),
    3: Refusal("which values lineitem.l_orderkey has depends on one supplier", "l_orderkey,", 17),
    4: [694],
    5: [72835300],
    6: [7283530],
    7: [72835300],
    8: [72835300, 72835300],
    9: [72834606],
    10: [72835300],
    11: Refusal(
        "the value of this subquery depends on one supplier", "sum(ps_supplycost * ps_availqty) * 0.0001", 16
    ),
    12: [694, 694],
    13: [0],
    14: [72835300, 72835300],
    15: VIEW,
    16: [0],
    17: [5462647500],
    18: [277600],
    19: [72835300],
    20: Refusal(ROWS, "s_name,", 2),
    21: Refusal("which values supplier.s_name has depends on one supplier", "s_name", 36),
    22: Refusal("the groups by cntrycode would be read off the data", "cntrycode", 34),
}

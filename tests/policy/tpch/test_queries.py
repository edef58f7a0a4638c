"""Which of TPC-H's 22 queries are answered, and why each of the others is not."""

import pytest

from privacy.policy.errors import QueryRefused
from privacy.policy.labels import Policy
from privacy.policy.plan import plan_query
from tests.policy.tpch.queries import QUERIES
from tests.policy.tpch.schema import CUSTOMERS, SUPPLIERS
from tests.policy.tpch.table import README, readme_section
from tests.policy.tpch.verdicts import OF_CUSTOMERS, OF_SUPPLIERS, Refusal, Verdicts

ALL = [
    *((number, CUSTOMERS, said) for number, said in OF_CUSTOMERS.items()),
    *((number, SUPPLIERS, said) for number, said in OF_SUPPLIERS.items()),
]


@pytest.mark.parametrize(("number", "policy", "said"), ALL, ids=[f"Q{n}-{p.entity}" for n, p, _ in ALL])
def test_a_query_is_answered_or_refused_for_its_reason(
    number: int, policy: Policy, said: Refusal | list[int]
) -> None:
    if isinstance(said, Refusal):
        with pytest.raises(QueryRefused) as refused:
            plan_query(QUERIES[number], policy)
        assert (refused.value.reason, refused.value.line) == (said.reason, said.line)
        line = QUERIES[number].splitlines()[said.line - 1]
        assert line[(refused.value.column or 0) - 1 :].startswith(said.at)
        # Told as well is what to do instead.
        assert refused.value.hint
    else:
        plan = plan_query(QUERIES[number], policy)
        assert [int(one.l1) for one in plan.sensitivities] == said


@pytest.mark.parametrize("verdicts", [OF_CUSTOMERS, OF_SUPPLIERS], ids=["customers", "suppliers"])
def test_at_least_fourteen_are_accepted(verdicts: Verdicts) -> None:
    assert set(verdicts) == set(QUERIES) == set(range(1, 23))
    assert sum(not isinstance(said, Refusal) for said in verdicts.values()) >= 14


def test_the_readme_tells_of_every_query() -> None:
    assert readme_section() in README.read_text("utf-8"), "python -m tests.policy.tpch writes it anew"

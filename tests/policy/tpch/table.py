"""What becomes of TPC-H's 22 queries, as the table of deploy/README.md."""

from collections.abc import Iterator
from fractions import Fraction

from privacy.policy.errors import QueryRefused
from privacy.policy.labels import Policy
from privacy.policy.plan import baselines, plan_query
from tests.faults.running import ROOT
from tests.policy.tpch.queries import QUERIES
from tests.policy.tpch.schema import CUSTOMERS, SUPPLIERS

README = ROOT / "deploy" / "README.md"
BEGIN, END = "<!-- TPC-H: written by python -m tests.policy.tpch -->", "<!-- end of TPC-H -->"
HEAD = """\
| query | one customer | as unbounded | as bounded | one supplier | as unbounded | as bounded |
|---|---|---|---|---|---|---|"""


def readme_section() -> str:
    """Return the table between its marks."""
    return "\n".join([BEGIN, HEAD, *_lines(), END])


def readme_write() -> None:
    """Put the table into the place that its marks keep in deploy/README.md."""
    text = README.read_text("utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    README.write_text(f"{before}{readme_section()}{after}", "utf-8")


def _lines() -> Iterator[str]:
    for number, sql in QUERIES.items():
        cells = [cell for policy in (CUSTOMERS, SUPPLIERS) for cell in _cells(sql, policy)]
        yield f"| Q{number} | {' | '.join(cells)} |"


def _cells(sql: str, policy: Policy) -> list[str]:
    try:
        plan = plan_query(sql, policy)
    except QueryRefused as refused:
        return [f"refused at {refused.line}:{refused.column}: {refused.reason}", "", ""]
    uniform = baselines(sql, policy)
    return [_told(one) for one in (plan.l1, uniform.unbounded, uniform.bounded)]


def _told(l1: Fraction | None) -> str:
    if l1 is None:
        return "refused"
    return "0, exact and free" if l1 == 0 else f"{float(l1):,.2f}".rstrip("0").rstrip(".")

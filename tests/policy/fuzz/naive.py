"""What must not be done, to see that the comparison finds it: groups off the data, errors shown, figures bare."""

from collections.abc import Sequence
from typing import Any
from unittest.mock import patch

from privacy.policy import answer
from privacy.policy.algebra import Root
from privacy.policy.compile import Cells, Compiler, Execute, Measure
from privacy.policy.labels import Policy
from tests.policy.engines import Database
from tests.policy.fuzz.comparing import ANSWERED, FAILED, Fixed, Outcome, asked


def groups_of_data(sql: str, policy: Policy, database: Database) -> Outcome:
    """List the groups that have rows, as GROUP BY does."""

    def listed(root: Root, sources: Any, compiler: Compiler, execute: Execute, most: int) -> Sequence[Cells]:
        rows = Measure("count", None)
        return sorted(compiler.figures(root, [rows]).measured(execute)[rows], key=str)

    with patch.object(answer, "groups_of", listed):
        return asked(sql, policy, database)


def errors_shown(sql: str, policy: Policy, database: Database) -> Outcome:
    """Run the text as it is, and show how that ended."""
    try:
        database.execute(sql)
    except Exception as error:
        return Outcome(FAILED, (str(error),))
    return Outcome(ANSWERED, ())


def figures_bare(sql: str, policy: Policy, database: Database) -> Outcome:
    """Add no noise."""
    with patch.object(Fixed, "added", lambda self, values, law: values):
        return asked(sql, policy, database)

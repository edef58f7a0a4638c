"""One query against two neighbouring databases: whatever an analyst sees must be the same, up to the noise."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any
from unittest.mock import patch

from privacy.bits import Bits, SecureBits
from privacy.policy.answer import answer
from privacy.policy.compile import Compiler
from privacy.policy.errors import QueryRefused
from privacy.policy.labels import Policy
from privacy.policy.noise import Law
from privacy.policy.plan import Plan, plan_query
from privacy.policy.quantiles import Quantile
from surveys.services.answers import answer_document
from tests.policy.engines import Database
from tests.policy.fuzz.worlds import Pair

ANSWERED, REFUSED, FAILED = "answered", "refused", "failed"


@dataclass(frozen=True)
class Outcome:
    """What an analyst sees of a query: how it ended, and all that was said."""

    status: str
    told: tuple[Any, ...]


Ask = Callable[[str, Policy, Database], Outcome]


class Fixed:
    """Noise that hides everything: what is drawn is the same whatever the number is."""

    def __init__(self, seed: int = 1) -> None:
        """Begin the draws anew."""
        self.bits: Bits = SecureBits()
        self._dice = Random(seed)

    def added(self, values: Sequence[int], law: Law) -> Sequence[int]:
        """Return as many numbers, of which none depends on the values."""
        return [self._dice.randint(-9, 99) for _ in values]


def _ranked(self: Quantile, counts: Any, bits: Bits) -> int:
    return sum(self.bounds) // 2


@contextmanager
def hidden() -> Iterator[None]:
    """Let quantiles be drawn whatever the data are: they need no other noise."""
    with patch.object(Quantile, "drawn", _ranked):
        yield


def asked(sql: str, policy: Policy, database: Database) -> Outcome:
    """Ask a query as the layer answers it."""
    try:
        return _answered(plan_query(sql, policy), database)
    except QueryRefused as refused:
        return Outcome(REFUSED, (refused.line, refused.column, refused.reason, refused.hint))
    except Exception as error:
        return Outcome(FAILED, (type(error).__name__, str(error)[:200]))


def _answered(plan: Plan, database: Database) -> Outcome:
    found = answer(
        plan.query,
        plan.sensitivities,
        plan.sources,
        epsilon=Fraction(1),
        execute=database.execute,
        compiler=Compiler(database.dialect),
        noise=Fixed(),
    )
    return Outcome(ANSWERED, (found.rows, json.dumps(answer_document(found, plan.trace), allow_nan=False)))


def outcomes(sql: str, pair: Pair, databases: Sequence[Database], ask: Ask = asked) -> tuple[Outcome, ...]:
    """Return what is seen of a query in either world."""
    with hidden():
        return tuple(ask(sql, pair.policy, one) for one in databases)

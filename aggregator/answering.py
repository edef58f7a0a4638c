"""The seam to the engine: what a worker asks of it, and nothing more."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Protocol

from privacy.policy.plan import Plan
from surveys.sources.connecting import Reach

Draw = Callable[[], Mapping[str, Any]]


class Engine(Protocol):
    """Computes the exact figures of a plan, and gives a function that makes them noisy and forgets them."""

    def __call__(
        self, plan: Plan, reach: Reach, tables: Mapping[str, str], *, epsilon: Fraction, delta: Fraction
    ) -> Draw:
        """Touch the data once; every call of what is returned would draw anew, so it is called once."""


class EngineMissing(Exception):
    """No engine is built in."""


def engine(
    plan: Plan, reach: Reach, tables: Mapping[str, str], *, epsilon: Fraction, delta: Fraction
) -> Draw:
    """Prepare the answer of a plan from the data behind a connection."""
    raise EngineMissing

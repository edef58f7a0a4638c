"""What a worker does with a charged plan: it measures the data once and keeps nothing but noisy figures."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from django.conf import settings

from privacy.policy.answer import answered, measured
from privacy.policy.compile import Compiler
from privacy.policy.noise import SecureNoise
from privacy.policy.plan import Plan
from privacy.policy.shares import hidden
from surveys.services.answers import answer_document
from surveys.sources.connecting import Reach

Draw = Callable[[], Mapping[str, Any]]


def engine(
    plan: Plan, reach: Reach, tables: Mapping[str, str], *, epsilon: Fraction, delta: Fraction
) -> Draw:
    """Measure a plan on the data behind a connection, and return what makes the answer of it.

    Every call of what is returned would draw anew, so it is called once. δ of 0 is Laplace noise.
    """
    found = hidden(plan.sensitivities, epsilon, delta or None)
    compiler = Compiler(reach.dialect, tables)
    data = measured(plan.query, plan.sensitivities, plan.sources, reach.rows, compiler, settings.MOST_GROUPS)

    def draw() -> Mapping[str, Any]:
        return answer_document(answered(data, found, SecureNoise()), plan.trace)

    return draw

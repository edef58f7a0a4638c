"""The algebra becomes SQL text for one engine, and what the engine answers becomes values again."""

from privacy.policy.compile.reading import Cells, Execute, ValueUnreadable
from privacy.policy.compile.spelling import Dialect
from privacy.policy.compile.statements import Compiler, Measure, measure_of

__all__ = ["Cells", "Compiler", "Dialect", "Execute", "Measure", "ValueUnreadable", "measure_of"]

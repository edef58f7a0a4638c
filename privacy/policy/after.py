"""What is done with noisy figures afterwards: arithmetic, HAVING, order, limit; post-processing is free."""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import singledispatch
from typing import Any, Literal

from privacy.policy.expressions import Attribute

Cell = Fraction | str | bool | datetime.date | None
Row = Mapping[Attribute, Cell]


class Term:
    """A value computed from a row of keys and noisy figures."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Given(Term):
    """A key or a figure of the row."""

    attribute: Attribute


@dataclass(frozen=True, slots=True)
class Literally(Term):
    """A literal."""

    value: Cell


@dataclass(frozen=True, slots=True)
class Calculated(Term):
    """Arithmetic; dividing by zero gives NULL."""

    operator: Literal["+", "-", "*", "/"]
    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class Compared(Term):
    """A comparison; with NULL it is unknown."""

    operator: Literal["=", "<>", "<", "<=", ">", ">="]
    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class AllOf(Term):
    """AND."""

    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class AnyOf(Term):
    """OR."""

    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Denied(Term):
    """NOT."""

    term: Term


@dataclass(frozen=True, slots=True)
class Missing(Term):
    """IS NULL."""

    term: Term


@dataclass(frozen=True, slots=True)
class Chosen(Term):
    """CASE."""

    cases: tuple[tuple[Term, Term], ...]
    otherwise: Term


@dataclass(frozen=True, slots=True)
class After:
    """The columns of an answer, and which rows are shown in what order."""

    outputs: tuple[tuple[str, Term], ...]
    having: Term | None = None
    order: tuple[tuple[Term, bool], ...] = ()  # (term, descending)
    limit: int | None = None
    offset: int = 0

    def rows(self, given: Sequence[Row]) -> list[Row]:
        """Return the rows that are shown, in order; NULLs come last, equal rows stay as they were listed."""
        kept = [row for row in given if self.having is None or evaluate(self.having, row) is True]
        for term, descending in reversed(self.order):
            # Stable: the last order is applied first.
            known = [(evaluate(term, row), row) for row in kept]
            there = sorted((one for one in known if one[0] is not None), key=_value, reverse=descending)
            kept = [row for _, row in there] + [row for value, row in known if value is None]
        return kept[self.offset : None if self.limit is None else self.offset + self.limit]


def _value(one: tuple[Any, Row]) -> Any:
    return one[0]


@singledispatch
def evaluate(term: Term, row: Row) -> Cell:
    """Return the value of a term for a row."""
    raise TypeError(f"{type(term).__name__} is no term")


@evaluate.register
def _given(term: Given, row: Row) -> Cell:
    return row[term.attribute]


@evaluate.register
def _literally(term: Literally, row: Row) -> Cell:
    return term.value


@evaluate.register
def _calculated(term: Calculated, row: Row) -> Cell:
    left, right = evaluate(term.left, row), evaluate(term.right, row)
    if not isinstance(left, Fraction) or not isinstance(right, Fraction):
        return None
    if term.operator == "/":
        return None if right == 0 else left / right
    return {"+": left.__add__, "-": left.__sub__, "*": left.__mul__}[term.operator](right)


@evaluate.register
def _compared(term: Compared, row: Row) -> Cell:
    left, right = evaluate(term.left, row), evaluate(term.right, row)
    if left is None or right is None:
        return None
    if term.operator in ("=", "<>"):
        return (left == right) == (term.operator == "=")
    below: bool = left < right  # type: ignore[operator]
    above: bool = left > right  # type: ignore[operator]
    return {"<": below, "<=": not above, ">": above, ">=": not below}[term.operator]


@evaluate.register
def _all_of(term: AllOf, row: Row) -> Cell:
    values = [evaluate(one, row) for one in term.terms]
    return False if False in values else None if None in values else True


@evaluate.register
def _any_of(term: AnyOf, row: Row) -> Cell:
    values = [evaluate(one, row) for one in term.terms]
    return True if True in values else None if None in values else False


@evaluate.register
def _denied(term: Denied, row: Row) -> Cell:
    value = evaluate(term.term, row)
    return None if value is None else not value


@evaluate.register
def _missing(term: Missing, row: Row) -> Cell:
    return evaluate(term.term, row) is None


@evaluate.register
def _chosen(term: Chosen, row: Row) -> Cell:
    for condition, value in term.cases:
        if evaluate(condition, row) is True:
            return evaluate(value, row)
    return evaluate(term.otherwise, row)

"""Expressions of the algebra: total functions only, each with its type, its bounds and the attributes it reads."""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from privacy.policy.schema import Column, Kind
from privacy.policy.values import Value

Bounds = tuple[int, int] | None
# Intermediate results must fit: 62 bits leave room for a sign and a sum of two.
WIDEST = 2**62


@dataclass(frozen=True, slots=True, eq=False)
class Attribute:
    """A column of a node, the same object under every name it gets on its way; another one wherever it is computed."""

    name: str
    kind: Kind
    scale: int = 0
    nullable: bool = False
    bounds: Bounds = None
    domain: tuple[Value, ...] | None = None
    origin: tuple[str, str] | None = None  # relation and column it is read from

    @classmethod
    def of(cls, relation: str, column: Column) -> "Attribute":
        """Return a fresh attribute that reads a column."""
        return cls(
            column.name,
            column.kind,
            column.scale,
            column.nullable,
            column.bounds,
            column.domain,
            (relation, column.name),
        )


Attributes = frozenset[Attribute]
Truth = Literal["boolean"]


class Expression:
    """A value computed from a row. Numbers are integers in units of 10⁻ˢᶜᵃˡᵉ."""

    __slots__ = ()
    kind: Kind
    scale: int
    nullable: bool
    bounds: Bounds

    @property
    def parts(self) -> Sequence["Expression"]:
        """The expressions it is made of."""
        return ()

    @property
    def reads(self) -> Attributes:
        """The attributes it reads."""
        return frozenset().union(*(part.reads for part in self.parts)) if self.parts else frozenset()


@dataclass(frozen=True, slots=True)
class Read(Expression):
    """The value of an attribute."""

    attribute: Attribute

    @property
    def kind(self) -> Kind:  # type: ignore[override]
        """The attribute's type."""
        return self.attribute.kind

    @property
    def scale(self) -> int:  # type: ignore[override]
        """The attribute's unit."""
        return self.attribute.scale

    @property
    def nullable(self) -> bool:  # type: ignore[override]
        """Whether the attribute may be NULL."""
        return self.attribute.nullable

    @property
    def bounds(self) -> Bounds:  # type: ignore[override]
        """The attribute's bounds."""
        return self.attribute.bounds

    @property
    def reads(self) -> Attributes:
        """The attribute."""
        return frozenset({self.attribute})


@dataclass(frozen=True, slots=True)
class Const(Expression):
    """A literal."""

    value: Value | None
    kind: Kind
    scale: int = 0

    @property
    def nullable(self) -> bool:  # type: ignore[override]
        """Whether it is NULL."""
        return self.value is None

    @property
    def bounds(self) -> Bounds:  # type: ignore[override]
        """The value itself, of a number."""
        number = isinstance(self.value, int) and not isinstance(self.value, bool)
        return (self.value, self.value) if number else None  # type: ignore[return-value]


Operator = Literal["+", "-", "*"]


@dataclass(frozen=True, slots=True)
class Arithmetic(Expression):
    """a + b, a − b (both in the same unit) or a × b (units multiply), within 62 bits by the bounds of both."""

    operator: Operator
    left: Expression
    right: Expression
    kind: Kind
    scale: int
    bounds: Bounds

    @property
    def nullable(self) -> bool:  # type: ignore[override]
        """Whether either is."""
        return self.left.nullable or self.right.nullable

    @property
    def parts(self) -> Sequence[Expression]:
        """Both sides."""
        return (self.left, self.right)


@dataclass(frozen=True, slots=True)
class Rescaled(Expression):
    """The same number in a finer unit."""

    inner: Expression
    scale: int
    kind: Kind = "decimal"

    @property
    def nullable(self) -> bool:  # type: ignore[override]
        """Whether the number may be NULL."""
        return self.inner.nullable

    @property
    def bounds(self) -> Bounds:  # type: ignore[override]
        """The bounds in the new unit."""
        factor = 10 ** (self.scale - self.inner.scale)
        return (
            None
            if self.inner.bounds is None
            else (self.inner.bounds[0] * factor, self.inner.bounds[1] * factor)
        )

    @property
    def parts(self) -> Sequence[Expression]:
        """The number."""
        return (self.inner,)


class _Predicate(Expression):
    """A truth value: true, false or unknown."""

    __slots__ = ()
    kind: Kind = "boolean"
    scale = 0
    bounds = None

    @property
    def nullable(self) -> bool:  # type: ignore[override]
        """Whether a part may be NULL."""
        return any(part.nullable for part in self.parts)


Comparison = Literal["=", "<>", "<", "<=", ">", ">="]


@dataclass(frozen=True, slots=True)
class Compare(_Predicate):
    """A comparison of two values of one type and unit."""

    operator: Comparison
    left: Expression
    right: Expression

    @property
    def parts(self) -> Sequence[Expression]:
        """Both sides."""
        return (self.left, self.right)


@dataclass(frozen=True, slots=True)
class Both(_Predicate):
    """AND of all."""

    parts: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class Either(_Predicate):
    """OR of all."""

    parts: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class Not(_Predicate):
    """The contrary."""

    inner: Expression

    @property
    def parts(self) -> Sequence[Expression]:
        """What is denied."""
        return (self.inner,)


@dataclass(frozen=True, slots=True)
class AmongValues(_Predicate):
    """IN a list of literals of the value's type and unit."""

    inner: Expression
    values: tuple[Value, ...]

    @property
    def parts(self) -> Sequence[Expression]:
        """What is looked for."""
        return (self.inner,)


@dataclass(frozen=True, slots=True)
class Like(_Predicate):
    """LIKE a literal pattern; case matters."""

    inner: Expression
    pattern: str

    @property
    def parts(self) -> Sequence[Expression]:
        """The text."""
        return (self.inner,)


@dataclass(frozen=True, slots=True)
class IsNull(_Predicate):
    """Whether a value is NULL; never unknown itself."""

    inner: Expression

    @property
    def nullable(self) -> bool:  # type: ignore[override]
        """Never."""
        return False

    @property
    def parts(self) -> Sequence[Expression]:
        """The value."""
        return (self.inner,)


@dataclass(frozen=True, slots=True)
class Choose(Expression):
    """CASE: the value of the first true condition, else the last one; all of one type and unit."""

    cases: tuple[tuple[Expression, Expression], ...]
    otherwise: Expression
    kind: Kind
    scale: int
    bounds: Bounds

    @property
    def nullable(self) -> bool:  # type: ignore[override]
        """Whether any of its values is."""
        return self.otherwise.nullable or any(value.nullable for _, value in self.cases)

    @property
    def parts(self) -> Sequence[Expression]:
        """Conditions and values."""
        return (*(part for case in self.cases for part in case), self.otherwise)


@dataclass(frozen=True, slots=True)
class FirstKnown(Expression):
    """COALESCE of values of one type and unit."""

    options: tuple[Expression, ...]
    kind: Kind
    scale: int
    bounds: Bounds

    @property
    def parts(self) -> Sequence[Expression]:
        """The values, in order."""
        return self.options

    @property
    def nullable(self) -> bool:  # type: ignore[override]
        """Whether all of them are."""
        return all(part.nullable for part in self.parts)


@dataclass(frozen=True, slots=True)
class DatePart(Expression):
    """The year or month of a date."""

    part: Literal["year", "month"]
    inner: Expression
    kind: Kind = "integer"
    scale: int = 0

    @property
    def nullable(self) -> bool:  # type: ignore[override]
        """Whether the date may be NULL."""
        return self.inner.nullable

    @property
    def bounds(self) -> Bounds:  # type: ignore[override]
        """1 to 12 for months; the years of the date's bounds, or those that dates have."""
        if self.part == "month":
            return (1, 12)
        if self.inner.bounds is None:
            return (1, 9999)
        first, last = (datetime.date.fromordinal(one).year for one in self.inner.bounds)
        return (first, last)

    @property
    def parts(self) -> Sequence[Expression]:
        """The date."""
        return (self.inner,)


@dataclass(frozen=True, slots=True)
class Prefix(Expression):
    """The first characters of a text (SUBSTRING from 1)."""

    inner: Expression
    length: int
    kind: Kind = "text"
    scale: int = 0
    bounds: Bounds = None

    @property
    def nullable(self) -> bool:  # type: ignore[override]
        """Whether the text may be NULL."""
        return self.inner.nullable

    @property
    def parts(self) -> Sequence[Expression]:
        """The text."""
        return (self.inner,)


def conjuncts(predicate: Expression) -> tuple[Expression, ...]:
    """Return the predicates that all must hold."""
    if isinstance(predicate, Both):
        return tuple(one for part in predicate.parts for one in conjuncts(part))
    return (predicate,)

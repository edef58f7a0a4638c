"""The closed algebra that queries become: frozen nodes, each knowing the attributes of its rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from privacy.policy.expressions import Attribute, Attributes, Bounds, Expression, Read
from privacy.policy.schema import Kind, Relation


class Node:
    """Rows, as a bag."""

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """The columns of its rows."""
        raise NotImplementedError

    @property
    def inputs(self) -> Sequence["Node"]:
        """The nodes below."""
        return ()


@dataclass(frozen=True, eq=False)
class Scan(Node):
    """All rows of a relation; scanned twice, its attributes are others."""

    relation: Relation
    columns: tuple[Attribute, ...]

    @classmethod
    def of(cls, relation: Relation) -> "Scan":
        """Return a scan with fresh attributes."""
        return cls(relation, tuple(Attribute.of(relation.name, one) for one in relation.columns.values()))

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """One for each column of the relation."""
        return self.columns

    @cached_property
    def named(self) -> dict[str, Attribute]:
        """The attributes by the relation's column names."""
        return {one.name: one for one in self.columns}

    def all_of(self, names: Sequence[str]) -> tuple[Attribute, ...]:
        """Return the attributes of some columns."""
        return tuple(self.named[name] for name in names)


@dataclass(frozen=True, eq=False)
class Filter(Node):
    """The rows for which a predicate is true."""

    child: Node
    predicate: Expression

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """Those of the child."""
        return self.child.attributes

    @property
    def inputs(self) -> Sequence[Node]:
        """The child."""
        return (self.child,)


@dataclass(frozen=True, eq=False)
class Project(Node):
    """Other columns, row by row: an attribute read as it is stays itself, a computed one is new."""

    child: Node
    items: tuple[tuple[Attribute, Expression], ...]

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """The new columns."""
        return tuple(attribute for attribute, _ in self.items)

    @property
    def inputs(self) -> Sequence[Node]:
        """The child."""
        return (self.child,)

    @cached_property
    def kept(self) -> Attributes:
        """The attributes that pass through unchanged."""
        return frozenset(
            one for one, value in self.items if isinstance(value, Read) and value.attribute is one
        )


Keys = tuple[tuple[Attribute, Attribute], ...]


@dataclass(frozen=True, eq=False)
class Join(Node):
    """Pairs of rows with equal keys; LEFT: a left row without a partner once, with NULLs.

    Of an inner join every other condition is a Filter above; of a left join it decides the pairs (`residual`).
    Attributes of the right side of a left join are new, because they may be NULL: `padded` gives them.
    """

    left: Node
    right: Node
    keys: Keys
    kind: Literal["inner", "left"] = "inner"
    residual: Expression | None = None
    padded: tuple[tuple[Attribute, Attribute], ...] = ()  # (as the right side has it, as the join has it)

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """Left, then right."""
        right = tuple(new for _, new in self.padded) if self.kind == "left" else self.right.attributes
        return (*self.left.attributes, *right)

    @property
    def inputs(self) -> Sequence[Node]:
        """Left and right."""
        return (self.left, self.right)

    @cached_property
    def multiplicities(self) -> dict[Attributes, float]:
        """The bounds found already of how many rows agree on some attributes."""
        return {}


@dataclass(frozen=True, eq=False)
class SemiJoin(Node):
    """The left rows that have a partner (or, `anti`, that have none)."""

    left: Node
    right: Node
    keys: Keys
    anti: bool = False
    residual: Expression | None = None

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """Those of the left side."""
        return self.left.attributes

    @property
    def inputs(self) -> Sequence[Node]:
        """Left and right."""
        return (self.left, self.right)


@dataclass(frozen=True, eq=False)
class UnionAll(Node):
    """The rows of both, column by column."""

    left: Node
    right: Node
    columns: tuple[Attribute, ...]  # new ones, in the order of both sides

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """The new ones."""
        return self.columns

    @property
    def inputs(self) -> Sequence[Node]:
        """Left and right."""
        return (self.left, self.right)


Function = Literal["count", "sum", "avg", "min", "max", "var", "stddev", "median", "quantile"]


@dataclass(frozen=True, eq=False)
class Aggregate:
    """One figure of a group; without an argument it counts rows."""

    attribute: Attribute
    function: Function
    argument: Expression | None = None
    distinct: bool = False
    quantile: tuple[int, int] | None = None  # numerator and denominator
    population: bool = False  # of var and stddev: divided by n, not by n − 1


@dataclass(frozen=True, eq=False)
class Group(Node):
    """Below the root: one row a group that has rows (without keys: exactly one), with its figures."""

    child: Node
    keys: tuple[Attribute, ...]
    aggregates: tuple[Aggregate, ...]

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """Keys, then figures."""
        return (*self.keys, *(one.attribute for one in self.aggregates))

    @property
    def inputs(self) -> Sequence[Node]:
        """The child."""
        return (self.child,)


@dataclass(frozen=True, slots=True)
class PublicValue(Expression):
    """The one value of rows that no neighbouring world changes, such as an aggregate of a public relation.

    The node has exactly one row; it reads nothing of the row in whose expression it stands.
    """

    node: Node
    attribute: Attribute
    nullable: bool = True

    @property
    def kind(self) -> Kind:  # type: ignore[override]
        """The attribute's type."""
        return self.attribute.kind

    @property
    def scale(self) -> int:  # type: ignore[override]
        """The attribute's unit."""
        return self.attribute.scale

    @property
    def bounds(self) -> Bounds:  # type: ignore[override]
        """The attribute's bounds."""
        return self.attribute.bounds


@dataclass(frozen=True, eq=False)
class Root:
    """What is asked: figures of groups, made noisy, then worked on as the analyst likes (`after`)."""

    child: Node
    keys: tuple[Attribute, ...]
    aggregates: tuple[Aggregate, ...]

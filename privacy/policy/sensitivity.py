"""The root: how far the figures of a query can move, over the whole vector of groups."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from privacy.policy.algebra import Aggregate, Root
from privacy.policy.analysis import aggregate_reads
from privacy.policy.errors import Place, QueryRefused
from privacy.policy.expressions import Attribute, Expression
from privacy.policy.labels import Rows, times
from privacy.policy.signature import Signature

FigureName = Literal["count", "sum", "squares", "rank"]
UNBOUNDED = "one {entity} could change any number of rows here"


@dataclass(frozen=True, slots=True)
class Part:
    """One noisy vector, a number for each group: what it adds up, and its sensitivity in units of its grid.

    The grid of a count is 1, of a sum the argument's unit, of squares the unit squared. `l2_squared` is the square of
    the Euclidean sensitivity, rounded up.
    """

    figure: FigureName
    l1: int
    l2_squared: int

    @property
    def public(self) -> bool:
        """Whether it is the same in both worlds."""
        return self.l1 == 0


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """The parts that a figure is computed from."""

    aggregate: Aggregate
    parts: tuple[Part, ...]

    @property
    def l1(self) -> Fraction:
        """The L1 sensitivity of all parts together, in the argument's own numbers."""
        return sum(self.furthest, Fraction(0))

    @property
    def furthest(self) -> tuple[Fraction, ...]:
        """The L1 sensitivity of each part, in the argument's own numbers."""
        return tuple(part.l1 * unit_of(self.aggregate, part) for part in self.parts)

    @property
    def public(self) -> bool:
        """Whether every part is."""
        return all(part.public for part in self.parts)


def unit_of(one: Aggregate, part: Part) -> Fraction:
    """Return what one step of a part's whole numbers is in the argument's numbers."""
    scale = 0 if one.argument is None else one.argument.scale
    return Fraction(1, 10 ** {"count": 0, "rank": 0, "sum": scale, "squares": 2 * scale}[part.figure])


def sensitivities_of(
    root: Root, below: Signature, *, entity: str, where: Mapping[Attribute, Place] | None = None
) -> tuple[Sensitivity, ...]:
    """Return the sensitivity of each figure of a root, or raise QueryRefused where nothing bounds it.

    `where` tells where in the text a figure stands.
    """
    at = _Root(below, grouped=bool(root.keys), regroups=bool(frozenset(root.keys) & below.replaced))
    found = []
    for one in root.aggregates:
        try:
            found.append(Sensitivity(one, tuple(at.parts(one))))
        except (OverflowError, QueryRefused) as error:
            place = (where or {}).get(one.attribute, (None, None))
            raise _refusal(error, entity).at(*place) from None
    return tuple(found)


def _refusal(error: OverflowError | QueryRefused, entity: str) -> QueryRefused:
    if isinstance(error, QueryRefused):
        return error
    return QueryRefused(
        UNBOUNDED.format(entity=entity), "declare max_rows of the foreign keys that are joined"
    )


@dataclass(frozen=True, slots=True)
class _Root:
    below: Signature
    grouped: bool
    regroups: bool  # a changed row may be in another group

    def parts(self, one: Aggregate) -> Sequence[Part]:
        if one.function == "count":
            return (self._distinct(one) if one.distinct else self._count(one),)
        if one.argument is None or one.argument.bounds is None:
            raise QueryRefused(f"{one.function} of a column without bounds", "declare bounds for it")
        if one.function == "sum":
            return (self._sum("sum", one.argument, one.argument.bounds),)
        if one.function == "avg":
            return (self._sum("sum", one.argument, one.argument.bounds), self._count(one))
        if one.function in ("var", "stddev"):
            return (
                self._sum("sum", one.argument, one.argument.bounds),
                self._sum("squares", one.argument, squared(one.argument.bounds)),
                self._count(one),
            )
        return (self._rank(one),)

    def _count(self, one: Aggregate) -> Part:
        argument = one.argument
        told = argument is not None and argument.nullable and bool(argument.reads & self.below.replaced)
        return self._counted("count", 1 if told or self.below.may_flip else 0)

    def _distinct(self, one: Aggregate) -> Part:
        # A changed value leaves one set and enters another; in one group that moves the count by one at most.
        told = bool(aggregate_reads(one) & self.below.replaced)
        return self._counted("count", 1 if told or self.below.may_flip else 0)

    def _rank(self, one: Aggregate) -> Part:
        told = bool(aggregate_reads(one) & self.below.replaced)
        return self._counted("rank", 1 if told or self.below.may_flip else 0)

    def _counted(self, figure: FigureName, slot: int) -> Part:
        return self._part(figure, (0, 1), 1, slot)

    def _sum(self, figure: FigureName, argument: Expression, bounds: tuple[int, int]) -> Part:
        low, high = bounds
        largest = max(abs(low), abs(high))
        reads = bool(argument.reads & self.below.replaced)
        # One that comes or goes, or turns from or to NULL, takes its whole value along.
        whole = self.below.may_flip or (reads and argument.nullable)
        return self._part(figure, bounds, largest, max(largest if whole else 0, high - low if reads else 0))

    def _part(self, figure: FigureName, bounds: tuple[int, int], largest: int, slot: int) -> Part:
        """Return a part whose rows weigh within bounds, and a changed row in its group by `slot`.

        Where a changed row may be in another group it leaves one and enters another, √2 long, or stays and changes.
        """
        a, d, k, x = self.below.added, self.below.deleted, self.below.changed, self.below.flipped
        up, down = max(bounds[1], 0), max(-bounds[0], 0)
        if not self.grouped:
            come = max(times(a, up) + times(d, down), times(a, down) + times(d, up))
            l1 = whole_number(come + times(x, largest) + times(k, slot))
            return Part(figure, l1, l1 * l1)
        moves = times(k, largest) if self.regroups else 0
        stays = times(k, slot)
        l1 = whole_number(times(a + d + x, largest) + max(2 * moves, stays))
        opposite = _length(times(a, largest), times(d, largest), signed=up > 0 and down > 0)
        changed = max(_root(2 * whole_number(moves) ** 2), Fraction(whole_number(stays)))
        length = opposite + whole_number(times(x, largest)) + changed
        return Part(figure, l1, min(l1 * l1, math.ceil(length * length)))


def squared(bounds: tuple[int, int]) -> tuple[int, int]:
    """Return the bounds of a square."""
    ends = (bounds[0] ** 2, bounds[1] ** 2)
    return (0 if bounds[0] <= 0 <= bounds[1] else min(ends), max(ends))


def whole_number(rows: Rows) -> int:
    """Return a finite number of rows as an integer; ∞ is an OverflowError."""
    return int(rows)


def _length(come: Rows, go: Rows, *, signed: bool) -> Fraction:
    """Return how long a vector rows that come and rows that go add up to.

    They can pile into one group, so n rows are as long as n, not √n. Weights of one sign do not lengthen each other as
    they come and go: √(come² + go²); of both signs they do, where one comes as another goes.
    """
    if signed:
        return Fraction(whole_number(come) + whole_number(go))
    return _root(whole_number(come) ** 2 + whole_number(go) ** 2)


def _root(square: int) -> Fraction:
    """Return the square root, rounded up at the thousandth."""
    return Fraction(math.isqrt(square * 10**6 - 1) + 1 if square else 0, 1000)

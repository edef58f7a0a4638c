"""How deep the statement of a query nests: what a database could not parse is refused before it is charged."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import singledispatchmethod

from privacy.policy import algebra
from privacy.policy import expressions as e
from privacy.policy.errors import QueryRefused
from privacy.policy.sql.text import TOO_NESTED

# In places of the parser's stack, of which SQLite has 100; other engines have more.
MOST = 90
SELECT, UNION, ENDS = 8, 9, 3
_COSTS: Mapping[type[e.Expression], int] = {
    e.Rescaled: 5,
    e.Compare: 4,
    e.Not: 3,
    e.AmongValues: 4,
    e.Like: 4,
    e.IsNull: 2,
    e.Choose: 6,
    e.FirstKnown: 5,
    e.DatePart: 7,
    e.Prefix: 5,
}


def nesting_check(root: algebra.Root, beside: Iterable[algebra.Node] = ()) -> None:
    """Raise QueryRefused if a statement of a query nests too deep."""
    seen = _Seen()
    deepest = [seen.rows(root.child) + SELECT, *(seen.rows(one) + SELECT for one in beside)]
    # A figure is clipped, and summed in parts.
    figures = [seen.value(one.argument) + 2 * SELECT for one in root.aggregates if one.argument is not None]
    if max(*deepest, *figures, 0) > MOST:
        raise QueryRefused(TOO_NESTED, "ask it in a flatter form, or in several queries")


@dataclass
class _Seen:
    """What computed columns need wherever they are spelled out."""

    columns: dict[e.Attribute, int] = field(default_factory=dict)

    def value(self, one: e.Expression) -> int:
        """Return what an expression needs."""
        if isinstance(one, e.Read):
            return self.columns.get(one.attribute, ENDS)
        if isinstance(one, algebra.PublicValue):
            return SELECT + self.rows(one.node)
        if isinstance(one, e.Arithmetic):
            # What is on the left waits for nothing but its parenthesis.
            return max(self._operand(one.left) + 1, self._operand(one.right) + 3)
        inner = max(map(self.value, one.parts), default=ENDS)
        if isinstance(one, e.Both | e.Either):
            return inner + 2 * len(one.parts).bit_length()
        return inner + _COSTS.get(type(one), 0)

    def _operand(self, one: e.Expression) -> int:
        cast = 0 if isinstance(one, e.Const | e.Arithmetic) else 2
        return self.value(one) + cast

    @singledispatchmethod
    def rows(self, node: algebra.Node) -> int:
        """Return what a node needs."""
        raise TypeError(f"{type(node).__name__} is no node of the algebra")

    @rows.register
    def _scan(self, node: algebra.Scan) -> int:
        return ENDS

    @rows.register
    def _filter(self, node: algebra.Filter) -> int:
        return max(self.rows(node.child), self.value(node.predicate) + 2)

    @rows.register
    def _project(self, node: algebra.Project) -> int:
        below = self.rows(node.child)
        if any(self.columns.keys() & value.reads for _, value in node.items):
            # What is computed of computed columns reads them off a SELECT of its own.
            below += SELECT
            for one in node.child.attributes:
                self.columns.pop(one, None)
        made = {one: self.value(value) for one, value in node.items if not isinstance(value, e.Read)}
        self.columns.update(made)
        return max(below, *made.values(), 0)

    @rows.register
    def _join(self, node: algebra.Join) -> int:
        rest = 0 if node.residual is None else self.value(node.residual) + 2
        # Either side may become a SELECT of its own.
        sides = [self.rows(one) + (0 if isinstance(one, algebra.Scan) else SELECT) for one in node.inputs]
        for old, new in node.padded:
            if old in self.columns:
                self.columns[new] = self.columns[old]
        return max(*sides, rest)

    @rows.register
    def _semi_join(self, node: algebra.SemiJoin) -> int:
        left, right = self.rows(node.left), self.rows(node.right)
        rest = 0 if node.residual is None else self.value(node.residual)
        return max(left, SELECT + 3 + max(right, rest))

    @rows.register
    def _union_all(self, node: algebra.UnionAll) -> int:
        return UNION + max(map(self.rows, node.inputs))

    @rows.register
    def _group(self, node: algebra.Group) -> int:
        figures = (self.value(one.argument) + 5 for one in node.aggregates if one.argument is not None)
        return SELECT + max(self.rows(node.child), *figures, 0)

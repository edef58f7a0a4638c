"""The order in which relations are joined: the one that bounds best, tried from every start."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from privacy.policy.algebra import Filter, Join, Keys, Node, Scan
from privacy.policy.analysis import facts_of
from privacy.policy.expressions import Attribute, Attributes, Compare, Expression, Read
from privacy.policy.labels import Policy
from privacy.policy.schema import Schema
from privacy.policy.sql.logic import TRUE, both

Pair = tuple[Attribute, Attribute]
# With more relations only so many starts are tried.
STARTS = 8


@dataclass(frozen=True)
class _Edge:
    """An equality between columns of two inputs."""

    condition: Expression
    pair: Pair
    ends: tuple[int, int]

    def to(self, other: int, used: Sequence[int]) -> Pair | None:
        """Return the pair, with the attribute of another input last; None where it joins something else."""
        a, b = self.ends
        if b == other and a in used:
            return self.pair
        return (self.pair[1], self.pair[0]) if a == other and b in used else None


@dataclass(frozen=True)
class _Tree:
    node: Node
    used: tuple[int, ...]
    spent: tuple[Expression, ...] = ()
    crossed: int = 0


def joined(inputs: Sequence[Node], conditions: Sequence[Expression], policy: Policy) -> Node:
    """Return the inputs joined, with every condition applied: equalities as keys, others as one filter above.

    Next comes what a foreign key joins, then what any equality does; of all starts the one is taken whose rows can
    differ least. Nothing is filtered before it is joined: a parent that is filtered bounds less.
    """
    # By name, not as they were written: the order of FROM is a matter of spelling.
    best = _Orders(sorted(inputs, key=_named), conditions, policy).best()
    return filtered(best.node, (one for one in conditions if not any(one is used for used in best.spent)))


def filtered(node: Node, conditions: Iterable[Expression]) -> Node:
    """Return the rows for which all conditions hold."""
    predicate = both(conditions)
    return node if predicate == TRUE else Filter(node, predicate)


class _Orders:
    """The orders in which some inputs can be joined."""

    def __init__(self, inputs: Sequence[Node], conditions: Sequence[Expression], policy: Policy) -> None:
        self.inputs, self.policy = inputs, policy
        self.edges = list(_edges(inputs, conditions)) if len(inputs) > 1 else []
        self.referring: dict[Keys, bool] = {}

    def best(self) -> _Tree:
        """Return the tree whose rows can differ least; of equals, the one with fewer cross joins, then the first."""
        if len(self.inputs) < 3:
            # Which of two is the left one changes nothing.
            return self._grown(0)
        best, least = None, (math.inf, 0)
        for start in range(min(len(self.inputs), STARTS)):
            tree = self._grown(start)
            weight = (facts_of(tree.node, self.policy).signature.weight, tree.crossed)
            if best is None or weight < least:
                best, least = tree, weight
            if weight <= self._least_possible:
                break
        assert best is not None
        return best

    @cached_property
    def _least_possible(self) -> tuple[float, int]:
        """A join is bounded by no less than each input is, unless rows of an entity are bounded directly."""
        signatures = [facts_of(one, self.policy).signature for one in self.inputs]
        largest = max(one.come_and_go + one.changed for one in signatures)
        return min([largest, *self.policy.caps.values()]), 0

    def _grown(self, start: int) -> _Tree:
        tree = _Tree(self.inputs[start], (start,))
        while len(tree.used) < len(self.inputs):
            tree = self._with_next(tree)
        return tree

    def _with_next(self, tree: _Tree) -> _Tree:
        closest, chosen, found = -1, 0, list[tuple[Pair, Expression]]()
        for at in range(len(self.inputs)):
            if at in tree.used:
                continue
            keys = [(pair, one.condition) for one in self.edges if (pair := one.to(at, tree.used))]
            close = self._closeness(tuple(pair for pair, _ in keys))
            if close > closest:
                closest, chosen, found = close, at, keys
        node = Join(tree.node, self.inputs[chosen], tuple(pair for pair, _ in found))
        spent = (*tree.spent, *(condition for _, condition in found))
        return _Tree(node, (*tree.used, chosen), spent, tree.crossed + (not found))

    def _closeness(self, keys: Keys) -> int:
        if not keys:
            return 0
        if keys not in self.referring:
            self.referring[keys] = refers(keys, self.policy.schema)
        return 2 if self.referring[keys] else 1


def _named(node: Node) -> str:
    return node.relation.name if isinstance(node, Scan) else ""


def _edges(inputs: Sequence[Node], conditions: Sequence[Expression]) -> Iterator[_Edge]:
    at = {one: number for number, node in enumerate(inputs) for one in node.attributes}
    for one in conditions:
        pair = equality(one)
        if pair is not None and pair[0] in at and pair[1] in at and at[pair[0]] != at[pair[1]]:
            yield _Edge(one, pair, (at[pair[0]], at[pair[1]]))


def between(pair: Pair, left: Attributes, right: Attributes) -> Pair | None:
    """Return a pair with its left attribute first, None where they are not one on each side."""
    a, b = pair
    if a in left and b in right:
        return a, b
    return (b, a) if b in left and a in right else None


def equality(condition: Expression) -> Pair | None:
    """Return the two attributes that a condition makes equal, None where it says something else."""
    if isinstance(condition, Compare) and condition.operator == "=":
        left, right = condition.left, condition.right
        if isinstance(left, Read) and isinstance(right, Read):
            return left.attribute, right.attribute
    return None


def refers(keys: Keys, schema: Schema) -> bool:
    """Say whether the keys hold a whole foreign key, in either direction."""
    origins = {(a.origin, b.origin) for a, b in keys} | {(b.origin, a.origin) for a, b in keys}
    names = {one[0] for pair in origins for one in pair if one is not None}
    return any(
        all(
            ((name, own), (edge.parent, to)) in origins for own, to in zip(edge.columns, edge.to, strict=True)
        )
        for name in names
        for edge in schema.relations[name].foreign_keys
    )

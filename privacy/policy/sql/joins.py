"""The order in which relations are joined: the one that bounds best, tried from every start."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from privacy.policy.algebra import Filter, Join, Keys, Node
from privacy.policy.analysis import facts_of
from privacy.policy.expressions import Attribute, Attributes, Compare, Expression, Read
from privacy.policy.labels import Policy
from privacy.policy.schema import Schema
from privacy.policy.sql.logic import TRUE, both

Pair = tuple[Attribute, Attribute]
# With more relations only so many starts are tried.
STARTS = 8


@dataclass(frozen=True)
class _Tree:
    node: Node
    attributes: Attributes
    left_out: tuple[int, ...]
    conditions: tuple[Expression, ...]  # not used yet
    crossed: int = 0


def joined(inputs: Sequence[Node], conditions: Sequence[Expression], policy: Policy) -> Node:
    """Return the inputs joined, with every condition applied: equalities as keys, others as one filter above.

    Next comes what a foreign key joins, then what any equality does; of all starts the one is taken whose rows can
    differ least. Nothing is filtered before it is joined: a parent that is filtered bounds less.
    """
    best = _best(inputs, tuple(conditions), policy)
    return filtered(best.node, best.conditions)


def filtered(node: Node, conditions: Iterable[Expression]) -> Node:
    """Return the rows for which all conditions hold."""
    predicate = both(conditions)
    return node if predicate == TRUE else Filter(node, predicate)


def _best(inputs: Sequence[Node], conditions: tuple[Expression, ...], policy: Policy) -> _Tree:
    # Which of two is the left one changes nothing.
    starts = range(1 if len(inputs) < 3 else min(len(inputs), STARTS))
    best, least = None, None
    for start in starts:
        tree = _grown(start, inputs, conditions, policy)
        if len(starts) == 1:
            return tree
        weight = (facts_of(tree.node, policy).signature.weight, tree.crossed)
        if least is None or weight < least:
            best, least = tree, weight
        if weight == (0, 0):
            break
    assert best is not None
    return best


def _grown(start: int, inputs: Sequence[Node], conditions: tuple[Expression, ...], policy: Policy) -> _Tree:
    rest = tuple(at for at in range(len(inputs)) if at != start)
    tree = _Tree(inputs[start], frozenset(inputs[start].attributes), rest, conditions)
    while tree.left_out:
        tree = _with_next(tree, inputs, policy)
    return tree


def _with_next(tree: _Tree, inputs: Sequence[Node], policy: Policy) -> _Tree:
    choices = [(at, list(_keys(tree, inputs[at]))) for at in tree.left_out]
    at, keys = max(choices, key=lambda one: (_closeness(one[1], policy.schema), -one[0]))
    spent = [condition for _, condition in keys]
    return _Tree(
        Join(tree.node, inputs[at], tuple(pair for pair, _ in keys)),
        tree.attributes.union(inputs[at].attributes),
        tuple(one for one in tree.left_out if one != at),
        tuple(one for one in tree.conditions if one not in spent),
        tree.crossed + (not keys),
    )


def _closeness(keys: Sequence[tuple[Pair, Expression]], schema: Schema) -> int:
    if not keys:
        return 0
    return 2 if refers(tuple(pair for pair, _ in keys), schema) else 1


def _keys(tree: _Tree, other: Node) -> Iterator[tuple[Pair, Expression]]:
    theirs = frozenset(other.attributes)
    for one in tree.conditions:
        pair = equality(one)
        if pair is not None and (sided := between(pair, tree.attributes, theirs)):
            yield sided, one


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

"""The order in which relations are joined: the one that bounds best, tried from every start."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from privacy.policy.algebra import Filter, Join, Keys, Node
from privacy.policy.analysis import facts_of
from privacy.policy.expressions import Attribute, Both, Compare, Expression, Read
from privacy.policy.labels import Policy


@dataclass(frozen=True)
class _Tree:
    node: Node
    used: frozenset[int]  # inputs
    conditions: tuple[Expression, ...]  # not used yet
    crossed: int = 0


def joined(inputs: Sequence[Node], conditions: Sequence[Expression], policy: Policy) -> Node:
    """Return the inputs joined, with every condition applied: equalities as keys, others as a filter above.

    Every input is tried as the start; next comes what a foreign key leads to, then what any equality does.
    """
    trees = [_grown(start, inputs, conditions, policy) for start in range(len(inputs))]
    best = trees[0]
    if len(trees) > 1:
        weights = [(facts_of(one.node, policy).signature.weight, one.crossed) for one in trees]
        best = trees[min(range(len(trees)), key=lambda at: (weights[at], at))]
    return filtered(best.node, best.conditions)


def filtered(node: Node, conditions: Sequence[Expression]) -> Node:
    """Return the rows for which all conditions hold."""
    if not conditions:
        return node
    return Filter(node, conditions[0] if len(conditions) == 1 else Both(tuple(conditions)))


def _grown(start: int, inputs: Sequence[Node], conditions: Sequence[Expression], policy: Policy) -> _Tree:
    tree = _Tree(inputs[start], frozenset({start}), tuple(conditions))
    while len(tree.used) < len(inputs):
        rest = [at for at in range(len(inputs)) if at not in tree.used]
        tree = _with(tree, min(rest, key=lambda at: (-_closeness(tree, inputs[at], policy), at)), inputs)
    return tree


def _with(tree: _Tree, at: int, inputs: Sequence[Node]) -> _Tree:
    keys = tuple(_keys(tree.node, inputs[at], tree.conditions))
    spent = {id(condition) for _, condition in keys}
    rest = tuple(one for one in tree.conditions if id(one) not in spent)
    node = Join(tree.node, inputs[at], tuple(pair for pair, _ in keys))
    return _Tree(node, tree.used | {at}, rest, tree.crossed + (not keys))


def _closeness(tree: _Tree, other: Node, policy: Policy) -> int:
    keys: Keys = tuple(pair for pair, _ in _keys(tree.node, other, tree.conditions))
    if not keys:
        return 0
    return 2 if _refers(keys, policy) else 1


def _keys(
    left: Node, right: Node, conditions: Sequence[Expression]
) -> Iterator[tuple[tuple[Attribute, Attribute], Expression]]:
    mine, theirs = set(left.attributes), set(right.attributes)
    for one in conditions:
        pair = equality(one)
        if pair is None:
            continue
        a, b = pair
        if a in mine and b in theirs:
            yield (a, b), one
        elif b in mine and a in theirs:
            yield (b, a), one


def equality(condition: Expression) -> tuple[Attribute, Attribute] | None:
    """Return the two attributes that a condition makes equal, None where it says something else."""
    if isinstance(condition, Compare) and condition.operator == "=":
        left, right = condition.left, condition.right
        if isinstance(left, Read) and isinstance(right, Read):
            return left.attribute, right.attribute
    return None


def _refers(keys: Keys, policy: Policy) -> bool:
    """Say whether the keys lead to a parent by its whole key."""
    to = [b.origin for _, b in keys if b.origin is not None]
    relations = {relation for relation, _ in to}
    return any(
        set(policy.schema.relations[one].key) <= {name for relation, name in to if relation == one}
        for one in relations
    )

"""How many rows can share a value: bounds that follow from keys and declared frequencies, in both worlds.

Values are compared as SQL compares them: NULL is equal to nothing, so rows with NULL in a column share nothing.
"""

import math
from functools import singledispatch

from privacy.policy.algebra import Filter, Group, Join, Node, Project, Scan, SemiJoin, UnionAll
from privacy.policy.expressions import Attributes
from privacy.policy.labels import Rows, rows_per_parent, times


@singledispatch
def multiplicity(node: Node, shared: Attributes) -> Rows:
    """Return how many rows of a node can agree on all of these attributes; ∞ when nothing bounds it."""
    raise TypeError(f"{type(node).__name__} is no node of the algebra")


@multiplicity.register
def _scan(node: Scan, shared: Attributes) -> Rows:
    names = {name for name, attribute in node.named.items() if attribute in shared}
    relation = node.relation
    if relation.key and names >= set(relation.key):
        return 1
    per_parent = [rows_per_parent(e) for e in relation.foreign_keys if names >= set(e.columns)]
    return min(per_parent, default=math.inf)


@multiplicity.register
def _filter(node: Filter, shared: Attributes) -> Rows:
    return multiplicity(node.child, shared)


@multiplicity.register
def _project(node: Project, shared: Attributes) -> Rows:
    # A computed column says nothing; without it at least as many rows agree.
    return multiplicity(node.child, shared & node.kept)


@multiplicity.register
def _join(node: Join, shared: Attributes) -> Rows:
    # Each side is asked twice: remembered, or a tree of joins takes time exponential in its height.
    if shared not in node.multiplicities:
        node.multiplicities[shared] = _joined(node, shared)
    return node.multiplicities[shared]


def _joined(node: Join, shared: Attributes) -> Rows:
    back = {new: old for old, new in node.padded}
    left = shared & frozenset(node.left.attributes)
    right = frozenset(back.get(one, one) for one in shared - left)
    keys_left, keys_right = (
        (frozenset(side) for side in zip(*node.keys, strict=True)) if node.keys else ((), ())
    )
    known_left = left | {a for a, b in node.keys if b in right}
    known_right = right | {b for a, b in node.keys if a in left}
    partners = multiplicity(node.right, known_right.union(keys_right))
    if node.kind == "left":
        partners = max(1, partners)
        # Rows without a partner agree on nothing of the right side: they are NULL there.
        if not right:
            return times(multiplicity(node.left, left), partners)
    left_first = times(multiplicity(node.left, known_left), partners)
    right_first = times(
        multiplicity(node.right, known_right), multiplicity(node.left, known_left.union(keys_left))
    )
    return min(left_first, right_first)


@multiplicity.register
def _semi_join(node: SemiJoin, shared: Attributes) -> Rows:
    return multiplicity(node.left, shared)


@multiplicity.register
def _union_all(node: UnionAll, shared: Attributes) -> Rows:
    places = [at for at, column in enumerate(node.columns) if column in shared]
    sides = (node.left, node.right)
    return sum(multiplicity(one, frozenset(one.attributes[at] for at in places)) for one in sides)


@multiplicity.register
def _group(node: Group, shared: Attributes) -> Rows:
    if shared >= frozenset(node.keys):
        return 1
    return multiplicity(node.child, shared & frozenset(node.keys))

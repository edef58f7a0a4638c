"""Groups that a join would drop are not made: a grouped side is read for the keys that the other side can have.

No engine does so by itself for a join, only for the correlated subquery that such a join often was (Q17 of TPC-H).
"""

from collections.abc import Sequence
from dataclasses import replace

from privacy.policy.algebra import Filter, Group, Join, Keys, Node, Project, Scan, SemiJoin
from privacy.policy.expressions import Attribute, Both, Expression, conjuncts


def pushed(node: Filter) -> Node:
    """Return the same rows, with what is said of one side of an inner join said below it."""
    join = node.child
    if not isinstance(join, Join) or join.kind != "inner":
        return node
    parts = conjuncts(node.predicate)
    left, below = _below(join.left, parts)
    right, more = _below(join.right, parts)
    above = tuple(one for one in parts if one not in below and one not in more)
    if len(above) == len(parts):
        return node
    joined = replace(join, left=left, right=right)
    return Filter(joined, Both(above)) if above else joined


def _below(side: Node, parts: Sequence[Expression]) -> tuple[Node, Sequence[Expression]]:
    there = frozenset(side.attributes)
    some = tuple(one for one in parts if one.reads and one.reads <= there)
    return (Filter(side, Both(some)) if some else side), some


def narrowed(node: Join) -> tuple[Node, Node]:
    """Return both sides of an inner join, with the same pairs and perhaps fewer groups."""
    left, right = node.left, node.right
    return _restricted(left, right, tuple((b, a) for a, b in node.keys)), _restricted(right, left, node.keys)


def _restricted(side: Node, other: Node, keys: Keys) -> Node:
    # Only where the other side is filtered: all keys there are would be looked up for nothing.
    there = _filtered(other, [own for own, _ in keys]) if keys else None
    made = None if there is None else _group(side, there, keys)
    return side if made is None else made


def _group(node: Node, there: Node, keys: Keys) -> Node | None:
    wanted = frozenset(one for _, one in keys)
    if isinstance(node, Group) and wanted <= frozenset(node.keys):
        return replace(node, child=SemiJoin(node.child, there, tuple((b, a) for a, b in keys)))
    if isinstance(node, Filter) or (isinstance(node, Project) and wanted <= node.kept):
        below = _group(node.child, there, keys)
        return None if below is None else replace(node, child=below)
    return None


def _filtered(node: Node, keys: Sequence[Attribute]) -> Node | None:
    """Return the filtered relation that some keys of a node are read from: it has all of them, and maybe more."""
    found = _relation(node, keys)
    return None if found is None or isinstance(found, Scan) else found


def _relation(node: Node, keys: Sequence[Attribute]) -> Node | None:
    if not frozenset(keys) <= frozenset(node.attributes):
        return None
    if isinstance(node, Scan):
        return node
    if isinstance(node, Filter):
        return _with_filter(node, keys)
    if isinstance(node, Join) and node.kind == "inner":
        return _relation(node.left, keys) or _relation(node.right, keys)
    if isinstance(node, Join | SemiJoin):
        return _relation(node.left, keys)
    if isinstance(node, Project) and frozenset(keys) <= node.kept:
        return _relation(node.child, keys)
    return None


def _with_filter(node: Filter, keys: Sequence[Attribute]) -> Node | None:
    below = _relation(node.child, keys)
    if below is None:
        return None
    return _below(below, conjuncts(node.predicate))[0]

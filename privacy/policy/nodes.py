"""Every node of a query, and what each reads of the rows below it."""

from collections.abc import Iterable, Iterator

from privacy.policy.algebra import Filter, Group, Join, Node, Project, PublicValue, Root, SemiJoin
from privacy.policy.errors import QueryRefused
from privacy.policy.expressions import Attribute, Attributes, Expression

OUTSIDE = "a subquery reads {name} of the query around it, where that is not answered"
OUTSIDE_HINT = "tie it by equalities in its WHERE, and compare other columns outside"


def every_node(root: Root, beside: Iterable[Node]) -> Iterator[Node]:
    """Give every node of a query, those within expressions too: an engine computes them where a row asks for them."""
    for node in (root.child, *beside):
        yield from _within(node)
    for one in root.aggregates:
        if one.argument is not None:
            yield from _of(one.argument)


def closed_check(root: Root, beside: Iterable[Node]) -> None:
    """Raise QueryRefused where a node reads what the rows below it do not have.

    Such a column would be passed over by every rule: what depends on it would count as the same in both worlds.
    """
    for node in every_node(root, beside):
        _closed(node, frozenset().union(*(one.attributes for one in node.inputs)))
    _known(root.keys, frozenset(root.child.attributes))
    for one in root.aggregates:
        _reads(one.argument, frozenset(root.child.attributes))


def _closed(node: Node, below: Attributes) -> None:
    for value in _values(node):
        _reads(value, below)
    if isinstance(node, Join | SemiJoin):
        _known([a for a, _ in node.keys], frozenset(node.left.attributes))
        _known([b for _, b in node.keys], frozenset(node.right.attributes))
    if isinstance(node, Group):
        _known(node.keys, below)


def _reads(value: Expression | None, below: Attributes) -> None:
    if value is not None:
        _known(sorted(value.reads, key=lambda one: one.name), below)


def _known(read: Iterable[Attribute], below: Attributes) -> None:
    for one in read:
        if one not in below:
            raise QueryRefused(OUTSIDE.format(name=one.name), OUTSIDE_HINT)


def _within(node: Node) -> Iterator[Node]:
    yield node
    for value in _values(node):
        yield from _of(value)
    for below in node.inputs:
        yield from _within(below)


def _of(value: Expression) -> Iterator[Node]:
    if isinstance(value, PublicValue):
        yield from _within(value.node)
    for part in value.parts:
        yield from _of(part)


def _values(node: Node) -> Iterator[Expression]:
    if isinstance(node, Filter):
        yield node.predicate
    if isinstance(node, Project):
        yield from (value for _, value in node.items)
    if isinstance(node, Join | SemiJoin) and node.residual is not None:
        yield node.residual
    if isinstance(node, Group):
        yield from (one.argument for one in node.aggregates if one.argument is not None)

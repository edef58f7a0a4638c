"""What a query costs the database: refused where the rows of one entity could decide how long it runs.

How long a query runs is seen by whoever asks. So no join pairs every row with every row, which a predicate on one
person could switch on or off, and no node has more rows that differ between neighbouring worlds than are worked on
within a moment.
"""

from collections.abc import Iterable, Iterator, Sequence

from privacy.policy.algebra import Filter, Group, Join, Node, Project, PublicValue, Root, Scan, SemiJoin
from privacy.policy.analysis import Facts
from privacy.policy.errors import QueryRefused
from privacy.policy.expressions import Expression
from privacy.policy.labels import Rows, times
from privacy.policy.multiplicity import multiplicity

MOST_ROWS = 1_000_000
CROSSED = "every row of {left} would be paired with every row of {right}"
CROSSED_HINT = "join them by an equality of columns"
TOO_MANY = f"one {{entity}} could change more than {MOST_ROWS:,} rows here"
TOO_MANY_HINT = "join fewer relations, or declare smaller max_rows"


def pairs_check(root: Root, beside: Iterable[Node]) -> None:
    """Raise QueryRefused where every row of one node would be paired with every row of another."""
    for node in (root.child, *beside):
        _crossed_check(node)
    for one in root.aggregates:
        if one.argument is not None:
            _public_check(one.argument)


def rows_check(root: Root, facts: Facts, entity: str) -> None:
    """Raise QueryRefused where one entity's rows could make a node much longer; schema and policy alone decide."""
    if any(rows > MOST_ROWS for rows in _differing(root.child, facts)):
        raise QueryRefused(TOO_MANY.format(entity=entity), TOO_MANY_HINT)


def _crossed_check(node: Node) -> None:
    if isinstance(node, Join | SemiJoin) and not node.keys and not any(map(_is_one_row, node.inputs)):
        raise QueryRefused(CROSSED.format(left=_named(node.left), right=_named(node.right)), CROSSED_HINT)
    for value in _values(node):
        _public_check(value)
    for below in node.inputs:
        _crossed_check(below)


def _public_check(value: Expression) -> None:
    """Check the nodes within an expression: an engine computes them where a row asks for them."""
    if isinstance(value, PublicValue):
        _crossed_check(value.node)
    for part in value.parts:
        _public_check(part)


def _values(node: Node) -> Sequence[Expression]:
    if isinstance(node, Filter):
        return [node.predicate]
    if isinstance(node, Project):
        return [value for _, value in node.items]
    if isinstance(node, Join | SemiJoin):
        return [] if node.residual is None else [node.residual]
    if isinstance(node, Group):
        return [one.argument for one in node.aggregates if one.argument is not None]
    return []


def _is_one_row(node: Node) -> bool:
    """Say whether a node has one row at most, whatever the data."""
    if isinstance(node, Group):
        return not node.keys
    if isinstance(node, Join):
        return all(map(_is_one_row, node.inputs))
    return isinstance(node, Filter | Project | SemiJoin) and _is_one_row(node.inputs[0])


def _named(node: Node) -> str:
    names = dict.fromkeys(one.relation.name for one in _scans(node))
    return " and ".join(names)


def _scans(node: Node) -> Iterator[Scan]:
    if isinstance(node, Scan):
        yield node
    # What a match is looked for in gives no rows.
    for one in node.inputs[:1] if isinstance(node, SemiJoin) else node.inputs:
        yield from _scans(one)


def _differing(node: Node, facts: Facts) -> Iterator[Rows]:
    """Give how many rows can differ at each node, and how many pairs a match with conditions looks at."""
    yield _moved(facts)
    if isinstance(node, SemiJoin) and node.residual is not None:
        left, right = (frozenset(side) for side in zip(*node.keys, strict=True)) if node.keys else ((), ())
        one, two = facts.below
        # A changed row may match in one world only, at whatever its conditions read.
        yield times(_weight(one), multiplicity(node.right, frozenset(right)))
        yield times(_weight(two), multiplicity(node.left, frozenset(left)))
    for child, below in zip(node.inputs, facts.below, strict=True):
        yield from _differing(child, below)


def _moved(facts: Facts) -> Rows:
    """Return how many rows may be in one world only; one that is in both with another value takes as long."""
    one = facts.signature
    return one.come_and_go + (one.changed if one.may_flip else 0)


def _weight(facts: Facts) -> Rows:
    return facts.signature.come_and_go + facts.signature.changed

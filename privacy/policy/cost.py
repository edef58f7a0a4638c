"""What a query costs the database: refused where the rows of one entity could decide how long it runs.

Whether a query ended within its time is seen by whoever asks. So no join pairs every row with every row, or many with
many, which a predicate on one person could switch on or off; and no node has more rows that differ between
neighbouring worlds than are worked on within a moment.
"""

from collections.abc import Iterable, Iterator

from privacy.policy.algebra import Filter, Group, Join, Node, Project, Root, Scan, SemiJoin, UnionAll
from privacy.policy.analysis import Facts, partners_of
from privacy.policy.errors import QueryRefused
from privacy.policy.labels import Rows, times
from privacy.policy.nodes import every_node

MOST_ROWS = 1_000_000
CROSSED = "every row of {left} would be paired with every row of {right}"
CROSSED_HINT = "join them by an equality of columns"
MOST_PARTNERS = 10_000  # rows of a join for each row of the relation that it begins with
MANY = "any number of rows of {left} could meet any number of rows of {right}"
MANY_HINT = "join them by a key, or declare max_rows of the foreign keys that are joined"
TOO_MANY = f"one {{entity}} could change more than {MOST_ROWS:,} rows here"
TOO_MANY_HINT = "join fewer relations, or declare smaller max_rows"


def pairs_check(root: Root, beside: Iterable[Node]) -> None:
    """Raise QueryRefused where every row of one node would be paired with every row of another."""
    for node in every_node(root, beside):
        if isinstance(node, Join | SemiJoin) and not node.keys and not any(map(_is_one_row, node.inputs)):
            raise QueryRefused(CROSSED.format(left=_named(node.left), right=_named(node.right)), CROSSED_HINT)


def partners_check(root: Root, beside: Iterable[Node]) -> None:
    """Raise QueryRefused where many rows of one node would each meet many of another."""
    for node in every_node(root, beside):
        if isinstance(node, Join | SemiJoin) and _partners(node) > MOST_PARTNERS:
            raise QueryRefused(MANY.format(left=_named(node.left), right=_named(node.right)), MANY_HINT)


def rows_check(root: Root, facts: Facts, entity: str) -> None:
    """Raise QueryRefused where one entity's rows could make a node much longer; schema and policy alone decide."""
    if any(rows > MOST_ROWS for rows in _differing(root.child, facts)):
        raise QueryRefused(TOO_MANY.format(entity=entity), TOO_MANY_HINT)


def _partners(node: Node) -> Rows:
    """Return how many rows a node has, or looks at, for each row of one of its relations."""
    if isinstance(node, UnionAll):
        return sum(map(_partners, node.inputs))
    if not isinstance(node, Join | SemiJoin) or (isinstance(node, SemiJoin) and node.residual is None):
        return max(map(_partners, node.inputs[:1]), default=1)
    of_left, of_right = partners_of(node)
    return min(times(_partners(node.left), of_left), times(_partners(node.right), of_right))


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
        (one, two), (of_left, of_right) = facts.below, partners_of(node)
        # A changed row may match in one world only, at whatever its conditions read.
        yield times(_weight(one), of_left)
        yield times(_weight(two), of_right)
    for child, below in zip(node.inputs, facts.below, strict=True):
        yield from _differing(child, below)


def _moved(facts: Facts) -> Rows:
    """Return how many rows may be in one world only; one that is in both with another value takes as long."""
    one = facts.signature
    return one.come_and_go + (one.changed if one.may_flip else 0)


def _weight(facts: Facts) -> Rows:
    return facts.signature.come_and_go + facts.signature.changed

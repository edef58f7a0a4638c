"""Where the groups of an answer come from: public places, so that nobody's presence decides which keys are listed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from privacy.policy.algebra import Filter, Join, Node, Project, Root, Scan, SemiJoin
from privacy.policy.errors import Place, QueryRefused
from privacy.policy.expressions import Attribute
from privacy.policy.labels import Policy, Rep
from privacy.policy.values import Value


@dataclass(frozen=True, slots=True)
class Listed:
    """Every value that a key can have, NULL last."""

    attribute: Attribute
    values: tuple[Value | None, ...]

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """The one key."""
        return (self.attribute,)


@dataclass(frozen=True, slots=True)
class FromRelation:
    """The distinct values of columns that are the same in both worlds; all NULL too, where a left join pads.

    Columns of several relations come from their join, where the query joins them by such columns.
    """

    attributes: tuple[Attribute, ...]  # as the root has them
    columns: tuple[Attribute, ...]  # as the node has them
    node: Node
    padded: bool


KeySource = Listed | FromRelation
Read = tuple[Scan, str, bool]  # the scan and the column that an attribute is, and whether a left join pads it
Link = tuple[Attribute, Attribute]


def key_sources(
    root: Root, policies: Sequence[Policy], where: Mapping[Attribute, Place] | None = None
) -> tuple[KeySource, ...]:
    """Return a source for every key of a root, one for all keys of relations joined; or raise QueryRefused.

    It is public under every policy: what may be listed as far as one kind of entity goes can tell of another kind.
    `where` tells where in the text the keys stand: line and column.
    """
    places = {attribute: (scan, name, padded) for attribute, scan, name, padded in _places(root.child)}
    listed: list[KeySource] = []
    joint: dict[Scan, list[Attribute]] = {}
    for key in root.keys:
        if key.domain is not None:
            listed.append(Listed(key, (*key.domain, *((None,) if key.nullable else ()))))
            continue
        try:
            scan = _public_scan(key, places, policies)
        except QueryRefused as error:
            raise error.at(*(where or {}).get(key, (None, None))) from None
        joint.setdefault(scan, []).append(key)
    links = [one for one in _links(root.child) if all(_is_public(places.get(side), policies) for side in one)]
    for node, keys in _connected(joint, links):
        columns = tuple(places[key][0].named[places[key][1]] for key in keys)
        listed.append(FromRelation(tuple(keys), columns, node, any(places[key][2] for key in keys)))
    return tuple(listed)


def _public_scan(key: Attribute, places: Mapping[Attribute, Read], policies: Sequence[Policy]) -> Scan:
    if key not in places:
        raise QueryRefused(
            f"the groups by {key.name} would be read off the data", "group by a column with a declared domain"
        )
    scan, name, _ = places[key]
    against = _protecting(places[key], policies)
    if against is not None:
        raise QueryRefused(
            f"which values {scan.relation.name}.{name} has depends on one {against.entity}",
            f"declare a domain for {name}",
        )
    return scan


def _is_public(place: Read | None, policies: Sequence[Policy]) -> bool:
    return place is not None and _protecting(place, policies) is None


def _protecting(place: Read, policies: Sequence[Policy]) -> Policy | None:
    """Return a policy under which a column can differ."""
    relation, name = place[0].relation.name, place[1]
    return next((one for one in policies if _can_differ(relation, name, one)), None)


def _can_differ(relation: str, column: str, policy: Policy) -> bool:
    label = policy.label(relation)
    return policy.touched(relation) and not (isinstance(label, Rep) and column not in label.columns)


def _links(node: Node) -> Iterator[Link]:
    """Give the pairs of attributes that are equal in every row, because inner joins make them so."""
    if isinstance(node, Filter | Project):
        yield from _links(node.child)
    elif isinstance(node, Join | SemiJoin):
        yield from _links(node.left)
        if isinstance(node, Join) and node.kind == "inner":
            yield from _links(node.right)
            yield from node.keys


def _connected(
    joint: Mapping[Scan, list[Attribute]], links: Sequence[Link]
) -> Iterator[tuple[Node, list[Attribute]]]:
    """Give each relation with its keys, and those that links connect as one join: it has fewer combinations."""
    waiting = dict(joint)
    while waiting:
        first = next(iter(waiting))
        node: Node = first
        keys = waiting.pop(first)
        while (found := next((one for one in waiting if _between(node, one, links)), None)) is not None:
            node = Join(node, found, _between(node, found, links))
            keys = [*keys, *waiting.pop(found)]
        yield node, keys


def _between(node: Node, scan: Scan, links: Sequence[Link]) -> tuple[Link, ...]:
    ours, others = frozenset(node.attributes), frozenset(scan.columns)
    both = (*links, *((b, a) for a, b in links))
    return tuple(one for one in both if one[0] in ours and one[1] in others)


def _places(node: Node) -> Iterator[tuple[Attribute, Scan, str, bool]]:
    """Give every attribute that is read off a relation unchanged: its scan, its column, whether a join pads it."""
    if isinstance(node, Scan):
        for name, attribute in node.named.items():
            yield attribute, node, name, False
    below = {one[0]: one for child in node.inputs for one in _places(child)}
    yield from below.values()
    if isinstance(node, Join):
        for old, new in node.padded:
            if old in below:
                yield new, below[old][1], below[old][2], True

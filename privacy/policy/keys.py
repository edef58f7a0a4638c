"""Where the groups of an answer come from: public places, so that nobody's presence decides which keys are listed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from privacy.policy.algebra import Join, Node, Root, Scan
from privacy.policy.errors import QueryRefused
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
    """The distinct values of columns that are the same in both worlds; all NULL too, where a left join pads."""

    attributes: tuple[Attribute, ...]  # as the root has them
    columns: tuple[str, ...]
    scan: Scan
    padded: bool


KeySource = Listed | FromRelation
Place = tuple[int | None, int | None]


def key_sources(
    root: Root, policy: Policy, where: Mapping[Attribute, Place] | None = None
) -> tuple[KeySource, ...]:
    """Return a source for every key of a root, one for all keys of a relation; or raise QueryRefused.

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
            scan = _public_scan(key, places, policy)
        except QueryRefused as error:
            raise error.at(*(where or {}).get(key, (None, None))) from None
        joint.setdefault(scan, []).append(key)
    for scan, keys in joint.items():
        names = tuple(places[key][1] for key in keys)
        listed.append(FromRelation(tuple(keys), names, scan, any(places[key][2] for key in keys)))
    return tuple(listed)


def _public_scan(key: Attribute, places: dict[Attribute, tuple[Scan, str, bool]], policy: Policy) -> Scan:
    if key not in places:
        raise QueryRefused(
            f"the groups by {key.name} would be read off the data", "group by a column with a declared domain"
        )
    scan, name, _ = places[key]
    relation = scan.relation.name
    label = policy.label(relation)
    if policy.touched(relation) and not (isinstance(label, Rep) and name not in label.columns):
        raise QueryRefused(
            f"which values {relation}.{name} has depends on one {policy.entity}",
            f"declare a domain for {name}",
        )
    return scan


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

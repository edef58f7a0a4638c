"""What a source consists of: relations with keys, foreign keys, types, domains and bounds."""

import datetime
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from typing import Any, Literal

from privacy.policy.errors import SchemaInvalid
from privacy.policy.values import Value, value_of

Kind = Literal["integer", "decimal", "text", "date", "boolean"]
KINDS: tuple[Kind, ...] = ("integer", "decimal", "text", "date", "boolean")
# More listed values than this are not written out in a schema.
DOMAIN_LIMIT = 100_000
# PostgreSQL cuts a longer name off, so that two names could be one table.
NAME_BYTES = 63
# What 64 bits hold.
LEAST, MOST = -(2**63), 2**63 - 1


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its type, whether it may be NULL, and what is publicly known of its values."""

    name: str
    kind: Kind
    scale: int = 0  # decimals: digits after the point; values are integers of this unit
    nullable: bool = False
    bounds: tuple[int, int] | None = (
        None  # both ends belong to it; in units of the scale, of dates as ordinals
    )
    domain: tuple[Value, ...] | None = (
        None  # every value that is possible, in the order in which keys are listed
    )


@dataclass(frozen=True, slots=True)
class ForeignKey:
    """An edge to a parent; `max_rows` bounds the rows per parent key, None where nothing is declared."""

    columns: tuple[str, ...]
    parent: str
    to: tuple[str, ...]
    max_rows: int | None = None


@dataclass(frozen=True)
class Relation:
    """A table with its primary key; without one it cannot be an entity nor a parent."""

    name: str
    key: tuple[str, ...]
    columns: Mapping[str, Column]
    foreign_keys: tuple[ForeignKey, ...] = ()


@dataclass(frozen=True)
class Schema:
    """Relations whose foreign keys form no circle."""

    relations: Mapping[str, Relation]
    order: tuple[str, ...] = field(default=(), compare=False)  # parents before children

    @cached_property
    def children(self) -> Mapping[str, tuple[tuple[Relation, ForeignKey], ...]]:
        """The foreign keys that lead to each relation, with the relation that has them."""
        found: dict[str, list[tuple[Relation, ForeignKey]]] = {name: [] for name in self.relations}
        for relation in self.relations.values():
            for edge in relation.foreign_keys:
                found[edge.parent].append((relation, edge))
        return {name: tuple(edges) for name, edges in found.items()}


def schema_from(described: object) -> Schema:
    """Return the schema that a document describes, or raise SchemaInvalid naming the place and the reason.

    Form: {relation: {"key": [column], "columns": {column: {"type", "scale"?, "nullable"?, "bounds"?: [l, u],
    "domain"?: [value] | {"range": [l, u]}}}, "foreign_keys": [{"columns", "references", "to", "max_rows"?}]}}.
    """
    if not isinstance(described, Mapping) or not described:
        raise SchemaInvalid((), "expected relations by name")
    _named((), described)
    relations = {name: _relation(name, one) for name, one in described.items()}
    for relation in relations.values():
        _edges_check(relation, relations)
    return Schema(relations, _order(relations))


def _named(place: tuple[object, ...], described: Mapping[Any, Any]) -> None:
    """Refuse names that some engine takes for another: SQLite knows no capitals, PostgreSQL cuts long ones."""
    seen: dict[str, str] = {}
    for name in described:
        if not isinstance(name, str) or not name.strip():
            raise SchemaInvalid((*place, name), "expected a name")
        if not name.isprintable():
            raise SchemaInvalid((*place, name), "a name has no control characters")
        if len(name.encode()) > NAME_BYTES:
            raise SchemaInvalid((*place, name), f"a name has at most {NAME_BYTES} bytes")
        if (other := seen.setdefault(name.casefold(), name)) is not name:
            raise SchemaInvalid((*place, name), f"differs from {other} in capitals only")


def _relation(name: str, described: Any) -> Relation:
    _fields((name,), described, {"key", "columns", "foreign_keys"})
    columns_of = described.get("columns")
    if not isinstance(columns_of, Mapping) or not columns_of:
        raise SchemaInvalid((name, "columns"), "expected columns by name")
    _named((name, "columns"), columns_of)
    columns = {one: _column((name, "columns", one), one, facts) for one, facts in columns_of.items()}
    key = _names((name, "key"), described.get("key") or [], columns)
    for at, one in enumerate(key):
        if columns[one].nullable:
            raise SchemaInvalid((name, "key", at), f"{one} may be NULL, a key never is")
    edges = described.get("foreign_keys") or []
    if not isinstance(edges, Sequence) or isinstance(edges, str):
        raise SchemaInvalid((name, "foreign_keys"), "expected a list")
    return Relation(
        name,
        key,
        columns,
        tuple(_edge((name, "foreign_keys", at), one, columns) for at, one in enumerate(edges)),
    )


def _column(place: tuple[object, ...], name: str, facts: Any) -> Column:
    _fields(place, facts, {"type", "scale", "nullable", "bounds", "domain"})
    kind = facts.get("type")
    if kind not in KINDS:
        raise SchemaInvalid((*place, "type"), f"expected one of {', '.join(KINDS)}")
    scale = facts.get("scale", 2 if kind == "decimal" else 0)
    if isinstance(scale, bool) or not isinstance(scale, int) or not 0 <= scale <= 9:
        raise SchemaInvalid((*place, "scale"), "expected digits after the point, 0 to 9")
    if scale and kind != "decimal":
        raise SchemaInvalid((*place, "scale"), f"only decimals have digits after the point, not {kind}")
    nullable = facts.get("nullable", False)
    if not isinstance(nullable, bool):
        raise SchemaInvalid((*place, "nullable"), "expected true or false")
    bounds = (
        None if facts.get("bounds") is None else _bounds((*place, "bounds"), facts["bounds"], kind, scale)
    )
    domain = (
        None if facts.get("domain") is None else _domain((*place, "domain"), facts["domain"], kind, scale)
    )
    if bounds is None and domain and kind in ("integer", "decimal"):
        numbers = [one for one in domain if isinstance(one, int)]
        bounds = (min(numbers), max(numbers))
    if bounds is not None and domain is not None:
        _inside(place, bounds, domain)
    return Column(name, kind, scale, nullable, bounds, domain)


def _bounds(place: tuple[object, ...], given: Any, kind: Kind, scale: int) -> tuple[int, int]:
    if kind not in ("integer", "decimal", "date"):
        raise SchemaInvalid(place, "only numbers and dates have bounds")
    if not isinstance(given, Sequence) or isinstance(given, str) or len(given) != 2:
        raise SchemaInvalid(place, "expected [lowest, highest]")
    ends = [_value((*place, at), one, kind, scale) for at, one in enumerate(given)]
    low, high = (one.toordinal() if isinstance(one, datetime.date) else one for one in ends)
    assert isinstance(low, int)
    assert isinstance(high, int)
    if low > high:
        raise SchemaInvalid(place, f"reversed: {given[0]} is more than {given[1]}")
    return low, high


def _inside(place: tuple[object, ...], bounds: tuple[int, int], domain: tuple[Value, ...]) -> None:
    for at, one in enumerate(domain):
        number = one.toordinal() if isinstance(one, datetime.date) else one
        if isinstance(number, int) and not bounds[0] <= number <= bounds[1]:
            raise SchemaInvalid((*place, "domain", at), "lies outside the bounds")


def _domain(place: tuple[object, ...], given: Any, kind: Kind, scale: int) -> tuple[Value, ...]:
    if isinstance(given, Mapping):
        _fields(place, given, {"range"})
        if kind != "integer":
            raise SchemaInvalid(place, "only integers have a range")
        low, high = _bounds((*place, "range"), given.get("range"), kind, scale)
        if high - low >= DOMAIN_LIMIT:
            raise SchemaInvalid(place, f"more than {DOMAIN_LIMIT} values")
        return tuple(range(low, high + 1))
    if not isinstance(given, Sequence) or isinstance(given, str) or not given:
        raise SchemaInvalid(place, "expected a list of values, or a range")
    if len(given) > DOMAIN_LIMIT:
        raise SchemaInvalid(place, f"more than {DOMAIN_LIMIT} values")
    values: dict[Value, int] = {}
    for at, one in enumerate(given):
        if values.setdefault(_value((*place, at), one, kind, scale), at) != at:
            raise SchemaInvalid((*place, at), f"{one!r:.80} is listed twice")
    return tuple(values)


def _value(place: tuple[object, ...], given: Any, kind: Kind, scale: int) -> Value:
    try:
        value = value_of(given, kind, scale)
    except ValueError as error:
        raise SchemaInvalid(place, str(error)) from None
    if isinstance(value, int) and not LEAST <= value <= MOST:
        raise SchemaInvalid(place, "does not fit into 64 bits")
    if isinstance(value, str) and "\0" in value:
        raise SchemaInvalid(place, "no database keeps the character U+0000")
    return value


def _edge(place: tuple[object, ...], described: Any, columns: Mapping[str, Column]) -> ForeignKey:
    _fields(place, described, {"columns", "references", "to", "max_rows"})
    own = _names((*place, "columns"), described.get("columns"), columns)
    to, rows, parent = described.get("to"), described.get("max_rows"), described.get("references")
    if not isinstance(parent, str):
        raise SchemaInvalid((*place, "references"), "expected the name of a relation")
    if not _texts(to) or len(to) != len(own) or not own:
        raise SchemaInvalid((*place, "to"), "expected as many columns as the foreign key has")
    if rows is not None and (not isinstance(rows, int) or isinstance(rows, bool) or rows < 1):
        raise SchemaInvalid((*place, "max_rows"), "expected a whole number, 1 or more")
    return ForeignKey(own, parent, tuple(to), rows)


def _texts(given: Any) -> bool:
    listed = isinstance(given, Sequence) and not isinstance(given, str)
    return listed and all(isinstance(one, str) for one in given)


def _edges_check(relation: Relation, relations: Mapping[str, Relation]) -> None:
    for at, edge in enumerate(relation.foreign_keys):
        place = (relation.name, "foreign_keys", at)
        parent = relations.get(edge.parent)
        if parent is None:
            raise SchemaInvalid((*place, "references"), f"there is no relation {edge.parent}")
        # In whatever order: the edge is to the whole key.
        if not parent.key or sorted(edge.to) != sorted(parent.key):
            raise SchemaInvalid((*place, "to"), f"expected the key of {edge.parent}: {', '.join(parent.key)}")
        for own, other in zip(edge.columns, edge.to, strict=True):
            here, there = relation.columns[own], parent.columns[other]
            if (here.kind, here.scale) != (there.kind, there.scale):
                raise SchemaInvalid(place, f"{own} and {edge.parent}.{other} are of different types")


def _order(relations: Mapping[str, Relation]) -> tuple[str, ...]:
    graph = {one.name: {edge.parent for edge in one.foreign_keys} for one in relations.values()}
    try:
        return tuple(TopologicalSorter(graph).static_order())
    except CycleError as error:
        circle = " → ".join(error.args[1])
        raise SchemaInvalid(
            (error.args[1][0], "foreign_keys"), f"foreign keys lead in a circle: {circle}"
        ) from None


def _names(place: tuple[object, ...], given: Any, columns: Mapping[str, Column]) -> tuple[str, ...]:
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise SchemaInvalid(place, "expected a list of columns")
    found: dict[str, int] = {}
    for at, one in enumerate(given):
        if not isinstance(one, str) or one not in columns:
            raise SchemaInvalid((*place, at), f"there is no column {one!s:.80}")
        if found.setdefault(one, at) != at:
            raise SchemaInvalid((*place, at), f"{one} is named twice")
    return tuple(found)


def _fields(place: tuple[object, ...], described: Any, known: set[str]) -> None:
    if not isinstance(described, Mapping):
        raise SchemaInvalid(place, f"expected {', '.join(sorted(known))}")
    for unknown in _unknown(described, known):
        raise SchemaInvalid((*place, unknown), f"unknown; expected one of {', '.join(sorted(known))}")


def _unknown(described: Mapping[Any, Any], known: set[str]) -> Iterator[str]:
    return (str(name) for name in described if name not in known)

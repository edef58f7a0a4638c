"""Queries made of a schema alone, for a source of which nothing was asked yet: counts, groups, sums and joins."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from privacy.policy.labels import Policy
from privacy.policy.schema import Column, ForeignKey, Relation

COUNTED, GROUPED, SUMMED, JOINED = 8, 3, 2, 2  # so many of each kind at most
FEWEST, MOST = 2, 30  # values of a column that is worth a group each
WIDEST = 10**9  # between the bounds of a number that is worth a sum
_PLAIN = re.compile("[a-z_][a-z0-9_]*", re.ASCII)
# Words that SQL takes for its own, of those that relations and columns are called.
_TAKEN = re.compile(
    "all|as|case|check|column|date|default|desc|end|from|group|in|is|left|like|limit|not|on|or|order|right|select|table"
    "|to|union|user|values|when"
)


def samples(policies: Sequence[Policy]) -> Sequence[str]:
    """Return queries, one line each: those about the entities first, then about what belongs to them."""
    relations = _ordered(policies)
    return [
        *islice(_counts(relations), COUNTED),
        *islice(_groups(relations), GROUPED),
        *islice(_sums(relations), SUMMED),
        *islice(_joins(relations, policies[0]), JOINED),
    ]


def _ordered(policies: Sequence[Policy]) -> list[Relation]:
    entities = {one.entity for one in policies}
    touched = {name for one in policies for name in one.schema.relations if one.touched(name)}

    def far(relation: Relation) -> int:
        return 0 if relation.name in entities else 1 if relation.name in touched else 2

    return sorted(policies[0].schema.relations.values(), key=far)


def _counts(relations: Sequence[Relation]) -> Iterator[str]:
    for one in relations:
        yield f"SELECT COUNT(*) FROM {_name(one.name)}"


def _groups(relations: Sequence[Relation]) -> Iterator[str]:
    for one in relations:
        for column in islice(filter(_grouping, _own(one)), 1):
            yield f"SELECT {_name(column.name)}, COUNT(*) FROM {_name(one.name)} GROUP BY {_name(column.name)}"


def _sums(relations: Sequence[Relation]) -> Iterator[str]:
    found = [(one, column) for one in relations for column in _own(one) if _summing(column)]
    for at, (one, column) in enumerate(found):
        yield f"SELECT {('AVG', 'SUM')[at % 2]}({_name(column.name)}) FROM {_name(one.name)}"


def _joins(relations: Sequence[Relation], policy: Policy) -> Iterator[str]:
    for child in relations:
        for edge in child.foreign_keys:
            parent = policy.schema.relations[edge.parent]
            keys = list(islice(filter(_grouping, _own(parent)), 1))
            if keys and edge.max_rows is not None:
                yield _join(child, edge, keys[0])


def _join(child: Relation, edge: ForeignKey, key: Column) -> str:
    on = " AND ".join(
        f"c.{_name(own)} = p.{_name(other)}" for own, other in zip(edge.columns, edge.to, strict=True)
    )
    return (
        f"SELECT p.{_name(key.name)}, COUNT(*) FROM {_name(child.name)} c JOIN {_name(edge.parent)} p ON {on} "
        f"GROUP BY p.{_name(key.name)}"
    )


def _own(one: Relation) -> Iterator[Column]:
    """Give the columns that say something: keys and references only tell rows apart."""
    linking = {*one.key, *(name for edge in one.foreign_keys for name in edge.columns)}
    return (column for column in one.columns.values() if column.name not in linking)


def _grouping(column: Column) -> bool:
    return column.domain is not None and FEWEST <= len(column.domain) <= MOST


def _summing(column: Column) -> bool:
    bounded = column.kind in ("integer", "decimal") and column.bounds is not None
    return bounded and column.bounds is not None and column.bounds[1] - column.bounds[0] <= WIDEST


def _name(name: str) -> str:
    """Return a name as SQL takes it."""
    if _PLAIN.fullmatch(name) and not _TAKEN.fullmatch(name):
        return name
    return '"' + name.replace('"', '""') + '"'

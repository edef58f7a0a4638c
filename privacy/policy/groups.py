"""The groups of an answer: every combination of the keys that public places list, in their order."""

import math
from collections.abc import Sequence
from itertools import product

from privacy.policy.algebra import Root
from privacy.policy.compile import Cells, Compiler, Execute
from privacy.policy.errors import QueryRefused
from privacy.policy.keys import FromRelation, KeySource, Listed
from privacy.policy.values import Value

MOST_GROUPS = 10_000


def groups_check(sources: Sequence[KeySource], most: int = MOST_GROUPS) -> None:
    """Refuse a query whose listed keys alone have too many combinations; no data is needed to see that."""
    _number_check(math.prod(len(one.values) for one in sources if isinstance(one, Listed)), most)


def groups_of(
    root: Root, sources: Sequence[KeySource], compiler: Compiler, execute: Execute, most: int = MOST_GROUPS
) -> Sequence[Cells]:
    """Return the keys of every group, whether or not it has rows; raise QueryRefused of more than `most`."""
    groups_check(sources, most)
    listed = [_listed(one, compiler, execute, most) for one in sources]
    _number_check(math.prod(map(len, listed)), most)
    attributes = [attribute for one in sources for attribute in one.attributes]
    places = [attributes.index(key) for key in root.keys]
    combined = [tuple(value for part in parts for value in part) for parts in product(*listed)]
    return [tuple(values[at] for at in places) for values in combined]


def _listed(source: KeySource, compiler: Compiler, execute: Execute, most: int) -> Sequence[Cells]:
    if isinstance(source, Listed):
        return [(value,) for value in source.values]
    return _distinct(source, compiler, execute, most)


def _distinct(source: FromRelation, compiler: Compiler, execute: Execute, most: int) -> Sequence[Cells]:
    found = set(compiler.keys(source, most).read(execute))
    if source.padded:
        found.add((None,) * len(source.columns))
    # In an order that no engine decides; NULL last.
    return sorted(found, key=lambda cells: [_last_if_null(one) for one in cells])


def _last_if_null(value: Value | None) -> tuple[bool, Value]:
    return (value is None, 0 if value is None else value)


def _number_check(number: int, most: int) -> None:
    if number > most:
        raise QueryRefused(
            f"the answer would have more than {most:,} groups", "group by fewer or coarser keys"
        )

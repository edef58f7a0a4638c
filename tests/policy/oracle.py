"""The algebra evaluated row by row in Python, as plainly as SQL defines it: statements are held against it."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import singledispatch
from typing import Any

from privacy.policy import algebra as a
from privacy.policy import expressions as e

Row = Mapping[e.Attribute, Any]
World = Mapping[str, Sequence[Mapping[str, Any]]]  # relation → rows by column; numbers in units
_WORLD: ContextVar[World] = ContextVar("world")


@contextmanager
def reading(world: World) -> Iterator[None]:
    """Let the values of public subqueries be those of a world."""
    token = _WORLD.set(world)
    try:
        yield
    finally:
        _WORLD.reset(token)


@singledispatch
def rows_of(node: a.Node, world: World) -> list[Row]:
    """Return the rows of a node in a world."""
    raise TypeError(type(node).__name__)


@rows_of.register
def _scan(node: a.Scan, world: World) -> list[Row]:
    return [{node.named[name]: value for name, value in row.items()} for row in world[node.relation.name]]


@rows_of.register
def _filter(node: a.Filter, world: World) -> list[Row]:
    return [row for row in rows_of(node.child, world) if value_of(node.predicate, row) is True]


@rows_of.register
def _project(node: a.Project, world: World) -> list[Row]:
    return [{to: value_of(made, row) for to, made in node.items} for row in rows_of(node.child, world)]


@rows_of.register
def _join(node: a.Join, world: World) -> list[Row]:
    index = _index(rows_of(node.right, world), [b for _, b in node.keys])
    found: list[Row] = []
    padding = dict(node.padded)
    for left in rows_of(node.left, world):
        partners = [{**left, **right} for right in index.get(_key(left, [k for k, _ in node.keys]), ())]
        kept = [one for one in partners if node.residual is None or value_of(node.residual, one) is True]
        if node.kind == "inner":
            found += kept
        elif kept:
            found += [{**left, **{new: one[old] for old, new in padding.items()}} for one in kept]
        else:
            found.append({**left, **dict.fromkeys(padding.values())})
    return found


@rows_of.register
def _semi_join(node: a.SemiJoin, world: World) -> list[Row]:
    index = _index(rows_of(node.right, world), [b for _, b in node.keys])
    found = []
    for left in rows_of(node.left, world):
        partners = index.get(_key(left, [k for k, _ in node.keys]), ())
        some = any(
            node.residual is None or value_of(node.residual, {**left, **one}) is True for one in partners
        )
        if some != node.anti:
            found.append(left)
    return found


@rows_of.register
def _union_all(node: a.UnionAll, world: World) -> list[Row]:
    found: list[Row] = []
    for side in node.inputs:
        for row in rows_of(side, world):
            found.append({new: row[old] for old, new in zip(side.attributes, node.columns, strict=True)})
    return found


@rows_of.register
def _group(node: a.Group, world: World) -> list[Row]:
    groups = grouped(rows_of(node.child, world), node.keys)
    found = []
    for key, rows in groups.items():
        figures = {one.attribute: figure(one, rows) for one in node.aggregates}
        found.append({**dict(zip(node.keys, key, strict=True)), **figures})
    return found


def grouped(rows: Iterable[Row], keys: Sequence[e.Attribute]) -> dict[tuple[Any, ...], list[Row]]:
    """Return the rows by their keys; without keys there is one group, of nobody perhaps."""
    groups: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    if not keys:
        groups[()] = []
    for row in rows:
        groups[tuple(row[key] for key in keys)].append(row)
    return groups


def figure(one: a.Aggregate, rows: Sequence[Row]) -> Any:
    """Return a figure of a group below the root."""
    if one.argument is None:
        return len(rows)
    values = [value for row in rows if (value := value_of(one.argument, row)) is not None]
    if one.distinct:
        values = list(set(values))
    if one.function == "count":
        return len(values)
    if not values:
        return None
    if one.function == "avg":
        total = sum(values) * 10**4
        return abs(total) // len(values) * (1 if total >= 0 else -1)
    return {"sum": sum, "min": min, "max": max}[one.function](values)


def vector(one: a.Aggregate, name: str, child: Sequence[Row], keys: Sequence[e.Attribute]) -> dict[Any, int]:
    """Return one part of a figure of the root, for each group that has rows: clipped to the argument's bounds."""
    return {key: _part(one, name, rows) for key, rows in grouped(child, keys).items()}


def _part(one: a.Aggregate, name: str, rows: Sequence[Row]) -> int:
    if one.argument is None:
        return len(rows)
    values = [value for row in rows if (value := value_of(one.argument, row)) is not None]
    if name == "count":
        return len(set(values)) if one.distinct else len(values)
    assert one.argument.bounds is not None
    low, high = one.argument.bounds
    clipped = [min(max(value, low), high) for value in values]
    return sum(value * value for value in clipped) if name == "squares" else sum(clipped)


def _index(rows: Iterable[Row], keys: Sequence[e.Attribute]) -> dict[tuple[Any, ...], list[Row]]:
    index: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for row in rows:
        key = _key(row, keys)
        if None not in key:
            index[key].append(row)
    return index


def _key(row: Row, keys: Sequence[e.Attribute]) -> tuple[Any, ...]:
    return tuple(row[key] for key in keys)


def value_of(expression: e.Expression, row: Row) -> Any:
    """Return the value of an expression; None is NULL, and unknown."""
    match expression:
        case e.Read(attribute):
            return row[attribute]
        case e.Const(value):
            return value
        case a.PublicValue(node, attribute):
            (only,) = rows_of(node, _WORLD.get())
            return only[attribute]
        case e.Rescaled(inner, scale):
            value = value_of(inner, row)
            return None if value is None else value * 10 ** (scale - inner.scale)
        case e.Arithmetic(operator, left, right):
            x, y = value_of(left, row), value_of(right, row)
            if x is None or y is None:
                return None
            return {"+": x + y, "-": x - y, "*": x * y}[operator]
        case e.IsNull(inner):
            return value_of(inner, row) is None
        case e.Not(inner):
            value = value_of(inner, row)
            return None if value is None else not value
        case e.Both(parts) | e.Either(parts):
            values = [value_of(part, row) for part in parts]
            decisive = isinstance(expression, e.Either)
            return decisive if decisive in values else None if None in values else not decisive
        case e.Choose(cases, otherwise):
            for condition, value in cases:
                if value_of(condition, row) is True:
                    return value_of(value, row)
            return value_of(otherwise, row)
        case e.FirstKnown(options):
            return next((value for one in options if (value := value_of(one, row)) is not None), None)
    return _tested(expression, row)


def _tested(expression: e.Expression, row: Row) -> Any:
    values = [value_of(part, row) for part in expression.parts]
    if None in values:
        return None
    match expression:
        case e.Compare(operator):
            x, y = values
            return {"=": x == y, "<>": x != y, "<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y}[operator]
        case e.AmongValues(_, listed):
            return values[0] in listed
        case e.Like(_, pattern):
            wanted = "".join({"%": ".*", "_": "."}.get(one, re.escape(one)) for one in pattern)
            return re.fullmatch(wanted, values[0], re.DOTALL) is not None
        case e.DatePart(part):
            return getattr(values[0], part)
        case e.Prefix(_, length):
            return values[0][:length]
    raise TypeError(type(expression).__name__)

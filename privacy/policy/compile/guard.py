"""When clipping changes nothing: an argument made of base columns that all lie in their bounds lies in its own.

DuckDB knows the extremes of every column, so it answers whether they do at no cost, while clipping each value of a sum
costs as much as the sum. The statement that does not clip says, in the same snapshot, whether it had to.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from sqlglot import exp

from privacy.policy.algebra import Join, Node, Project, Scan
from privacy.policy.compile.blocks import Names, selected_from
from privacy.policy.compile.scalars import any_holds
from privacy.policy.compile.spelling import Engine
from privacy.policy.expressions import (
    Arithmetic,
    Attribute,
    Choose,
    Const,
    Expression,
    FirstKnown,
    Read,
    Rescaled,
)

Place = tuple[str, Attribute]  # a relation and one of its columns
Made = Mapping[Attribute, "Place | Expression"]


def made_of(node: Node) -> Made:
    """Return what each attribute below a node is: a column of a relation, or an expression; figures are absent."""
    return dict(_made(node))


def _made(node: Node) -> Iterator[tuple[Attribute, "Place | Expression"]]:
    for one in node.inputs:
        yield from _made(one)
    if isinstance(node, Scan):
        yield from ((one, (node.relation.name, one)) for one in node.columns)
    elif isinstance(node, Project):
        yield from ((one, value) for one, value in node.items if one not in node.kept)
    elif isinstance(node, Join):
        yield from ((new, Read(old)) for old, new in node.padded)


def places_of(value: Expression, made: Made) -> frozenset[Place] | None:
    """Return the columns whose bounds bound a value; None where something else does."""
    if isinstance(value, Const):
        return frozenset()
    if isinstance(value, Read):
        return _place(value.attribute, made)
    if isinstance(value, Choose):
        return _all([*(one for _, one in value.cases), value.otherwise], made)
    if isinstance(value, Arithmetic | Rescaled | FirstKnown):
        return _all(value.parts, made)
    return None


def _place(attribute: Attribute, made: Made) -> frozenset[Place] | None:
    found = made.get(attribute)
    if isinstance(found, Expression):
        return places_of(found, made)
    if found is None or attribute.bounds is None or attribute.kind == "date":
        return None
    return frozenset({found})


def _all(parts: Sequence[Expression], made: Made) -> frozenset[Place] | None:
    found: set[Place] = set()
    for one in parts:
        places = places_of(one, made)
        if places is None:
            return None
        found |= places
    return frozenset(found)


def outside(places: Iterable[Place], names: Names) -> exp.Expr:
    """Return whether any row has a value out of bounds in one of these columns."""
    relations: dict[str, list[Attribute]] = {}
    for relation, one in sorted(places, key=lambda place: (place[0], place[1].name)):
        relations.setdefault(relation, []).append(one)
    found: list[exp.Expr] = [exp.Exists(this=_broken(*one, names)) for one in relations.items()]
    return any_holds(found)


def _broken(relation: str, columns: Sequence[Attribute], names: Names) -> exp.Select:
    engine = names.engine
    conditions = [one for column in dict.fromkeys(columns) for one in _beyond(column, engine)]
    return selected_from(names.table(relation), any_holds(conditions))


def _beyond(column: Attribute, engine: Engine) -> Sequence[exp.Expr]:
    assert column.bounds is not None
    low, high = (engine.number(end, column.scale) for end in column.bounds)
    name = exp.Column(this=exp.Identifier(this=column.name, quoted=True))
    return [exp.LT(this=name, expression=low), exp.GT(this=name.copy(), expression=high)]

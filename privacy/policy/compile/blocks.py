"""Nodes become SELECTs: joins and filters of one block stay in one, so that an engine is free in their order."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import singledispatch

from sqlglot import exp

from privacy.policy.algebra import (
    Filter,
    Group,
    Join,
    Keys,
    Node,
    Project,
    PublicValue,
    Scan,
    SemiJoin,
    UnionAll,
)
from privacy.policy.compile.figures import inner_figure
from privacy.policy.compile.narrowing import narrowed, pushed
from privacy.policy.compile.scalars import Scalars, all_hold
from privacy.policy.compile.spelling import Engine
from privacy.policy.expressions import Attribute, Attributes, Expression, Read, conjuncts

Columns = Mapping[Attribute, exp.Expr]


@dataclass(frozen=True)
class Names:
    """The names of one statement: relations as they are called there, aliases and columns by number."""

    engine: Engine
    tables: Mapping[str, str]
    attributes: dict[Attribute, str] = field(default_factory=dict)
    aliases: list[str] = field(default_factory=list)

    def column(self, attribute: Attribute) -> str:
        """Return the name of an attribute: c1, c2 … in the order of first appearance."""
        return self.attributes.setdefault(attribute, f"c{len(self.attributes) + 1}")

    def alias(self) -> str:
        """Return a name that nothing in the statement has."""
        self.aliases.append(f"t{len(self.aliases) + 1}")
        return self.aliases[-1]

    def table(self, relation: str) -> exp.Table:
        """Return a relation, in its database schema where it has one."""
        *schema, name = self.tables.get(relation, relation).split(".")
        return exp.Table(this=_quoted(name), db=_quoted(schema[0]) if schema else None)

    def scalars(self, columns: Columns) -> Scalars:
        """Return how expressions over some columns are spelled."""
        return Scalars(self.engine, columns, self._public)

    def _public(self, value: PublicValue) -> exp.Expr:
        block = block_of(value.node, frozenset({value.attribute}), self)
        return exp.Subquery(this=selected(block, [block.columns[value.attribute]]))


@dataclass(frozen=True)
class Source:
    """A relation or a SELECT in FROM; one with `on` is the far side of a left join."""

    table: exp.Expr
    on: exp.Expr | None = None


@dataclass(frozen=True)
class Block:
    """A SELECT without its list: sources, conditions, and what each attribute is there."""

    sources: tuple[Source, ...]
    columns: Columns
    where: tuple[exp.Expr, ...] = ()
    computed: Attributes = frozenset()  # spelled out wherever they are read

    @property
    def padded(self) -> bool:
        """Whether it has a left join, so that its sources must stay in order."""
        return any(one.on is not None for one in self.sources)


def selected(block: Block, items: Sequence[exp.Expr], groups: Sequence[exp.Expr] = ()) -> exp.Select:
    """Return the SELECT of some items."""
    first, *others = block.sources
    joins = [
        exp.Join(this=one.table, on=exp.Boolean(this=True))
        if one.on is None
        else exp.Join(this=one.table, side="LEFT", on=one.on)
        for one in others
    ]
    found = exp.Select(expressions=list(items), from_=exp.From(this=first.table), joins=joins)
    if block.where:
        found.set("where", exp.Where(this=all_hold(block.where)))
    if groups:
        found.set("group", exp.Group(expressions=[one.copy() for one in groups]))
    return found


def selected_from(table: exp.Expr, condition: exp.Expr) -> exp.Select:
    """Return a SELECT that has a row for each row of a table for which a condition holds."""
    return selected(Block((Source(table),), {}, (condition,)), [_one()])


def aliased(value: exp.Expr, name: str) -> exp.Expr:
    """Return a value under a name."""
    return exp.Alias(this=value, alias=exp.Identifier(this=name, quoted=True))


@singledispatch
def block_of(node: Node, wanted: Attributes, names: Names) -> Block:
    """Return the block whose rows are those of a node, with at least the wanted attributes."""
    raise TypeError(f"{type(node).__name__} is no node of the algebra")


@block_of.register
def _scan(node: Scan, wanted: Attributes, names: Names) -> Block:
    alias = names.alias()
    table = names.table(node.relation.name)
    table.set("alias", exp.TableAlias(this=_quoted(alias)))
    columns = {
        one: names.engine.scanned(_column(alias, name), node.relation.columns[name])
        for name, one in node.named.items()
        if one in wanted
    }
    return Block((Source(table),), columns)


@block_of.register
def _filter(node: Filter, wanted: Attributes, names: Names) -> Block:
    below = pushed(node)
    if below is not node:
        return block_of(below, wanted, names)
    block = block_of(node.child, wanted | node.predicate.reads, names)
    scalars = names.scalars(block.columns)
    return replace(block, where=(*block.where, *map(scalars, conjuncts(node.predicate))))


@block_of.register
def _project(node: Project, wanted: Attributes, names: Names) -> Block:
    items = [(one, value) for one, value in node.items if one in wanted]
    reads = _reads(value for _, value in items)
    block = block_of(node.child, reads, names)
    computed = [(one, value) for one, value in items if not isinstance(value, Read)]
    if any(value.reads & block.computed for _, value in computed):
        # Spelled out within each other they could double with every level.
        block = _within(block, reads, names)
    scalars = names.scalars(block.columns)
    kept = frozenset(one for one, value in items if value.reads & block.computed)
    return replace(
        block,
        columns={one: scalars(value) for one, value in items},
        computed=kept.union(one for one, _ in computed),
    )


@block_of.register
def _join(node: Join, wanted: Attributes, names: Names) -> Block:
    rest = node.residual.reads if node.residual is not None else frozenset()
    back = {new: old for old, new in node.padded}
    reads = rest.union(*node.keys, (back.get(one, one) for one in wanted))
    sides = narrowed(node) if node.kind == "inner" else (node.left, node.right)
    left, right = (block_of(side, reads & frozenset(side.attributes), names) for side in sides)
    if node.kind == "left":
        return _left_joined(node, left, right, names)
    if right.padded and not left.padded:
        left, right = right, left
    right = _within(right, frozenset(right.columns), names) if right.padded else right
    columns = {**left.columns, **right.columns}
    conditions = _equal(node.keys, columns)
    if node.residual is not None:
        conditions.append(names.scalars(columns)(node.residual))
    return Block(
        (*left.sources, *right.sources),
        columns,
        (*left.where, *right.where, *conditions),
        left.computed | right.computed,
    )


def _left_joined(node: Join, left: Block, right: Block, names: Names) -> Block:
    if len(right.sources) > 1 or right.computed & frozenset(right.columns):
        # A computed column could be something else than NULL where there is no partner.
        right = _within(right, frozenset(right.columns), names)
    both = {**left.columns, **right.columns}
    on = [*_equal(node.keys, both), *right.where]
    if node.residual is not None:
        on += map(names.scalars(both), conjuncts(node.residual))
    padded = {new: right.columns[old] for old, new in node.padded if old in right.columns}
    return replace(
        left,
        sources=(*left.sources, Source(right.sources[0].table, all_hold(on))),
        columns={**left.columns, **padded},
    )


@block_of.register
def _semi_join(node: SemiJoin, wanted: Attributes, names: Names) -> Block:
    rest = node.residual.reads if node.residual is not None else frozenset()
    reads = rest.union(*node.keys)
    ours = frozenset(node.left.attributes)
    left = block_of(node.left, wanted | (reads & ours), names)
    right = block_of(node.right, reads & frozenset(node.right.attributes), names)
    if not node.anti and node.residual is None and len(node.keys) == 1:
        ((own, other),) = node.keys
        listed = exp.Subquery(this=selected(right, [right.columns[other].copy()]))
        return _where(left, exp.Paren(this=exp.In(this=left.columns[own].copy(), query=listed)))
    columns = {**left.columns, **right.columns}
    conditions = [*right.where, *_equal(node.keys, columns)]
    if node.residual is not None:
        conditions += map(names.scalars(columns), conjuncts(node.residual))
    some = exp.Exists(this=selected(replace(right, where=tuple(conditions)), [_one()]))
    return _where(left, exp.Not(this=some) if node.anti else some)


@block_of.register
def _union_all(node: UnionAll, wanted: Attributes, names: Names) -> Block:
    places = [at for at, one in enumerate(node.columns) if one in wanted]
    titles = [names.column(node.columns[at]) for at in places]
    sides = [_side(one, [one.attributes[at] for at in places], titles, names) for one in node.inputs]
    union = exp.Union(this=sides[0], expression=sides[1], distinct=False)
    return _derived(union, {node.columns[at]: title for at, title in zip(places, titles, strict=True)}, names)


def _side(node: Node, columns: Sequence[Attribute], titles: Sequence[str], names: Names) -> exp.Select:
    block = block_of(node, frozenset(columns), names)
    values = [block.columns[one].copy() for one in columns]
    items = [aliased(value, title) for value, title in zip(values, titles, strict=True)]
    return selected(block, items or [aliased(_one(), "one")])


@block_of.register
def _group(node: Group, wanted: Attributes, names: Names) -> Block:
    figures = [one for one in node.aggregates if one.attribute in wanted]
    arguments = [one.argument for one in figures if one.argument is not None]
    block = grouped_block(node.child, node.keys, arguments, names)
    scalars = names.scalars(block.columns)
    items = {one: block.columns[one].copy() for one in node.keys if one in wanted}
    items.update({one.attribute: inner_figure(one, scalars) for one in figures})
    keys = [block.columns[one] for one in node.keys]
    # Without keys and figures there is one row: COUNT(*) sees to it.
    nothing = [aliased(_one() if keys else exp.Count(this=exp.Star()), "one")]
    titled = [aliased(value, names.column(one)) for one, value in items.items()]
    return _derived(
        selected(block, titled or nothing, keys), {one: names.column(one) for one in items}, names
    )


def grouped_block(
    child: Node, keys: Sequence[Attribute], arguments: Sequence[Expression], names: Names
) -> Block:
    """Return the block that is grouped: no key is a literal, which GROUP BY would take for a position."""
    reads = _reads(arguments).union(keys)
    block = block_of(child, reads, names)
    return _within(block, reads, names) if block.computed.intersection(keys) else block


def _within(block: Block, wanted: Attributes, names: Names) -> Block:
    """Return the block as a SELECT of its own in FROM, where each wanted attribute is a plain column."""
    kept = [one for one in block.columns if one in wanted]
    items = [aliased(block.columns[one].copy(), names.column(one)) for one in kept]
    query = selected(block, items or [aliased(_one(), "one")])
    return _derived(query, {one: names.column(one) for one in kept}, names)


def _derived(query: exp.Query, columns: Mapping[Attribute, str], names: Names) -> Block:
    alias = names.alias()
    source = exp.Subquery(this=query, alias=exp.TableAlias(this=_quoted(alias)))
    return Block((Source(source),), {one: _column(alias, name) for one, name in columns.items()})


def _where(block: Block, condition: exp.Expr) -> Block:
    return replace(block, where=(*block.where, condition))


def _equal(keys: Keys, columns: Columns) -> list[exp.Expr]:
    return [exp.EQ(this=columns[a].copy(), expression=columns[b].copy()) for a, b in keys]


def _reads(values: Iterable[Expression]) -> Attributes:
    return frozenset().union(*(one.reads for one in values))


def _one() -> exp.Expr:
    return exp.Literal.number("1")


def _quoted(name: str) -> exp.Identifier:
    return exp.Identifier(this=name, quoted=True)


def _column(alias: str, name: str) -> exp.Expr:
    return exp.Column(this=_quoted(name), table=_quoted(alias))

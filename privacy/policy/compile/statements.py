"""The statements of a query: figures of the groups that exist, values for quantiles, public keys, public values."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlglot import exp

from privacy.policy.algebra import Filter, Group, Node, Project, Root
from privacy.policy.compile.blocks import Block, Names, aliased, block_of, grouped_block, selected
from privacy.policy.compile.figures import Limb, count, square_limbs, sum_limbs
from privacy.policy.compile.guard import Place, made_of, outside, places_of
from privacy.policy.compile.reading import Cells, Execute, cells_read, units_read
from privacy.policy.compile.spelling import Dialect, Engine
from privacy.policy.expressions import Attribute, Expression, IsNull, Not, Read
from privacy.policy.keys import FromRelation
from privacy.policy.sensitivity import Part, Sensitivity

Ranked = Mapping[int, int]  # how many rows have a value


@dataclass(frozen=True, slots=True)
class Measure:
    """A number of each group: two figures that need the same share it."""

    figure: str
    argument: Expression | None
    distinct: bool = False


def measure_of(sensitivity: Sensitivity, part: Part) -> Measure:
    """Return the number that a part of a figure is."""
    one = sensitivity.aggregate
    if part.figure != "count":
        return Measure(part.figure, one.argument)
    told = one.argument is not None and (one.argument.nullable or one.distinct)
    return Measure("count", one.argument if told else None, one.distinct)


@dataclass(frozen=True)
class Compiler:
    """Compiles for one engine; `tables` names the relations that are called otherwise there."""

    dialect: Dialect
    tables: Mapping[str, str] = field(default_factory=dict)

    @property
    def engine(self) -> Engine:
        """The engine."""
        return Engine(self.dialect)

    def figures(self, root: Root, measures: Sequence[Measure]) -> "Figures":
        """Return the statement of some measures of a root."""
        found = {one: _places(one, root.child) for one in measures} if self.dialect == "duckdb" else {}
        places = [one for one in found.values() if one]
        if not places:
            return self._figures(root, measures)
        trusted = frozenset(one for one, known in found.items() if known is not None)
        guard = outside(frozenset().union(*places), self._names())
        trusting = self._figures(root, measures, trusted, guard)
        return replace(trusting, clipped=lambda: self._figures(root, measures))

    def _figures(
        self,
        root: Root,
        measures: Sequence[Measure],
        trusted: frozenset[Measure] = frozenset(),
        guard: exp.Expr | None = None,
    ) -> "Figures":
        names = self._names()
        block = _measured(root, measures, names)
        found = {one: _limbs(one, block, names, clip=one not in trusted) for one in measures}
        values = [limb.sql for limbs in found.values() for limb in limbs]
        items = [
            *(block.columns[one].copy() for one in root.keys),
            *values,
            *([] if guard is None else [guard]),
        ]
        titled = [aliased(one, f"v{at}") for at, one in enumerate(items, 1)]
        query = selected(block, titled, [block.columns[one] for one in root.keys])
        return Figures(self.engine, root.keys, dict(_weighed(found, len(root.keys))), self._text(query))

    def ranks(self, root: Root, argument: Expression) -> "Ranks":
        """Return the statement of how many rows of each group have which value."""
        value = argument.attribute if isinstance(argument, Read) else _fresh(argument)
        kept = tuple((one, Read(one)) for one in root.keys)
        child = Project(root.child, (*kept, *(() if value in root.keys else ((value, argument),))))
        known = Filter(child, Not(IsNull(Read(value)))) if argument.nullable else child
        names = self._names()
        block = grouped_block(known, (*root.keys, value), (), names)
        columns = [block.columns[one] for one in (*root.keys, value)]
        items = [*(one.copy() for one in columns), exp.Count(this=exp.Star())]
        titled = [aliased(one, f"v{at}") for at, one in enumerate(items, 1)]
        return Ranks(self.engine, root.keys, value, self._text(selected(block, titled, columns)))

    def keys(self, source: FromRelation, most: int) -> "Rows":
        """Return the statement of the keys that relations list; of too many it gives one more than `most`."""
        distinct = Group(source.node, tuple(dict.fromkeys(source.columns)), ())
        return self._rows(distinct, source.columns, most + 1)

    def rows(self, node: Node) -> "Rows":
        """Return the statement of all rows of a node that is the same in both worlds."""
        return self._rows(node, node.attributes)

    def _rows(self, node: Node, columns: Sequence[Attribute], most: int | None = None) -> "Rows":
        names = self._names()
        block = block_of(node, frozenset(columns), names)
        items = [aliased(block.columns[one].copy(), f"v{at}") for at, one in enumerate(columns, 1)]
        query = selected(block, items)
        if most is not None:
            query.set("limit", exp.Limit(expression=exp.Literal.number(str(most))))
        return Rows(self.engine, tuple(columns), self._text(query))

    def _names(self) -> Names:
        return Names(self.engine, self.tables)

    def _text(self, query: exp.Expr) -> str:
        return query.sql(dialect=self.dialect, identify=True, copy=False)


@dataclass(frozen=True, slots=True)
class Weighed:
    """Where a limb stands in a row, and its weight."""

    at: int
    weight: int


@dataclass(frozen=True)
class Figures:
    """A statement that gives the measures of every group that has rows.

    Where there is a `clipped` one, `sql` does not clip and says in its last column whether a base column is out of
    bounds; then the other is run instead.
    """

    engine: Engine
    keys: tuple[Attribute, ...]
    limbs: Mapping[Measure, tuple[Weighed, ...]]
    sql: str
    clipped: "Callable[[], Figures] | None" = None

    def measured(self, execute: Execute) -> Mapping[Measure, Mapping[Cells, int]]:
        """Return every measure by group."""
        rows = list(execute(self.sql))
        if self.clipped is not None and any(row[-1] for row in rows):
            return self.clipped().measured(execute)
        keyed = [(cells_read(row[: len(self.keys)], self.keys, self.engine), row) for row in rows]
        return {one: {key: _total(row, limbs) for key, row in keyed} for one, limbs in self.limbs.items()}


@dataclass(frozen=True)
class Ranks:
    """A statement that gives how many rows of each group have which value."""

    engine: Engine
    keys: tuple[Attribute, ...]
    value: Attribute
    sql: str

    def measured(self, execute: Execute) -> Mapping[Cells, Ranked]:
        """Return the values by group; days by their ordinals."""
        found: dict[Cells, dict[int, int]] = {}
        for *key, raw, number in execute(self.sql):
            (value,) = cells_read([raw], [self.value], self.engine)
            cells = cells_read(key, self.keys, self.engine)
            found.setdefault(cells, {})[_ordinal(value)] = units_read(number, 1)
        return found


@dataclass(frozen=True)
class Rows:
    """A statement that gives rows as they are."""

    engine: Engine
    columns: tuple[Attribute, ...]
    sql: str

    def read(self, execute: Execute) -> Sequence[Cells]:
        """Return the rows."""
        return [cells_read(row, self.columns, self.engine) for row in execute(self.sql)]


def _places(one: Measure, child: Node) -> frozenset[Place] | None:
    if one.figure == "count" or one.argument is None:
        return frozenset()
    return places_of(one.argument, made_of(child))


def _measured(root: Root, measures: Sequence[Measure], names: Names) -> Block:
    arguments = [one.argument for one in measures if one.argument is not None]
    return grouped_block(root.child, root.keys, arguments, names)


def _limbs(one: Measure, block: Block, names: Names, *, clip: bool) -> Sequence[Limb]:
    scalars = names.scalars(block.columns)
    if one.figure == "count":
        return [Limb(count(one.argument, scalars, distinct=one.distinct), 1)]
    assert one.argument is not None
    return (sum_limbs if one.figure == "sum" else square_limbs)(one.argument, scalars, clip=clip)


def _weighed(
    found: Mapping[Measure, Sequence[Limb]], start: int
) -> Iterator[tuple[Measure, tuple[Weighed, ...]]]:
    for one, limbs in found.items():
        yield one, tuple(Weighed(start + at, limb.weight) for at, limb in enumerate(limbs))
        start += len(limbs)


def _total(row: Sequence[Any], limbs: Sequence[Weighed]) -> int:
    # The sum of nothing is NULL.
    return sum(units_read(row[one.at], one.weight) for one in limbs if row[one.at] is not None)


def _fresh(argument: Expression) -> Attribute:
    return Attribute("value", argument.kind, argument.scale, argument.nullable, argument.bounds)


def _ordinal(value: Any) -> int:
    return value if isinstance(value, int) else int(value.toordinal())

"""Whether data keeps what its schema declares: one question a constraint, each answered yes or no."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from privacy.policy.labels import Policy
from privacy.policy.schema import Column, ForeignKey, Relation, Schema
from privacy.policy.values import Value
from surveys.sources.connecting import Dialect, Reach

# SQLite keeps any type in any column: these are what a value of a kind may be.
_STORED = {
    "integer": ("integer",),
    "decimal": ("integer", "real"),
    "text": ("text",),
    "date": ("text",),
    "boolean": ("integer",),
}


@dataclass(frozen=True, slots=True)
class Constraint:
    """One declared constraint, and SQL that gives a row where the data breaks it."""

    told: str
    broken: str


@dataclass(frozen=True, slots=True)
class Names:
    """How relations are written in SQL: as the tables that they are."""

    tables: dict[str, str]

    def table(self, relation: str) -> str:
        """Return the quoted table of a relation, with its schema where it has one."""
        return ".".join(map(quoted, self.tables.get(relation, relation).split(".")))


def quoted(name: str) -> str:
    """Return a name as every dialect quotes it."""
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def first_broken(reach: Reach, schema: Schema, policies: list[Policy], tables: dict[str, str]) -> str | None:
    """Return the first constraint that the data breaks, in words without figures, or None where all hold.

    Raises whatever the driver raises where a table or column is not there.
    """
    cursor = reach.raw.cursor()
    for constraint in constraints_of(schema, policies, Names(tables), reach.dialect):
        cursor.execute(f"SELECT 1 FROM ({constraint.broken}) AS broken LIMIT 1")
        if cursor.fetchone() is not None:
            return constraint.told
    return None


def constraints_of(
    schema: Schema, policies: list[Policy], names: Names, dialect: Dialect
) -> Iterator[Constraint]:
    """Give every declared constraint of a schema and of the policies over it."""
    for relation in schema.relations.values():
        table = names.table(relation.name)
        for column in relation.columns.values():
            yield from _column(relation.name, column, table, dialect)
        if relation.key:
            yield _rows(relation.name, "key", relation.key, 1, table, needed=True)
        for edge in relation.foreign_keys:
            yield from _edge(relation, edge, names)
    for policy in policies:
        for name, most in policy.caps.items():
            yield _cap(policy, name, most, names)


def _column(relation: str, column: Column, table: str, dialect: Dialect) -> Iterator[Constraint]:
    name, place = quoted(column.name), f"{relation}.{column.name}"

    def where(told: str, condition: str) -> Constraint:
        return Constraint(f"{place}: {told}", f"SELECT 1 FROM {table} WHERE {condition}")

    if not column.nullable:
        yield where("is never NULL", f"{name} IS NULL")
    if dialect == "sqlite":
        stored = ", ".join(f"'{one}'" for one in _STORED[column.kind])
        yield where(f"is of type {column.kind}", f"{name} IS NOT NULL AND typeof({name}) NOT IN ({stored})")
        if column.kind == "date":
            # Only with a modifier does SQLite see that there is no 30 February.
            yield where("is a date", f"{name} IS NOT NULL AND date({name}, '+0 days') IS NOT {name}")
        if column.kind == "boolean":
            yield where("is true or false", f"{name} NOT IN (0, 1)")
    if column.bounds is not None:
        low, high = (_literal(_end(one, column), column, dialect) for one in column.bounds)
        yield where("lies within its bounds", f"{name} < {low} OR {name} > {high}")
    if column.domain is not None and not _whole_range(column):
        listed = ", ".join(_literal(one, column, dialect) for one in column.domain)
        yield where("has a value of its domain", f"{name} NOT IN ({listed})")


def _edge(relation: Relation, edge: ForeignKey, names: Names) -> Iterator[Constraint]:
    told = f"({', '.join(edge.columns)}) → {edge.parent}"
    child, parent = names.table(relation.name), names.table(edge.parent)
    same = " AND ".join(
        f"p.{quoted(to)} = c.{quoted(own)}" for own, to in zip(edge.columns, edge.to, strict=True)
    )
    there = " AND ".join(f"c.{quoted(own)} IS NOT NULL" for own in edge.columns)
    yield Constraint(
        f"{relation.name}: {told} leads to a row",
        f"SELECT 1 FROM {child} AS c WHERE {there} AND NOT EXISTS (SELECT 1 FROM {parent} AS p WHERE {same})",
    )
    if edge.max_rows is not None:
        yield _rows(relation.name, f"{told}, max_rows", edge.columns, edge.max_rows, child)


def _rows(
    relation: str, told: str, columns: tuple[str, ...], most: int, table: str, *, needed: bool = False
) -> Constraint:
    by = ", ".join(map(quoted, columns))
    # Rows whose foreign key is NULL have no parent to share.
    there = "" if needed else f" WHERE {' AND '.join(f'{quoted(one)} IS NOT NULL' for one in columns)}"
    shown = f"({', '.join(columns)})" if told == "key" else ""
    return Constraint(
        f"{relation}: {told}{shown}",
        f"SELECT 1 FROM {table}{there} GROUP BY {by} HAVING COUNT(*) > {most}",
    )


def _cap(policy: Policy, name: str, most: int, names: Names) -> Constraint:
    told = f"{name}: max_rows_per_entity of {policy.entity}"
    relation = policy.schema.relations[name]
    if not relation.key and name != policy.entity:
        # Without a key no row can be told from another: the declaration cannot be checked, so it does not hold.
        return Constraint(f"{told} (it has no key)", "SELECT 1")
    entity = policy.schema.relations[policy.entity]
    keys = ", ".join(f"o{at}" for at in range(len(entity.key)))
    owned = _owned(policy, name, names)
    return Constraint(told, f"SELECT 1 FROM ({owned}) AS owned GROUP BY {keys} HAVING COUNT(*) > {most}")


def _owned(policy: Policy, name: str, names: Names) -> str:
    """Return SQL for the pairs of an entity (o0, o1 …) and a row that it owns (r0, r1 …), each once."""
    entity, relation = policy.schema.relations[policy.entity], policy.schema.relations[name]
    ways = []
    if name == policy.entity:
        own = [f"{quoted(one)} AS o{at}" for at, one in enumerate(entity.key)]
        row = [f"{quoted(one)} AS r{at}" for at, one in enumerate(entity.key)]
        ways.append(f"SELECT {', '.join([*own, *row])} FROM {names.table(name)}")
    for edge in relation.foreign_keys:
        if policy.owned[edge.parent] > 0:
            ways.append(_through(policy, relation, edge, names))
    return " UNION ".join(ways) if ways else "SELECT NULL AS o0 WHERE 1 = 0"


def _through(policy: Policy, relation: Relation, edge: ForeignKey, names: Names) -> str:
    entity, parent = policy.schema.relations[policy.entity], policy.schema.relations[edge.parent]
    at = {column: place for place, column in enumerate(parent.key)}
    same = " AND ".join(
        f"c.{quoted(own)} = p.r{at[to]}" for own, to in zip(edge.columns, edge.to, strict=True)
    )
    owners = [f"p.o{place}" for place in range(len(entity.key))]
    row = [f"c.{quoted(one)} AS r{place}" for place, one in enumerate(relation.key)]
    above = _owned(policy, edge.parent, names)
    shown = ", ".join([*owners, *row])
    return f"SELECT {shown} FROM {names.table(relation.name)} AS c JOIN ({above}) AS p ON {same}"


def _whole_range(column: Column) -> bool:
    """Say whether the bounds say everything that a long list of whole numbers would."""
    if column.kind != "integer" or column.bounds is None or column.domain is None:
        return False
    return len(column.domain) == column.bounds[1] - column.bounds[0] + 1


def _end(value: int, column: Column) -> Value:
    return date.fromordinal(value) if column.kind == "date" else value


def _literal(value: Value, column: Column, dialect: Dialect) -> str:
    if isinstance(value, bool):
        return str(int(value)) if dialect == "sqlite" else str(value).upper()
    if isinstance(value, int):
        return str(value) if column.scale == 0 else f"{Decimal(value).scaleb(-column.scale):f}"
    if isinstance(value, date):
        return f"'{value.isoformat()}'" if dialect == "sqlite" else f"DATE '{value.isoformat()}'"
    return "'" + value.replace("'", "''") + "'"

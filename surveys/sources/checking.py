"""Whether data keeps what its schema declares: one question a constraint, each answered yes or no."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext_noop

from privacy.policy.labels import Policy
from privacy.policy.schema import LEAST, MOST, Column, ForeignKey, Relation, Schema
from privacy.policy.values import Value
from surveys.sources.connecting import Reach
from surveys.sources.declared import first_undeclared
from surveys.sources.owning import owned_rows
from surveys.sources.spelling import Spelling, quoted

NULL = gettext_noop("is never NULL")
TYPE = gettext_noop("has values of its type only")
DAY = gettext_noop("holds days from the year 1 to the year 9999, written as 1998-12-01")
DIGITS = gettext_noop("has no more digits after the point than declared")
SIZE = gettext_noop("fits into 64 bits, and is a number")
BOUNDS = gettext_noop("lies within its bounds")
DOMAIN = gettext_noop("has a value of its domain")
KEY = gettext_noop("no two rows share a key")
LEADS = gettext_noop("leads to a row")
MAX_ROWS = gettext_noop("at most max_rows rows share a parent")
CAP = gettext_noop("an entity owns at most max_rows_per_entity rows")
CAP_UNSEEN = gettext_noop("max_rows_per_entity of rows without a key cannot be checked")

# SQLite keeps any type in any column: these are what a value of a kind may be.
_STORED = {
    "integer": ("integer",),
    "decimal": ("integer", "real"),
    "text": ("text",),
    "date": ("text",),
    "boolean": ("integer",),
}
# What SQLite's floating numbers hold exactly.
_EXACT = 2**53


@dataclass(frozen=True, slots=True)
class Constraint:
    """One declared constraint: of what, its promise, and SQL that gives a row where the data breaks it."""

    place: str
    promise: str
    broken: str

    @property
    def told(self) -> str:
        """The place and the promise, in words without figures."""
        return f"{self.place}: {self.promise}"


def first_broken(
    reach: Reach, schema: Schema, policies: Sequence[Policy], tables: Mapping[str, str]
) -> str | None:
    """Return the first constraint that the data breaks, in words without figures, or None where all hold.

    Raises whatever the driver raises where a table is not there.
    """
    spelling = Spelling(reach.dialect, tables)
    undeclared = first_undeclared(reach, schema, spelling)
    if undeclared is not None:
        return undeclared
    for constraint in constraints_of(schema, policies, spelling):
        if reach.rows(f"SELECT 1 FROM ({constraint.broken}) AS broken LIMIT 1"):
            return constraint.told
    return None


def constraints_of(schema: Schema, policies: Sequence[Policy], spelling: Spelling) -> Iterator[Constraint]:
    """Give every declared constraint of a schema and of the policies over it, those of values first."""
    relations = schema.relations.values()
    for relation in relations:
        for column in relation.columns.values():
            yield from _column(relation, column, spelling)
    for relation in relations:
        if relation.key:
            place = f"{relation.name} ({', '.join(relation.key)})"
            yield Constraint(place, KEY, _shared(relation, relation.key, 1, spelling))
    for relation in relations:
        for edge in relation.foreign_keys:
            yield from _edge(relation, edge, schema, spelling)
    for policy in policies:
        for name, most in policy.caps.items():
            yield _cap(policy, name, most, spelling)


def _column(relation: Relation, column: Column, spelling: Spelling) -> Iterator[Constraint]:
    place, table = f"{relation.name}.{column.name}", spelling.table(relation.name)

    def where(promise: str, condition: str) -> Constraint:
        return Constraint(place, promise, f"SELECT 1 FROM {table} WHERE {condition}")

    name = quoted(column.name)
    if not column.nullable:
        yield where(NULL, f"{name} IS NULL")
    if spelling.dialect == "sqlite":
        stored = ", ".join(f"'{one}'" for one in _STORED[column.kind])
        yield where(TYPE, f"{name} IS NOT NULL AND typeof({name}) NOT IN ({stored})")
    yield from (where(*one) for one in _kind(column, name, spelling))
    value = spelling.read(column)
    if column.bounds is not None:
        low, high = (spelling.literal(_end(one, column), column) for one in column.bounds)
        yield where(BOUNDS, f"{value} < {low} OR {value} > {high}")
    if column.domain is not None and not _whole_range(column):
        listed = ", ".join(spelling.literal(one, column) for one in column.domain)
        yield where(DOMAIN, f"{value} NOT IN ({listed})")


def _kind(column: Column, name: str, spelling: Spelling) -> Iterator[tuple[str, str]]:
    """Give what values of a kind keep, and the condition under which one does not."""
    in_sqlite = spelling.dialect == "sqlite"
    if column.kind == "boolean" and in_sqlite:
        yield TYPE, f"{name} NOT IN (0, 1)"
    if column.kind == "date":
        first, last = (spelling.literal(one, column) for one in (date.min, date.max))
        # Only with a modifier does SQLite see that there is no 30 February.
        same = f" OR date({name}, '+0 days') IS NOT {name}" if in_sqlite else ""
        yield DAY, f"{name} IS NOT NULL AND ({name} < {first} OR {name} > {last}{same})"
    if column.kind == "decimal":
        unit = 10**column.scale
        least, most = (-_EXACT, _EXACT) if in_sqlite else (LEAST, MOST)
        low, high = (f"{one // unit}" if one > 0 else f"-{-one // unit}" for one in (least, most))
        # In PostgreSQL NaN is more than every number; SQLite knows none.
        yield SIZE, f"{name} < {low} OR {name} > {high}"
        # The nearest floating number to a decimal is what this division gives.
        exact = f"ROUND({name} * {unit}) / {unit}.0" if in_sqlite else f"ROUND({name}, {column.scale})"
        yield DIGITS, f"{name} <> {exact}"


def _shared(relation: Relation, columns: Sequence[str], most: int, spelling: Spelling) -> str:
    by = ", ".join(spelling.columns(relation, columns))
    # Rows whose foreign key is NULL have no parent to share.
    there = " AND ".join(f"{quoted(one)} IS NOT NULL" for one in columns)
    return (
        f"SELECT 1 FROM {spelling.table(relation.name)} WHERE {there} GROUP BY {by} HAVING COUNT(*) > {most}"
    )


def _edge(relation: Relation, edge: ForeignKey, schema: Schema, spelling: Spelling) -> Iterator[Constraint]:
    place = f"{relation.name} ({', '.join(edge.columns)}) → {edge.parent}"
    child, parent = spelling.table(relation.name), spelling.table(edge.parent)
    own = spelling.columns(relation, edge.columns, "c")
    to = spelling.columns(schema.relations[edge.parent], edge.to, "p")
    same = " AND ".join(f"{there} = {here}" for here, there in zip(own, to, strict=True))
    there = " AND ".join(f'"c".{quoted(one)} IS NOT NULL' for one in edge.columns)
    yield Constraint(
        place,
        LEADS,
        f'SELECT 1 FROM {child} AS "c" WHERE {there} AND NOT EXISTS (SELECT 1 FROM {parent} AS "p" WHERE {same})',
    )
    if edge.max_rows is not None:
        yield Constraint(place, MAX_ROWS, _shared(relation, edge.columns, edge.max_rows, spelling))


def _cap(policy: Policy, name: str, most: int, spelling: Spelling) -> Constraint:
    place = f"{name} ({policy.entity})"
    if not policy.schema.relations[name].key:
        # Without a key no row can be told from another: the declaration cannot be checked, so it does not hold.
        return Constraint(place, CAP_UNSEEN, "SELECT 1")
    by = ", ".join(f"o{at}" for at in range(len(policy.schema.relations[policy.entity].key)))
    owned = owned_rows(policy, name, spelling)
    return Constraint(place, CAP, f"SELECT 1 FROM ({owned}) AS owned GROUP BY {by} HAVING COUNT(*) > {most}")


def _whole_range(column: Column) -> bool:
    """Say whether the bounds say everything that a long list of whole numbers would."""
    if column.kind != "integer" or column.bounds is None or column.domain is None:
        return False
    return len(column.domain) == column.bounds[1] - column.bounds[0] + 1


def _end(value: int, column: Column) -> Value:
    return date.fromordinal(value) if column.kind == "date" else value

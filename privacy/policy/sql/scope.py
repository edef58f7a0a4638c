"""Names: which attribute a column of the text means, within its SELECT or the one around it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol

from sqlglot import exp

from privacy.policy.algebra import Node
from privacy.policy.errors import QueryRefused
from privacy.policy.expressions import Attribute, Expression
from privacy.policy.labels import Policy
from privacy.policy.schema import Relation
from privacy.policy.sql.refusals import nearest, refused

Columns = tuple[tuple[str, Attribute], ...]
MOST_RELATIONS = 64
MOST_PARTS = 100


@dataclass(frozen=True)
class Source:
    """What FROM lists, under its name; `hidden` columns are those that USING merged into another's."""

    name: str
    columns: Columns
    hidden: frozenset[str] = frozenset()

    @cached_property
    def named(self) -> Mapping[str, tuple[Attribute, ...]]:
        """Its attributes by name; a name can stand for several."""
        found: dict[str, tuple[Attribute, ...]] = {}
        for name, one in self.columns:
            if one not in found.get(name, ()):
                found[name] = (*found.get(name, ()), one)
        return found

    def padded(self, new: Mapping[Attribute, Attribute]) -> "Source":
        """Return it with other attributes, as a left join gives them."""
        return replace(self, columns=tuple((name, new.get(one, one)) for name, one in self.columns))


@dataclass(frozen=True)
class Named:
    """A query of WITH: translated anew wherever it is named, because two readings are two relations."""

    query: exp.Expr
    names: tuple[exp.Expr, ...]
    tables: "Tables"


Tables = Mapping[str, Named]


@dataclass
class Reading:
    """One translation: the policy, and how much was read already."""

    policy: Policy
    relations: int = 0
    depth: int = 0

    @cached_property
    def named(self) -> Mapping[str, Relation]:
        """The relations by name, in small letters."""
        return {name.lower(): one for name, one in self.policy.schema.relations.items()}

    def enter(self, node: exp.Expr) -> None:
        """Go one level deeper into an expression, if that is not too deep; `leave` follows."""
        if self.depth >= MOST_PARTS:
            reason = f"an expression of more than {MOST_PARTS} parts within each other"
            raise refused(node, reason, "write it in a flatter form")
        self.depth += 1

    def leave(self) -> None:
        """Come back."""
        self.depth -= 1

    def count(self, node: exp.Expr) -> None:
        """Count one more relation that is read."""
        self.relations += 1
        if self.relations > MOST_RELATIONS:
            raise refused(node, f"the query reads relations more than {MOST_RELATIONS} times", "ask for less")


class Values(Protocol):
    """Parts of the text that have a value already, such as group keys and figures."""

    def value_of(self, node: exp.Expr) -> Expression | None:
        """Return it, or None."""


class Subqueries(Protocol):
    """Translates what holds a subquery; SELECTs and subqueries are within each other."""

    def rows(self, node: Node, asked: Sequence[exp.Expr], scope: "Scope") -> Node:
        """Return the rows for which conditions with subqueries hold."""

    def value(self, node: exp.Subquery, scope: "Scope") -> Expression:
        """Return the value of a subquery in an expression."""


@dataclass(frozen=True)
class Scope:
    """What can be named at a place of the text."""

    reading: Reading
    tables: Tables
    sources: tuple[Source, ...] = ()
    outer: "Scope | None" = None
    joined: Mapping[int, Expression] = field(default_factory=dict)  # values of subqueries, by their node's id
    groups: Values | None = None
    subqueries: Subqueries | None = None

    def attribute(self, column: exp.Column) -> Attribute:
        """Return the attribute that a column means, or raise QueryRefused where there is none or more than one."""
        name, table = column.name.lower(), column.table.lower()
        found = self.candidates(name, table)
        if len(found) > 1:
            raise refused(
                column, f"{column.name} is in several relations", "write the relation's name before it"
            )
        if found:
            return found[0]
        if self.outer is not None and self.outer.knows(name, table):
            return self.outer.attribute(column)
        raise self._unknown(column, name, table)

    def candidates(self, name: str, table: str) -> tuple[Attribute, ...]:
        """Return the attributes of this SELECT's own relations that a name can mean."""
        if table:
            own = (source for source in self.sources if source.name == table)
        else:
            own = (source for source in self.sources if name not in source.hidden)
        found: tuple[Attribute, ...] = ()
        for source in own:
            found += tuple(one for one in source.named.get(name, ()) if one not in found)
        return found

    def knows(self, name: str, table: str) -> bool:
        """Say whether a name means anything here or around."""
        return bool(self.candidates(name, table)) or (
            self.outer is not None and self.outer.knows(name, table)
        )

    def _unknown(self, column: exp.Column, name: str, table: str) -> QueryRefused:
        tables = {source.name for source in self.sources} - {""}
        if table and table not in tables:
            return refused(column, f"no relation is called {column.table} here", nearest(table, tables))
        known = {one for source in self.sources if table in ("", source.name) for one in source.named}
        return refused(column, f"there is no column {column.name}", nearest(name, known))

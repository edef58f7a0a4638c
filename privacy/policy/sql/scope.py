"""Names: which attribute a column of the text means, within its SELECT or the one around it."""

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from privacy.policy.errors import QueryRefused
from privacy.policy.expressions import Attribute


@dataclass
class Scope:
    """The columns of the relations in a FROM, by the names that they have there; `outer` is the SELECT around it."""

    outer: "Scope | None" = None
    sources: dict[str, Mapping[str, Attribute]] = field(default_factory=dict)

    def add(self, name: str, columns: Mapping[str, Attribute]) -> None:
        """Add a relation or a derived table under its name."""
        if name in self.sources:
            raise QueryRefused(f"two relations are called {name}", "give one of them another name with AS")
        self.sources[name] = columns

    def find(self, column: exp.Column) -> Attribute:
        """Return the attribute of a column, or raise QueryRefused where there is none or more than one."""
        name, table = column.name.lower(), column.table.lower()
        found = [
            attributes[name]
            for source, attributes in self.sources.items()
            if name in attributes and (not table or table == source)
        ]
        if len(found) > 1:
            raise QueryRefused(
                f"{column.name} is in several relations", "write the relation's name before it"
            )
        if found:
            return found[0]
        if self.outer is not None:
            return self.outer.find(column)
        raise QueryRefused(f"there is no column {column.sql()}", self._hint(name, table))

    def own(self) -> frozenset[Attribute]:
        """Return the attributes of this SELECT's own relations."""
        return frozenset(one for columns in self.sources.values() for one in columns.values())

    def _hint(self, name: str, table: str) -> str:
        if table and table not in self.sources:
            return f"no relation is called {table} here"
        return nearest(name, (one for columns in self.sources.values() for one in columns))


def nearest(name: str, known: Iterable[str]) -> str:
    """Return a hint that names what is most like a name."""
    like = difflib.get_close_matches(name, list(known), n=1)
    return f"did you mean {like[0]}?" if like else ""

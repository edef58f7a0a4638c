"""How checks are spelled: columns are read exactly as compiled queries read them, so that both see the same values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from privacy.policy.compile.spelling import Engine
from privacy.policy.schema import Column, Relation
from privacy.policy.values import Value
from surveys.sources.connecting import Dialect


@dataclass(frozen=True, slots=True)
class Spelling:
    """One engine's SQL, and the tables that relations are."""

    dialect: Dialect
    tables: Mapping[str, str]

    @property
    def engine(self) -> Engine:
        """The engine."""
        return Engine(self.dialect)

    def table(self, relation: str) -> str:
        """Return the quoted table of a relation, with its schema where it has one."""
        return ".".join(map(quoted, self.tables.get(relation, relation).split(".")))

    def read(self, column: Column, of: str = "") -> str:
        """Return a column as queries read it: texts byte by byte, SQLite's decimals in units."""
        name = exp.Column(this=_identifier(column.name), table=_identifier(of) if of else None)
        return self._text(self.engine.scanned(name, column))

    def columns(self, relation: Relation, names: Sequence[str], of: str = "") -> list[str]:
        """Return several columns of a relation."""
        return [self.read(relation.columns[one], of) for one in names]

    def literal(self, value: Value, column: Column) -> str:
        """Return a value of a column."""
        return self._text(self.engine.literal(value, column.kind, column.scale))

    def _text(self, node: exp.Expr) -> str:
        return node.sql(dialect=self.dialect, identify=True)


def quoted(name: str) -> str:
    """Return a name as every dialect quotes it."""
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def _identifier(name: str) -> exp.Identifier:
    return exp.Identifier(this=name, quoted=True)

"""The rows of a table as respondents, each judged by what the panel declares."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from surveys.errors import RowFinding
from surveys.imports.columns import REFERENCE
from surveys.imports.table import Table

LONGEST = 80  # characters of a reference or a value
_TOLD = 20  # of the values that are declared
Row = Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class Domain:
    """The values that a trait may have."""

    values: frozenset[str]
    told: str

    @classmethod
    def of(cls, values: Sequence[str]) -> "Domain":
        """Return the domain, with the words that name it once for all rows."""
        return cls(frozenset(values), ", ".join(values[:_TOLD]) + (", …" if len(values) > _TOLD else ""))


@dataclass(slots=True)
class Reader:
    """Reads one row after the other, and keeps the line on which each reference was met first."""

    fields: Sequence[str | None]
    domains: Mapping[str, Domain]
    lines: dict[str, int] = field(default_factory=dict)
    wrong: list[RowFinding] = field(default_factory=list)

    def read(self, table: Table) -> list[Row]:
        """Return every row; what is wrong is found in `wrong` afterwards."""
        read = {header for header, name in zip(table.headers, self.fields, strict=True) if name}
        unread = {(line, header): code for line, header, code in table.wrong if header in read}
        self.wrong += [RowFinding(line, header, code) for (line, header), code in unread.items()]
        return [self._row(table.headers, line, cells, unread) for line, cells in table.rows]

    def _row(
        self, headers: Sequence[str], line: int, cells: Sequence[str], unread: Mapping[tuple[int, str], str]
    ) -> Row:
        if len(cells) != len(headers):
            counts = (("count", len(cells)), ("expected", len(headers)))
            self.wrong.append(RowFinding(line, "", "cells-count", counts))
            return {}
        row: dict[str, str | None] = {}
        for header, name, cell in zip(headers, self.fields, cells, strict=True):
            if name is not None:
                row[name] = cell or None
                # A cell that could not be read was told of: what stands in it means nothing.
                if not unread or (line, header) not in unread:
                    self.wrong += self._cell_wrong(name, header, line, cell)
        return row

    def _cell_wrong(self, name: str, header: str, line: int, cell: str) -> Iterator[RowFinding]:
        if name == REFERENCE:
            yield from self._reference_wrong(header, line, cell)
        elif cell and cell not in self.domains[name].values:
            facts = (("value", cell[:LONGEST]), ("values", self.domains[name].told))
            yield RowFinding(line, header, "value-undeclared", facts)

    def _reference_wrong(self, header: str, line: int, text: str) -> Iterator[RowFinding]:
        if not text:
            yield RowFinding(line, header, "reference-empty")
        elif len(text) > LONGEST:
            yield RowFinding(line, header, "reference-too-long", (("most", LONGEST),))
        elif not text.isprintable():
            yield RowFinding(line, header, "reference-unprintable")
        elif text in self.lines:
            yield RowFinding(line, header, "reference-repeated", (("line", self.lines[text]),))
        else:
            self.lines[text] = line

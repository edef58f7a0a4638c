"""A grammar of queries over any schema: most are answered, some are slightly wrong."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from privacy.policy.schema import Column, Schema
from tests.policy.fuzz.wrongs import WRONG_VALUES, damaged

NUMBERS = ("integer", "decimal")


@dataclass(frozen=True)
class Named:
    """A column as it can be named."""

    name: str
    column: Column

    @property
    def kind(self) -> str:
        """Its type; integers and decimals are numbers."""
        return "number" if self.column.kind in NUMBERS else self.column.kind


Scope = Sequence[Named]


class Grammar:
    """Writes queries; `wrong` of them are damaged."""

    def __init__(self, dice: Random, schema: Schema, wrong: float = 0.3) -> None:
        """Keep the dice and the schema."""
        self.dice, self.schema, self.wrong, self.number = dice, schema, wrong, 0

    def query(self) -> str:
        """Return a query."""
        self.number = 0
        text = self._with() + self._select()
        return damaged(text, self.dice) if self.dice.random() < self.wrong else text

    def chance(self, of_one: float) -> bool:
        """Say yes so often."""
        return self.dice.random() < of_one

    def _with(self) -> str:
        # Named in FROM by a later query, or by none.
        return f"WITH w AS ({self.rows()[0]}) " if self.chance(0.08) else ""

    def _select(self) -> str:
        source, scope = self.source(self.dice.choice([1, 1, 2, 2, 3]))
        keys = self._keys(scope)
        items = [*keys, *(self.term(scope, keys, 2) for _ in range(self.dice.choice([1, 1, 2, 3])))]
        self.dice.shuffle(items)
        titled = [f"{one} AS x{at}" if self.chance(0.4) else one for at, one in enumerate(items)]
        where = f" WHERE {self.condition(scope, 2)}" if self.chance(0.6) else ""
        group = f" GROUP BY {', '.join(keys)}" if keys else ""
        having = f" HAVING {self._kept(scope, keys)}" if self.chance(0.2) else ""
        return (
            f"SELECT {', '.join(titled)} FROM {source}{where}{group}{having}{self._order(scope, keys, items)}"
        )

    def _keys(self, scope: Scope) -> list[str]:
        if self.chance(0.45):
            return []
        listed = [one.name for one in scope if one.column.domain is not None]
        names = listed if listed and self.chance(0.7) else [one.name for one in scope]
        keys = self.dice.sample(names, min(len(names), self.dice.choice([1, 1, 2])))
        if listed and self.chance(0.15):
            keys.append(f"CASE WHEN {self.condition(scope, 0)} THEN {self.dice.choice(listed)} END")
        return list(dict.fromkeys(keys))

    def _kept(self, scope: Scope, keys: Sequence[str]) -> str:
        text = f"{self.term(scope, keys, 1)} {self._compares()} {self.dice.randint(-3, 9)}"
        return (
            f"{text} {self.dice.choice(['AND', 'OR'])} NOT {self.figure(scope)} IS NULL"
            if self.chance(0.3)
            else text
        )

    def _order(self, scope: Scope, keys: Sequence[str], items: Sequence[str]) -> str:
        places = [
            str(self.dice.randint(1, len(items))),
            self.term(scope, keys, 0),
            *keys,
            *(["x0"] if self.chance(0.1) else []),
        ]
        order = (
            f" ORDER BY {self.dice.choice(places)}{self.dice.choice(['', ' DESC'])}"
            if self.chance(0.3)
            else ""
        )
        limit = f" LIMIT {self.dice.choice([0, 1, 3, 999])}" if self.chance(0.2) else ""
        return order + limit + (f" OFFSET {self.dice.randint(0, 3)}" if self.chance(0.08) else "")

    def term(self, scope: Scope, keys: Sequence[str], depth: int) -> str:
        """Return something of figures and keys."""
        if depth == 0 or self.chance(0.6):
            return self.figure(scope)
        one, other = (self.term(scope, keys, depth - 1) for _ in range(2))
        public = next(iter(self.schema.relations))
        return self.dice.choice(
            [
                f"{one} {self.dice.choice('+-*/')} {other}",
                f"({one} {self.dice.choice('+-*/')} {self.dice.choice(['0', '1.5', '100'])})",
                f"CASE WHEN {one} {self._compares()} 2 THEN {other} ELSE {self.dice.choice(['0', 'NULL', one])} END",
                f"COALESCE({one}, {other})",
                f"NULLIF({one}, 0)",
                f"-{one}",
                f"{one} - (SELECT COUNT(*) FROM {public})",
                *keys,
            ]
        )

    def figure(self, scope: Scope) -> str:
        """Return an aggregate."""
        number, one = self.value("number", scope, 1), self.dice.choice(_bounded(scope) or list(scope)).name
        text = self.dice.choice(
            [
                "COUNT(*)",
                "COUNT(*)",
                f"COUNT({one})",
                f"COUNT(DISTINCT {one})",
                f"SUM({number})",
                f"SUM({number})",
                f"AVG({number})",
                f"{self.dice.choice(['MIN', 'MAX'])}({self.dice.choice([number, one])})",
                f"MEDIAN({number})",
                f"QUANTILE({number}, {self.dice.choice(['0.1', '0.5', '1'])})",
                f"{self.dice.choice(['STDDEV', 'VARIANCE', 'VAR_POP'])}({number})",
                f"SUM(CASE WHEN {self.condition(scope, 1)} THEN {number} ELSE 0 END)",
            ]
        )
        return f"{text} FILTER (WHERE {self.condition(scope, 0)})" if self.chance(0.08) else text

    def source(self, joins: int) -> tuple[str, list[Named]]:
        """Return something to select from, and what can be named there."""
        text, scope = self._part()
        for _ in range(joins - 1):
            more, others = self._part()
            kind = self.dice.choice(["JOIN", "JOIN", "JOIN", "LEFT JOIN", "RIGHT JOIN"])
            text, scope = f"{text} {kind} {more} ON {self._on(scope, others)}", [*scope, *others]
        return text, scope

    def _part(self) -> tuple[str, list[Named]]:
        self.number += 1
        alias = f"t{self.number}"
        if self.chance(0.25):
            rows, columns = self.rows()
            return f"({rows}) {alias}", [replace(one, name=f"{alias}.{one.name}") for one in columns]
        relation = self.dice.choice(list(self.schema.relations.values()))
        return f'"{relation.name}" {alias}', [Named(f"{alias}.{n}", c) for n, c in relation.columns.items()]

    def rows(self) -> tuple[str, list[Named]]:
        """Return a SELECT below the root, and its columns."""
        relation = self.dice.choice(list(self.schema.relations.values()))
        scope = [Named(name, column) for name, column in relation.columns.items()]
        kept = self.dice.sample(scope, self.dice.randint(1, len(scope)))
        names, where = ", ".join(one.name for one in kept), ""
        if self.chance(0.5):
            where = f" WHERE {self.condition(scope, 1)}"
        base = f'SELECT {names} FROM "{relation.name}"'
        shape = self.dice.choice(["plain", "distinct", "group", "group", "union"])
        if shape == "group":
            made = Named("f", replace(kept[0].column, kind="integer", domain=None))
            figure = self.dice.choice(
                ["COUNT(*)", f"COUNT({kept[0].name})", f"SUM({self.value('number', scope, 0)})"]
            )
            having = f" HAVING COUNT(*) > {self.dice.randint(0, 2)}" if self.chance(0.3) else ""
            grouped = f'SELECT {names}, {figure} AS f FROM "{relation.name}"{where} GROUP BY {names}{having}'
            return grouped, [*kept, made]
        if shape == "union":
            return f"{base}{where} UNION {self.dice.choice(['ALL ', ''])}{base}", kept
        return (base.replace("SELECT", "SELECT DISTINCT") if shape == "distinct" else base) + where, kept

    def _on(self, ours: Scope, theirs: Scope) -> str:
        pairs = [(a.name, b.name) for a in ours for b in theirs if self._joins(a.name, b.name)]
        if not pairs or self.chance(0.1):
            pairs = [(a.name, b.name) for a in ours for b in theirs if a.kind == b.kind] or [("TRUE", "TRUE")]
        a, b = self.dice.choice(pairs)
        more = f" AND {self.condition([*ours, *theirs], 0)}" if self.chance(0.2) else ""
        return f"{a} = {b}{more}"

    def _joins(self, left: str, right: str) -> bool:
        edges = {
            (edge.columns[0], edge.to[0])
            for one in self.schema.relations.values()
            for edge in one.foreign_keys
        }
        a, b = left.rpartition(".")[2], right.rpartition(".")[2]
        return (a, b) in edges or (b, a) in edges

    def condition(self, scope: Scope, depth: int) -> str:
        """Return something true, false or unknown."""
        if depth and self.chance(0.35):
            sides = self.condition(scope, depth - 1), self.condition(scope, depth - 1)
            return f"({sides[0]} {self.dice.choice(['AND', 'AND', 'OR'])} {sides[1]})"
        if depth and self.chance(0.12):
            return self._semi(scope)
        kind = self.dice.choice([one.kind for one in scope])
        one, other = self.value(kind, scope, min(depth, 1)), self.value(kind, scope, 0)
        choices = [
            f"{one} {self._compares()} {other}",
            f"{one} {self._compares()} {self.literal(kind)}",
            f"{one} {self.dice.choice(['', 'NOT '])}IN ({self.literal(kind)}, {self.literal(kind)})",
            f"{one} BETWEEN {self.literal(kind)} AND {self.literal(kind)}",
            f"{one} IS {self.dice.choice(['', 'NOT '])}NULL",
            f"NOT ({one} = {other})",
            f"{one} IS {self.dice.choice(['', 'NOT '])}DISTINCT FROM {other}",
        ]
        if kind == "text":
            choices.append(
                f"{one} {self.dice.choice(['', 'NOT '])}LIKE '{self.dice.choice(['%', 'B_', '%a%', ''])}'"
            )
        if kind == "boolean":
            choices += [one, f"NOT {one}", f"{one} IS {self.dice.choice(['TRUE', 'FALSE'])}"]
        return self.dice.choice(choices)

    def _semi(self, scope: Scope) -> str:
        relation = self.dice.choice(list(self.schema.relations.values()))
        inner = [Named(f"s.{name}", column) for name, column in relation.columns.items()]
        own = self.dice.choice(inner)
        outer = self.dice.choice([one for one in scope if one.kind == own.kind] or list(scope))
        public, first = next(iter(self.schema.relations.items()))
        where = f" AND {self.condition(inner, 0)}" if self.chance(0.5) else ""
        denied = self.dice.choice(["", "NOT "])
        return self.dice.choice(
            [
                f'{outer.name} {denied}IN (SELECT {own.name} FROM "{relation.name}" s WHERE TRUE{where})',
                f'{denied}EXISTS (SELECT 1 FROM "{relation.name}" s WHERE {own.name} = {outer.name}{where})',
                f'{outer.name} > (SELECT {self.dice.choice(["AVG", "MAX"])}({first.key[0]}) FROM "{public}")',
            ]
        )

    def value(self, kind: str, scope: Scope, depth: int) -> str:
        """Return a value of a type."""
        if self.chance(0.02):
            return self.dice.choice(WRONG_VALUES)
        columns = [one.name for one in self._known(scope) if one.kind == kind]
        if not columns or self.chance(0.1):
            return self.literal(kind)
        one, other = self.dice.choice(columns), self.dice.choice(columns)
        if depth == 0 or self.chance(0.5):
            return one
        chosen = f"CASE WHEN {self.condition(scope, 0)} THEN {one} ELSE {other} END"
        return self.dice.choice(
            [chosen, f"COALESCE({one}, {other})", f"NULLIF({one}, {other})", *self._of(kind, one, other)]
        )

    def _known(self, scope: Scope) -> Scope:
        """Return the columns with bounds, or sometimes all."""
        return scope if self.chance(0.04) else _bounded(scope)

    def _of(self, kind: str, one: str, other: str) -> list[str]:
        if kind == "number":
            signs = [f"({one} {sign} {self.dice.choice([other, '2', '0.5'])})" for sign in "+-*"]
            return [*signs, f"-{one}"]
        return [f"SUBSTRING({one} FROM 1 FOR 2)"] if kind == "text" else []

    def literal(self, kind: str) -> str:
        """Return a literal of a type."""
        choices = {
            "number": ["0", "1", "2.5", "-1", "99", "4611686018427387903", "0.001"],
            "text": ["'Busan'", "'art'", "'Bo'", "''", "'it''s'", "'서울'"],
            "date": ["DATE '2002-02-28'", "'2001-12-31'", "DATE '2002-01-31' + INTERVAL '1' MONTH"],
            "boolean": ["TRUE", "FALSE"],
        }
        return "NULL" if self.chance(0.03) else self.dice.choice(choices[kind])

    def _compares(self) -> str:
        return self.dice.choice(["=", "<>", "<", "<=", ">", ">="])


def _bounded(scope: Scope) -> list[Named]:
    return [one for one in scope if one.kind != "number" or one.column.bounds is not None]

"""Random queries over the random schemas, as text: joins of every kind, groups in groups, semi-joins, unions."""

from random import Random

from privacy.policy.schema import Relation, Schema


class Asker:
    """Writes one query; what it needs of the schema is the columns."""

    def __init__(self, dice: Random, schema: Schema) -> None:
        """Keep the dice and the schema."""
        self.dice, self.schema, self.number = dice, schema, 0

    def query(self) -> str:
        """Return a query with one or two aggregates, grouped or not."""
        source, columns = self.table(self.dice.choice([1, 2, 2, 3]))
        where = f" WHERE {self.condition(columns)}" if self.dice.random() < 0.5 else ""
        where += self.semi(columns, bool(where)) if self.dice.random() < 0.25 else ""
        keys = self.dice.sample(columns, min(len(columns), self.dice.choice([0, 0, 1, 2])))
        figures = ", ".join(self.figure(columns) for _ in range(self.dice.choice([1, 1, 2])))
        group = f" GROUP BY {', '.join(keys)}" if keys else ""
        return f"SELECT {figures} FROM {source}{where}{group}"

    def table(self, joins: int) -> tuple[str, list[str]]:
        """Return something to select from, and its columns."""
        text, columns = self.part()
        for _ in range(joins - 1):
            more, others = self.part()
            kind = self.dice.choice(["JOIN", "JOIN", "JOIN", "LEFT JOIN"])
            on = self.on(columns, others)
            text, columns = f"{text} {kind} {more} ON {on}", columns + others
        return text, columns

    def part(self) -> tuple[str, list[str]]:
        """Return a relation or a derived table under a new name."""
        self.number += 1
        alias = f"t{self.number}"
        relation = self.dice.choice(list(self.schema.relations.values()))
        if self.dice.random() < 0.7:
            return f"{relation.name} {alias}", [f"{alias}.{one}" for one in relation.columns]
        return self.derived(relation, alias)

    def derived(self, relation: Relation, alias: str) -> tuple[str, list[str]]:
        """Return a filtered, distinct, grouped or united table."""
        columns = list(relation.columns)
        kept = self.dice.sample(columns, self.dice.randint(1, len(columns)))
        where = f" WHERE {self.condition(columns)}" if self.dice.random() < 0.6 else ""
        listed = ", ".join(kept)
        named = [f"{alias}.{one}" for one in kept]
        shape = self.dice.choice(["plain", "distinct", "group", "group", "union"])
        if shape == "plain":
            return f"(SELECT {listed} FROM {relation.name}{where}) {alias}", named
        if shape == "distinct":
            return f"(SELECT DISTINCT {listed} FROM {relation.name}{where}) {alias}", named
        if shape == "union":
            half = f"SELECT {listed} FROM {relation.name}"
            return f"({half}{where} UNION ALL {half}) {alias}", named
        figure = self.dice.choice(
            ["COUNT(*)", *(f"{f}({c})" for f in ("COUNT", "SUM", "MIN", "MAX") for c in self.small(columns))]
        )
        source, inner = f"{relation.name}", columns
        if self.dice.random() < 0.4 and relation.foreign_keys:
            edge = self.dice.choice(relation.foreign_keys)
            kind = self.dice.choice(["JOIN", "LEFT JOIN"])
            source = f"{relation.name} {kind} {edge.parent} ON {edge.columns[0]} = {edge.to[0]}"
            inner = columns + list(self.schema.relations[edge.parent].columns)
        keys = self.dice.sample(inner, min(len(inner), self.dice.randint(1, 2)))
        having = f" HAVING COUNT(*) > {self.dice.randint(0, 2)}" if self.dice.random() < 0.3 else ""
        text = f"(SELECT {', '.join(keys)}, {figure} f FROM {source}{where} GROUP BY {', '.join(keys)}{having}) {alias}"
        return text, [f"{alias}.{one}" for one in keys] + [f"{alias}.f"]

    def on(self, left: list[str], right: list[str]) -> str:
        """Return a condition that joins: a key where there is one, else anything."""
        pairs = [(a, b) for a in left for b in right if _meets(a, b)]
        a, b = (
            self.dice.choice(pairs)
            if pairs and self.dice.random() < 0.85
            else (self.dice.choice(left), self.dice.choice(right))
        )
        more = f" AND {self.condition(left + right)}" if self.dice.random() < 0.2 else ""
        return f"{a} = {b}{more}"

    def condition(self, columns: list[str]) -> str:
        """Return a predicate over some columns."""
        one = self.dice.choice(columns)
        choices = [
            f"{one} {self.dice.choice(['<', '<=', '=', '<>', '>', '>='])} {self.dice.randint(-1, 3)}",
            f"{one} IS NULL",
            f"{one} IS NOT NULL",
            f"{one} IN ({self.dice.randint(0, 1)}, {self.dice.randint(2, 3)})",
            f"{one} BETWEEN 0 AND {self.dice.randint(0, 3)}",
            f"{one} = {self.dice.choice(columns)}",
            f"NOT ({one} > 1)",
            f"COALESCE({one}, 1) > 1",
        ]
        text = self.dice.choice(choices)
        if self.dice.random() < 0.2:
            return f"({text} {self.dice.choice(['AND', 'OR'])} {self.condition(columns)})"
        return text

    def semi(self, columns: list[str], more: bool) -> str:
        """Return a condition with a subquery."""
        relation = self.dice.choice(list(self.schema.relations.values()))
        inner = self.dice.choice(list(relation.columns))
        outer = self.dice.choice(columns)
        where = f" WHERE {self.condition(list(relation.columns))}" if self.dice.random() < 0.5 else ""
        denied = self.dice.choice(["", "NOT "])
        tie = f"{relation.name}.{inner} = {outer}"
        choices = [
            f"{outer} {denied}IN (SELECT {inner} FROM {relation.name}{where})",
            f"{denied}EXISTS (SELECT * FROM {relation.name}{where}{' AND' if where else ' WHERE'} {tie})",
        ]
        return f" {'AND' if more else 'WHERE'} {self.dice.choice(choices)}"

    def figure(self, columns: list[str]) -> str:
        """Return an aggregate."""
        small = self.small(columns) or columns
        one = self.dice.choice(small)
        return self.dice.choice(
            [
                "COUNT(*)",
                "COUNT(*)",
                f"COUNT({one})",
                f"COUNT(DISTINCT {one})",
                f"SUM({one})",
                f"SUM({one} * 2 - 1)",
                f"SUM(CASE WHEN {self.condition(columns)} THEN 1 ELSE 0 END)",
                f"AVG({one})",
            ]
        )

    def small(self, columns: list[str]) -> list[str]:
        """Return the columns with bounds, as their names tell."""
        return [one for one in columns if one.rpartition("_")[2] in ("a", "b", "id") or one.endswith(".f")]


def _meets(a: str, b: str) -> bool:
    left, right = a.rpartition(".")[2], b.rpartition(".")[2]
    return (
        (left.endswith("_id") and right == f"{right[:2]}_{_RELATION.get(left[:2], '')}")
        or (right.endswith("_id") and left == f"{left[:2]}_{_RELATION.get(right[:2], '')}")
        or (left == right and left != "f")
    )


_RELATION = {"pl": "place", "pe": "person", "vi": "visit", "it": "item", "no": "note"}

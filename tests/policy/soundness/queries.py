"""Random queries as text: joins of every kind, groups in groups, semi-joins, unions, every aggregate."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from privacy.policy.labels import Policy, Pub, Rep
from privacy.policy.schema import ForeignKey, Relation
from tests.policy.soundness.columns import Col, Phrases, columns_of

Part = tuple[str, list[Col]]
SHAPES = ["plain", "plain", "plain", "derived", "derived", "any", "tied"]


class Asker:
    """Writes queries over a schema, whose conditions read replaced columns more often than others."""

    def __init__(self, dice: Random, policy: Policy) -> None:
        self.dice, self.schema, self.labels, self.number = dice, policy.schema, policy.labels, 0
        # One owner, one group: rare among other queries, so some askers ask nothing else.
        self.shapes = ["tied"] if dice.random() < 0.15 else SHAPES
        replaced = [(name, one) for name, one in policy.labels.items() if isinstance(one, Rep)]
        self.say = Phrases(dice, {(name, column) for name, label in replaced for column in label.columns})

    def query(self) -> str:
        """Return a query of one to three figures, grouped or not: of relations, of a derived table, or of anything."""
        self.number = 0
        shape = self.dice.choice(self.shapes)
        if shape == "tied":
            source, columns = self._tied()
        elif shape == "derived":
            source, columns = self.part(1, derived=True)
            if self.dice.random() < 0.3:
                source, columns = self._joined(source, columns, 0)
        else:
            number = self.dice.choice([1, 2, 2, 3] if shape == "plain" else [2, 2, 3, 4])
            source, columns = self.table(number, 0 if shape == "plain" else self.dice.choice([1, 1, 2]))
        where = self.where(columns, 0.4, 0.25) if shape == "any" else self.where(columns, 0.25, 0.15)
        keys = [self.say.key(columns) for _ in range(self.dice.choice([0, 0, 0, 1, 1, 2]))]
        if shape == "tied" and self.dice.random() < 0.5:
            # How many groups have so many rows: a group that changes leaves one and comes to another.
            keys = [one.text for one in columns if one.listed][:1]
        figures = [self.say.figure(columns) for _ in range(self.dice.choice([1, 1, 1, 1, 2, 3]))]
        group = f" GROUP BY {', '.join(dict.fromkeys(keys))}" if keys else ""
        return f"SELECT {', '.join(figures)} FROM {source}{where}{group}"

    def where(self, columns: Sequence[Col], plain: float, semi: float) -> str:
        """Return a WHERE, of plain conditions and of such with a subquery."""
        asked = [self.say.condition(columns)] if self.dice.random() < plain else []
        if self.dice.random() < semi:
            asked.append(self.subquery(columns))
        return f" WHERE {' AND '.join(asked)}" if asked else ""

    def table(self, number: int, depth: int) -> Part:
        """Return so many parts joined."""
        text, columns = self.part(depth)
        for _ in range(number - 1):
            text, columns = self._joined(text, columns, depth)
        return text, columns

    def _joined(self, text: str, columns: list[Col], depth: int) -> Part:
        more, others = self._part_near(columns, depth)
        on = self._on(columns, others)
        kind = self.dice.choice(["JOIN"] * 4 + ["LEFT JOIN"] * 2 + ["RIGHT JOIN"] * 2)
        if self.dice.random() < (0.1 if kind == "JOIN" else 0.3):
            on += f" AND {self.say.condition([*columns, *others], 0)}"
        if kind == "RIGHT JOIN":
            columns = [replace(one, nullable=True) for one in columns]
        if kind == "LEFT JOIN":
            others = [replace(one, nullable=True) for one in others]
        return f"{text} {kind} {more} ON {on}", [*columns, *others]

    def part(self, depth: int, relation: Relation | None = None, *, derived: bool = False) -> Part:
        """Return a relation or a derived table under a new name."""
        self.number += 1
        alias = f"t{self.number}"
        relation = relation or self.dice.choice(list(self.schema.relations.values()))
        if depth == 0 or (not derived and self.dice.random() < 0.6):
            columns = columns_of(relation, alias)
            if self.dice.random() < 0.8:
                return f"{relation.name} {alias}", columns
            within = [replace(one, text=one.name) for one in columns]
            return f"(SELECT * FROM {relation.name} WHERE {self.say.condition(within)}) {alias}", columns
        return self._derived(relation, alias, depth - 1)

    def _part_near(self, columns: Sequence[Col], depth: int) -> Part:
        """Return a part that can be joined by a foreign key, in most cases."""
        near = [
            self.schema.relations[name]
            for relation in {one.origin[0] for one in columns if one.origin}
            for name in sorted(self._neighbours(relation))
        ]
        if not near or self.dice.random() < 0.15:
            return self.part(depth)
        return self.part(depth, self.dice.choice(sorted(near, key=lambda one: one.name)))

    def _neighbours(self, name: str) -> Iterator[str]:
        yield from (edge.parent for edge in self.schema.relations[name].foreign_keys)
        yield from (child.name for child, _ in self.schema.children[name])

    def _on(self, left: Sequence[Col], right: Sequence[Col]) -> str:
        """Return equalities: a whole foreign key in most cases, a part of it, or of any columns."""
        ways = [*self._referring(left, right), *self._referring(right, left)]
        ways += self._siblings(left, right)
        if ways and self.dice.random() < 0.9:
            pairs = list(self.dice.choice(ways))
            if len(pairs) > 1 and self.dice.random() < 0.2:
                pairs = pairs[:-1]
        else:
            one = self.dice.choice(left)
            same = [other for other in right if other.kind == one.kind] or list(right)
            pairs = [(one.text, self.dice.choice(same).text)]
        return " AND ".join(f"{a} = {b}" for a, b in pairs)

    def _referring(self, child: Sequence[Col], parent: Sequence[Col]) -> Iterator[list[tuple[str, str]]]:
        for edge, relation in self._edges():
            for own in _scans(child, relation):
                for to in _scans(parent, edge.parent):
                    if set(edge.columns) <= own.keys() and set(edge.to) <= to.keys():
                        yield [(own[a], to[b]) for a, b in zip(edge.columns, edge.to, strict=True)]

    def _siblings(self, left: Sequence[Col], right: Sequence[Col]) -> Iterator[list[tuple[str, str]]]:
        """Give the ways in which children of one parent, or two readings of one relation, are joined."""
        for edge, relation in self._edges():
            for other, second in self._edges():
                if other.parent != edge.parent or other.to != edge.to:
                    continue
                for own in _scans(left, relation):
                    for to in _scans(right, second):
                        if set(edge.columns) <= own.keys() and set(other.columns) <= to.keys():
                            yield [(own[a], to[b]) for a, b in zip(edge.columns, other.columns, strict=True)]

    def _edges(self) -> list[tuple[ForeignKey, str]]:
        relations = self.schema.relations.values()
        return [(edge, one.name) for one in relations for edge in one.foreign_keys]

    def _derived(self, relation: Relation, alias: str, depth: int) -> Part:
        shapes = ["plain", "plain", "distinct", "group", "group", "union", "union", "owner", "owner", "owner"]
        shape = self.dice.choice(shapes)
        if shape == "owner":
            return self._by_reference(relation, alias, depth)
        source, columns = self.part(depth, relation)
        if self.dice.random() < 0.35:
            source, columns = self._joined(source, columns, depth)
        where = self.where(columns, 0.3, 0.1)
        if shape == "group":
            return self._grouped(source, columns, where, alias)
        items = self._items(columns)
        text = ", ".join(f"{value} AS {one.name}" for value, one in items)
        selected = f"SELECT {'DISTINCT ' if shape == 'distinct' else ''}{text} FROM {source}{where}"
        if shape == "union":
            again = self.dice.choice(["", self.where(columns, 0.6, 0.1)])
            selected += f" UNION{self.dice.choice([' ALL', ' ALL', ''])} SELECT {text} FROM {source}{again}"
            items = [(value, replace(one, scan=f"{alias}.{one.scan}")) for value, one in items]
        return f"({selected}) {alias}", [_under(alias, one) for _, one in items]

    def _items(self, columns: Sequence[Col]) -> list[tuple[str, Col]]:
        """Return columns as they are, under other names, and computed."""
        kept = [one for one in columns if self.dice.random() < 0.75] or list(columns)
        found = []
        for at, one in enumerate(kept):
            name = f"c{at}" if self.dice.random() < 0.3 else f"{one.name}_{at}"
            found.append((one.text, replace(one, text=name)))
        if self.dice.random() < 0.4:
            found.append((self.say.number(columns), Col("e", "integer", nullable=True)))
        if self.dice.random() < 0.15:
            found.append((self.say.key(columns), Col("g", "integer", nullable=True, listed=True)))
        return found

    def _grouped(self, source: str, columns: list[Col], where: str, alias: str) -> Part:
        keys = self.dice.sample(columns, min(len(columns), self.dice.choice([0, 1, 1, 1, 2, 2])))
        return self._group(source, columns, where, keys, alias)

    def _group(self, source: str, columns: list[Col], where: str, keys: list[Col], alias: str) -> Part:
        named = [
            (one, f"g{at}" if self.dice.random() < 0.5 else f"{one.name}_{at}") for at, one in enumerate(keys)
        ]
        figures = [self.say.figure(columns, inner=True) for _ in range(self.dice.choice([1, 1, 2]))]
        items = [f"{one.text} AS {name}" for one, name in named]
        items += [f"{text} AS f{at}" for at, text in enumerate(figures)]
        having = ""
        if keys and self.dice.random() < 0.3:
            having = (
                f" HAVING COUNT(*) {self.dice.choice(['>', '>=', '=', '<', '<>'])} {self.dice.randint(0, 3)}"
            )
        by = f" GROUP BY {', '.join(one.text for one in keys)}" if keys else ""
        found = [_under(alias, replace(one, text=name)) for one, name in named]
        for at, text in enumerate(figures):
            count = text.startswith("COUNT")
            kind = "decimal" if text.startswith("AVG") else "integer"
            found.append(Col(f"{alias}.f{at}", kind, nullable=not count, listed=count))
        return f"(SELECT {', '.join(items)} FROM {source}{where}{by}{having}) {alias}", found

    def _by_reference(self, relation: Relation, alias: str, depth: int) -> Part:
        """Return groups by a whole foreign key, or by the key: one group an owner, perhaps."""
        self.number += 1
        inner = f"t{self.number}"
        source, columns = f"{relation.name} {inner}", columns_of(relation, inner)
        ways = [edge.columns for edge in relation.foreign_keys] + ([relation.key] if relation.key else [])
        if not ways:
            return self._grouped(source, columns, "", alias)
        way = self.dice.choice(ways)
        keys = [one for one in columns if one.name in way]
        if self.dice.random() < 0.4:
            source, columns = self._joined(source, columns, depth)
        if self.dice.random() < 0.15:
            keys.append(self.dice.choice(columns))
        return self._group(source, columns, self.where(columns, 0.3, 0.1), list(dict.fromkeys(keys)), alias)

    def _tied(self) -> Part:
        """Return groups by columns of one relation that joins make equal to what names an owner in others."""
        public = [one for one in self.schema.relations.values() if isinstance(self.labels[one.name], Pub)]
        source, columns = self.part(
            0, self.dice.choice(public) if public and self.dice.random() < 0.6 else None
        )
        tied: list[Col] = []
        far: list[Col] = []
        for _ in range(self.dice.choice([1, 2, 2])):
            more, others = self.part(0, self.dice.choice(self._private()))
            naming = [one for one in others if one.origin and one.origin[1] in self._naming(one.origin[0])]
            name = self.dice.choice(naming or others)
            near = [one for one in tied if one.kind == name.kind]
            # Again what an earlier join tied, in most cases: which of it still names an owner?
            again = bool(near) and self.dice.random() < 0.7
            same = list(dict.fromkeys(near)) if again else [one for one in columns if one.kind == name.kind]
            if not same:
                break
            ours = self.dice.sample(same, min(len(same), self.dice.choice([1, 2])))
            source += f" {self.dice.choice(['JOIN', 'LEFT JOIN', 'LEFT JOIN'])} {more} ON "
            source += " AND ".join(f"{one.text} = {name.text}" for one in ours)
            tied += ours
            far += [replace(one, nullable=True) for one in others]
        keys = list(dict.fromkeys(self.dice.sample(tied, min(len(tied), self.dice.choice([1, 1, 2])))))
        self.number += 1
        return self._group(source, far if self.dice.random() < 0.7 else columns, "", keys, f"t{self.number}")

    def _private(self) -> list[Relation]:
        """Return the relations that are not public, or all."""
        every = self.schema.relations.values()
        return [one for one in every if not isinstance(self.labels[one.name], Pub)] or list(every)

    def _naming(self, name: str) -> set[str]:
        relation = self.schema.relations[name]
        return {one for edge in relation.foreign_keys for one in edge.columns} | set(relation.key)

    def subquery(self, columns: Sequence[Col]) -> str:
        """Return a condition with a subquery."""
        inner, others = self.part(1)
        if self.dice.random() < 0.15:
            return self._value(columns, inner, others)
        where = f" WHERE {self.say.condition(others)}" if self.dice.random() < 0.5 else ""
        denied = self.dice.choice(["", "", "NOT "])
        pairs = [pair for way in self._ways(columns, others) for pair in [way]]
        tie = self.dice.choice(pairs) if pairs and self.dice.random() < 0.85 else None
        if tie is None:
            one = self.dice.choice(columns)
            same = [other for other in others if other.kind == one.kind]
            if not same:
                return self.say.condition(columns)
            tie = [(one.text, self.dice.choice(same).text)]
        if len(tie) == 1 and self.dice.random() < 0.5:
            return f"{tie[0][0]} {denied}IN (SELECT {tie[0][1]} FROM {inner}{where})"
        more = " AND ".join(f"{a} = {b}" for a, b in tie)
        if self.dice.random() < 0.3:
            more += f" AND {self.say.condition([*columns, *others], 0)}"
        return f"{denied}EXISTS (SELECT * FROM {inner}{where}{' AND ' if where else ' WHERE '}{more})"

    def _ways(self, left: Sequence[Col], right: Sequence[Col]) -> Iterator[list[tuple[str, str]]]:
        yield from self._referring(left, right)
        yield from ([(b, a) for a, b in way] for way in self._referring(right, left))
        yield from self._siblings(left, right)

    def _value(self, columns: Sequence[Col], inner: str, others: Sequence[Col]) -> str:
        """Return a comparison with a value that a subquery computes."""
        one = self.dice.choice(columns)
        figure = self.dice.choice(
            ["COUNT(*)", f"SUM({self.say.number(others)})", f"MAX({self.say.number(others)})"]
        )
        ways = list(self._ways(columns, others))
        tie = ""
        if ways and self.dice.random() < 0.6:
            tie = " WHERE " + " AND ".join(f"{a} = {b}" for a, b in self.dice.choice(ways))
        return f"{one.text} {self.dice.choice(['<', '>', '='])} (SELECT {figure} FROM {inner}{tie})"


def _scans(columns: Sequence[Col], relation: str) -> Iterator[dict[str, str]]:
    """Give, for each reading of a relation, its columns that can still be named."""
    found: dict[str, dict[str, str]] = {}
    for one in columns:
        if one.origin and one.origin[0] == relation:
            found.setdefault(one.scan, {})[one.origin[1]] = one.text
    yield from found.values()


def _under(alias: str, one: Col) -> Col:
    return replace(one, text=f"{alias}.{one.name}")

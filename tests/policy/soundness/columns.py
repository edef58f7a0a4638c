"""Columns that a random query can name, and the expressions and conditions that are made of them."""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from random import Random

from privacy.policy.schema import Relation


@dataclass(frozen=True)
class Col:
    """A column as a text can name it, with what decides where it can stand."""

    text: str
    kind: str
    nullable: bool = False
    bounded: bool = True  # a number within known bounds
    listed: bool = False  # its values are declared
    origin: tuple[str, str] | None = None  # relation and column that it is read from
    scan: str = ""  # the alias of the relation it is read from

    @property
    def name(self) -> str:
        """Its name, without the relation's."""
        return self.text.rpartition(".")[2]

    @property
    def number(self) -> bool:
        """Whether it can be added up."""
        return self.kind in ("integer", "decimal") and self.bounded


def columns_of(relation: Relation, alias: str) -> list[Col]:
    """Return the columns of a relation under an alias."""
    return [
        Col(
            f"{alias}.{name}",
            one.kind,
            one.nullable,
            one.bounds is not None,
            one.domain is not None,
            (relation.name, name),
            alias,
        )
        for name, one in relation.columns.items()
    ]


class Phrases:
    """Writes values and conditions over some columns."""

    def __init__(self, dice: Random, private: Container[tuple[str, str]]) -> None:
        self.dice, self.private = dice, private

    def literal(self, kind: str) -> str:
        """Return a literal near the values that columns have."""
        if kind == "text":
            return self.dice.choice(["'a'", "'ab'", "'b'", "'B'"])
        if kind == "date":
            return self.dice.choice(["DATE '2001-12-31'", "DATE '2002-01-01'", "DATE '2002-02-01'"])
        if kind == "boolean":
            return self.dice.choice(["TRUE", "FALSE"])
        if kind == "decimal":
            return self.dice.choice(["0", "0.5", "-0.5", "1", "0.75", "1.5"])
        return str(self.dice.choice([-1, 0, 0, 1, 1, 2, 2, 3]))

    def condition(self, columns: Sequence[Col], depth: int = 1) -> str:
        """Return a condition."""
        if depth and self.dice.random() < 0.2:
            word = self.dice.choice(["AND", "OR", "OR"])
            return f"({self.condition(columns, 0)} {word} {self.condition(columns, 0)})"
        private = [one for one in columns if one.origin in self.private]
        one = self.dice.choice(private if private and self.dice.random() < 0.5 else columns)
        options = [
            self._compared(one, columns),
            self._compared(one, columns),
            f"{one.text} IN ({self.literal(one.kind)}, {self.literal(one.kind)})",
            f"{one.text} = {self._like(one, columns)}",
        ]
        if one.nullable:
            options += [f"{one.text} IS NULL", f"{one.text} IS NOT NULL"]
        options.append(self._of_kind(one))
        text = self.dice.choice(options)
        return f"NOT ({text})" if self.dice.random() < 0.1 else text

    def _compared(self, one: Col, columns: Sequence[Col]) -> str:
        if one.kind == "boolean":
            return one.text if self.dice.random() < 0.5 else f"{one.text} = {self.literal('boolean')}"
        sign = self.dice.choice(["<", "<=", "=", "<>", ">", ">="])
        side = self._like(one, columns) if self.dice.random() < 0.2 else self.literal(one.kind)
        return f"{one.text} {sign} {side}"

    def _like(self, one: Col, columns: Sequence[Col]) -> str:
        same = [other.text for other in columns if other.kind == one.kind and other is not one]
        return self.dice.choice(same) if same else self.literal(one.kind)

    def _of_kind(self, one: Col) -> str:
        if one.kind == "text":
            return f"{one.text} {self.dice.choice(['', 'NOT '])}LIKE '{self.dice.choice(['a%', '_b', '%b%', 'B'])}'"
        if one.kind == "date":
            part = self.dice.choice(["YEAR", "MONTH"])
            least = "2002" if part == "YEAR" else str(self.dice.choice([2, 12]))
            return f"EXTRACT({part} FROM {one.text}) >= {least}"
        if one.kind == "boolean":
            return f"NOT {one.text}"
        low, high = sorted((self.dice.randint(-1, 2), self.dice.randint(0, 3)))
        text = f"{one.text} BETWEEN {low} AND {high}"
        if one.number and self.dice.random() < 0.3:
            return f"COALESCE({one.text}, 1) {self.dice.choice(['>', '=', '<'])} 1"
        return text

    def number(self, columns: Sequence[Col]) -> str:
        """Return an expression that can be added up."""
        numbers = [one for one in columns if one.number]
        if not numbers:
            return self._fixed(columns)
        # Keys differ from row to row, so that their sums are far from what bounds allow: values are preferred.
        values = [one for one in numbers if one.origin is None or "_v" in one.origin[1]]
        one = self.dice.choice(values if values and self.dice.random() < 0.7 else numbers)
        other = self.dice.choice(numbers)
        condition = self.condition(columns, 0)
        return self.dice.choice(
            [
                *[one.text] * 5,
                f"{one.text} * 2 - 1",
                f"-{one.text}",
                f"{one.text} + {other.text}",
                f"{one.text} - {other.text}",
                f"{one.text} * {other.text}",
                f"COALESCE({one.text}, {self.dice.choice(['0', '1', other.text])})",
                f"CASE WHEN {condition} THEN {one.text} ELSE {self.dice.choice(['0', '1', other.text])} END",
                f"CASE WHEN {condition} THEN {one.text} END",
                self._fixed(columns),
            ]
        )

    def _fixed(self, columns: Sequence[Col]) -> str:
        values = self.dice.choice([("1", "0"), ("1", "-1"), ("0", "3")])
        return f"CASE WHEN {self.condition(columns, 0)} THEN {values[0]} ELSE {values[1]} END"

    def figure(self, columns: Sequence[Col], *, inner: bool = False) -> str:
        """Return an aggregate; below the root there are fewer."""
        one, number = self.dice.choice(columns), self.number(columns)
        filtered = f" FILTER (WHERE {self.condition(columns, 0)})" if self.dice.random() < 0.1 else ""
        common = ["COUNT(*)"] * 3 + [
            f"COUNT({one.text})",
            f"COUNT(DISTINCT {one.text})",
            f"COUNT(DISTINCT {number})",
            f"SUM({number})",
            f"SUM({number})",
            f"AVG({number})",
            f"MIN({number})",
            f"MAX({number})",
        ]
        root = [f"VARIANCE({number})", f"STDDEV_POP({number})", f"MEDIAN({number})"]
        root += [f"PERCENTILE_CONT({self.dice.choice(['0.25', '0.9'])}) WITHIN GROUP (ORDER BY {number})"]
        text = self.dice.choice(common if inner else common + root)
        return text if "WITHIN" in text or "DISTINCT" in text else text + filtered

    def key(self, columns: Sequence[Col]) -> str:
        """Return something to group by, mostly with values that are declared."""
        known = [one for one in columns if one.listed or one.kind == "boolean"]
        # What an outer join pads is another group.
        known += [one for one in known if one.nullable] * 2
        one = self.dice.choice(known if known and self.dice.random() < 0.85 else columns)
        options = [one.text] * 6
        if one.kind == "date":
            options = [f"EXTRACT({part} FROM {one.text})" for part in ("YEAR", "MONTH")]
        if one.kind == "text":
            options.append(f"SUBSTRING({one.text} FROM 1 FOR 1)")
        options.append(f"CASE WHEN {self.condition(columns, 0)} THEN 1 ELSE 0 END")
        if one.number and one.listed and one.kind == "integer":
            options.append(f"COALESCE({one.text}, 0)")
        return self.dice.choice(options)

"""Worlds of a few rows, who owns what in them, whether they are legal, and their neighbours."""

import datetime
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from privacy.policy.labels import Del, Policy, Rep
from privacy.policy.schema import Column, ForeignKey, Relation, Schema
from tests.policy.soundness.schemas import KEYS

Row = dict[str, Any]
Rows = dict[str, dict[int, Row]]  # relation → rows by number; numbers in units, as in the algebra
World = dict[str, list[Row]]
Cell = tuple[str, int, str]  # relation, number of a row, column


@dataclass(frozen=True)
class Pair:
    """A world, one entity in it, and what its replaceable cells hold in the neighbouring world."""

    rows: Rows
    entity: int
    wishes: dict[Cell, Any] = field(default_factory=dict)

    def copy(self) -> "Pair":
        """Return one that can be changed."""
        rows = {name: {at: dict(row) for at, row in table.items()} for name, table in self.rows.items()}
        return Pair(rows, self.entity, dict(self.wishes))


def listed(rows: Rows) -> World:
    """Return a world as lists of rows."""
    return {name: list(table.values()) for name, table in rows.items()}


def parent_of(edge: ForeignKey, row: Row) -> tuple[Any, ...] | None:
    """Return the key that a row refers to, None where a part of it is NULL."""
    key = tuple(row[one] for one in edge.columns)
    return None if None in key else key


def key_of(edge: ForeignKey, row: Row) -> tuple[Any, ...]:
    """Return a parent's key, in the order of the edge."""
    return tuple(row[one] for one in edge.to)


def owned_rows(policy: Policy, rows: Rows, entity: int) -> Mapping[str, set[int]]:
    """Return the rows that an entity owns: itself, and what refers to a row that it owns."""
    owned: dict[str, set[int]] = {}
    for name in policy.schema.order:
        relation = policy.schema.relations[name]
        mine = {entity} if name == policy.entity else set[int]()
        for edge in relation.foreign_keys:
            if owned[edge.parent]:
                keys = {key_of(edge, rows[edge.parent][at]) for at in owned[edge.parent]}
                mine |= {at for at, row in rows[name].items() if parent_of(edge, row) in keys}
        owned[name] = mine
    return owned


def legal(policy: Policy, rows: Rows) -> bool:
    """Say whether keys, foreign keys, frequencies and caps are as declared; single values are, as they are chosen."""
    return all(
        _relation_legal(relation, rows) for relation in policy.schema.relations.values()
    ) and _caps_hold(policy, rows)


def _relation_legal(relation: Relation, rows: Rows) -> bool:
    table = rows[relation.name].values()
    if relation.key and len({tuple(row[one] for one in relation.key) for row in table}) < len(table):
        return False
    for edge in relation.foreign_keys:
        used = Counter(parent_of(edge, row) for row in table)
        used.pop(None, None)
        if edge.max_rows is not None and used and max(used.values()) > edge.max_rows:
            return False
        if used and not used.keys() <= {key_of(edge, row) for row in rows[edge.parent].values()}:
            return False
    names = [name for name, column in relation.columns.items() if not column.nullable]
    return all(row[name] is not None for row in table for name in names)


def _caps_hold(policy: Policy, rows: Rows) -> bool:
    if not policy.caps:
        return True
    owned = [owned_rows(policy, rows, one) for one in rows[policy.entity]]
    return all(len(one[name]) <= most for one in owned for name, most in policy.caps.items())


def neighbour(policy: Policy, pair: Pair) -> Rows | None:
    """Return the neighbouring world of a pair: rows absent, or their cells as wished; None where it is not legal."""
    owned = owned_rows(policy, pair.rows, pair.entity)
    other: Rows = {}
    for name, table in pair.rows.items():
        label, mine = policy.labels[name], owned[name]
        if not mine or not isinstance(label, Del | Rep):
            other[name] = table
        elif isinstance(label, Del):
            other[name] = {at: row for at, row in table.items() if at not in mine}
        else:
            other[name] = {
                at: _wished(pair, name, at, row, label) if at in mine else row for at, row in table.items()
            }
    return other if legal(policy, other) else None


def _wished(pair: Pair, name: str, at: int, row: Row, label: Rep) -> Row:
    return {
        column: pair.wishes.get((name, at, column), value) if column in label.columns else value
        for column, value in row.items()
    }


# How values are drawn: one mood for a whole world, so that rows agree or differ together.
MOODS = ("any", "low", "high", "ends", "null", "same")


def value(dice: Random, column: Column, mood: str, *, wild: bool = False) -> Any:
    """Return a value of a column; a wild one may be out of its bounds, which sources that are checked never have."""
    if column.nullable and (mood == "null" or dice.random() < 0.15):
        return None
    if column.domain is not None and column.kind in ("text", "boolean"):
        ends = {"low": column.domain[0], "high": column.domain[-1]}
        return ends.get(mood) if mood in ends else dice.choice(column.domain)
    assert column.bounds is not None
    low, high = column.bounds
    if wild and column.kind in ("integer", "decimal") and dice.random() < 0.3:
        return dice.choice([low - dice.randint(1, 30), high + dice.randint(1, 30)])
    number = {"low": low, "high": high, "ends": dice.choice([low, high])}.get(mood, dice.randint(low, high))
    return datetime.date.fromordinal(number) if column.kind == "date" else number


class Builder:
    """Builds worlds in which entity 0 often has as much as any may have."""

    def __init__(self, dice: Random, policy: Policy, *, wild: bool = False) -> None:
        self.dice, self.policy, self.wild = dice, policy, wild
        self.schema: Schema = policy.schema

    def pair(self) -> Pair | None:
        """Return an entity and what it could become, in a legal world with a legal neighbour."""
        for _ in range(6):
            rows = self._rows()
            if rows is None or not rows[self.policy.entity] or not legal(self.policy, rows):
                continue
            pair = Pair(rows, 0)
            self.wish(pair)
            if neighbour(self.policy, pair) is not None:
                return pair
        return None

    def _rows(self) -> Rows:
        rows: Rows = {}
        self.moods = {name: self.dice.choice(MOODS) for name in self.schema.order}
        full = self.dice.random() < 0.7
        for name in self.schema.order:
            relation = self.schema.relations[name]
            rows[name] = {}
            for row in self._planned(relation, rows, full=full):
                if row is not None and self._fits(relation, rows[name], row):
                    rows[name][len(rows[name])] = row
        return rows

    def _planned(self, relation: Relation, rows: Rows, *, full: bool) -> Iterator[Row | None]:
        """Give rows: those of the first parents first, as many as these may have."""
        others = self.dice.choice([0, 1, 2, 3, 4])
        for edge in relation.foreign_keys:
            parents = list(rows[edge.parent].values())
            for parent in parents[: 1 if edge.parent == self.policy.entity else 4]:
                most = 3 if edge.max_rows is None else edge.max_rows
                for _ in range(most if full else self.dice.randint(0, most)):
                    yield self.row(relation, rows, {edge: parent})
        if relation.name == self.policy.entity or not relation.foreign_keys:
            others += 1
        for _ in range(others):
            yield self.row(relation, rows, {})

    def row(self, relation: Relation, rows: Rows, given: Mapping[ForeignKey, Row]) -> Row | None:
        """Return a row that refers to given parents, None where there is no parent for it."""
        mood = self.moods[relation.name]
        found: Row = {}
        for edge in relation.foreign_keys:
            target = given.get(edge) or self._parent(edge, rows, found)
            if target is None and not all(
                relation.columns[one].nullable for one in edge.columns if one not in found
            ):
                return None
            for own, to in zip(edge.columns, edge.to, strict=True):
                found.setdefault(own, None if target is None else target[to])
        for name, column in relation.columns.items():
            if name not in found:
                key = name in relation.key
                found[name] = value(self.dice, column, "any" if key else mood, wild=self.wild and not key)
        return found

    def _parent(self, edge: ForeignKey, rows: Rows, known: Row) -> Row | None:
        there = [row for row in rows[edge.parent].values() if agrees(edge, row, known)]
        if not there:
            return None
        return there[0] if self.dice.random() < 0.3 else self.dice.choice(there)

    def _fits(self, relation: Relation, table: dict[int, Row], row: Row) -> bool:
        keys = {tuple(one[name] for name in relation.key) for one in table.values()}
        for _ in range(4):
            if not relation.key or tuple(row[name] for name in relation.key) not in keys:
                break
            self.rekey(relation, row)
        else:
            return False
        return all(self.room(edge, table, row) for edge in relation.foreign_keys)

    def rekey(self, relation: Relation, row: Row) -> None:
        """Give a row another key, in the columns that refer to nothing."""
        referring = {own for edge in relation.foreign_keys for own in edge.columns}
        for name in relation.key:
            if name not in referring:
                row[name] = self.dice.randrange(min(KEYS, relation.columns[name].bounds[1] + 1))  # type: ignore[index]

    def room(self, edge: ForeignKey, table: Mapping[int, Row], row: Row) -> bool:
        """Say whether one more row may refer where this one does."""
        key = parent_of(edge, row)
        if key is None or edge.max_rows is None:
            return True
        return sum(parent_of(edge, one) == key for one in table.values()) < edge.max_rows

    def wish(self, pair: Pair) -> None:
        """Choose anew what the entity's replaceable cells hold in the other world."""
        pair.wishes.clear()
        owned = owned_rows(self.policy, pair.rows, pair.entity)
        mood, target = self.dice.choice(MOODS), self.dice.random()
        other: Rows = {}
        for name in self.schema.order:
            label, mine = self.policy.labels[name], owned[name]
            if isinstance(label, Del | Rep):
                other[name] = {at: row for at, row in pair.rows[name].items() if at not in mine}
            else:
                other[name] = pair.rows[name]
            if isinstance(label, Rep):
                for at in sorted(mine):
                    row = self._replaced(name, pair.rows[name][at], label, other, (mood, target))
                    pair.wishes.update({(name, at, one): row[one] for one in label.columns})
                    other[name] = {**other[name], at: row}

    def _replaced(self, name: str, row: Row, label: Rep, other: Rows, taste: tuple[str, float]) -> Row:
        relation, (mood, target) = self.schema.relations[name], taste
        found = dict(row)
        referring = {own for edge in relation.foreign_keys for own in edge.columns}
        for one in label.columns - referring - set(relation.key):
            found[one] = value(self.dice, relation.columns[one], mood, wild=self.wild)
        for edge in relation.foreign_keys:
            if set(edge.columns) & label.columns:
                self._repoint(edge, relation, found, label, other, target)
        if set(relation.key) & label.columns - referring and self.dice.random() < 0.7:
            fresh = dict(found)
            self.rekey(relation, fresh)
            found.update({one: fresh[one] for one in label.columns & set(relation.key)})
        return found

    def _repoint(
        self, edge: ForeignKey, relation: Relation, row: Row, label: Rep, other: Rows, target: float
    ) -> None:
        kept = {one: row[one] for one in edge.columns if one not in label.columns}
        there = [one for one in other[edge.parent].values() if agrees(edge, one, kept)]
        if target < 0.5:
            # All to one place, as far as there is room: what moves piles up.
            there = there[int(2 * target * len(there)) :] + there[: int(2 * target * len(there))]
        else:
            self.dice.shuffle(there)
        nullable = [one for one in edge.columns if relation.columns[one].nullable and one not in kept]
        if nullable and self.dice.random() < 0.2:
            row[self.dice.choice(nullable)] = None
            return
        for parent in there:
            trial = {**row, **dict(zip(edge.columns, key_of(edge, parent), strict=True))}
            if self.room(edge, other[relation.name], trial):
                row.update(trial)
                return


def agrees(edge: ForeignKey, parent: Row, known: Row) -> bool:
    """Say whether a parent has the key columns that are known already."""
    return all(
        own not in known or parent[to] == known[own] for own, to in zip(edge.columns, edge.to, strict=True)
    )


def random_world(dice: Random, policy: Policy) -> World:
    """Return a legal world."""
    while True:
        pair = Builder(dice, policy).pair()
        if pair is not None:
            return listed(pair.rows)

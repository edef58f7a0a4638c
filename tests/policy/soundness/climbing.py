"""Small steps from one pair of neighbours to another, so that a search finds what moves a figure furthest."""

from random import Random

from privacy.policy.labels import Policy, Rep
from privacy.policy.schema import Relation
from tests.policy.soundness.worlds import (
    MOODS,
    Builder,
    Pair,
    Row,
    Rows,
    key_of,
    legal,
    neighbour,
    owned_rows,
    value,
)

TRIES = 4


class Climber:
    """Changes a row here and a wish there; what it gives is legal on both sides."""

    def __init__(self, dice: Random, policy: Policy, builder: Builder) -> None:
        self.dice, self.policy, self.builder = dice, policy, builder
        self.relations = list(policy.schema.relations.values())

    def step(self, pair: Pair) -> tuple[Pair, Rows] | None:
        """Return a pair that is a little different, with its other world; None where the dice found none."""
        for _ in range(TRIES):
            found = pair.copy()
            for _ in range(self.dice.choice([1, 1, 2, 3])):
                self._change(found)
            if legal(self.policy, found.rows) and (other := neighbour(self.policy, found)) is not None:
                return found, other
        return None

    def _change(self, pair: Pair) -> None:
        draw = self.dice.random()
        if draw < 0.08:
            self.builder.wish(pair)
        elif draw < 0.35:
            self._wish(pair)
        elif draw < 0.5:
            self._add(pair)
        elif draw < 0.56:
            self._drop(pair)
        else:
            self._set(pair)

    def _table(self, pair: Pair) -> Relation:
        filled = [one for one in self.relations if pair.rows[one.name]]
        return self.dice.choice(filled)

    def _set(self, pair: Pair) -> None:
        relation = self._table(pair)
        row = pair.rows[relation.name][self.dice.choice(list(pair.rows[relation.name]))]
        if relation.foreign_keys and self.dice.random() < 0.35:
            self._refer(pair.rows, relation, row)
            return
        self._one(relation, row)

    def _one(self, relation: Relation, row: Row) -> None:
        """Give one column of a row a value: its own, or that of a row beside it is as good as any."""
        referring = {own for edge in relation.foreign_keys for own in edge.columns}
        names = [name for name in relation.columns if name not in referring]
        if names:
            name = self.dice.choice(names)
            wild = self.builder.wild and name not in relation.key
            row[name] = value(self.dice, relation.columns[name], self.dice.choice(MOODS), wild=wild)

    def _refer(self, rows: Rows, relation: Relation, row: Row) -> None:
        edge = self.dice.choice(relation.foreign_keys)
        parents = list(rows[edge.parent].values())
        nullable = [one for one in edge.columns if relation.columns[one].nullable]
        if nullable and self.dice.random() < 0.2:
            row[self.dice.choice(nullable)] = None
        elif parents:
            row.update(zip(edge.columns, key_of(edge, self.dice.choice(parents)), strict=True))

    def _wish(self, pair: Pair) -> None:
        owned = owned_rows(self.policy, pair.rows, pair.entity)
        places = [(name, at) for name, some in owned.items() if self._replaced(name) for at in sorted(some)]
        if not places:
            self._set(pair)
            return
        name, at = self.dice.choice(places)
        relation, label = self.policy.schema.relations[name], self._replaced(name)
        fresh = {one: pair.wishes.get((name, at, one), old) for one, old in pair.rows[name][at].items()}
        if relation.foreign_keys and self.dice.random() < 0.4:
            other = neighbour(self.policy, pair)
            self._refer(pair.rows if other is None else other, relation, fresh)
        else:
            self._one(relation, fresh)
        pair.wishes.update({(name, at, one): fresh[one] for one in label})

    def _replaced(self, name: str) -> frozenset[str]:
        label = self.policy.labels[name]
        return label.columns if isinstance(label, Rep) else frozenset()

    def _add(self, pair: Pair) -> None:
        """Put a copy of a row beside it, under another key."""
        relation = self._table(pair)
        table = pair.rows[relation.name]
        like = self.dice.choice(list(table))
        row, at = dict(table[like]), max(table) + 1
        self.builder.rekey(relation, row)
        if relation.foreign_keys and self.dice.random() < 0.5:
            self._refer(pair.rows, relation, row)
        table[at] = row
        for name in self._replaced(relation.name):
            if (relation.name, like, name) in pair.wishes and name not in relation.key:
                pair.wishes[relation.name, at, name] = pair.wishes[relation.name, like, name]

    def _drop(self, pair: Pair) -> None:
        relation = self._table(pair)
        table = pair.rows[relation.name]
        at = self.dice.choice(list(table))
        if relation.name != self.policy.entity or at != pair.entity:
            del table[at]

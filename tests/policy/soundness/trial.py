"""One trial: a schema, a policy, a query, and neighbours that are held against the bound."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from privacy.policy.analysis import facts_of
from privacy.policy.errors import QueryRefused
from privacy.policy.labels import Policy
from privacy.policy.sensitivity import Sensitivity, sensitivities_of
from privacy.policy.sql import Query, translate
from tests.policy.oracle import rows_of, vector
from tests.policy.soundness.queries import Asker
from tests.policy.soundness.worlds import World, neighbour, random_policy, random_schema, random_world


@dataclass(frozen=True)
class Seen:
    """How far a figure moved, beside its bound."""

    figure: str
    bound: int
    change: int
    l2_squared_bound: int
    l2_squared: int
    rule: str

    @property
    def sound(self) -> bool:
        """Whether the bound holds."""
        return self.change <= self.bound and self.l2_squared <= self.l2_squared_bound


@dataclass(frozen=True)
class Case:
    """A query under a policy, accepted."""

    policy: Policy
    sql: str
    query: Query
    sensitivities: tuple[Sensitivity, ...]
    rule: str


def random_case(dice: Random) -> Case:
    """Return an accepted query under a well-formed policy, over any schema."""
    while True:
        schema = random_schema(dice)
        policy = random_policy(dice, schema)
        for _ in range(10):
            sql = Asker(dice, schema).query()
            try:
                query = translate(sql, policy)
                facts = facts_of(query.root.child, policy)
                found = sensitivities_of(query.root, facts.signature, entity=policy.entity)
            except QueryRefused:
                continue
            return Case(policy, sql, query, found, type(query.root.child).__name__)


def trials(case: Case, dice: Random, number: int) -> Iterator[tuple[Seen, World, World]]:
    """Give what is seen on pairs of neighbours."""
    for _ in range(number):
        world = random_world(dice, case.policy.schema)
        people = [row["pe_id"] for row in world["person"]]
        other = neighbour(dice, case.policy, world, people[0]) if people else None
        if other is None:
            continue
        for seen in compared(case, world, other):
            yield seen, world, other


def compared(case: Case, world: World, other: World) -> Iterator[Seen]:
    """Give the change of every part of every figure between two worlds."""
    root = case.query.root
    one, two = rows_of(root.child, world), rows_of(root.child, other)
    for sensitivity in case.sensitivities:
        for part in sensitivity.parts:
            if part.figure == "rank":
                continue
            a = vector(sensitivity.aggregate, part.figure, one, root.keys)
            b = vector(sensitivity.aggregate, part.figure, two, root.keys)
            moves = [a.get(key, 0) - b.get(key, 0) for key in a.keys() | b.keys()]
            l1, l2 = sum(map(abs, moves)), sum(move * move for move in moves)
            yield Seen(part.figure, part.l1, l1, part.l2_squared, l2, case.rule)


def looseness(seen: Seen) -> float:
    """Return bound over change; ∞ where nothing changed."""
    return math.inf if seen.change == 0 else seen.bound / seen.change

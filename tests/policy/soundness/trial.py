"""Trials: an accepted query, two neighbouring worlds, and how far each number moved beside its bound."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from random import Random

from privacy.policy.algebra import Node, Scan
from privacy.policy.answer import Measured, measured
from privacy.policy.compile import measure_of
from privacy.policy.errors import QueryRefused
from privacy.policy.groups import groups_check
from privacy.policy.labels import Policy
from privacy.policy.plan import Plan, plan_query
from privacy.policy.quantiles import Piece, Quantile
from privacy.policy.sensitivity import Part, Sensitivity
from privacy.policy.sql import Query
from tests.policy.soundness.climbing import Climber
from tests.policy.soundness.queries import Asker
from tests.policy.soundness.running import Database, Remembering, databases
from tests.policy.soundness.schemas import random_policy, random_schema
from tests.policy.soundness.worlds import Builder, Pair, Rows, neighbour

QUERIES, PAIRS = 8, 4  # accepted queries of a schema, pairs that all of them see
STEPS = (8, 16, 60)  # of each query of a schema towards the worst: many queries, or each of them thoroughly
MORE = 6  # steps after the bounds were attained
ASKED = 60  # texts tried for them
GROUPS = 300


@dataclass(frozen=True)
class Seen:
    """How far a part of a figure moved, beside its bound."""

    figure: str
    part: str
    bound: int
    change: int
    square_bound: int
    square: int

    @property
    def sound(self) -> bool:
        """Whether the bound holds, of the sum of all changes and of their length."""
        return self.change <= self.bound and self.square <= self.square_bound

    @property
    def share(self) -> float:
        """How much of the bound was seen."""
        return self.change / self.bound if self.bound else float(self.change > 0)


@dataclass(frozen=True)
class Case:
    """A query under a policy, accepted."""

    policy: Policy
    sql: str
    plan: Plan

    @property
    def query(self) -> Query:
        """The query in the algebra."""
        return self.plan.query


@dataclass(frozen=True)
class Trial:
    """What was seen on one pair; `broken` says what the bound does not allow, if anything."""

    case: Case
    seed: int
    one: Rows
    other: Rows
    seen: tuple[Seen, ...]
    broken: str = ""


class Ran:
    """One query on two databases."""

    def __init__(self, case: Case, seed: int, both: tuple[Database, Database]) -> None:
        self.case, self.seed, self.both, self.compiler = case, seed, both, Remembering()

    def trial(self, one: Rows, other: Rows) -> Trial:
        """Return how far everything moved between two worlds."""
        plan = self.case.plan
        found = []
        for database, rows in zip(self.both, (one, other), strict=True):
            database.hold(rows)
            found.append(
                measured(plan.query, plan.sensitivities, plan.sources, database.execute, self.compiler)
            )
        a, b = found
        if list(a.groups) != list(b.groups):
            return Trial(self.case, self.seed, one, other, (), "other groups are listed")
        if list(a.beside.values()) != list(b.beside.values()):
            return Trial(self.case, self.seed, one, other, (), "a value that is called public differs")
        seen = tuple(_moved(a, b, plan))
        worst = next((each for each in seen if not each.sound), None)
        return Trial(self.case, self.seed, one, other, seen, "" if worst is None else str(worst))


def _moved(a: Measured, b: Measured, plan: Plan) -> Iterator[Seen]:
    for figure in plan.sensitivities:
        for part in figure.parts:
            moves = list(_ranks(a, b, figure) if part.figure == "rank" else _numbers(a, b, figure, part))
            name = figure.aggregate.function + (" distinct" if figure.aggregate.distinct else "")
            change, square = sum(map(abs, moves)), sum(one * one for one in moves)
            yield Seen(name, part.figure, part.l1, change, part.l2_squared, square)


def _numbers(a: Measured, b: Measured, figure: Sensitivity, part: Part) -> Iterator[int]:
    measure = measure_of(figure, part)
    one, two = a.numbers[measure], b.numbers[measure]
    for key in a.groups:
        yield one.get(key, 0) - two.get(key, 0)


def _ranks(a: Measured, b: Measured, figure: Sensitivity) -> Iterator[int]:
    """Give, for each group, how far the distance of any value from the quantile moved."""
    argument, place = figure.aggregate.argument, figure.aggregate.quantile
    assert argument is not None
    assert argument.bounds is not None
    assert place is not None
    quantile = Quantile(argument.bounds, place, Fraction(1))
    one, two = a.ranks[argument], b.ranks[argument]
    for key in a.groups:
        yield _furthest(quantile, one.get(key, {}), two.get(key, {}))


def _furthest(quantile: Quantile, one: Mapping[int, int], two: Mapping[int, int]) -> int:
    if one == two:
        return 0
    # Both are constant from one start of a piece to the next.
    first, second = (list(quantile.pieces(counts)) for counts in (one, two))
    starts = sorted({piece.start for piece in (*first, *second)})
    return max(abs(_distance(first, at) - _distance(second, at)) for at in starts)


def _distance(pieces: Sequence[Piece], value: int) -> int:
    return next(one.distance for one in reversed(pieces) if one.start <= value)


def bounds_of(plan: Plan) -> list[Part]:
    """Return the bounds of all numbers of a plan."""
    return [part for one in plan.sensitivities for part in one.parts]


def random_policies(dice: Random) -> Iterator[Policy]:
    """Give well-formed policies over random schemas."""
    while True:
        policy = random_policy(dice, random_schema(dice))
        if policy is not None:
            yield policy


def accepted(dice: Random, policy: Policy, tries: int) -> Iterator[Case]:
    """Give accepted queries that read something the entity can change, of so many texts."""
    asker = Asker(dice, policy)
    for _ in range(tries):
        sql = asker.query()
        try:
            plan = plan_query(sql, policy)
            groups_check(plan.sources, GROUPS)
        except QueryRefused:
            continue
        if any(policy.touched(one) for one in _relations(plan.query.root.child)):
            yield Case(policy, sql, plan)


def _relations(node: Node) -> Iterator[str]:
    if isinstance(node, Scan):
        yield node.relation.name
    for one in node.inputs:
        yield from _relations(one)


def random_case(dice: Random) -> Case:
    """Return an accepted query under a well-formed policy, over any schema."""
    while True:
        for case in accepted(dice, next(random_policies(dice)), 10):
            return case


def trials(seed: int, wanted: Callable[[Case], bool] = lambda case: True) -> Iterator[Trial]:
    """Give the trials of one schema under one policy: pairs that all queries see, then steps towards the worst."""
    dice = Random(seed)
    policy = next(random_policies(dice))
    builder = Builder(dice, policy, wild=dice.random() < 0.15)
    climber = Climber(dice, policy, builder)
    steps = dice.choice(STEPS)
    asked = Random(dice.random())
    pairs = [pair for _ in range(PAIRS) if (pair := builder.pair()) is not None]
    if not pairs:
        return
    with databases(policy.schema) as both:
        for case in islice(filter(wanted, accepted(asked, policy, ASKED)), QUERIES):
            yield from _climbed(Ran(case, seed, both), pairs, climber, steps)


def _climbed(ran: Ran, pairs: list[Pair], climber: Climber, left: int) -> Iterator[Trial]:
    best, most = pairs[0], (-1.0, -1.0)
    for pair in pairs:
        other = neighbour(ran.case.policy, pair)
        assert other is not None
        trial = ran.trial(pair.rows, other)
        yield trial
        if (worth := worth_of(trial)) > most:
            best, most = pair, worth
    while left > 0:
        # What nothing moves in is left behind.
        start = best if most > (0.0, 0.0) or left % 4 else climber.builder.pair() or best
        found = climber.step(start)
        left -= 1
        if found is None:
            continue
        trial = ran.trial(found[0].rows, found[1])
        yield trial
        # As good is good enough: a plateau is left by walking over it.
        if (worth := worth_of(trial)) >= most:
            best, most = found[0], worth
        if worth[1] >= len(trial.seen):
            left = min(left, MORE)


def worth_of(trial: Trial) -> tuple[float, float]:
    """Return how near a trial comes to what is not allowed."""
    shares = [one.share for one in trial.seen]
    return (max(shares, default=2.0), sum(shares))

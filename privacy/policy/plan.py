"""A plan: everything that is known of a query before any data is touched, and whatever it costs."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Context, Decimal
from fractions import Fraction
from itertools import chain, count

from privacy.policy.analysis import facts_of
from privacy.policy.cost import pairs_check, partners_check, rows_check
from privacy.policy.errors import QueryRefused
from privacy.policy.groups import MOST_GROUPS, groups_check
from privacy.policy.keys import KeySource, key_sources
from privacy.policy.labels import Policy, bounded, unbounded
from privacy.policy.sensitivity import Part, Sensitivity, sensitivities_of
from privacy.policy.sql import Query, translate


@dataclass(frozen=True)
class Plan:
    """An accepted query under a policy: what is computed, where its groups come from, how far it can move and why."""

    policy: Policy
    query: Query
    sources: tuple[KeySource, ...]
    sensitivities: tuple[Sensitivity, ...]
    trace: tuple[str, ...]

    @property
    def l1(self) -> Fraction:
        """The L1 sensitivity of all figures together."""
        return sum((one.l1 for one in self.sensitivities), Fraction(0))

    @property
    def public(self) -> bool:
        """Whether every figure is the same in both worlds: then it is answered exactly and costs nothing."""
        return all(one.public for one in self.sensitivities)


@dataclass(frozen=True, slots=True)
class Baselines:
    """The L1 sensitivity under the two uniform policies; None where they refuse the query."""

    unbounded: Fraction | None
    bounded: Fraction | None


def plan_query(sql: str, policy: Policy, most_groups: int = MOST_GROUPS) -> Plan:
    """Return the plan of a query, or raise QueryRefused; schema and policy alone decide."""
    query = translate(sql, policy)
    facts = facts_of(query.root.child, policy)
    sources = key_sources(query.root, (policy,), query.places)
    try:
        groups_check(sources, most_groups)
        pairs_check(query.root, query.beside)
        found = sensitivities_of(query.root, facts.signature, entity=policy.entity, where=query.places)
        rows_check(query.root, facts, policy.entity)
        partners_check(query.root, query.beside)
    except QueryRefused as error:
        # It is about the whole query.
        raise error.at(1, 1) from None
    lines = chain(facts.trace(), _root_told(found, grouped=bool(sources)))
    return Plan(policy, query, sources, found, tuple(_told(lines)))


def plans_joined(plans: Sequence[Plan]) -> Plan:
    """Return the plan of one text under several policies: each figure's larger sensitivity, keys public under all."""
    if len(plans) == 1:
        return plans[0]
    first = plans[0]
    sources = key_sources(first.query.root, [one.policy for one in plans], first.query.places)
    figures = zip(*(plan.sensitivities for plan in plans), strict=True)
    trace = tuple(f"{plan.policy.entity}: {line}" for plan in plans for line in plan.trace)
    return replace(first, sources=sources, sensitivities=tuple(map(_largest, figures)), trace=trace)


def _largest(figures: Sequence[Sensitivity]) -> Sensitivity:
    parts = zip(*(one.parts for one in figures), strict=True)
    widest = tuple(
        Part(same[0].figure, max(p.l1 for p in same), max(p.l2_squared for p in same)) for same in parts
    )
    return replace(figures[0], parts=widest)


def baselines(sql: str, policy: Policy) -> Baselines:
    """Return what the query would need under each of the two uniform policies."""
    return Baselines(_l1(sql, unbounded(policy)), _l1(sql, bounded(policy)))


def _l1(sql: str, policy: Policy) -> Fraction | None:
    try:
        query = translate(sql, policy)
        signature = facts_of(query.root.child, policy).signature
        found = sensitivities_of(query.root, signature, entity=policy.entity)
    except QueryRefused:
        return None
    return sum((one.l1 for one in found), Fraction(0))


_DIGITS = Context(prec=100)
_MOVES = {
    "count": "its count moves",
    "sum": "its sum moves",
    "squares": "its sum of squares moves",
    "rank": "the ranks of its values move",
}


def _root_told(found: Sequence[Sensitivity], *, grouped: bool) -> Iterator[str]:
    """Give a line for every number that the root computes."""
    where = " over all groups" if grouped else ""
    for one in found:
        name = one.aggregate.attribute.name
        if one.public:
            yield f"{name}: the same in both worlds, exact and free"
        for part, most in zip(one.parts, one.furthest, strict=True):
            if not part.public:
                yield f"{name}: {_MOVES[part.figure]} by at most {_number(most)}{where}"


def _number(value: Fraction) -> str:
    # A sensitivity is a whole number of units, so that its decimals end.
    places = next(at for at in count() if (value * 10**at).denominator == 1)
    return f"{_DIGITS.scaleb(Decimal(int(value * 10**places)), -places):,f}"


def _told(lines: Iterable[str]) -> Iterator[str]:
    """Give each line once, where the same follows itself."""
    last = None
    for line in lines:
        if line != last:
            yield line
        last = line

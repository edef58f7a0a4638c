"""A plan: everything that is known of a query before any data is touched, and whatever it costs."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from privacy.policy.analysis import facts_of
from privacy.policy.errors import QueryRefused
from privacy.policy.groups import groups_check
from privacy.policy.keys import KeySource, key_sources
from privacy.policy.labels import Policy, bounded, unbounded
from privacy.policy.sensitivity import Sensitivity, sensitivities_of
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


def plan_query(sql: str, policy: Policy) -> Plan:
    """Return the plan of a query, or raise QueryRefused; schema and policy alone decide."""
    query = translate(sql, policy)
    facts = facts_of(query.root.child, policy)
    sources = key_sources(query.root, policy, query.places)
    try:
        groups_check(sources)
        found = sensitivities_of(query.root, facts.signature, entity=policy.entity)
    except QueryRefused as error:
        # It is about the whole query.
        raise error.at(1, 1) from None
    return Plan(policy, query, sources, found, tuple(_told(facts.trace())))


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


def _told(lines: Iterator[str]) -> Iterator[str]:
    """Give each line once, where the same follows itself."""
    last = None
    for line in lines:
        if line != last:
            yield line
        last = line

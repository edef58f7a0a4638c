"""Many queries of the grammar against pairs of neighbours, and what became of them."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from tests.policy.engines import sqlite
from tests.policy.fuzz.comparing import ANSWERED, FAILED, REFUSED, Ask, asked, outcomes
from tests.policy.fuzz.grammar import Grammar
from tests.policy.fuzz.worlds import pair
from tests.policy.test_sql.school import SCHEMA

PER_PAIR = 40
_NAMES = {name for one in SCHEMA.relations.values() for name in (one.name, *one.columns)}
_VARYING = re.compile(r"'[^']*'|\d[\d,]*|\b(?:x\d|t\d+|f)\b|\b(?:" + "|".join(sorted(_NAMES)) + r")\b")


@dataclass
class Tally:
    """What became of some queries; `wrong` are those that failed, or were told apart."""

    queries: int = 0
    status: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    exceptions: int = 0
    differing: int = 0
    wrong: list[str] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        """Add what became of others."""
        self.queries += other.queries
        self.status += other.status
        self.reasons += other.reasons
        self.exceptions += other.exceptions
        self.differing += other.differing
        self.wrong += other.wrong


def fuzzed(queries: int, seed: int, ask: Ask = asked) -> Tally:
    """Ask so many queries; the same for the same seed."""
    found = Tally()
    for at in range(-(-queries // PER_PAIR)):
        found.add(of_pair(seed * 1_000_003 + at, min(PER_PAIR, queries - at * PER_PAIR), ask))
    return found


def of_pair(seed: int, queries: int, ask: Ask = asked) -> Tally:
    """Ask some queries of one pair."""
    found, both = Tally(), pair(seed)
    with sqlite(SCHEMA, both.one) as one, sqlite(SCHEMA, both.other) as other:
        for sql in _texts(seed, queries):
            seen = outcomes(sql, both, [one, other], ask)
            found.queries += 1
            found.status[seen[0].status] += 1
            if seen[0].status == REFUSED:
                found.reasons[reason_class(seen[0].told[2])] += 1
            failed, differ = FAILED in [each.status for each in seen], seen[0] != seen[1]
            found.exceptions += failed
            found.differing += differ
            if failed or differ:
                found.wrong.append(f"seed {seed}: {sql}\n    {seen[0]}\n    {seen[1]}"[:2_000])
    return found


def _texts(seed: int, queries: int) -> Iterator[str]:
    grammar = Grammar(Random(seed), SCHEMA)
    return (grammar.query() for _ in range(queries))


def reason_class(reason: str) -> str:
    """Return a reason without the names and numbers of one query."""
    return _VARYING.sub("·", reason)[:90]


def table_of(tally: Tally, most: int = 30) -> str:
    """Return the tally as text."""
    lines = [
        f"{'queries':<12}{tally.queries:>8,}",
        *(f"{name:<12}{tally.status[name]:>8,}" for name in (ANSWERED, REFUSED)),
        f"{'exceptions':<12}{tally.exceptions:>8,}",
        f"{'differing':<12}{tally.differing:>8,}",
        "",
        "refused because",
        *(f"{number:>8,}  {reason}" for reason, number in tally.reasons.most_common(most)),
    ]
    rest = sum(tally.reasons.values()) - sum(number for _, number in tally.reasons.most_common(most))
    return "\n".join([*lines, f"{rest:>8,}  other reasons", *tally.wrong[:5]])

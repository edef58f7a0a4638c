"""What a run of trials saw of each rule: how often, and how much of its bounds was attained."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from tests.policy.soundness.rules import root_rule, rules_of
from tests.policy.soundness.trial import Case, Trial


@dataclass
class Best:
    """The most that was seen of a number of one query, beside its bound."""

    rules: frozenset[str]
    bound: int
    change: int = 0
    trials: int = 0


@dataclass
class Rule:
    """A rule: its trials, and bound/attained of every number whose bound is not 0."""

    trials: int = 0
    public: int = 0
    ratios: list[float] = field(default_factory=list)

    def add(self, best: Best) -> None:
        """Count a number of a query."""
        self.trials += best.trials
        if best.bound == 0:
            self.public += 1
        else:
            self.ratios.append(best.bound / best.change if best.change else math.inf)

    def joined(self, other: "Rule") -> "Rule":
        """Return both together."""
        return Rule(self.trials + other.trials, self.public + other.public, self.ratios + other.ratios)

    def as_json(self, name: str) -> dict[str, Any]:
        """Return a line of the table; nothing is infinite in it."""
        moved = [one for one in self.ratios if one < math.inf]
        return {
            "rule": name,
            "trials": self.trials,
            "numbers": len(self.ratios) + self.public,
            "public": self.public,
            "attained": _share(sum(one == 1 for one in self.ratios), len(self.ratios)),
            "unmoved": _share(len(self.ratios) - len(moved), len(self.ratios)),
            "median": round(median(moved), 2) if moved else None,
            "largest": round(max(moved), 2) if moved else None,
        }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 3) if whole else None


Rules = dict[str, Rule]


def counted(trials: Iterable[Trial]) -> Iterator[Rules]:
    """Give what was seen, for one query after the other, whose trials follow each other."""
    case: Case | None = None
    best: list[Best] = []
    for trial in trials:
        if trial.case is not case:
            yield from _rules(best)
            case, best = trial.case, _started(trial.case)
        for one, seen in zip(best, trial.seen, strict=True):
            one.change = max(one.change, seen.change)
            one.trials += 1
    yield from _rules(best)


def _started(case: Case) -> list[Best]:
    below = rules_of(case)
    return [
        Best(below | {root_rule(case.query.root, one)}, part.l1)
        for one in case.plan.sensitivities
        for part in one.parts
    ]


def _rules(best: Iterable[Best]) -> Iterator[Rules]:
    found: Rules = defaultdict(Rule)
    for one in best:
        for name in one.rules:
            found[name].add(one)
    if found:
        yield found


def together(several: Iterable[Rules]) -> Rules:
    """Return all in one."""
    found: Rules = {}
    for rules in several:
        for name, one in rules.items():
            found[name] = found[name].joined(one) if name in found else one
    return found

"""How often the 95 % intervals hold the true shares when a real survey is repeated.

Reports are drawn from the exact law of the channel (a multinomial), by a seeded generator: no privacy
hangs on these draws. Two ways to repeat a survey: other people are drawn from the same population
(intervals about the population), or the very same people answer again (intervals about these people).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from privacy.estimation.debias import Support
from privacy.estimation.intervals import Interval, share_interval
from privacy.estimation.pooling import channel_matrix
from privacy.mechanisms.catalogue import configure

REPETITIONS = 1_000


@dataclass(frozen=True)
class Coverage:
    """Of all intervals (questions x answers x repetitions), the part that held the true share."""

    overall: float
    by_answer: tuple[tuple[float, ...], ...]
    intervals: int


def coverage_of_intervals(
    truths: Sequence[np.ndarray],
    epsilon: str,
    *,
    protocol: str = "spinner",
    same_people: bool = False,
    level: float = 0.95,
    repetitions: int = REPETITIONS,
    seed: int = 2019,
) -> Coverage:
    """Repeat a survey whose true counts are given, each question at this ε, and count who was covered."""
    generator = np.random.default_rng(seed)
    held = []
    for counts in truths:
        support = Support.of(configure(protocol, epsilon, len(counts)))
        reports = _repeated(counts, support, same_people, repetitions, generator)
        held.append(_held(reports, counts / counts.sum(), support, level, 0.0 if same_people else 1.0))
    together = np.concatenate(held, axis=1)
    by_answer = tuple(tuple(one.mean(axis=0).tolist()) for one in held)
    return Coverage(float(together.mean()), by_answer, together.size)


def _repeated(
    counts: np.ndarray, support: Support, same_people: bool, repetitions: int, generator: np.random.Generator
) -> np.ndarray:
    """Counts of reports, one row a repetition."""
    matrix = channel_matrix(support)
    if same_people:
        return sum(
            generator.multinomial(int(count), matrix[:, truth] / matrix[:, truth].sum(), size=repetitions)
            for truth, count in enumerate(counts)
        )
    rates = matrix @ (counts / counts.sum())
    return generator.multinomial(int(counts.sum()), rates / rates.sum(), size=repetitions)


def _held(reports: np.ndarray, shares: np.ndarray, support: Support, level: float, g: float) -> np.ndarray:
    n, (p, q) = int(reports[0].sum()), support.rates

    @cache
    def interval(count: int) -> Interval:
        return share_interval(count, n, p, q, level, g)

    return np.array(
        [
            [
                interval(int(count)).low <= share <= interval(int(count)).high
                for count, share in zip(row, shares, strict=True)
            ]
            for row in reports
        ]
    )

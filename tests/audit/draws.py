"""Draws for the audit: the product's own mechanisms on the operating system's random bits."""

import os
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from typing import Any

import numpy as np

from privacy.bits import Bits, SecureBits
from privacy.mechanisms.catalogue import configure, mechanism_from

EPSILONS = ("0.5", "1", "2", "4")
CHOICES = (2, 5, 20)
TOSSES = 10
PIECE = 500_000  # draws in one task

Manifest = dict[str, Any]
Case = dict[str, Any]  # {"mechanism": manifest, "n": draws a truth, "counts": [[one a report] a truth]}
Task = tuple[int, Manifest, int, int, str]  # case, manifest, truth, draws, source


class BulkBits:
    """Secure random bits in bulk, each word from 32 fresh ones: the law of SecureBits, a quarter faster."""

    def __init__(self) -> None:
        self.used = 0  # not counted here
        pull = self._words().__next__
        self.word: Callable[[int], int] = lambda b, /: pull() >> 32 - b

    def _words(self) -> Iterator[int]:
        while True:
            yield from np.frombuffer(os.urandom(1 << 18), dtype=np.uint32).tolist()


SOURCES: dict[str, Callable[[], Bits]] = {"secure": SecureBits, "bulk": BulkBits}


def manifests(epsilons: tuple[str, ...] = EPSILONS, choices: tuple[int, ...] = CHOICES) -> list[Manifest]:
    """Return the mechanisms that are audited."""
    return [
        dict(configure(name, epsilon, k, tosses=TOSSES if name == "coin" else None).manifest())
        for name in ("spinner", "spinner-coin", "coin")
        for epsilon in epsilons
        for k in choices
    ]


def drawn(task: Task) -> tuple[int, int, list[int]]:
    """Return how often each report came of one truth."""
    case, manifest, truth, n, source = task
    mechanism: Any = mechanism_from(manifest)
    bits, report = SOURCES[source](), mechanism.report
    counts = [0] * mechanism.choices
    for _ in range(n):
        counts[report(truth, bits)] += 1
    return case, truth, counts


def tasks(audited: list[Manifest], n: int, source: str) -> Iterator[Task]:
    """Return the work, in pieces that a process can take one at a time."""
    for case, manifest in enumerate(audited):
        for truth in range(manifest["choices"]):
            for start in range(0, n, PIECE):
                yield case, manifest, truth, min(PIECE, n - start), source


def sample(audited: list[Manifest], n: int, processes: int = 0, source: str = "secure") -> list[Case]:
    """Draw n reports of every truth of every mechanism, in so many processes (0: in this one)."""
    cases = [
        {
            "mechanism": manifest,
            "n": n,
            "counts": [[0] * manifest["choices"] for _ in range(manifest["choices"])],
        }
        for manifest in audited
    ]
    work = tasks(audited, n, source)
    if processes == 0:
        _add(cases, map(drawn, work))
        return cases
    # Spawned, not forked: no process may start with another one's random bits.
    with get_context("spawn").Pool(processes) as pool:
        _add(cases, pool.imap_unordered(drawn, work))
    return cases


def _add(cases: list[Case], results: Iterator[tuple[int, int, list[int]]]) -> None:
    for case, truth, counts in results:
        row = cases[case]["counts"][truth]
        for report, count in enumerate(counts):
            row[report] += count

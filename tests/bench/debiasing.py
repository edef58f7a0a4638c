"""Figures of server-side de-biasing from raw reports, beside pure-ldp and multi-freq-ldpy."""

import json
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from privacy.estimation.counting import count
from privacy.estimation.debias import Support, standard_errors, unbiased_shares
from privacy.estimation.questions import estimate_question
from privacy.mechanisms.catalogue import configure
from tests.bench.environments import peer_environment
from tests.bench.figures import Figure, median
from tests.bench.machine import HERE, Unavailable
from tests.bench.sizes import Size

GROUP = "De-biasing from raw reports (spinner, n = 10⁶, k = 4, ε = ln 3)"
N, K, EPSILON = 1_000_000, 4, "ln(3)"
PACKAGES = ("pure-ldp", "scikit-learn", "statsmodels", "xxhash<4", "multi-freq-ldpy")


def figures(size: Size) -> Iterator[Figure]:
    """Measure ours and the peers' on the same reports, and compare the estimates."""
    mechanism = configure("spinner", EPSILON, K)
    support = Support.of(mechanism)
    reports = _reports(support)

    def ours() -> Any:
        counts = count(mechanism, reports).tolist()
        return unbiased_shares(counts, support), standard_errors(counts, support)

    def whole() -> Any:
        return estimate_question(mechanism, count(mechanism, reports).tolist())

    own = _milliseconds(ours, 15)
    yield Figure(GROUP, "Deniable: estimates and standard errors", own, "ms")
    yield Figure(GROUP, "Deniable: with intervals and maximum likelihood", _milliseconds(whole, 5), "ms")
    try:
        peers = _peers(reports, size.peers)
    except Unavailable as reason:
        yield Figure(GROUP, "peers", None, note=f"skipped: {reason}")
        return
    shares = ours()[0]
    for name, (spent, theirs) in peers.items():
        apart = float(np.abs(np.asarray(theirs) - shares).max())
        yield Figure(GROUP, name, spent, "ms", note=f"estimates differ by at most {apart:.1e}")
        yield Figure(GROUP, f"{name} over Deniable", spent / own, "", "≥ 50")


def _reports(support: Support) -> np.ndarray:
    """Reports of people of whom 70, 15, 10 and 5 % are of each kind, by the mechanism's law."""
    generator = np.random.default_rng(4)
    truths = generator.choice(K, N, p=[0.7, 0.15, 0.1, 0.05]).astype(np.uint8)
    p = support.rates[0]
    others = (truths + generator.integers(1, K, N, dtype=np.uint8)) % K
    return np.where(generator.random(N) < p, truths, others).astype(np.uint8).reshape(-1, 1)


def _peers(reports: np.ndarray, times: int) -> dict[str, tuple[float, list[float]]]:
    python = peer_environment("debiasing", PACKAGES)
    with tempfile.TemporaryDirectory(prefix="deniable-bench-") as folder:
        data = Path(folder) / "reports.bin"
        data.write_bytes(reports.tobytes())
        command = [python, str(HERE / "debiasing_peers.py"), str(data), str(K), str(times)]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Unavailable(done.stderr.strip().rpartition("\n")[2][:200])
    found: dict[str, tuple[float, list[float]]] = json.loads(done.stdout.splitlines()[-1])
    return found


def _milliseconds(work: Callable[[], Any], times: int) -> float:
    spent = []
    for _ in range(times):
        started = time.perf_counter()
        work()
        spent.append(time.perf_counter() - started)
    return median(spent) * 1e3

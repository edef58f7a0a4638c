"""The peers on the same reports; runs in their own environment and prints JSON.

Each gets the reports in the form that it is fastest with.
"""

import json
import math
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Aggregator_MI
from pure_ldp.frequency_oracles.direct_encoding import DEServer

EPSILON = math.log(3)


def pure_ldp(reports: list[int], k: int) -> list[float]:
    """Aggregate and estimate as its documentation shows; its counts become shares."""
    server = DEServer(EPSILON, k, index_mapper=lambda answer: answer)
    server.aggregate_all(reports)
    return [float(server.estimate(answer, suppress_warnings=True)) / len(reports) for answer in range(k)]


def multi_freq(reports: Any, k: int) -> list[float]:
    """Aggregate as its documentation shows."""
    return [float(share) for share in GRR_Aggregator_MI(reports, k, EPSILON)]


def fastest(work: Callable[[Any, int], list[float]], forms: list[Any], k: int, times: int) -> Any:
    """Return the median time in milliseconds with the form that suits it best, and the estimates."""
    best = None
    for form in forms:
        spent = []
        for _ in range(times):
            started = time.perf_counter()
            shares = work(form, k)
            spent.append(time.perf_counter() - started)
        if best is None or statistics.median(spent) * 1e3 < best[0]:
            best = (statistics.median(spent) * 1e3, shares)
    return best


def main() -> None:
    """Measure both."""
    path, k, times = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    reports = np.fromfile(path, dtype=np.uint8)
    forms = [reports.tolist(), reports.astype(np.int64)]
    found = {
        "pure-ldp": fastest(pure_ldp, forms, k, times),
        "multi-freq-ldpy": fastest(multi_freq, forms, k, times),
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main()

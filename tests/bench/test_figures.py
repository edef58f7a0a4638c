"""The bench's own arithmetic: goals, medians, what the load generator says, and CPU time."""

import os
import subprocess
import sys
from unittest import mock

import pytest

from tests.bench.figures import Figure, median, table
from tests.bench.machine import Unavailable, _load, cpu_seconds
from tests.bench.sizes import SIZES, size_of
from tests.bench.stopwatch import Stopwatch
from tests.estimation.yrbs import RESPONDENTS

SAID = """
  Latency Distribution
     50%    2.45ms
     99%  812.00us
  29772 requests in 5.01s, 7.50MB read
"""


@pytest.mark.parametrize(
    ("value", "goal", "met"),
    [(0.5, "≥ 0.5", True), (0.4, "≥ 0.5", False), (10, "≤ 10", True), (11, "≤ 10", False), (1, "", None)],
)
def test_a_goal_is_met_or_missed(value: float, goal: str, met: bool | None) -> None:
    assert Figure("g", "n", value, goal=goal).met is met


def test_a_figure_without_a_value_meets_nothing() -> None:
    assert Figure("g", "n", None, goal="≥ 1").met is None


def test_a_missed_goal_is_loud() -> None:
    assert "MISSED" in table([Figure("group", "name", 1.0, "ms", "≥ 2")])


def test_the_median_is_the_middle() -> None:
    assert (median([3, 1, 2]), median([4, 1, 2, 3])) == (2, 2.5)


def test_the_load_generators_words_are_understood() -> None:
    load = _load(SAID)
    assert (load.requests, load.seconds, load.p50, load.p99, load.refused) == (29772, 5.01, 2.45, 0.812, 0)
    assert _load(SAID + "Non-2xx or 3xx responses: 7").refused == 7
    with pytest.raises(Unavailable):
        _load("unable to connect")


def test_cpu_time_is_counted_with_that_of_ended_children() -> None:
    before = cpu_seconds(os.getpid())
    subprocess.run([sys.executable, "-c", "sum(range(20_000_000))"], check=True)
    assert cpu_seconds(os.getpid()) - before >= 0.1


def test_a_size_is_a_name_or_a_number() -> None:
    assert size_of("small") is SIZES["small"]
    assert size_of("10000000").reports == 1_000_000
    with pytest.raises(ValueError, match="tiny"):
        size_of("tiny")


def test_a_stopwatch_counts_a_call_within_a_call_once() -> None:
    watch = Stopwatch()
    with mock.patch("tests.bench.stopwatch.time.perf_counter", iter([1.0, 4.0]).__next__):
        watch(lambda: watch(lambda: None))
    assert watch.seconds == 3.0


def test_all_respondents_answer_in_all_but_the_small_size() -> None:
    assert {name: size.people for name, size in SIZES.items()} == {
        "small": 2_000,
        "medium": RESPONDENTS,
        "large": RESPONDENTS,
    }

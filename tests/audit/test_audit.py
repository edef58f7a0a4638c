"""The audit certifies ε from real draws, and would notice a mechanism that says less or more than it does."""

import json
from fractions import Fraction
from math import log
from typing import Any

import numpy as np
import pytest

from privacy.bits import SecureBits
from privacy.mechanisms.catalogue import mechanism_from
from tests.audit.__main__ import result, verdicts
from tests.audit.draws import SOURCES, TOSSES, BulkBits, manifests, sample
from tests.audit.judge import ALPHA, FULL, clopper_pearson, judge, required_share, table

SIZE = 4_000
SPINNER: dict[str, Any] = {"name": "spinner", "choices": 2, "num": 2673494775, "bits": 32}  # ε = 0.5


def exact(manifest: dict[str, Any], n: int, law: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the counts that a law would give on average, told as those of a manifest."""
    matrix = mechanism_from(law or manifest).channel().matrix
    columns = [[round(p * n) for p in column] for column in zip(*matrix, strict=True)]
    for column in columns:
        column[0] += n - sum(column)
    return {"mechanism": manifest, "n": n, "counts": columns}


@pytest.mark.parametrize("source", SOURCES)
def test_real_draws_keep_the_promise(source: str) -> None:
    # All verdicts together raise a false alarm once in a million runs.
    cases = sample(manifests(), SIZE, source=source)
    assert len(cases) == 36
    for case in cases:
        row = judge("python", case, alpha=ALPHA / (2 * len(cases)))
        assert row.passed, row


def test_work_in_several_processes_is_the_same_work() -> None:
    (case,) = sample(manifests(("1",), (2,))[:1], 600_000, processes=2, source="bulk")
    assert [sum(row) for row in case["counts"]] == [600_000, 600_000]
    assert judge("python", case).passed


@pytest.mark.parametrize("manifest", manifests(), ids=lambda m: f"{m['name']}-{m['choices']}-{m['num']}")
def test_at_full_size_the_expected_counts_certify_nearly_all_of_epsilon(manifest: dict[str, Any]) -> None:
    row = judge("python", exact(manifest, FULL))
    assert row.passed, row
    assert row.certified >= (0.97 if row.realised > 0.5 else 0.94) * row.realised


@pytest.mark.parametrize("percent", [-1, 1])
@pytest.mark.parametrize("manifest", manifests(), ids=lambda m: f"{m['name']}-{m['choices']}-{m['num']}")
def test_at_full_size_a_wheel_that_is_one_percent_off_is_noticed(
    manifest: dict[str, Any], percent: int
) -> None:
    num = manifest["num"] + percent * max(1, manifest["num"] // 100)
    if num >= 1 << manifest.get("bits", TOSSES):
        return  # a wheel that is nearly all bright cannot grow by one percent
    assert not judge("python", exact(manifest, FULL, law={**manifest, "num": num})).passed


def test_too_little_lying_is_noticed_by_epsilon_alone() -> None:
    row = judge("python", exact(SPINNER, FULL, law={**SPINNER, "num": 2700229722}))
    assert row.certified > row.realised


def test_too_much_lying_is_noticed_by_epsilon_alone() -> None:
    row = judge("python", exact(SPINNER, FULL, law={**SPINNER, "num": 2646759828}))
    assert row.certified < row.required


def test_a_small_audit_asks_for_a_smaller_share() -> None:
    assert required_share(1.0, FULL) == 0.97
    assert required_share(0.5, FULL) == 0.94
    assert required_share(1.0, FULL * 100) == 0.97
    assert required_share(1.0, FULL // 100) == pytest.approx(0.7)
    assert required_share(1.0, 100) == 0.0


def test_a_small_run_cannot_be_read_as_the_full_one() -> None:
    small, full = judge("python", exact(SPINNER, FULL - 1)), judge("python", exact(SPINNER, FULL))
    assert (small.as_json()["verdict"], full.as_json()["verdict"]) == ("pass (small)", "pass")
    assert [(row["size"], row["full"]) for row in result([small, full])["rows"]] == [
        (FULL - 1, False),
        (FULL, True),
    ]
    # One small case is enough.
    assert [result(rows)["full"] for rows in ([full], [small, full], [])] == [True, False, False]
    assert table([small]).endswith("pass (small)")
    assert table([full]).endswith("  pass")


def test_bounds_are_those_of_clopper_and_pearson() -> None:
    lower, upper = clopper_pearson(np.array([[0, 3, 10]]), 10, 0.025)
    # Zero of n: the upper bound solves (1 − p)^n = tail.
    assert lower[0].tolist() == pytest.approx([0, 0.066739, 1 - 0.308497], abs=1e-6)
    assert upper[0].tolist() == pytest.approx([0.308497, 0.652453, 1], abs=1e-6)


def test_counts_that_do_not_add_up_are_not_judged() -> None:
    case = exact(SPINNER, 1000)
    case["counts"][0][0] += 1
    with pytest.raises(ValueError, match="1000 draws"):
        judge("typescript", case)


def test_counts_of_another_language_are_judged_alike() -> None:
    counted = {"language": "typescript", "cases": [exact(SPINNER, 10_000)]}
    (row,) = verdicts(json.loads(json.dumps(counted)))
    assert row.passed
    assert row.as_json()["language"] == "typescript"
    assert "typescript  spinner        2" in table([row])


def test_epsilon_is_that_of_the_integers() -> None:
    p = Fraction(SPINNER["num"], 1 << 32)
    assert judge("python", exact(SPINNER, 1000)).realised == pytest.approx(log(p / (1 - p)))


@pytest.mark.parametrize("bits", [SecureBits, BulkBits])
def test_each_source_gives_words_of_the_asked_length(bits: Any) -> None:
    source = bits()
    seen = {source.word(2) for _ in range(200)}  # one of four is missing once in 10^24 runs
    assert seen == {0, 1, 2, 3}
    assert source.word(0) == 0

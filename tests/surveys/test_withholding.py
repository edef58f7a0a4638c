"""Nothing that is shown, nor any sum or difference of it, tells of fewer people than the minimum."""

from collections.abc import Iterable, Mapping
from itertools import chain, combinations, product

import numpy as np
import pytest

from surveys.services import withholding
from surveys.services.withholding import publishable

MINIMUM = 3


def unions(versions: Iterable[int]) -> list[frozenset[int]]:
    kept = list(versions)
    return [
        frozenset(u)
        for u in chain.from_iterable(combinations(kept, size) for size in range(1, len(kept) + 1))
    ]


def told(
    ns: Mapping[int, int], shown: Iterable[frozenset[int]], minimum: int = MINIMUM
) -> list[frozenset[int]]:
    """Return the unions of versions with too few people that linear algebra finds in what is shown."""
    versions = sorted(ns)
    rows = [[float(v in group) for v in versions] for group in shown]
    if not rows:
        return []
    rank = np.linalg.matrix_rank(np.array(rows))
    found = []
    for union in unions(versions):
        people = sum(ns[v] for v in union)
        if 0 < people < minimum:
            extended = np.array([*rows, [float(v in union) for v in versions]])
            if np.linalg.matrix_rank(extended) == rank:
                found.append(union)
    return found


def small_cases(versions: int) -> Iterable[dict[int, int]]:
    return (dict(enumerate(ns, 1)) for ns in product(range(7), repeat=versions))


@pytest.mark.parametrize("versions", [1, 2, 3])
def test_no_small_case_tells_of_too_few(versions: int) -> None:
    for ns in small_cases(versions):
        answered = {v: n for v, n in ns.items() if n}
        assert told(answered, publishable(ns, MINIMUM).groups) == [], ns


def test_groups_of_versions_tell_of_no_too_few() -> None:
    for ns in product([1, 2, 3, 5], repeat=4):
        sizes = dict(enumerate(ns, 1))
        groups = [{1, 2}, {2, 3}, {1, 3}, {1, 2, 3}, {3, 4}]
        assert told(sizes, publishable(sizes, MINIMUM, groups).groups) == [], ns


def test_the_rule_without_a_search_is_as_safe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(withholding, "SEARCHED", 0)
    for ns in small_cases(3):
        answered = {v: n for v, n in ns.items() if n}
        assert told(answered, publishable(ns, MINIMUM).groups) == [], ns


def test_the_naive_rule_is_caught() -> None:
    """The control: every version of enough people and the total, which shows what is left over."""

    def naive(ns: Mapping[int, int]) -> list[frozenset[int]]:
        return [frozenset(ns), *(frozenset({v}) for v, n in ns.items() if n >= 50)]

    assert told({1: 71, 2: 49}, naive({1: 71, 2: 49}), 50) == [frozenset({2})]


def test_of_71_and_49_only_all_are_shown() -> None:
    published = publishable({1: 71, 2: 49}, 50)
    assert published.pooled
    assert published.versions == frozenset()


def test_two_versions_hide_a_third_of_too_few() -> None:
    published = publishable({1: 200, 2: 60, 3: 20}, 50)
    assert published.pooled
    assert published.versions == {1}


def test_fewer_than_the_minimum_in_all_show_nothing() -> None:
    assert publishable({1: 30, 2: 19}, 50).groups == frozenset()


def test_a_single_version_of_enough_people_is_shown() -> None:
    published = publishable({1: 50}, 50)
    assert published.pooled
    assert published.versions == {1}


def test_a_version_that_nobody_answered_hides_nothing() -> None:
    published = publishable({1: 60, 2: 0}, 50)
    assert published.versions == {1}
    assert published.shows([1, 2])


def test_nothing_more_could_be_shown() -> None:
    for ns in small_cases(3):
        answered = {v: n for v, n in ns.items() if n}
        shown = publishable(ns, MINIMUM).groups
        left = {frozenset(answered), *(frozenset({v}) for v in answered)} - shown - {frozenset()}
        assert all(told(answered, [*shown, group]) for group in left), ns

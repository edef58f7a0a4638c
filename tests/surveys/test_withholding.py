"""Nothing that is shown, nor any sum or difference of it, tells of fewer people than the minimum."""

from collections.abc import Callable, Iterable, Mapping
from itertools import chain, combinations, product
from typing import Any

import numpy as np
import pytest

from surveys.services import withholding
from surveys.services.withholding import Group, boxes_publishable, publishable

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


def alike(ns: Iterable[int]) -> list[set[int]]:
    """Return the lineages of one question that all versions ask alike."""
    return [set(ns)]


def apart(ns: Iterable[int]) -> list[set[int]]:
    """Return the lineages of one question that each version asks differently."""
    return [{version} for version in ns]


@pytest.mark.parametrize("versions", [1, 2, 3])
@pytest.mark.parametrize("lineages", [alike, apart])
def test_no_small_case_tells_of_too_few(versions: int, lineages: Any) -> None:
    for ns in small_cases(versions):
        answered = {v: n for v, n in ns.items() if n}
        assert told(answered, publishable(ns, MINIMUM, lineages(ns)).groups) == [], ns


def test_groups_of_versions_tell_of_no_too_few() -> None:
    for ns in product([1, 2, 3, 5], repeat=4):
        sizes = dict(enumerate(ns, 1))
        for groups in (
            [{1, 2}, {2, 3}, {1, 3}, {1, 2, 3}, {3, 4}],
            [{1, 2}, {3}, {4}],
            [{1, 2, 3, 4}, {1, 2}],
        ):
            assert told(sizes, publishable(sizes, MINIMUM, groups).groups) == [], ns


@pytest.mark.parametrize("lineages", [alike, apart])
def test_the_rule_without_a_search_is_as_safe(monkeypatch: pytest.MonkeyPatch, lineages: Any) -> None:
    monkeypatch.setattr(withholding, "SEARCHED", 0)
    for ns in small_cases(3):
        answered = {v: n for v, n in ns.items() if n}
        assert told(answered, publishable(ns, MINIMUM, lineages(ns)).groups) == [], ns


def test_the_naive_rule_is_caught() -> None:
    """The control: every version of enough people and the total, which shows what is left over."""

    def naive(ns: Mapping[int, int]) -> list[frozenset[int]]:
        return [frozenset(ns), *(frozenset({v}) for v, n in ns.items() if n >= 50)]

    assert told({1: 71, 2: 49}, naive({1: 71, 2: 49}), 50) == [frozenset({2})]


def test_of_71_and_49_only_all_are_shown() -> None:
    published = publishable({1: 71, 2: 49}, 50, [{1, 2}])
    assert published.pooled
    assert published.versions == frozenset()


def test_a_version_of_few_costs_nothing_where_no_question_is_asked_alike() -> None:
    published = publishable({1: 5000, 2: 49}, 50, [{1}, {2}])
    assert published.versions == {1}
    assert not published.pooled


def test_one_question_asked_alike_does_not_cost_all_others() -> None:
    changed = [{1}, {2}] * 9
    published = publishable({1: 5000, 2: 49}, 50, [{1, 2}, *changed])
    assert published.versions == {1}
    # The control: where nearly all are asked alike, they are shown for everybody.
    assert publishable({1: 71, 2: 49}, 50, [{1, 2}] * 9 + [{1}, {2}]).pooled


def test_two_versions_hide_a_third_of_too_few() -> None:
    published = publishable({1: 200, 2: 60, 3: 20}, 50, [{1, 2, 3}])
    assert published.pooled
    assert published.versions == {1}


def test_fewer_than_the_minimum_in_all_show_nothing() -> None:
    assert publishable({1: 30, 2: 19}, 50, [{1, 2}]).groups == frozenset()


def test_a_single_version_of_enough_people_is_shown() -> None:
    published = publishable({1: 50}, 50, [{1}])
    assert published.pooled
    assert published.versions == {1}


def test_a_version_that_nobody_answered_hides_nothing() -> None:
    published = publishable({1: 60, 2: 0}, 50, [{1, 2}])
    assert published.versions == {1}
    assert published.shows([1, 2])


@pytest.mark.parametrize("lineages", [alike, apart])
def test_nothing_more_could_be_shown(lineages: Any) -> None:
    for ns in small_cases(3):
        answered = {v: n for v, n in ns.items() if n}
        shown = publishable(ns, MINIMUM, lineages(ns)).groups
        wanted = {frozenset(group) & frozenset(answered) for group in lineages(ns)}
        left = {*wanted, *(frozenset({v}) for v in answered)} - shown - {frozenset()}
        assert all(told(answered, [*shown, group]) for group in left), ns


# Boxes: each respondent answered one that was drawn. The atoms are pairs (version, box), numbered.


def told_of_boxes(
    boxes: list[dict[int, int]], groups: Iterable[Group], shown: Callable[[Group, int], bool]
) -> list[frozenset[int]]:
    """Return what is told of too few from the groups' totals and from every box shown in a group."""
    atoms = {(v, b): at for at, (v, b) in enumerate((v, b) for b, box in enumerate(boxes) for v in box)}
    sizes = {at: boxes[b][v] for (v, b), at in atoms.items()}
    all_boxes = range(len(boxes))
    sums = [frozenset(atoms[v, b] for v in group for b in all_boxes) for group in groups]
    sums += [frozenset(atoms[v, b] for v in group) for group in groups for b in all_boxes if shown(group, b)]
    answered = {at: n for at, n in sizes.items() if n}
    return told(answered, [group & frozenset(answered) for group in sums])


def test_no_box_and_no_difference_of_boxes_tells_of_too_few() -> None:
    one, two = frozenset({1}), frozenset({2})
    for groups in ([one], [one | two], [one, two], [one, two, one | two], [one, one | two]):
        for ns in product([0, 1, 2, 3, 6], repeat=4):
            boxes = [{1: ns[0], 2: ns[1]}, {1: ns[2], 2: ns[3]}, {1: 4, 2: 3}]
            # The totals themselves were found to be safe.
            if any(sum(box[v] for box in boxes for v in group) < MINIMUM for group in groups):
                continue
            found = boxes_publishable(boxes, groups, MINIMUM)
            assert told_of_boxes(boxes, groups, found.shows) == [], (groups, ns)


def test_the_naive_rule_of_boxes_is_caught() -> None:
    """The control: a box is shown where enough people drew it; the last one follows by subtraction."""
    one = frozenset({1})
    boxes = [{1: 4}, {1: 5}, {1: 1}]
    naive = told_of_boxes(boxes, [one], lambda group, box: boxes[box][1] >= MINIMUM)
    assert naive == [frozenset({2})]


def test_a_second_box_hides_the_one_that_would_follow() -> None:
    one = frozenset({1})
    found = boxes_publishable([{1: 120}, {1: 70}, {1: 30}, {1: 90}], [one], 50)
    assert found.boxes == {0, 3}
    assert boxes_publishable([{1: 7}] * 8, [one], 50).boxes == frozenset()
    assert boxes_publishable([{1: 60}] * 8, [one], 50).boxes == set(range(8))


def test_boxes_are_shown_where_most_people_drew_them() -> None:
    both, one, two = frozenset({1, 2}), frozenset({1}), frozenset({2})
    found = boxes_publishable([{1: 250, 2: 25}] * 4, [both, one, two], 50)
    assert (found.groups, found.boxes) == ({both}, set(range(4)))
    found = boxes_publishable([{1: 250, 2: 60}] * 4, [both, one, two], 50)
    assert found.groups == {both, one, two}


def test_a_target_that_was_reached_counts_as_the_total() -> None:
    ns, apart = {1: 71, 2: 49}, [[1], [2]]
    assert publishable(ns, 50, apart, total_known=True).versions == frozenset()
    # The control: without it, the first version is shown; 120 - 71 would tell of 49.
    assert publishable(ns, 50, apart).versions == {1}


def test_a_known_total_hides_nothing_that_it_does_not_tell() -> None:
    ns, apart = {1: 71, 2: 50}, [[1], [2]]
    assert publishable(ns, 50, apart, total_known=True).versions == {1, 2}
    many = dict.fromkeys(range(1, 13), 60) | {13: 20}
    shown = publishable(many, 50, [[version] for version in many], total_known=True)
    assert len(shown.versions) == 11
    assert not shown.pooled

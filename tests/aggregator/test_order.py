"""The order in which people answered is nowhere to be found.

Kendall's τ between arrival and place; for independent orders of n = 400 its standard deviation is
√(2(2n+5)/(9n(n−1))) = 0.0335, so that |τ| ≥ 4.9 of them is a false alarm once in a million runs.
"""

from collections.abc import Sequence
from typing import Any

import pytest
from django.db import transaction
from scipy.stats import kendalltau

from aggregator import drain
from aggregator.closing import survey_finish
from aggregator.drain import inbox_drain, tallies_add
from surveys.models import InboxReport, Report
from surveys.rowkeys import random_keys
from tests.aggregator.inbox import arrive, close, lying_order, number_of, told_apart

pytestmark = pytest.mark.django_db(transaction=True)
NUMBER = 400
Z = 4.9


def orderly(places: Sequence[int]) -> bool:
    """Say whether an order tells of the order of arrival, which the numbers are."""
    n = len(places)
    tau = kendalltau(range(n), places).statistic
    return bool(abs(tau) >= Z * (2 * (2 * n + 5) / (9 * n * (n - 1))) ** 0.5)


def archive_orders() -> list[list[int]]:
    """Return the archive's reports by key and as they lie on disk."""
    by_key = [number_of(packed) for packed in Report.objects.order_by("key").values_list("packed", flat=True)]
    return [by_key, [number_of(packed) for packed in lying_order("surveys_report", "packed")]]


def test_within_a_drain_no_order_is_left(owner: Any) -> None:
    version = told_apart(owner)
    arrive(version, range(NUMBER + 50))
    inbox_drain(version.survey_id)
    assert not any(orderly(order) for order in archive_orders())


def test_after_closing_no_order_is_left_of_many_drains(owner: Any) -> None:
    version = told_apart(owner)
    for first in range(0, NUMBER, 100):
        arrive(version, range(first, first + 100))
        inbox_drain(version.survey_id)
    close(version)
    survey_finish(version.survey_id)
    assert Report.objects.count() == NUMBER
    assert not any(orderly(order) for order in archive_orders())


def test_after_closing_the_spent_digests_lie_in_another_order(owner: Any) -> None:
    version = told_apart(owner)
    arrive(version, range(NUMBER))
    arrived = [int.from_bytes(digest, "big") for digest in lying_order("surveys_spent", "digest")]
    close(version)
    survey_finish(version.survey_id)
    digests = [int.from_bytes(digest, "big") for digest in lying_order("surveys_spent", "digest")]
    assert sorted(digests) == sorted(arrived)
    assert not orderly(digests)
    # Nor does a digest lie where its report lies.
    reports = archive_orders()[1]
    assert not orderly([reports.index(number) for number in digests])
    # The control: before, they lay as they came.
    assert orderly(arrived)


def test_the_rewrite_alone_undoes_a_drain_in_order(owner: Any) -> None:
    version = told_apart(owner)
    naive_drain(version, range(NUMBER))
    close(version)
    assert all(orderly(order) for order in archive_orders())
    survey_finish(version.survey_id)
    assert not any(orderly(order) for order in archive_orders())


def test_a_naive_drain_is_found_out(owner: Any) -> None:
    """The control: first in, first out, under keys that count."""
    version = told_apart(owner)
    naive_drain(version, range(NUMBER))
    assert all(orderly(order) for order in archive_orders())


def naive_drain(version: Any, numbers: range) -> None:
    arrive(version, numbers)
    with transaction.atomic():
        rows = sorted(InboxReport.objects.all(), key=lambda row: number_of(row.payload))
        for key, row in enumerate(rows):
            Report.objects.create(key=key, version=version, packed=row.payload)
        tallies_add({version.pk: version}, {version.pk: b"".join(bytes(row.payload) for row in rows)})
        InboxReport.objects.all().delete()


def test_a_drain_that_keeps_the_order_is_found_out(owner: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: fresh keys, handed out in the order of arrival."""
    version = told_apart(owner)
    arrive(version, range(NUMBER + 50))

    def in_order(_: list[int], number: int) -> dict[int, bytes]:
        rows = sorted(InboxReport.objects.all(), key=lambda row: number_of(row.payload))[:number]
        InboxReport.objects.filter(pk__in=[row.pk for row in rows]).delete()
        for key, row in zip(sorted(random_keys(number)), rows, strict=True):
            Report.objects.create(key=key, version=version, packed=row.payload)
        return {version.pk: b"".join(bytes(row.payload) for row in rows)}

    monkeypatch.setattr(drain, "inbox_move", in_order)
    inbox_drain(version.survey_id)
    assert all(orderly(order) for order in archive_orders())

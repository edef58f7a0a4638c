"""The page of a ledger: budgets and shares are set, charges told with who asked, in amounts as people write them."""

from typing import Any

import pytest
from django.test import Client

from surveys.models import Budget, QueryRun, Share
from tests.surveys.test_console import admin, answered, asleep, engine, granted, text

__all__ = ["admin", "asleep", "engine", "granted"]


def test_an_admin_sets_a_budget_and_a_share(admin: Client, researcher: Any) -> None:
    admin.post("/sources/service/budget", {"entity": "respondent", "total": "2.5", "delta": "1e-7"})
    kept = Budget.objects.get()
    assert (kept.total, kept.delta_total) == (2_500_000, 100_000)
    admin.post("/sources/service/share", {"researcher": researcher.pk, "share": "1.25"})
    assert Share.objects.get().total == 1_250_000
    assert "researcher respondent ε 1.25 ε 0 ε 1.25" in text(admin.get("/sources/service/ledger/"))
    admin.post("/sources/service/unshare", {"researcher": researcher.pk})
    assert not Share.objects.exists()


def test_a_ledger_tells_whose_charge_it_was_and_what_a_share_bounds(admin: Client, granted: Client) -> None:
    answered(granted)
    assert "Query" in (told := text(admin.get("/sources/service/ledger/")))
    assert "researcher 0.5 0.5 answered" in told
    assert "Each is taken from the budget of respondent" in told
    assert "is at most the total" in told
    told = text(granted.get("/sources/service/ledger/"))
    assert "bounded by the source's budget, not by your share" in told.replace("&#x27;", "'")
    assert "is at most the total" not in told
    QueryRun.objects.update(actor=None)
    assert "command line 0.5 0.5" in text(admin.get("/sources/service/ledger/"))


@pytest.mark.parametrize("total", ["", "-1", "1e3", "0.0000001", "x", "99999999"])
def test_an_amount_that_cannot_be_read_is_told_beside_it(admin: Client, total: str) -> None:
    response = admin.post("/sources/service/budget", {"entity": "respondent", "total": total, "delta": "0"})
    assert response.context["budgets"][0]["form"].errors["total"]
    assert Budget.objects.get().total == 10_000_000


def test_a_budget_below_what_is_spent_is_refused_with_both_ends(admin: Client) -> None:
    answered(admin)
    response = admin.post("/sources/service/budget", {"entity": "respondent", "total": "0.4", "delta": "0"})
    assert "It must lie between 0.5 and" in text(response)


def test_nobody_but_researchers_gets_a_share(admin: Client, auditor: Any) -> None:
    response = admin.post("/sources/service/share", {"researcher": auditor.pk, "share": "1"})
    assert response.context["share_form"].errors["researcher"]
    assert admin.post("/sources/service/unshare", {"researcher": "²"}).status_code == 404


def test_a_budget_of_no_entity_kind_is_not_made(admin: Client) -> None:
    admin.post("/sources/service/budget", {"entity": "panel", "total": "1", "delta": "0"})
    assert Budget.objects.count() == 1

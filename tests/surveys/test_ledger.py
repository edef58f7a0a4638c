"""What queries cost is charged to the last millionth: never less than was used, never more than there was."""

from fractions import Fraction
from typing import Any

import pytest
from django.db import transaction

from surveys.errors import (
    BudgetExhausted,
    DeltaExhausted,
    NotAllowed,
    ParameterInvalid,
    SettingInvalid,
    ShareExhausted,
    delta_text,
)
from surveys.models import AuditEntry, Budget, Share
from surveys.pages.console_left import left_of
from surveys.services.audit import audit_verify
from surveys.services.ledger import (
    budget_charge,
    budget_set,
    delta_read,
    epsilon_read,
    epsilon_text,
    share_remove,
    share_set,
)
from surveys.services.ledger_reading import ledger_of
from tests import cast, people
from tests.faults.spending import naive_charge, together

HALF = 500_000


def charge(actor: Any, micro: int = HALF, delta: int = 0) -> None:
    charge_of(actor, source=people.service(), entities=["respondent"], epsilon=micro, delta=delta)


def charge_of(actor: Any, **what: Any) -> None:
    """Charge as `query_submit` does: in a transaction that a refusal ends."""
    with transaction.atomic():
        budget_charge(actor=actor, **what)


def spent() -> int:
    return Budget.objects.get().spent


@pytest.mark.parametrize(
    ("text", "micro"),
    [
        ("0.5", 500_000),
        ("1", 1_000_000),
        ("0.0000001", 1),
        ("0.3333331", 333_334),
        ("0.333333000000000001", 333_334),
        ("100", 100_000_000),
        ("ln(3)", 1_098_613),
        ("ln(2)", 693_148),
    ],
)
def test_an_epsilon_is_rounded_up(text: str, micro: int) -> None:
    assert epsilon_read(text) == micro
    if not text.startswith("ln"):
        assert Fraction(micro, 10**6) >= Fraction(text)


@pytest.mark.parametrize(
    "text",
    ["0", "0.0", "-1", "1e3", "101", "100.0000001", "", "ln(1)", "ln(0)", "ln(-3)", "٣", "1,5", " 1", "1\n",
     "nan", "inf", "0.1234567890123456789", 0.5, 1, None, True, ["1"]],
)  # fmt: skip
def test_a_text_that_names_no_epsilon_is_refused(text: object) -> None:
    with pytest.raises(ParameterInvalid) as caught:
        epsilon_read(text)
    assert caught.value.field == "epsilon"


@pytest.mark.parametrize(
    ("text", "pico"),
    [(None, 0), ("1e-9", 1000), ("0.000001", 1_000_000), (".0000000000001", 1), ("1.5e-12", 2)],
)
def test_a_delta_is_rounded_up(text: str | None, pico: int) -> None:
    assert delta_read(text) == pico


@pytest.mark.parametrize("text", ["0", "1", "0.1", "0.0", "1e-2", "-1e-9", "1e9", 1e-9, "", "0.002"])
def test_a_text_that_names_no_delta_is_refused(text: object) -> None:
    with pytest.raises(ParameterInvalid):
        delta_read(text)


def test_a_charge_is_kept_and_noted(owner: Any) -> None:
    people.budget(owner, 1_200_000)
    charge(owner)
    assert spent() == HALF
    entry = AuditEntry.objects.get(action="budget.charge")
    assert (entry.actor, entry.subject, entry.facts["epsilon"]) == ("owner", "service", "0.500000")
    assert audit_verify()


def test_what_does_not_fit_is_refused_with_what_is_left(owner: Any) -> None:
    people.budget(owner, 1_200_000)
    charge(owner)
    charge(owner)
    with pytest.raises(BudgetExhausted) as caught:
        charge(owner)
    assert (caught.value.requested, caught.value.remaining) == (HALF, 200_000)
    assert "0.200000" in str(caught.value)
    charge(owner, 200_000)
    assert spent() == 1_200_000


def test_a_refused_charge_leaves_no_trace(owner: Any) -> None:
    people.budget(owner, 100)
    before = audit_verify()
    with pytest.raises(BudgetExhausted):
        charge(owner)
    assert (spent(), audit_verify()) == (0, before)


def test_a_researcher_spends_a_share_and_the_budget(owner: Any, researcher: Any) -> None:
    people.budget(owner, 10_000_000)
    people.share(owner, researcher, 700_000)
    charge(researcher)
    assert (spent(), Share.objects.get().spent) == (HALF, HALF)
    with pytest.raises(ShareExhausted) as caught:
        charge(researcher)
    assert caught.value.remaining == 200_000
    # The budget was charged before the share refused: that was taken back.
    assert (spent(), Share.objects.get().spent) == (HALF, HALF)


def test_shares_may_add_up_to_more_than_the_budget_which_still_holds(owner: Any, researcher: Any) -> None:
    people.budget(owner, 600_000)
    people.share(owner, researcher, 600_000)
    charge(owner)
    with pytest.raises(BudgetExhausted) as caught:
        charge(researcher)
    assert type(caught.value) is BudgetExhausted


def test_a_share_is_not_larger_than_what_it_is_of(owner: Any, researcher: Any) -> None:
    people.budget(owner, 10_000_000)
    with pytest.raises(SettingInvalid) as caught:
        people.share(owner, researcher, 10_000_001)
    assert caught.value.findings[0].facts() == {"least": 0, "most": 10_000_000}
    people.share(owner, researcher, 10_000_000)
    # Lowered later, the budget is what is left.
    people.budget(owner, HALF)
    (told,) = ledger_of(actor=researcher, source=people.service())["shares"]
    assert (told["total"], told["left"]) == ("10.000000", "0.500000")
    assert [one.left for one in left_of(researcher, people.service())] == [HALF]


def test_a_ledger_tells_of_delta_as_people_write_it(owner: Any) -> None:
    people.budget(owner, 10_000_000)
    charge(owner, delta=1000)
    (told,) = ledger_of(actor=owner, source=people.service())["budgets"]
    assert (told["delta_total"], told["delta_spent"], told["delta_left"]) == ("1e-6", "1e-9", "9.99e-7")
    with pytest.raises(DeltaExhausted, match=r"^δ 1e-6 was asked for, δ 9\.99e-7 is left$"):
        charge(owner, delta=1_000_000)
    assert [delta_text(one) for one in (0, 1, 250_000, 10**12)] == ["0", "1e-12", "2.5e-7", "1"]


def test_a_researcher_without_a_share_is_not_let_in(owner: Any, researcher: Any) -> None:
    people.budget(owner, 10_000_000)
    with pytest.raises(NotAllowed):
        charge(researcher)
    people.share(owner, researcher, 700_000)
    charge(researcher)
    share_remove(actor=owner, source=people.service(), researcher=researcher)
    with pytest.raises(NotAllowed):
        charge(researcher)
    assert spent() == HALF


def test_two_kinds_of_entity_are_charged_together_or_not_at_all(owner: Any) -> None:
    people.budget(owner, 1_000_000)
    source = people.service()
    budget_set(actor=owner, source=source, entity="organisation", total=600_000)
    both = {"source": source, "entities": ["respondent", "organisation"], "epsilon": HALF}
    charge_of(owner, **both)
    with pytest.raises(BudgetExhausted):
        charge_of(owner, **both)
    assert sorted(Budget.objects.values_list("entity", "spent")) == [
        ("organisation", HALF),
        ("respondent", HALF),
    ]


def test_an_entity_without_a_budget_has_nothing_to_spend(owner: Any) -> None:
    with pytest.raises(BudgetExhausted):
        charge_of(owner, source=people.service(), entities=["nobody"], epsilon=1)


def test_delta_is_counted_too(owner: Any) -> None:
    people.budget(owner, 10_000_000)
    charge(owner, delta=600_000)
    with pytest.raises(DeltaExhausted) as caught:
        charge(owner, delta=600_000)
    assert caught.value.remaining == 400_000
    assert spent() == HALF
    charge(owner, delta=400_000)


def test_a_budget_never_falls_below_what_is_spent(owner: Any, researcher: Any) -> None:
    people.budget(owner, 1_000_000)
    people.share(owner, researcher, 1_000_000)
    charge(researcher)
    with pytest.raises(SettingInvalid):
        people.budget(owner, HALF - 1)
    with pytest.raises(SettingInvalid):
        share_set(actor=owner, source=people.service(), researcher=researcher, total=HALF - 1)
    people.budget(owner, HALF)


def test_only_admins_set_budgets_and_only_researchers_get_shares(
    owner: Any, researcher: Any, stranger: Any
) -> None:
    with pytest.raises(NotAllowed):
        people.budget(researcher, 1)
    with pytest.raises(NotAllowed):
        people.share(researcher, researcher, 1)
    with pytest.raises(SettingInvalid):
        people.share(owner, stranger, 1)


def test_all_six_digits_are_told() -> None:
    assert [epsilon_text(micro) for micro in (0, 1, 1_098_613)] == ["0.000000", "0.000001", "1.098613"]


@pytest.mark.django_db(transaction=True)
def test_threads_together_get_as_many_answers_as_the_budget_has() -> None:
    """24 threads, two tries each, one ε: exactly ⌊B/ε⌋ are let through; python -m tests.faults.spending has 200."""
    people.budget(cast.person("owner", "admin"), 17 * HALF + HALF - 1)
    got = together(24, 2, lambda: charge(None))
    assert (got.answers, got.refused, got.failures) == (17, 31, [])
    assert spent() == 17 * HALF
    assert AuditEntry.objects.filter(action="budget.charge").count() == 17
    assert audit_verify()


@pytest.mark.django_db(transaction=True)
def test_threads_of_one_researcher_stay_within_the_share() -> None:
    owner, researcher = cast.person("owner", "admin"), cast.person("researcher", "researcher")
    people.budget(owner, 100 * HALF)
    people.share(owner, researcher, 5 * HALF)
    got = together(16, 1, lambda: charge(researcher))
    assert (got.answers, got.failures, Share.objects.get().spent) == (5, [], 5 * HALF)


@pytest.mark.django_db(transaction=True)
def test_reading_first_and_writing_then_overspends() -> None:
    """The control: the same threads over a ledger that looks at what is left and then writes."""
    people.budget(cast.person("owner", "admin"), 3 * HALF)
    got = together(24, 1, lambda: naive_charge(HALF))
    assert got.answers > 3

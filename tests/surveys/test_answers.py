"""Answers of the service's own source, from charge to JSON, with the real engine and real noise."""

import json
from datetime import date
from fractions import Fraction
from typing import Any

import pytest

from aggregator import queries, tasks
from privacy.policy.estimates import Interval
from surveys.models import Organisation, QueryRun
from surveys.services.answers import cell_json, decimal_text, interval_json
from surveys.sources.connecting import source_connection
from tests import cast, people

ROWS = "reference,region,sex\n" + "".join(
    f"r{at},{'서울' if at % 3 else '부산'},{'여' if at % 2 else '남'}\n" for at in range(300)
)
SURE = 40  # of Laplace's scale: noise is wider than that once in 10¹⁷ draws

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def asleep(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no broker be asked: the test itself runs what is charged."""
    monkeypatch.setattr(tasks, "wake_query", lambda run_id: None)


@pytest.fixture
def admin(transactional_db: None) -> Any:
    """Return the owner of a panel of 300: 200 in 서울, 100 in 부산."""
    owner = cast.person("owner", "admin")
    people.filled(owner, rows=ROWS)
    return owner


def answer(actor: Any, sql: str, epsilon: str = "1", **more: Any) -> Any:
    run = people.ask(actor, sql, epsilon, **more).run
    queries.query_run(run.pk)
    kept = QueryRun.objects.get(pk=run.pk)
    assert kept.state == QueryRun.State.DONE
    return kept.answer


def test_a_count_comes_with_scale_interval_sensitivity_and_price(admin: Any) -> None:
    told = answer(admin, "SELECT COUNT(*) AS people FROM respondent")
    assert (told["columns"], told["epsilon"], told["delta"], told["public"]) == (["people"], "1", "0", False)
    [[value]], [[(low, high)]] = told["rows"], told["intervals"]
    assert low <= value <= high
    assert high - low == 2 * (value - low)
    assert abs(value - 300) < SURE
    (figure,) = told["figures"]
    assert (figure["name"], figure["sensitivity"], figure["epsilon"]) == ("people", 1, "1.000000")
    (part,) = figure["parts"]
    assert (part["law"], part["sensitivity"]) == ("laplace", 1)
    assert 1 <= part["scale"] < 1.01
    assert high - low == 2 * part["half_width"]
    assert any("respondent" in line for line in told["trace"])


def test_every_listed_group_is_there_with_rows_or_without(admin: Any) -> None:
    told = answer(admin, "SELECT region, age_band, COUNT(*) FROM respondent GROUP BY region, age_band")
    keys = [tuple(row[:2]) for row in told["rows"]]
    regions, bands = [*people.DOMAINS["region"], None], [*people.DOMAINS["age_band"], None]
    assert sorted(keys, key=str) == sorted(((one, two) for one in regions for two in bands), key=str)
    counts = {tuple(row[:2]): row[2] for row in told["rows"]}
    assert abs(counts["서울", None] - 200) < 2 * SURE
    assert abs(counts["부산", "-29"]) < 2 * SURE
    assert [one[:2] for one in told["intervals"]] == [[None, None]] * len(keys)


def test_what_is_public_is_exact_and_free(admin: Any) -> None:
    before = people.micro_spent()
    told = answer(admin, "SELECT kind, COUNT(*) FROM organisation GROUP BY kind")
    assert {row[0]: row[1] for row in told["rows"]}["hospital"] == Organisation.objects.count()
    assert (told["public"], told["epsilon"], told["figures"][0]["parts"][0]["law"]) == (True, "0", "none")
    assert people.micro_spent() == before


def test_several_figures_share_what_is_charged(admin: Any) -> None:
    sql = "SELECT COUNT(*), COUNT(sex), 2 * COUNT(*) / 3.5 AS worked FROM respondent"
    told = answer(admin, sql, "0.9")
    assert [one["epsilon"] for one in told["figures"]] == ["0.450000", "0.450000"]
    assert people.micro_spent() == 900_000
    [[people_, _, worked]] = told["rows"]
    assert worked == pytest.approx(2 * people_ / 3.5)
    # No interval is claimed for what was worked out afterwards.
    assert told["intervals"][0][2] is None


def test_delta_asks_for_gaussian_noise(admin: Any) -> None:
    told = answer(admin, people.COUNT, delta="1e-7")
    assert (told["figures"][0]["parts"][0]["law"], told["delta"]) == ("gaussian", "0.0000001")
    assert abs(told["rows"][0][0] - 300) < 10 * told["figures"][0]["parts"][0]["scale"]


def test_noise_is_not_the_same_twice(admin: Any) -> None:
    """Of 20 counts at ε 0.05 all are equal once in more than 10²⁰ runs."""
    counts = {answer(admin, people.COUNT, f"0.0500{at:02d}")["rows"][0][0] for at in range(20)}
    assert len(counts) > 1


def test_a_refusal_for_want_of_noise_comes_before_the_charge(admin: Any) -> None:
    from privacy.policy.errors import QueryRefused

    with pytest.raises(QueryRefused, match="wider than numbers"):
        people.ask(admin, "SELECT SUM(id) FROM respondent", "0.000001")
    assert (people.micro_spent(), QueryRun.objects.count()) == (0, 0)


def test_the_connection_of_a_run_can_only_read(admin: Any) -> None:
    with source_connection(people.service()) as reach, pytest.raises(Exception, match="(?i)read|author"):
        reach.raw.cursor().execute("DELETE FROM surveys_respondent")


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        (Fraction(3), 3),
        (Fraction(2**60), str(2**60)),
        (Fraction(1, 4), 0.25),
        (Fraction(10**400, 3), str(10**400 // 3)),
        (date(2026, 1, 2), "2026-01-02"),
        (True, True),
        (None, None),
        ("서울", "서울"),
    ],
)
def test_cells_are_json(cell: Any, told: Any) -> None:
    assert json.loads(json.dumps(cell_json(cell))) == told


def test_decimals_are_written_out() -> None:
    assert [decimal_text(Fraction(one)) for one in ("0.5", "3", "0.000000000001", "1/3")] == [
        *("0.5", "3", "0.000000000001", "1/3")
    ]


def test_ends_of_intervals_are_written_exactly_or_rounded_outwards() -> None:
    cents, third = Fraction("269085.45"), Fraction(1, 3)
    low, high = interval_json(Interval(cents, cents)) or []
    assert (low, high) == (269085.45, 269085.45)
    low, high = interval_json(Interval(third, third)) or []
    assert Fraction(repr(low)) < third < Fraction(repr(high))


def test_a_quantile_says_how_many_rows_it_may_be_off(admin: Any) -> None:
    (part,) = answer(admin, "SELECT MEDIAN(id) FROM survey", "0.5")["figures"][0]["parts"]
    assert (part["figure"], part["law"]) == ("rank", "none")
    assert part["half_width"] == 0
    (part,) = answer(admin, "SELECT MEDIAN(id) FROM respondent", "0.5")["figures"][0]["parts"]
    assert (part["figure"], part["law"]) == ("rank", "exponential")
    # 2/rate · ln(candidates/0.05): 2/0.5 · 46.7.
    assert part["half_width"] == 187

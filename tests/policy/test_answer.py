"""An answer lists every public group, hides every number for its share of ε, and costs no more than was asked."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from fractions import Fraction
from typing import Any

import pytest

from privacy.bits import Bits, SecureBits
from privacy.policy.answer import Answer, answer
from privacy.policy.compile import Compiler
from privacy.policy.errors import QueryRefused
from privacy.policy.estimates import Interval
from privacy.policy.groups import groups_check
from privacy.policy.keys import Listed
from privacy.policy.labels import Policy, policy_from
from privacy.policy.noise import Gaussian, Laplace, Law, SecureNoise
from privacy.policy.plan import Plan, plan_query
from privacy.policy.shares import hidden
from tests.policy import rich
from tests.policy.conftest import Opened
from tests.policy.engines import Database, World, sqlite

ONE = Fraction(1)
PUBLIC = policy_from(
    {"entity": "person", "labels": {"person": {"REP": ["balance"]}, "order": "PUB"}}, rich.SCHEMA
)


class Still:
    """No noise, and a record of the laws that were asked for: what an answer would be without privacy."""

    def __init__(self, step: int = 0) -> None:
        self.bits: Bits = SecureBits()
        self.laws: list[Law] = []
        self.step = step

    def added(self, values: Sequence[int], law: Law) -> Sequence[int]:
        self.laws.append(law)
        return [value + self.step for value in values]


@contextmanager
def asked(world: World) -> Iterator[Database]:
    with sqlite(rich.SCHEMA, world) as database:
        yield database


def ask(sql: str, world: World, noise: Any = None, policy: Policy = rich.POLICY, **given: Any) -> Answer:
    with asked(world) as database:
        return of_plan(plan_query(sql, policy), database, noise or Still(), **given)


def of_plan(plan: Plan, database: Database, noise: Any, **given: Any) -> Answer:
    return answer(
        plan.query,
        plan.sensitivities,
        plan.sources,
        execute=database.execute,
        compiler=Compiler(database.dialect),
        noise=noise,
        **{"epsilon": ONE, **given},
    )


def people(*rows: dict[str, Any]) -> World:
    plain = {"name": None, "city": "서울", "born": None, "active": True, "balance": 100, "big": 0}
    return {"person": [{**plain, "id": at, **row} for at, row in enumerate(rows)], "order": []}


SOME = people(
    {"city": "부산", "balance": 250}, {"city": "Jeju"}, {"city": "부산", "balance": None, "active": False}
)


def test_groups_without_rows_are_listed_in_the_order_of_the_domain() -> None:
    found = ask("SELECT city, COUNT(*) AS n FROM person GROUP BY city", SOME)
    assert found.columns == ("city", "n")
    assert found.rows == (("서울", 0), ("부산", 2), ("Jeju", 1), ("jeju", 0))


def test_noise_is_added_to_groups_without_rows_too() -> None:
    # The control of zero groups: nobody can tell an empty group by its figure.
    found = ask("SELECT city, COUNT(*) FROM person GROUP BY city", people(), Still(7))
    assert [row[1] for row in found.rows] == [7, 7, 7, 7]


def test_several_keys_are_combined() -> None:
    found = ask("SELECT active, city, COUNT(*) FROM person GROUP BY city, active", SOME)
    assert len(found.rows) == 8
    assert [row for row in found.rows if row[2]] == [(False, "부산", 1), (True, "부산", 1), (True, "Jeju", 1)]


def test_a_key_that_may_be_null_has_a_group_of_null() -> None:
    world = {**SOME, "order": [_order(0, 0, tag=None), _order(1, 0, tag="A")]}
    found = ask('SELECT tag, COUNT(*) FROM "order" GROUP BY tag', world)
    assert found.rows[-1] == (None, 1)
    assert len(found.rows) == len(rich.TAGS) + 1


def _order(at: int, person: int | None, **other: Any) -> dict[str, Any]:
    plain = {
        "id": at,
        "person_id": person,
        "amount": 1500,
        "tag": None,
        "placed": date(1995, 5, 5),
        "pieces": 1,
    }
    return {**plain, **other}


def test_keys_are_read_off_a_public_relation() -> None:
    world = {**SOME, "order": [_order(3, 0), _order(1, None, placed=date(1994, 1, 1))]}
    sql = 'SELECT placed, COUNT(*) FROM "order" o JOIN person p ON p.id = o.person_id WHERE balance > 0 GROUP BY placed'
    found = ask(sql, world, policy=PUBLIC)
    # A day on which nobody's order counts is listed as well, and days are in order.
    assert found.rows == ((date(1994, 1, 1), 0), (date(1995, 5, 5), 1))


def test_keys_of_a_far_side_of_a_left_join_have_a_group_of_null() -> None:
    world = {**SOME, "order": [_order(0, 0)]}
    sql = 'SELECT o.id, COUNT(*) FROM person p LEFT JOIN "order" o ON p.id = o.person_id GROUP BY o.id'
    assert ask(sql, world, policy=PUBLIC).rows == ((0, 1), (None, 2))


def test_too_many_groups_are_refused_before_data_is_touched() -> None:
    plan = plan_query("SELECT city, active, COUNT(*) FROM person GROUP BY city, active", rich.POLICY)
    listed = [Listed(one, tuple(range(101))) for one in plan.query.root.keys]
    with pytest.raises(QueryRefused, match="more than 10,000 groups"):
        groups_check(listed)
    groups_check(listed, most=10_201)


def test_too_many_keys_of_a_relation_are_refused() -> None:
    world = {**SOME, "order": [_order(at, 0) for at in range(101)]}
    sql = (
        'SELECT a.id, b.id, COUNT(*) FROM "order" a, "order" b, person WHERE a.person_id = person.id'
        " AND b.person_id = person.id AND balance > 0 GROUP BY a.id, b.id"
    )
    with pytest.raises(QueryRefused, match="more than 10,000 groups"):
        ask(sql, world, policy=PUBLIC)


def test_rows_of_unlisted_groups_are_dropped() -> None:
    plan = plan_query("SELECT city, COUNT(*) FROM person GROUP BY city", rich.POLICY)
    with asked(people({"city": "Atlantis"})) as database:
        assert [row[1] for row in of_plan(plan, database, Still()).rows] == [0, 0, 0, 0]


def test_figures_are_what_sql_says_where_there_is_no_noise() -> None:
    sql = "SELECT COUNT(*), COUNT(balance), SUM(balance), AVG(balance), VAR_POP(balance), STDDEV_POP(balance)"
    assert ask(f"{sql} FROM person", SOME).rows == (
        (3, 2, Fraction("3.5"), Fraction("1.75"), Fraction("0.5625"), Fraction("0.75")),
    )


def test_a_sample_has_one_degree_of_freedom_less() -> None:
    assert ask("SELECT VAR_SAMP(balance) FROM person", SOME).rows == ((Fraction("1.125"),),)


def test_averages_over_nobody_are_null() -> None:
    found = ask(
        "SELECT AVG(balance), VARIANCE(balance), STDDEV(balance), AVG(balance) > 1 FROM person", people()
    )
    assert found.rows == ((None, None, None, None),)
    # Whether there is anybody is hidden: of whoever there is, values lie within the bounds of a balance.
    average, variance, deviation, _ = found.intervals[0]
    assert average == Interval(Fraction(-100), Fraction(100))
    assert variance == Interval(Fraction(0), Fraction(20_000))
    assert deviation is not None
    assert 20_000 <= deviation.high**2 <= Fraction(20_001)


def test_a_variance_is_never_below_zero() -> None:
    # Noise may make the sum of squares too small for the sum.
    found = ask("SELECT VAR_POP(balance) FROM person", people({"balance": -5}, {"balance": 5}), Still(-40))
    assert found.rows[0][0] is None or found.rows[0][0] >= 0


def test_values_out_of_bounds_weigh_no_more_than_bounds_allow() -> None:
    found = ask(
        "SELECT SUM(balance), MAX(balance) FROM person", people({"balance": 10**9}), epsilon=Fraction(10**6)
    )
    assert found.rows == ((100, 100),)


def test_each_part_is_hidden_for_an_equal_share() -> None:
    noise = Still()
    found = ask("SELECT COUNT(*), AVG(balance) FROM person", SOME, noise)
    assert noise.laws == [Laplace.of(1, ONE / 3), Laplace.of(10_000, ONE / 3), Laplace.of(1, ONE / 3)]
    assert [one.epsilon for one in found.figures] == [ONE / 3, 2 * ONE / 3]
    assert found.epsilon == 1


def test_a_number_that_two_figures_need_is_hidden_once_for_both_shares() -> None:
    noise = Still()
    found = ask("SELECT SUM(balance), AVG(balance), COUNT(balance) FROM person", SOME, noise)
    assert noise.laws == [Laplace.of(10_000, ONE / 2), Laplace.of(1, ONE / 2)]
    assert sum(one.epsilon for one in found.figures) == 1


def test_shares_are_as_they_are_asked_for() -> None:
    noise = Still()
    ask("SELECT COUNT(*), AVG(balance) FROM person", SOME, noise, weights=[1, 3])
    assert noise.laws == [Laplace.of(1, ONE / 4), Laplace.of(10_000, ONE * 3 / 8), Laplace.of(1, ONE * 3 / 8)]


@pytest.mark.parametrize("weights", [[1], [1, 0], [1, 2, 3]])
def test_weights_that_do_not_fit_the_figures_are_refused(weights: list[int]) -> None:
    with pytest.raises(ValueError, match="one weight a figure"):
        hidden(
            plan_query("SELECT COUNT(*), SUM(balance) FROM person", rich.POLICY).sensitivities,
            ONE,
            None,
            weights,
        )


SHARED = [
    "SELECT COUNT(*), SUM(balance), AVG(balance), VARIANCE(balance), MIN(balance) FROM person",
    "SELECT city, COUNT(DISTINCT name), MEDIAN(balance), MAX(born) FROM person GROUP BY city",
    "SELECT AVG(balance), AVG(id), SUM(id * balance) FROM person",
]


@pytest.mark.parametrize("sql", SHARED)
@pytest.mark.parametrize("policy", [rich.POLICY, PUBLIC], ids=["all", "some"])
def test_shares_never_add_up_to_more_than_was_asked(sql: str, policy: Policy) -> None:
    plan = plan_query(sql, policy)
    found = hidden(plan.sensitivities, Fraction(7, 10))
    spent = sum((law.epsilon for law in found.laws.values() if isinstance(law, Laplace)), Fraction(0))
    rows = {one.aggregate: one.parts[0].l1 for one in plan.sensitivities}
    spent += sum(rate * rows[one] for one, rate in found.rates.items())
    assert spent == Fraction(7, 10)


@pytest.mark.parametrize("sql", SHARED)
def test_shares_of_rho_never_add_up_to_more_than_epsilon_and_delta_allow(sql: str) -> None:
    plan = plan_query(sql, rich.POLICY)
    found = hidden(plan.sensitivities, ONE, Fraction(1, 10**6))
    spent = sum((law.rho for law in found.laws.values() if isinstance(law, Gaussian)), Fraction(0))
    lengths = {one.aggregate: one.parts[0].l2_squared for one in plan.sensitivities}
    spent += sum(rate**2 * lengths[one] / 8 for one, rate in found.rates.items())
    assert found.rho is not None
    assert found.rho * (1 - Fraction(1, 10**9)) < spent <= found.rho


def test_every_figure_at_the_whole_epsilon_is_caught() -> None:
    # The control of the two tests above.
    plan = plan_query(SHARED[0], rich.POLICY)
    whole = [hidden([one], ONE) for one in plan.sensitivities]
    assert sum(law.epsilon for one in whole for law in one.laws.values() if isinstance(law, Laplace)) > 1


def test_what_is_public_is_exact_and_costs_nothing() -> None:
    noise = Still(1000)
    found = ask("SELECT city, COUNT(*), MIN(id) FROM person GROUP BY city", SOME, noise, PUBLIC)
    assert noise.laws == []
    assert found.rows == (("서울", 0, None), ("부산", 2, 0), ("Jeju", 1, 1), ("jeju", 0, None))
    assert (found.epsilon, found.delta, found.public) == (0, None, True)
    assert [part.law for one in found.figures for part in one.parts] == ["none", "none"]
    assert found.intervals[1] == (None, Interval(Fraction(2), Fraction(2)), None)


def test_public_parts_take_no_share_from_others() -> None:
    noise = Still()
    found = ask("SELECT COUNT(*), SUM(balance) FROM person", SOME, noise, PUBLIC)
    assert noise.laws == [Laplace.of(20_000, ONE)]
    assert [(one.public, one.epsilon) for one in found.figures] == [(True, 0), (False, 1)]
    assert not found.public


def test_gaussian_noise_is_given_on_request() -> None:
    noise = Still()
    found = ask("SELECT COUNT(*), SUM(balance) FROM person", SOME, noise, delta=Fraction(1, 10**6))
    assert all(isinstance(law, Gaussian) for law in noise.laws)
    assert (found.epsilon, found.delta) == (1, Fraction(1, 10**6))
    assert {part.law for one in found.figures for part in one.parts} == {"gaussian"}


def test_a_plain_figure_has_an_interval_in_its_own_numbers() -> None:
    found = ask("SELECT city, COUNT(*) AS n, SUM(balance), COUNT(*) + 1 FROM person GROUP BY city", SOME)
    law = Laplace.of(10_000, ONE / 2)
    wide = Fraction(law.half_width(Fraction(1, 20)), 100)
    assert found.intervals[1][2] == Interval(Fraction("2.5") - wide, Fraction("2.5") + wide)
    assert found.intervals[1][0] is None
    assert found.intervals[1][3] is None
    assert found.figures[1].parts[0].scale == Fraction(law.scale) / 100


def test_an_average_has_an_interval_where_the_count_is_surely_above_zero() -> None:
    world = people(*({"balance": 100 + at % 3} for at in range(400)))
    found = ask(
        "SELECT AVG(balance), VAR_POP(balance), STDDEV_POP(balance) FROM person", world, epsilon=Fraction(50)
    )
    for value, between in zip(found.rows[0], found.intervals[0], strict=True):
        assert between is not None
        assert between.low <= value <= between.high


def test_rows_are_ordered_kept_and_cut_by_noisy_figures() -> None:
    sql = "SELECT city, COUNT(*) AS n FROM person GROUP BY city HAVING COUNT(*) < 2 ORDER BY n DESC, city LIMIT 2"
    found = ask(sql, SOME)
    assert found.rows == (("Jeju", 1), ("jeju", 0))
    assert [row[1].low < row[1].high for row in found.intervals] == [True, True]


def test_a_public_value_stands_beside_the_figures() -> None:
    sql = 'SELECT SUM(balance) * (SELECT COUNT(*) FROM "order") FROM person'
    assert ask(sql, {**SOME, "order": [_order(0, 0), _order(1, 0)]}, policy=PUBLIC).rows == ((7,),)


def test_answers_are_the_same_on_every_engine(databases: Opened) -> None:
    for sql in [SHARED[2], "SELECT city, active, COUNT(*), SUM(balance) FROM person GROUP BY city, active"]:
        plan = plan_query(sql, rich.POLICY)
        with databases(rich.SCHEMA, rich.world(5)) as opened:
            answers = [of_plan(plan, one, Still(3)) for one in opened]
        assert answers[0] == answers[1] == answers[2]


def test_quantiles_are_drawn_near_the_truth_where_epsilon_is_large() -> None:
    world = people(*({"balance": 10 * at, "born": date(1990, 1, 1)} for at in range(-20, 21)))
    sql = "SELECT MIN(balance), MEDIAN(balance), MAX(balance), MIN(born) FROM person"
    found = ask(sql, world, SecureNoise(), epsilon=Fraction(10**6))
    assert found.rows == ((-2, 0, 2, date(1990, 1, 1)),)
    assert {part.law for one in found.figures for part in one.parts} == {"exponential"}


def test_noise_hides_what_was_counted() -> None:
    sql, seen = "SELECT COUNT(*) FROM person", set()
    for _ in range(60):
        seen.add(ask(sql, SOME, SecureNoise(), epsilon=Fraction(1, 10)).rows[0][0])
    # P[the same three numbers at most in 60 draws] is below 10⁻⁶.
    assert len(seen) > 3


@pytest.mark.parametrize(("epsilon", "delta"), [(0, None), (-1, None), (1, 0), (1, 1)])
def test_budgets_that_mean_nothing_are_refused(epsilon: int, delta: int | None) -> None:
    plan = plan_query("SELECT COUNT(*) FROM person", rich.POLICY)
    with pytest.raises(ValueError, match="above 0"):
        hidden(plan.sensitivities, Fraction(epsilon), None if delta is None else Fraction(delta))

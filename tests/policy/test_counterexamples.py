"""What the layer must not do: each is a query, its bound, and neighbours that show what the bound must not be below.

Sources: the counterexamples of the study of DP4SQL, and those that random neighbours found.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from privacy.policy.errors import PolicyInvalid, QueryRefused
from privacy.policy.labels import Policy, policy_from
from privacy.policy.noise import Laplace, SecureNoise
from privacy.policy.plan import plan_query
from privacy.policy.schema import schema_from
from privacy.policy.shares import hidden
from tests.policy.soundness.fixed import PUBLISHED, bound, moved, policy, tried

UNBOUNDED, CONTENTS, FLEXIBLE = (policy(f"university/{one}") for one in ("unbounded", "contents", "flexible"))
CUSTOMERS = policy("tpch/customer-flexible")
Tables = dict[str, list[dict[str, Any]]]


def university(students: int = 1, sections: int = 6, **same: Any) -> Tables:
    """Return students, each of whom is in the same sections, in both relations of enrolments; student 0 is first."""
    pairs = [(student, section) for student in range(students) for section in range(sections)]
    return {
        "student": [{"u_uid": at} for at in range(students)],
        "faculty": [{"f_fid": at} for at in range(10)],
        "course": [{"c_cid": at} for at in range(10)],
        "section": [{"s_sid": at, "s_fid": at // 3, "s_cid": at // 2} for at in range(sections)],
        "enrollment": [{"e_eid": at, "e_uid": u, "e_sid": s, **same} for at, (u, s) in enumerate(pairs)],
        "enrollment2": [{"e_eid2": at, "e_uid2": u, "e_sid2": s} for at, (u, s) in enumerate(pairs)],
    }


def market(*, orders: int = 41, lines: int = 0, others: int = 0) -> Tables:
    """Return customer 0 with orders of some lines, and others with one order each."""
    owners = [0] * orders + list(range(1, others + 1))
    sold = [(order, line) for order in range(orders) for line in range(lines)]
    offers = [(part, seller) for part in range(2) for seller in range(4)]
    return {
        "region": [{"r_regionkey": 0}],
        "nation": [{"n_nationkey": 0, "n_regionkey": 0}],
        "part": [{"p_partkey": at} for at in range(2)],
        "supplier": [{"s_suppkey": at, "s_nationkey": 0} for at in range(4)],
        "partsupp": [{"ps_partkey": part, "ps_suppkey": seller} for part, seller in offers],
        "customer": [{"c_custkey": at, "c_nationkey": 0} for at in range(others + 1)],
        "orders": [{"o_orderkey": at, "o_custkey": owner} for at, owner in enumerate(owners)],
        "lineitem": [
            {
                "l_orderkey": order,
                "l_linenumber": line,
                "l_partkey": offers[at % 8][0],
                "l_suppkey": offers[at % 8][1],
            }
            for at, (order, line) in enumerate(sold)
        ],
    }


GRADES = {("enrollment", "e_grade"): 9000}  # all of them become good


class TestWhatItMustNotDo:
    @pytest.mark.parametrize("shown", ["e_grade AS g", "e_grade + 1 AS g", "COALESCE(e_grade, 0) AS g"])
    def test_an_alias_or_an_expression_drops_no_protection(self, shown: str) -> None:
        sql = f"SELECT COUNT(*) FROM (SELECT {shown} FROM enrollment) WHERE g > 50"
        assert moved(sql, CONTENTS, university(), GRADES) == 6 == bound(sql, CONTENTS)

    @pytest.mark.parametrize(
        "groups",
        ["SELECT DISTINCT e_uid FROM enrollment", "SELECT e_uid, COUNT(*) n FROM enrollment GROUP BY e_uid"],
    )
    def test_neither_distinct_nor_the_number_of_groups_is_public(self, groups: str) -> None:
        sql = f"SELECT COUNT(*) FROM ({groups})"
        assert moved(sql, UNBOUNDED, university(3)) == 1 == bound(sql, UNBOUNDED)

    @pytest.mark.parametrize("figure", ["SUM", "AVG", "MIN", "MAX"])
    def test_an_inner_figure_is_as_private_as_what_it_reads(self, figure: str) -> None:
        inner = f"SELECT e_eid, {figure}(e_grade) AS g FROM enrollment GROUP BY e_eid"
        sql = f"SELECT COUNT(*) FROM ({inner}) WHERE g > 50"
        assert moved(sql, CONTENTS, university(), GRADES) == 6 == bound(sql, CONTENTS)

    def test_a_join_with_a_parent_that_is_not_unique_multiplies(self) -> None:
        sql = "SELECT COUNT(*) FROM enrollment JOIN (SELECT e_sid2 FROM enrollment2) ON e_sid = e_sid2"
        # 20 of each in each of 6 sections: 6·(20² − 19²).
        assert moved(sql, UNBOUNDED, university(20)) == 234
        assert bound(sql, UNBOUNDED) == 240

    def test_a_private_filter_on_the_parent_below_a_key_join_takes_rows(self) -> None:
        sql = "SELECT COUNT(*) FROM enrollment JOIN (SELECT u_uid FROM student WHERE u_major = 'CS') ON e_uid = u_uid"
        assert moved(sql, CONTENTS, university(), {("student", "u_major"): "CS"}) == 6 == bound(sql, CONTENTS)

    def test_a_replaced_foreign_key_moves_rows_in_a_join_of_two_replaced_relations(self) -> None:
        under = policy("tpch/customer-flexible", customer={"REP": ["c_name"]})
        inner = "SELECT c_custkey, COUNT(*) AS n FROM orders JOIN customer ON o_custkey = c_custkey GROUP BY c_custkey"
        sql = f"SELECT COUNT(*) FROM ({inner}) GROUP BY n"
        wish = {("orders", "o_custkey"): [*range(1, 42), *range(1, 42)]}
        # One group vanishes, and 41 have two orders instead of one.
        assert moved(sql, under, market(others=41), wish) == 83
        assert bound(sql, under) >= 83

    def test_a_public_child_shows_what_its_parent_hides(self) -> None:
        under = policy("university/contents", enrollment="PUB")
        sql = "SELECT COUNT(*) FROM enrollment JOIN student ON e_uid = u_uid WHERE u_major = 'CS'"
        assert moved(sql, under, university(), {("student", "u_major"): "CS"}) == 6 == bound(sql, under)

    def test_a_part_of_a_composite_foreign_key_is_none(self) -> None:
        sql = "SELECT COUNT(*) FROM lineitem JOIN partsupp ON l_partkey = ps_partkey"
        under = policy("tpch/customer-unbounded")
        assert moved(sql, under, market(lines=7)) == 1148 == bound(sql, under)
        whole = f"{sql} AND l_suppkey = ps_suppkey"
        assert moved(whole, under, market(lines=7)) == 287 == bound(whole, under)

    def test_an_outer_join_keeps_those_without_a_partner(self) -> None:
        sql = "SELECT COUNT(*) FROM customer LEFT JOIN orders ON c_custkey = o_custkey"
        tables = market(others=41)
        wish = {("orders", "o_custkey"): [*range(1, 42), *range(1, 42)]}
        tables["orders"] = tables["orders"][:41]
        assert moved(sql, CUSTOMERS, tables, wish) == 41
        assert bound(sql, CUSTOMERS) >= 41

    def test_the_rest_of_a_join_condition_is_a_filter(self) -> None:
        sql = "SELECT COUNT(*) FROM enrollment JOIN section ON e_sid = s_sid AND e_grade > 50"
        assert moved(sql, CONTENTS, university(), GRADES) == 6 == bound(sql, CONTENTS)

    def test_a_union_is_both_of_its_inputs(self) -> None:
        both = "SELECT e_uid FROM enrollment UNION ALL SELECT e_uid2 FROM enrollment2"
        sql = f"SELECT COUNT(*) FROM ({both})"
        assert moved(sql, UNBOUNDED, university()) == 12 == bound(sql, UNBOUNDED)

    def test_a_limit_below_an_aggregate_is_refused(self) -> None:
        with pytest.raises(QueryRefused, match="LIMIT below an aggregate"):
            bound("SELECT COUNT(*) FROM (SELECT e_uid FROM enrollment LIMIT 6)", UNBOUNDED)

    def test_an_expression_has_bounds_of_its_own(self) -> None:
        sql = "SELECT SUM(e_review + 1) FROM enrollment"
        assert moved(sql, UNBOUNDED, university(e_review=5)) == 36 == bound(sql, UNBOUNDED)

    def test_the_count_of_a_column_that_may_be_null_reads_it(self) -> None:
        sql = "SELECT COUNT(e_review) FROM enrollment"
        wish = {("enrollment", "e_review"): None}
        assert moved(sql, CONTENTS, university(), wish) == 6 == bound(sql, CONTENTS)

    def test_the_count_of_different_values_reads_them(self) -> None:
        sql = "SELECT COUNT(DISTINCT e_review) FROM enrollment"
        wish = {("enrollment", "e_review"): [1, 2, 3, 4, 5, 5]}
        assert moved(sql, CONTENTS, university(), wish) == 4
        assert bound(sql, CONTENTS) >= 4

    def test_a_renamed_column_is_no_key(self) -> None:
        sql = "SELECT COUNT(*) FROM (SELECT e_sid AS k FROM enrollment) JOIN enrollment2 ON k = e_sid2"
        assert moved(sql, UNBOUNDED, university(20)) == 234
        assert bound(sql, UNBOUNDED) == 240

    def test_a_policy_that_leaves_no_legal_neighbour_is_refused(self) -> None:
        with pytest.raises(PolicyInvalid, match="so enrollment must be DEL"):
            policy("university/broken")

    def test_sums_do_not_overflow(self) -> None:
        sql = "SELECT SUM(c_custkey) FROM customer"
        under = policy("tpch/customer-unbounded")
        tables = {**market(orders=0, others=2), "orders": []}
        for at, one in enumerate(tables["customer"]):
            one["c_custkey"] = 2**31 - 1 - at
        assert moved(sql, under, tables) == 2**31 - 1 == bound(sql, under)
        with pytest.raises(QueryRefused, match="62 bits"):
            bound("SELECT SUM(c_custkey * c_custkey * c_custkey) FROM customer", under)

    def test_several_figures_share_epsilon(self) -> None:
        plan = plan_query("SELECT COUNT(*), SUM(e_review), AVG(e_grade) FROM enrollment", UNBOUNDED)
        found = hidden(plan.sensitivities, Fraction(1))
        assert (len(found.shares), sum(found.shares.values())) == (4, 1)

    def test_sums_are_clipped(self) -> None:
        sql = "SELECT SUM(e_review) FROM enrollment"
        # Data that its source's check would refuse.
        trial = tried(sql, UNBOUNDED, university(e_review=10**9))
        assert trial.seen[0].change == 30 == bound(sql, UNBOUNDED)

    def test_frequencies_are_never_read_off_the_data(self) -> None:
        described = PUBLISHED["schemas"]["university"]
        edges = [{**one, "max_rows": None} for one in described["enrollment"]["foreign_keys"]]
        loose = schema_from({**described, "enrollment": {**described["enrollment"], "foreign_keys": edges}})
        under = policy_from(PUBLISHED["policies"]["university/unbounded"], loose)
        with pytest.raises(QueryRefused, match="any number of rows"):
            plan_query("SELECT COUNT(*) FROM enrollment", under)

    def test_noise_is_whole_numbers_at_an_exact_scale(self) -> None:
        law = Laplace.of(3, Fraction(1, 7))
        # Never less than l1/ε, and hardly more: the sampler takes a float.
        assert 21 <= Fraction(law.scale) < Fraction(21) + Fraction(1, 10**9)
        assert all(type(one) is int for one in SecureNoise().added([0] * 10, law))


class TestHowItInfers:
    def test_two_children_of_one_parent_meet_in_it(self) -> None:
        sql = (
            "SELECT COUNT(*) FROM section JOIN enrollment2 ON s_sid = e_sid2 JOIN enrollment ON s_sid = e_sid"
        )
        assert moved(sql, UNBOUNDED, university(20)) == 234
        assert bound(sql, UNBOUNDED) == 240

    def test_a_parent_of_a_parent_is_in_the_rows_of_all_grandchildren(self) -> None:
        under = policy("university/faculty")
        joined = "enrollment JOIN section ON e_sid = s_sid JOIN faculty ON s_fid = f_fid"
        sql = f"SELECT COUNT(*) FROM {joined} WHERE f_salary > 5"
        # 20 in each of the 3 sections of faculty 0.
        assert moved(sql, under, university(20), {("faculty", "f_salary"): 900}) == 60 == bound(sql, under)

    def test_a_customer_is_in_the_rows_of_all_its_lines(self) -> None:
        under = policy("tpch/customer-flexible", customer={"REP": ["c_name"]}, orders="PUB", lineitem="PUB")
        joined = "lineitem JOIN orders ON l_orderkey = o_orderkey JOIN customer ON o_custkey = c_custkey"
        sql = f"SELECT COUNT(*) FROM {joined} WHERE c_name = 'y'"
        assert moved(sql, under, market(lines=7), {("customer", "c_name"): "y"}) == 287 == bound(sql, under)

    def test_a_grouped_child_has_its_own_signature(self) -> None:
        inner = "SELECT e_sid, MAX(e_grade) AS g FROM enrollment GROUP BY e_sid"
        sql = f"SELECT COUNT(*) FROM ({inner}) JOIN section ON e_sid = s_sid WHERE g > 50"
        assert moved(sql, CONTENTS, university(), GRADES) == 6 == bound(sql, CONTENTS)

    def test_a_moved_row_may_not_find_a_parent_that_is_filtered(self) -> None:
        under = policy("university/flexible", student={"REP": ["u_name"]})
        majors = "SELECT u_uid FROM student WHERE u_major = 'CS'"
        sql = f"SELECT COUNT(*) FROM enrollment JOIN ({majors}) ON e_uid = u_uid"
        tables = university(2)
        tables["student"][0]["u_major"], tables["enrollment"] = "CS", tables["enrollment"][:6]
        assert moved(sql, under, tables, {("enrollment", "e_uid"): 1}) == 6 == bound(sql, under)

    def test_a_moved_row_may_not_have_a_parent_at_all(self) -> None:
        described = PUBLISHED["schemas"]["university"]
        columns = described["enrollment"]["columns"]
        columns = {**columns, "e_uid": {**columns["e_uid"], "nullable": True}}
        able = schema_from({**described, "enrollment": {**described["enrollment"], "columns": columns}})
        under = policy_from(PUBLISHED["policies"]["university/flexible"], able)
        sql = "SELECT COUNT(*) FROM enrollment JOIN student ON e_uid = u_uid"
        tables = {**university(), "enrollment2": []}
        assert moved(sql, under, tables, {("enrollment", "e_uid"): None}) == 6 == bound(sql, under)

    def test_a_partner_that_is_filtered_leaves_a_row_of_nulls(self) -> None:
        graded = "SELECT e_sid, e_review FROM enrollment WHERE e_grade > 50"
        sql = f"SELECT COUNT(*) FROM section LEFT JOIN ({graded}) ON s_sid = e_sid GROUP BY e_review"
        under = policy("university/contents", enrollment={"REP": ["e_grade"]})
        # From their review to NULL: each section's row leaves one group and enters another.
        assert moved(sql, under, university(), GRADES) == 12 == bound(sql, under)

    def test_a_condition_of_both_sides_of_exists_is_read(self) -> None:
        asked = "SELECT 1 FROM enrollment WHERE e_sid = s_sid AND e_grade > s_sid"
        sql = f"SELECT COUNT(*) FROM section WHERE EXISTS ({asked})"
        assert moved(sql, CONTENTS, university(), GRADES) == 6 == bound(sql, CONTENTS)

    def test_not_in_over_what_may_be_null_is_refused(self) -> None:
        with pytest.raises(QueryRefused, match="one NULL empties the whole result"):
            bound(
                "SELECT COUNT(*) FROM section WHERE s_sid NOT IN (SELECT e_review FROM enrollment)", CONTENTS
            )

    def test_the_owner_of_a_pair_is_not_that_of_one_side(self) -> None:
        joined = (
            "SELECT e_uid, COUNT(*) AS n FROM enrollment JOIN enrollment2 ON e_sid = e_sid2 GROUP BY e_uid"
        )
        sql = f"SELECT COUNT(*) FROM ({joined}) GROUP BY n"
        # Everybody in the same sections has fewer pairs.
        assert moved(sql, UNBOUNDED, university(20)) == 39
        assert bound(sql, UNBOUNDED) >= 39

    def test_an_owner_has_a_group_for_each_value_of_another_key(self) -> None:
        sql = (
            "SELECT COUNT(*) FROM (SELECT e_uid, e_sid, COUNT(*) AS n FROM enrollment GROUP BY e_uid, e_sid)"
        )
        assert moved(sql, UNBOUNDED, university(2)) == 6 == bound(sql, UNBOUNDED)

    def test_two_groups_of_an_owner_are_two_as_small_as_worlds_are(self) -> None:
        inner = "SELECT sc_uid, sc_amount, COUNT(*) AS n FROM scholarship GROUP BY sc_uid, sc_amount"
        sql = f"SELECT COUNT(*) FROM ({inner})"
        tables = {
            **university(),
            "scholarship": [{"sc_scid": at, "sc_uid": 0, "sc_amount": at} for at in range(2)],
        }
        assert moved(sql, UNBOUNDED, tables) == 2 == bound(sql, UNBOUNDED)

    COUNTED = (
        "SELECT c_custkey, COUNT(o_orderkey) AS c_count FROM customer LEFT OUTER JOIN orders ON c_custkey = o_custkey "
        "WHERE o_comment NOT LIKE '%special%requests%' GROUP BY c_custkey"
    )

    def test_the_groups_of_customers_lose_one_where_a_customer_goes_with_its_orders(self) -> None:
        sql, under = (
            f"SELECT COUNT(*) FROM ({self.COUNTED}) GROUP BY c_count",
            policy("tpch/customer-unbounded"),
        )
        assert moved(sql, under, market(others=41)) == 1 == bound(sql, under)

    def test_the_groups_of_customers_change_where_the_orders_go_to_others(self) -> None:
        sql = f"SELECT COUNT(*) FROM ({self.COUNTED}) GROUP BY c_count"
        wish = {("orders", "o_custkey"): [*range(1, 42), *range(1, 42)]}
        assert moved(sql, CUSTOMERS, market(others=41), wish) == 83 == bound(sql, CUSTOMERS)

    def test_a_sum_loses_the_whole_value_that_becomes_null(self) -> None:
        sql = "SELECT SUM(e_review) FROM enrollment"
        wish = {("enrollment", "e_review"): None}
        assert moved(sql, CONTENTS, university(e_review=5), wish) == 30 == bound(sql, CONTENTS)

    def test_a_sum_loses_the_whole_value_of_what_is_filtered(self) -> None:
        under = policy("university/contents", enrollment={"REP": ["e_grade"]})
        sql = "SELECT SUM(e_review) FROM enrollment WHERE e_grade > 50"
        assert moved(sql, under, university(e_review=5), GRADES) == 30 == bound(sql, under)


def signed(columns: Sequence[str]) -> Policy:
    """Return one relation of a group and a value of either sign, some of it replaced."""
    facts = {"type": "integer", "bounds": [-1, 1], "domain": [-1, 0, 1]}
    described = {
        "key": ["id"],
        "columns": {"id": {"type": "integer", "bounds": [0, 9]}, "g": facts, "v": facts},
    }
    return policy_from(
        {"entity": "person", "labels": {"person": {"REP": columns}}}, schema_from({"person": described})
    )


def test_a_value_that_may_move_may_instead_change_by_more_than_a_move_is_long() -> None:
    # √2 was claimed of the length, 2 was seen: from −1 to 1 in the same group.
    trial = tried(
        "SELECT SUM(v) FROM person GROUP BY g",
        signed(["g", "v"]),
        {"person": [{"id": 0, "g": 0, "v": -1}]},
        {("person", "g"): 0, ("person", "v"): 1},
    )
    assert (trial.seen[0].change, trial.seen[0].square) == (2, 4)
    assert not trial.broken


def test_what_comes_and_what_goes_add_up_where_values_have_both_signs() -> None:
    # The pair with 1 comes as the pair with −1 goes: √2 was claimed of the length, 2 was seen.
    sql = "SELECT SUM(b.v) FROM person a JOIN person b ON a.g = b.id"
    rows = [{"id": 0, "g": 1, "v": 0}, {"id": 1, "g": 9, "v": -1}, {"id": 2, "g": 9, "v": 1}]
    facts = {"type": "integer", "bounds": [-1, 1]}
    columns = {name: {"type": "integer", "bounds": [0, 9]} for name in ("id", "g")}
    domain = {"type": "integer", "domain": [0]}
    described = {"key": ["id"], "columns": {**columns, "v": facts, "h": domain}}
    under = policy_from(
        {"entity": "person", "labels": {"person": {"REP": ["g"]}}}, schema_from({"person": described})
    )
    trial = tried(f"{sql} GROUP BY a.h", under, {"person": rows}, {("person", "g"): 2})
    assert (trial.seen[0].change, trial.seen[0].square) == (2, 4)
    assert not trial.broken

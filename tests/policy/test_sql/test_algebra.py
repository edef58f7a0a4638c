"""The algebra that a query becomes: its joins, keys, bounds and domains."""

from collections.abc import Iterator
from fractions import Fraction

import pytest

from privacy.policy.after import Calculated, Given, Literally
from privacy.policy.algebra import Filter, Group, Join, Node, Project, PublicValue, Scan, SemiJoin
from privacy.policy.expressions import Both, Compare, Const, Read
from privacy.policy.labels import policy_from
from privacy.policy.schema import schema_from
from privacy.policy.sql import Query, translate
from tests.policy.test_sql.school import POLICY
from tests.policy.tpch.queries import QUERIES
from tests.policy.tpch.schema import CUSTOMERS


def test_a_query_becomes_a_filtered_scan_and_a_figure() -> None:
    root = translate("SELECT COUNT(*) AS n FROM pupil WHERE p_fee > 1.5", POLICY).root
    assert isinstance(root.child, Filter)
    assert isinstance(root.child.child, Scan)
    predicate = root.child.predicate
    assert isinstance(predicate, Compare)
    assert (predicate.operator, predicate.right) == (">", Const(150, "decimal", 2))
    assert [(one.function, one.argument, one.attribute.name) for one in root.aggregates] == [
        ("count", None, "n")
    ]


def test_equalities_become_keys_and_everything_else_one_filter_above_the_joins() -> None:
    sql = "SELECT COUNT(*) FROM pupil, mark WHERE m_pupil = p_id AND m_points > p_fee AND p_boarder"
    root = translate(sql, POLICY).root
    assert isinstance(root.child, Filter)
    assert isinstance(root.child.predicate, Both)
    assert len(root.child.predicate.parts) == 2
    assert isinstance(root.child.child, Join)
    assert [{a.name, b.name} for a, b in root.child.child.keys] == [{"m_pupil", "p_id"}]


def test_a_foreign_key_is_joined_before_any_other_equality() -> None:
    sql = "SELECT COUNT(*) FROM mark, town, pupil WHERE m_id = t_size AND m_pupil = p_id AND p_town = t_id"
    joins = [one for one in _nodes(translate(sql, POLICY).root.child) if isinstance(one, Join)]
    assert [len(one.keys) for one in joins] == [2, 1]
    assert {one.name for pair in joins[1].keys for one in pair} in ({"m_pupil", "p_id"}, {"p_town", "t_id"})


def test_what_all_alternatives_ask_for_joins_the_relations() -> None:
    nodes = list(_nodes(translate(QUERIES[19], CUSTOMERS).root.child))
    (join,) = (one for one in nodes if isinstance(one, Join))
    assert [{a.name, b.name} for a, b in join.keys] == [{"p_partkey", "l_partkey"}]


def test_the_far_side_of_a_left_join_has_new_attributes_that_may_be_null() -> None:
    query = translate(
        "SELECT COUNT(v_id) FROM pupil LEFT JOIN visit ON p_id = v_pupil AND v_days > 1", POLICY
    )
    join = query.root.child
    assert isinstance(join, Join)
    assert join.kind == "left"
    assert isinstance(join.residual, Compare)
    counted = query.root.aggregates[0].argument
    assert isinstance(counted, Read)
    assert counted.attribute.nullable
    assert counted.attribute in dict(join.padded).values()
    assert counted.attribute not in dict(join.padded)


def test_a_count_below_the_root_has_the_domain_that_declared_frequencies_give() -> None:
    assert _figure("SELECT m_pupil, COUNT(*) AS n FROM mark GROUP BY m_pupil") == (
        (1, 4),
        (1, 2, 3, 4),
        False,
    )
    assert _figure("SELECT m_pupil, COUNT(m_points) AS n FROM mark GROUP BY m_pupil") == (
        (0, 4),
        tuple(range(5)),
        False,
    )


def test_a_count_by_a_column_that_may_be_null_is_bounded_by_nothing() -> None:
    # The rows without a pupil are one group, of any size.
    assert _figure("SELECT v_pupil, COUNT(*) AS n FROM visit GROUP BY v_pupil") == (None, None, False)
    # A control: in a join they are not there.
    joined = "SELECT p_id, COUNT(*) AS n FROM visit JOIN pupil ON v_pupil = p_id GROUP BY p_id"
    assert _figure(joined) == ((1, 3), (1, 2, 3), False)


def test_figures_below_the_root_have_bounds() -> None:
    by_pupil = "SELECT m_pupil, {} AS n FROM mark GROUP BY m_pupil"
    assert _figure(by_pupil.format("SUM(m_points)")) == ((0, 600), None, True)
    assert _figure(by_pupil.format("SUM(m_points - 10)")) == ((-400, 200), None, True)
    assert _figure(by_pupil.format("AVG(m_points)")) == ((0, 1500000), None, True)
    assert _figure(by_pupil.format("MAX(m_points)")) == ((0, 150), None, True)
    assert _figure("SELECT p_town, MIN(p_grade) AS n FROM pupil GROUP BY p_town") == (
        (0, 5),
        (0, 1, 2, 3, 4, 5),
        True,
    )


@pytest.mark.parametrize(
    ("key", "domain"),
    [
        ("EXTRACT(YEAR FROM p_born)", (2001, 2002, 2003)),
        ("EXTRACT(MONTH FROM p_born)", tuple(range(1, 13))),
        ("CASE WHEN p_fee > 9 THEN 'a' WHEN p_fee > 5 THEN 'b' ELSE 'a' END", ("a", "b")),
        ("COALESCE(p_grade, 9)", (0, 1, 2, 3, 4, 5, 9)),
        ("p_fee > 1", (False, True)),
        ("SUBSTRING(p_name FROM 1 FOR 1)", None),
        ("p_fee * 2", None),
    ],
)
def test_a_computed_key_has_a_domain_where_its_values_are_public(key: str, domain: object) -> None:
    root = translate(f"SELECT COUNT(*) FROM pupil GROUP BY {key}", POLICY).root
    assert root.keys[0].domain == domain
    assert isinstance(root.child, Project)


def test_conditions_on_a_subquery_are_semi_joins() -> None:
    sql = (
        "SELECT COUNT(*) FROM pupil WHERE p_id IN (SELECT m_pupil FROM mark) "
        "AND NOT EXISTS (SELECT 1 FROM visit WHERE v_pupil = p_id AND v_days > p_grade)"
    )
    anti = translate(sql, POLICY).root.child
    assert isinstance(anti, SemiJoin)
    assert isinstance(anti.left, SemiJoin)
    assert (anti.anti, anti.left.anti) == (True, False)
    assert (anti.residual is None, anti.left.residual is None) == (False, True)


def test_a_tied_aggregate_becomes_a_join_with_its_groups() -> None:
    node = translate(QUERIES[17], CUSTOMERS).root.child
    groups = [one for one in _nodes(node) if isinstance(one, Group)]
    assert [[key.name for key in one.keys] for one in groups] == [["l_partkey"]]


def test_a_public_value_reads_nothing_of_the_row() -> None:
    node = translate(
        "SELECT COUNT(*) FROM pupil WHERE p_town = (SELECT MAX(t_id) FROM town)", POLICY
    ).root.child
    assert isinstance(node, Filter)
    assert isinstance(node.predicate, Compare)
    assert isinstance(node.predicate.right, PublicValue)
    assert {one.name for one in node.predicate.reads} == {"p_town"}


def test_a_public_value_beside_figures_stands_in_every_row() -> None:
    query = translate("SELECT COUNT(*) - (SELECT COUNT(*) FROM town) FROM pupil", POLICY)
    ((_, term),) = query.after.outputs
    assert isinstance(term, Calculated)
    assert isinstance(term.right, Given)
    assert term.right.attribute in query.beside[0].attributes


def test_a_figure_that_is_asked_for_twice_is_one() -> None:
    query = translate("SELECT SUM(p_fee), sum(P_FEE) / COUNT(*) FROM pupil HAVING COUNT(*) > 3", POLICY)
    assert [one.function for one in query.root.aggregates] == ["sum", "count"]


def test_what_comes_after_the_noise_is_kept_apart() -> None:
    after = translate(
        "SELECT p_grade AS g, 100.0 * SUM(p_fee) / COUNT(*) AS share FROM pupil GROUP BY p_grade "
        "HAVING COUNT(*) > 2 ORDER BY share DESC, 1 LIMIT 5 OFFSET 1",
        POLICY,
    ).after
    assert [name for name, _ in after.outputs] == ["g", "share"]
    share = after.outputs[1][1]
    assert isinstance(share, Calculated)
    assert isinstance(share.left, Calculated)
    assert share.left.left == Literally(Fraction(100))
    assert after.having is not None
    assert [(term == share, down) for term, down in after.order] == [(True, True), (False, False)]
    assert (after.limit, after.offset) == (5, 1)


def test_sample_and_population_are_told_apart() -> None:
    root = translate(
        "SELECT VAR_POP(p_fee), VARIANCE(p_fee), STDDEV_POP(p_fee), STDDEV(p_fee) FROM pupil", POLICY
    ).root
    assert [(one.function, one.population) for one in root.aggregates] == [
        ("var", True),
        ("var", False),
        ("stddev", True),
        ("stddev", False),
    ]


def test_quantiles_are_exact_fractions() -> None:
    root = translate(
        "SELECT MEDIAN(p_fee), QUANTILE(p_fee, 0.1), PERCENTILE_CONT(0.8) WITHIN GROUP (ORDER BY p_fee DESC), "
        "MIN(p_fee), MAX(p_fee) FROM pupil",
        POLICY,
    ).root
    assert [one.quantile for one in root.aggregates] == [(1, 2), (1, 10), (1, 5), (0, 1), (1, 1)]


def test_group_keys_and_figures_know_their_place_in_the_text() -> None:
    query = translate("SELECT COUNT(*)\nFROM pupil\nGROUP BY p_grade,\n  p_fee > 1", POLICY)
    assert list(query.places.values()) == [(3, 10), (4, 3), (1, 8)]


@pytest.mark.parametrize(
    ("figure", "title"),
    [
        ("VAR_POP(p_fee)", "var_pop"),
        ("PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY p_fee)", "percentile_cont"),
        ("COUNT(*) FILTER (WHERE p_fee > 1)", "count"),
    ],
)
def test_a_figure_without_a_name_is_called_as_its_function_is_written(figure: str, title: str) -> None:
    query = translate(f"SELECT {figure} FROM pupil", POLICY)
    assert [name for name, _ in query.after.outputs] == [title]
    assert query.root.aggregates[0].attribute.name == title


def test_a_schema_that_is_written_in_capitals_is_found() -> None:
    schema = schema_from({"Pupil": {"key": ["Id"], "columns": {"Id": {"type": "integer"}}}})
    policy = policy_from({"entity": "Pupil", "labels": {"Pupil": "DEL"}}, schema)
    assert translate('SELECT COUNT(DISTINCT id) FROM "Pupil"', policy).root.aggregates[0].distinct


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    for one in node.inputs:
        yield from _nodes(one)


def _figure(select: str) -> tuple[object, object, bool]:
    query: Query = translate(f"SELECT COUNT(n) FROM ({select}) x", POLICY)
    (group,) = (one for one in _nodes(query.root.child) if isinstance(one, Group))
    one = group.aggregates[0].attribute
    return one.bounds, one.domain, one.nullable

"""No query takes long because of one person's rows: what could is refused, with the reason and what to do."""

import json
from pathlib import Path
from typing import Any

import pytest

from privacy.policy.errors import QueryRefused
from privacy.policy.labels import policy_from
from privacy.policy.plan import baselines, plan_query
from privacy.policy.schema import schema_from

SERVICE = json.loads((Path(__file__).parents[2] / "surveys" / "sources" / "service.json").read_text())
POLICY = policy_from(SERVICE["policy"], schema_from(SERVICE["schema"]))


def selves(number: int) -> str:
    """Return how often a respondent's invitations make a chain of so many."""
    names = ", ".join(f"invitation i{at}" for at in range(number))
    ties = " AND ".join(f"i{at}.respondent_id = i{at + 1}.respondent_id" for at in range(number - 1))
    return f"SELECT COUNT(*) FROM {names} WHERE {ties}"


def refusal(sql: str, policy: Any = POLICY) -> QueryRefused:
    with pytest.raises(QueryRefused) as caught:
        plan_query(sql, policy)
    return caught.value


CROSSED = {
    "FROM respondent, question": "respondent and question",
    "FROM respondent JOIN question ON TRUE": "respondent and question",
    "FROM respondent r JOIN question q ON r.id < q.id": "respondent and question",
    "FROM respondent LEFT JOIN question ON TRUE": "respondent and question",
    "FROM respondent WHERE EXISTS (SELECT 1 FROM question)": "respondent and question",
    "FROM respondent r WHERE NOT EXISTS (SELECT 1 FROM question q WHERE q.id <> r.id)": "respondent and question",
    "FROM respondent r JOIN invitation i ON i.respondent_id = r.id"
    " WHERE i.survey_id IN (SELECT a.survey_id FROM question a, question b)": "question and question",
    # A person's value decides whether it is computed at all.
    "FROM respondent r WHERE r.region = 'Seoul' AND r.id < (SELECT COUNT(*) FROM question a, question b)":
        "question and question",
}  # fmt: skip


@pytest.mark.parametrize(("rest", "named"), CROSSED.items())
def test_every_row_is_paired_with_every_row_by_no_query(rest: str, named: str) -> None:
    found = refusal(f"SELECT COUNT(*) {rest}")
    said = found.reason.removeprefix("every row of ").split(" would be paired with every row of ")
    # Which of two is the left one, the order of joins decides.
    assert sorted(said) == sorted(named.split(" and "))
    assert (found.line, found.column, found.hint) == (1, 1, "join them by an equality of columns")


def test_a_value_beside_figures_pairs_no_rows_either() -> None:
    sql = "SELECT COUNT(*) FROM respondent HAVING COUNT(*) > (SELECT COUNT(*) FROM question a, question b)"
    assert "every row of question" in refusal(sql).reason


@pytest.mark.parametrize(
    "sql",
    [
        # One side has one row.
        "SELECT COUNT(*) FROM respondent r, (SELECT MAX(id) AS most FROM question) q WHERE r.id < q.most",
        "SELECT COUNT(*) FROM respondent r JOIN invitation i ON i.respondent_id = r.id",
        "SELECT COUNT(*) FROM respondent r WHERE r.id < (SELECT COUNT(*) FROM question)",
        "SELECT COUNT(*) FROM invitation i WHERE EXISTS (SELECT 1 FROM question q WHERE q.survey_id = i.survey_id)",
    ],
)
def test_the_others_are_answered(sql: str) -> None:
    """The control."""
    assert plan_query(sql, POLICY).sensitivities


def test_a_person_cannot_make_a_million_rows() -> None:
    # 20 invitations each, at any place of the chain: 4 · 20⁴ rows, then 5 · 20⁵.
    assert plan_query(selves(4), POLICY).l1 == 640_000
    found = refusal(selves(5))
    assert found.reason == "one respondent could change more than 1,000,000 rows here"
    assert (found.line, found.column) == (1, 1)
    assert found.hint == "join fewer relations, or declare smaller max_rows"


def test_what_is_grouped_away_took_its_time_as_well() -> None:
    chain = selves(5).removeprefix("SELECT COUNT(*)")
    sql = f"SELECT COUNT(*) FROM (SELECT i0.respondent_id AS r {chain} GROUP BY i0.respondent_id) AS t"
    assert "more than 1,000,000" in refusal(sql).reason
    assert plan_query(sql.replace(chain, selves(4).removeprefix("SELECT COUNT(*)")), POLICY).sensitivities


def test_pairs_that_a_match_with_conditions_looks_at_are_counted() -> None:
    same = "SELECT 1 FROM invitation b WHERE b.survey_id = a.survey_id"
    sql = f"SELECT COUNT(*) FROM question a WHERE EXISTS ({same} AND b.id < a.id)"
    assert refusal(sql).reason.startswith("one respondent could change")
    own = "SELECT 1 FROM invitation b WHERE b.respondent_id = a.id AND b.survey_id < a.id"
    assert plan_query(f"SELECT COUNT(*) FROM respondent a WHERE EXISTS ({own})", POLICY).sensitivities


def test_the_uniform_baselines_show_a_number_all_the_same() -> None:
    # Told beside a refusal for cost, as of any other query that the rules bound.
    refusal(selves(5))
    assert baselines(selves(5), POLICY).unbounded == 5 * 20**5


# A heavy join of public relations, which engines begin only where somebody's row asks for it.
HEAVY = (
    "FROM question p JOIN question q ON q.kind = p.kind JOIN question r ON r.kind = q.kind WHERE p.id < r.id"
)


@pytest.mark.parametrize(
    "condition",
    [
        f"a.panel_id IN (SELECT p.id {HEAVY})",
        f"EXISTS (SELECT 1 {HEAVY} AND p.id = a.panel_id)",
        f"CASE WHEN a.id = 17 THEN (SELECT COUNT(*) {HEAVY}) > 3 ELSE FALSE END",
    ],
)
def test_many_do_not_meet_many_where_one_person_decides_whether_they_do(condition: str) -> None:
    found = refusal(f"SELECT COUNT(*) FROM respondent a WHERE a.sex = 'f' AND {condition}")
    assert found.reason == "any number of rows of question could meet any number of rows of question"
    assert found.hint == "join them by a key, or declare max_rows of the foreign keys that are joined"
    # The control: by a key each meets one.
    assert plan_query(
        "SELECT COUNT(*) FROM respondent a WHERE a.sex = 'f' AND a.panel_id IN "
        "(SELECT p.id FROM question p JOIN question q ON q.id = p.id)",
        POLICY,
    ).sensitivities


def test_few_that_meet_few_in_a_long_chain_are_many() -> None:
    below = "JOIN invitation i{0} ON i{0}.respondent_id = i0.respondent_id "
    for number, answered in ((3, True), (9, False)):
        sql = "SELECT COUNT(*) FROM respondent r WHERE EXISTS (SELECT 1 FROM invitation i0 "
        sql += "".join(below.format(at) for at in range(1, number)) + "WHERE i0.respondent_id = r.id)"
        if answered:
            assert plan_query(sql, POLICY).sensitivities
        else:
            assert "could" in refusal(sql).reason

"""One canonical text for all spellings of a query, and another one for every other query."""

import re

import pytest

from privacy.policy.sql import translate
from tests.policy.test_sql.school import POLICY
from tests.policy.test_sql.test_meaning import QUERIES

SAME = [
    ("SELECT COUNT(*) FROM pupil", "select\n count( * ) -- all\nfrom PUPIL as p /* of them */;"),
    ("SELECT COUNT(*) AS a FROM pupil", "SELECT COUNT(*) AS b FROM pupil"),
    ("SELECT COUNT(*) FROM pupil", "SELECT COUNT(p_id) FROM pupil"),
    ("SELECT COUNT(*) FROM pupil", "SELECT COUNT(1) FROM pupil"),
    ("SELECT COUNT(*) FROM pupil", "(SELECT COUNT(*) FROM pupil)"),
    ("SELECT COUNT(*) FROM pupil WHERE p_grade = 1", "SELECT COUNT(*) FROM pupil x WHERE 1 = x.p_grade"),
    ("SELECT COUNT(*) FROM pupil WHERE p_fee > 1", "SELECT COUNT(*) FROM pupil WHERE 1.00 < p_fee"),
    ("SELECT COUNT(*) FROM pupil WHERE p_fee > 1", "SELECT COUNT(*) FROM pupil WHERE NOT p_fee <= 1"),
    ("SELECT COUNT(*) FROM pupil WHERE p_luck > 1.5", "SELECT COUNT(*) FROM pupil WHERE p_luck > 1.25"),
    (
        "SELECT COUNT(*) FROM pupil WHERE p_fee BETWEEN 1 AND 5 AND p_boarder",
        "SELECT COUNT(*) FROM pupil WHERE p_boarder AND p_fee <= 5 AND p_fee >= 1",
    ),
    (
        "SELECT COUNT(*) FROM pupil WHERE p_grade = 1 OR (p_fee > 1 AND p_boarder)",
        "SELECT COUNT(*) FROM pupil WHERE ((p_boarder AND (p_fee > 1)) OR p_grade = 1)",
    ),
    (
        "SELECT COUNT(*) FROM pupil WHERE p_grade IN (2, 1, 2)",
        "SELECT COUNT(*) FROM pupil WHERE p_grade IN (1, 2)",
    ),
    (
        "SELECT COUNT(*) FROM pupil WHERE p_grade = 2 OR p_boarder OR p_grade = 1",
        "SELECT COUNT(*) FROM pupil WHERE p_grade IN (1, 2) OR p_boarder",
    ),
    (
        "SELECT COUNT(*) FROM pupil WHERE p_grade IN (3, 1) OR p_grade = 2",
        "SELECT COUNT(*) FROM pupil WHERE p_grade IN (1, 2, 3)",
    ),
    ("SELECT COUNT(*) FROM pupil WHERE p_grade IN (1)", "SELECT COUNT(*) FROM pupil WHERE p_grade = 1"),
    (
        "SELECT COUNT(*) FROM pupil WHERE p_born < DATE '2002-01-31' + INTERVAL '1' MONTH",
        "SELECT COUNT(*) FROM pupil WHERE p_born < '2002-02-28'",
    ),
    ("SELECT SUM(p_fee + p_grade) FROM pupil", "SELECT SUM(p_grade + p_fee) FROM pupil"),
    ("SELECT SUM(p_fee) + COUNT(*) FROM pupil", "SELECT COUNT(*) + SUM(p_fee) FROM pupil"),
    (
        "SELECT COUNT(*) FROM pupil, mark WHERE p_id = m_pupil",
        "SELECT COUNT(*) FROM mark m INNER JOIN pupil p ON p.p_id = m.m_pupil",
    ),
    (
        "SELECT COUNT(*) FROM pupil JOIN mark ON p_id = m_pupil JOIN town ON p_town = t_id WHERE p_fee > 1",
        "SELECT COUNT(*) FROM town, mark, pupil WHERE t_id = p_town AND p_fee > 1 AND m_pupil = p_id",
    ),
    (
        "SELECT COUNT(*) FROM (SELECT p_town AS a, COUNT(*) AS b FROM pupil GROUP BY p_town) x WHERE b > 2",
        "WITH y AS (SELECT COUNT(*) AS n, p_town FROM pupil GROUP BY 2) SELECT COUNT(*) FROM y WHERE 2 < n",
    ),
    (
        "SELECT COUNT(*) FROM (SELECT p_town, COUNT(*) AS b FROM pupil GROUP BY p_town HAVING COUNT(*) > 2) x",
        "SELECT COUNT(*) FROM (SELECT p_town, COUNT(*) AS b FROM pupil GROUP BY p_town) x WHERE b > 2",
    ),
    (
        "SELECT COUNT(*) FROM pupil WHERE p_id IN (SELECT m_pupil FROM mark) AND EXISTS "
        "(SELECT 1 FROM visit v WHERE v.v_pupil = p_id)",
        "SELECT COUNT(*) FROM pupil WHERE EXISTS (SELECT * FROM visit WHERE p_id = v_pupil) AND "
        "p_id IN (SELECT m.m_pupil FROM mark m)",
    ),
    (
        "SELECT COUNT(*) FROM pupil WHERE p_id IN (SELECT m_pupil FROM mark)",
        "SELECT COUNT(*) FROM pupil WHERE EXISTS (SELECT 1 FROM mark WHERE m_pupil = p_id)",
    ),
    (
        "SELECT t_name, COUNT(*) FROM town GROUP BY t_name HAVING COUNT(*) > 1 AND t_name <> 'Jeju'",
        "SELECT t_name n, COUNT(*) c FROM town GROUP BY 1 HAVING 'Jeju' <> t_name AND 1 < COUNT(*)",
    ),
    (
        "SELECT t_name, COUNT(*) AS c FROM town GROUP BY t_name ORDER BY c DESC LIMIT 2",
        "SELECT t_name, COUNT(*) FROM town GROUP BY t_name ORDER BY 2 DESC FETCH FIRST 2 ROWS ONLY",
    ),
    (
        "SELECT p_grade, COUNT(*) FROM pupil GROUP BY p_grade ORDER BY 1 DESC",
        "SELECT p_grade, COUNT(*) FROM pupil GROUP BY p_grade ORDER BY 1 DESC NULLS LAST",
    ),
]

OTHER = [
    ("SELECT COUNT(*) FROM pupil", "SELECT COUNT(p_grade) FROM pupil"),
    ("SELECT COUNT(p_grade) FROM pupil", "SELECT COUNT(DISTINCT p_grade) FROM pupil"),
    ("SELECT COUNT(*), SUM(p_fee) FROM pupil", "SELECT SUM(p_fee), COUNT(*) FROM pupil"),
    ("SELECT SUM(p_fee) FROM pupil", "SELECT SUM(p_grade) FROM pupil"),
    ("SELECT VAR_POP(p_fee) FROM pupil", "SELECT VAR_SAMP(p_fee) FROM pupil"),
    ("SELECT MEDIAN(p_fee) FROM pupil", "SELECT QUANTILE(p_fee, 0.25) FROM pupil"),
    ("SELECT COUNT(*) FROM pupil WHERE p_fee > 1", "SELECT COUNT(*) FROM pupil WHERE p_fee < 1"),
    ("SELECT COUNT(*) FROM pupil WHERE p_fee > 1", "SELECT COUNT(*) FROM pupil WHERE p_fee >= 1"),
    ("SELECT COUNT(*) FROM pupil WHERE p_fee > 1", "SELECT COUNT(*) FROM pupil WHERE p_fee > 10"),
    ("SELECT COUNT(*) FROM pupil WHERE p_name = '1'", "SELECT COUNT(*) FROM pupil WHERE p_name = ' 1'"),
    (
        "SELECT COUNT(*) FROM pupil WHERE p_name LIKE 'B%'",
        "SELECT COUNT(*) FROM pupil WHERE p_name NOT LIKE 'B%'",
    ),
    (
        "SELECT COUNT(*) FROM pupil WHERE p_grade IS NULL",
        "SELECT COUNT(*) FROM pupil WHERE p_grade IS NOT NULL",
    ),
    ("SELECT SUM(p_fee - p_grade) FROM pupil", "SELECT SUM(p_grade - p_fee) FROM pupil"),
    (
        "SELECT COUNT(*) FROM pupil a, pupil b WHERE a.p_town = b.p_town AND a.p_fee > 1 AND b.p_grade > 1",
        "SELECT COUNT(*) FROM pupil a, pupil b WHERE a.p_town = b.p_town AND a.p_fee > 1 AND a.p_grade > 1",
    ),
    (
        "SELECT COUNT(*) FROM pupil LEFT JOIN visit ON p_id = v_pupil",
        "SELECT COUNT(*) FROM pupil JOIN visit ON p_id = v_pupil",
    ),
    (
        "SELECT COUNT(*) FROM pupil LEFT JOIN visit ON p_id = v_pupil AND v_days > 1",
        "SELECT COUNT(*) FROM pupil LEFT JOIN visit ON p_id = v_pupil WHERE v_days > 1",
    ),
    (
        "SELECT COUNT(*) FROM pupil WHERE EXISTS (SELECT 1 FROM mark WHERE m_pupil = p_id)",
        "SELECT COUNT(*) FROM pupil WHERE NOT EXISTS (SELECT 1 FROM mark WHERE m_pupil = p_id)",
    ),
    (
        "SELECT COUNT(*) FROM (SELECT p_id FROM pupil UNION ALL SELECT m_id FROM mark) x",
        "SELECT COUNT(*) FROM (SELECT p_id FROM pupil UNION SELECT m_id FROM mark) x",
    ),
    ("SELECT COUNT(*) FROM pupil LIMIT 1", "SELECT COUNT(*) FROM pupil LIMIT 2"),
    (
        "SELECT t_name, COUNT(*) FROM town GROUP BY t_name ORDER BY 2",
        "SELECT t_name, COUNT(*) FROM town GROUP BY t_name ORDER BY 2 DESC",
    ),
    (
        "SELECT COUNT(*) FROM pupil WHERE p_town = (SELECT MAX(t_id) FROM town)",
        "SELECT COUNT(*) FROM pupil WHERE p_town = (SELECT MIN(t_id) FROM town)",
    ),
    (
        "SELECT COUNT(*) - (SELECT MAX(t_id) FROM town) FROM pupil",
        "SELECT COUNT(*) - (SELECT MIN(t_id) FROM town) FROM pupil",
    ),
    (
        "SELECT COUNT(*) FROM town WHERE (NOT t_note LIKE 'a%') IS NULL",
        "SELECT COUNT(*) FROM town WHERE NOT (t_note LIKE 'a%' IS NULL)",
    ),
    (
        "SELECT COUNT(*) FROM pupil WHERE ((p_grade = 1) = p_boarder) IS NULL",
        "SELECT COUNT(*) FROM pupil WHERE (p_grade = 1) = (p_boarder IS NULL)",
    ),
    (
        "SELECT COUNT(*) FROM pupil WHERE ((p_grade = 1) < p_boarder) < (p_fee > 1)",
        "SELECT COUNT(*) FROM pupil WHERE (p_grade = 1) < (p_boarder < (p_fee > 1))",
    ),
    (
        "SELECT p_grade, COUNT(*) FROM pupil GROUP BY p_grade HAVING (NOT (p_grade = 1)) IS NULL",
        "SELECT p_grade, COUNT(*) FROM pupil GROUP BY p_grade HAVING NOT ((p_grade = 1) IS NULL)",
    ),
    (
        "SELECT COUNT(*) FROM pupil HAVING ((COUNT(*) > 1) = (SUM(p_fee) > 1)) IS NULL",
        "SELECT COUNT(*) FROM pupil HAVING (COUNT(*) > 1) = ((SUM(p_fee) > 1) IS NULL)",
    ),
    (
        "SELECT (SELECT COUNT(*) FROM town) + (SELECT COUNT(*) FROM town WHERE t_size > 3) * COUNT(*) FROM pupil",
        "SELECT (SELECT COUNT(*) FROM town) * COUNT(*) + (SELECT COUNT(*) FROM town WHERE t_size > 3) FROM pupil",
    ),
    (
        "SELECT COUNT(*) FROM pupil HAVING COUNT(*) > 1 AND '1' = '1'",
        "SELECT COUNT(*) FROM pupil HAVING COUNT(*) > 1 AND 1 = 1",
    ),
    (
        "SELECT COUNT(*), '2002-01-01' FROM pupil",
        "SELECT COUNT(*), DATE '2002-01-01' FROM pupil",
    ),
    # Two constants of one value are two columns where a join or a union makes either something else.
    (
        "SELECT COUNT(*) FROM pupil LEFT JOIN (SELECT v_pupil, 1 AS x FROM visit) v ON v_pupil = p_id "
        "LEFT JOIN (SELECT m_pupil, 1 AS x FROM mark) m ON m_pupil = p_id WHERE v.x IS NULL",
        "SELECT COUNT(*) FROM pupil LEFT JOIN (SELECT v_pupil, 1 AS x FROM visit) v ON v_pupil = p_id "
        "LEFT JOIN (SELECT m_pupil, 1 AS x FROM mark) m ON m_pupil = p_id WHERE m.x IS NULL",
    ),
    (
        "SELECT COUNT(*) FROM (SELECT 1 AS x, t_id FROM town UNION ALL SELECT 2, t_id FROM town) a, "
        "(SELECT 1 AS x, t_id FROM town UNION ALL SELECT 2, t_id + 1 FROM town) b WHERE a.x = 1",
        "SELECT COUNT(*) FROM (SELECT 1 AS x, t_id FROM town UNION ALL SELECT 2, t_id FROM town) a, "
        "(SELECT 1 AS x, t_id FROM town UNION ALL SELECT 2, t_id + 1 FROM town) b WHERE b.x = 1",
    ),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_spellings_of_one_query_have_one_canonical_text(one: str, other: str) -> None:
    assert translate(one, POLICY).canonical == translate(other, POLICY).canonical


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_queries_that_ask_for_something_else_have_another_text(one: str, other: str) -> None:
    assert translate(one, POLICY).canonical != translate(other, POLICY).canonical


def test_no_two_of_many_queries_share_a_text() -> None:
    texts = [translate(sql, POLICY).canonical for sql in QUERIES]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("sql", QUERIES)
def test_case_and_white_space_do_not_count(sql: str) -> None:
    words = re.split(r"('[^']*')", sql)
    respelt = "".join(one if one.startswith("'") else one.swapcase().replace(" ", "\n\t ") for one in words)
    assert translate(respelt, POLICY).canonical == translate(sql, POLICY).canonical


def test_columns_made_of_columns_do_not_lengthen_the_text_without_end() -> None:
    tables = ["c0 AS (SELECT CASE WHEN p_boarder THEN p_id ELSE p_luck END AS x FROM pupil)"]
    for at in range(1, 9):
        tables.append(
            f"c{at} AS (SELECT CASE WHEN x > {at} THEN x ELSE COALESCE(x, x) END AS x FROM c{at - 1})"
        )
    query = translate(f"WITH {', '.join(tables)} SELECT COUNT(x) FROM c8 WHERE x > 1", POLICY)
    assert len(query.canonical) < 500

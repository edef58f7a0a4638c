"""Whatever the text is, it is translated or refused: nothing else ever comes out."""

import random

import pytest

from privacy.policy.errors import QueryRefused
from privacy.policy.sql import translate
from tests.policy.test_sql.school import POLICY
from tests.policy.test_sql.test_meaning import QUERIES
from tests.policy.test_sql.test_refused import REFUSED

DEEP = {
    "parentheses": ("SELECT COUNT(*) FROM pupil WHERE p_fee = ", "(", "1", ")"),
    "brackets": ("SELECT COUNT(*) FROM pupil WHERE p_fee = ", "[", "1", "]"),
    "negations": ("SELECT COUNT(*) FROM pupil WHERE ", "NOT ", "p_boarder", ""),
    "signs": ("SELECT SUM(", "- ", "p_fee) FROM pupil", ""),
    "sums": ("SELECT SUM(", "p_grade + ", "1) FROM pupil", ""),
    "conjunctions": ("SELECT COUNT(*) FROM pupil WHERE ", "p_boarder AND ", "p_boarder", ""),
    "alternatives": ("SELECT COUNT(*) FROM pupil WHERE ", "p_boarder OR ", "p_boarder", ""),
    "cases": ("SELECT SUM(", "CASE WHEN p_boarder THEN ", "1", " END"),
    "calls": ("SELECT SUM(", "COALESCE(", "1", ")"),
    "tables": ("SELECT COUNT(*) FROM ", "(SELECT * FROM ", "pupil", ")"),
    "joins": ("SELECT COUNT(*) FROM pupil ", "CROSS JOIN pupil ", "", ""),
    "unions": (
        "SELECT COUNT(*) FROM (",
        "SELECT p_id FROM pupil UNION ALL ",
        "SELECT p_id FROM pupil) x",
        "",
    ),
    "types": ("SELECT CAST(COUNT(*) AS ", "ARRAY<", "INT", ">"),
    "withs": ("", "WITH a AS (", "SELECT 1", ") SELECT 1 "),
    "intervals": ("SELECT COUNT(*) FROM pupil WHERE p_born > ", "INTERVAL ", "1", ""),
    "subqueries": (
        "SELECT COUNT(*) FROM pupil WHERE ",
        "EXISTS (SELECT 1 FROM pupil WHERE ",
        "p_boarder",
        ")",
    ),
    "comments": ("SELECT COUNT(*) FROM pupil ", "/* ", "", " */"),
    "betweens": ("SELECT COUNT(*) FROM pupil WHERE p_fee ", "BETWEEN 1 AND 2 AND p_fee ", "> 1", ""),
    "quotes": ("SELECT COUNT(*) FROM pupil WHERE p_name = '", "''", "", "'"),
    "interval digits": (
        "SELECT COUNT(*) FROM pupil WHERE p_born > DATE '2001-01-01' + INTERVAL '",
        "9",
        "",
        "' DAY",
    ),
    "digits": ("SELECT COUNT(*) FROM pupil WHERE p_fee = ", "9", "", ""),
    "zeros": ("SELECT COUNT(*) FROM pupil WHERE p_fee = 1.", "0", "", ""),
    "outputs": ("SELECT COUNT(*) ", ", COUNT(*) ", " FROM pupil", ""),
}


@pytest.mark.parametrize("times", [40, 400, 5000, 100_000])
@pytest.mark.parametrize("kind", sorted(DEEP))
def test_deep_and_long_texts_are_answered_or_refused(kind: str, times: int) -> None:
    head, opening, middle, closing = DEEP[kind]
    _attempt(head + opening * times + middle + closing * times)


@pytest.mark.parametrize(
    "sql",
    [
        "\x00",
        "SELECT COUNT(*) FROM pupil\x00; DROP TABLE pupil",
        "ＳＥＬＥＣＴ COUNT(*) FROM pupil",
        "SELECT COUNT(*) FROM pupil WHERE p_name = 'ﬀ\u202e'",
        'SELECT COUNT(*) FROM "pupil" WHERE "p_fee" > 1',
        "SELECT COUNT(*) FROM рupil",
        "SELECT COUNT(*) FROM pupil WHERE p_name = U&'\\0041'",
        "SELECT COUNT(*) FROM pupil WHERE p_name = E'\\x41'",
        "SELECT COUNT(*) FROM pupil WHERE p_name = $$x$$",
        "SELECT COUNT(*) FROM pupil -- '",
        "SELECT COUNT(*) FROM pupil WHERE 1 = 1 OR ''=''",
        "SELECT /*+ PARALLEL(8) */ COUNT(*) FROM pupil",
        "SELECT {fn NOW()}",
        "{{ x }}",
        "SELECT COUNT(*) FROM pupil WHERE p_fee = 0x7F",
        "SELECT COUNT(*) FROM pupil WHERE p_fee = B'1'",
        "SELECT COUNT(*) FROM pupil WHERE p_fee = 'NaN' OR p_fee = 1e-400",
        "SELECT QUANTILE(p_fee, 1e-999999999) FROM pupil",
        "SELECT COUNT(*) FROM pupil WHERE p_born > DATE '2001-01-01' + INTERVAL '" + "9" * 5000 + "' DAY",
        "SELECT COUNT(*) FROM pupil ORDER BY " + "9" * 5000,
        "SELECT COUNT(*) FROM pupil LIMIT " + "9" * 5000,
    ],
)
def test_odd_texts_are_answered_or_refused(sql: str) -> None:
    _attempt(sql)


def test_shuffled_and_broken_queries_are_answered_or_refused() -> None:
    dice = random.Random(20261130)
    texts = [*QUERIES, *(text.replace("¦", "") for text, _ in REFUSED if text != "¦")]
    words = [word for text in texts for word in text.replace("(", " ( ").replace(")", " ) ").split()]
    for _ in range(3000):
        mixed = dice.choice(texts).replace("(", " ( ").replace(")", " ) ").split()
        for _ in range(dice.randint(1, 4)):
            at = dice.randrange(len(mixed))
            mixed[at : at + dice.randint(0, 2)] = dice.sample(words, dice.randint(0, 2))
            mixed = mixed or ["SELECT"]
        _attempt(" ".join(mixed))


def _attempt(sql: str) -> None:
    try:
        translate(sql, POLICY)
    except QueryRefused as error:
        refused = error
    else:
        return
    assert refused.line is not None
    assert refused.column is not None
    assert "sqlglot" not in str(refused)
    assert len(str(refused)) < 500

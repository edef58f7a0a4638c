"""Post-processing reads noisy rows as SQL reads rows: three values of truth, NULL last, equal rows in their order."""

from datetime import date
from fractions import Fraction

import pytest

from privacy.policy.after import (
    After,
    AllOf,
    AnyOf,
    Calculated,
    Chosen,
    Compared,
    Denied,
    Given,
    Literally,
    Missing,
    Term,
    evaluate,
)
from privacy.policy.expressions import Attribute

KEY, FIGURE = Attribute("key", "text"), Attribute("figure", "integer")
NULL, TRUE, FALSE = Literally(None), Literally(True), Literally(False)


def number(value: int) -> Term:
    return Literally(Fraction(value))


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (Calculated("/", number(1), number(3)), Fraction(1, 3)),
        (Calculated("/", number(1), number(0)), None),
        (Calculated("+", number(1), NULL), None),
        (Calculated("-", number(1), number(3)), Fraction(-2)),
        (Calculated("*", number(4), number(3)), Fraction(12)),
        (Compared("=", number(1), NULL), None),
        (Compared("<>", Literally("a"), Literally("A")), True),
        (Compared("<=", Literally(date(2020, 1, 1)), Literally(date(2020, 1, 1))), True),
        (Compared(">", number(1), number(2)), False),
        (Compared(">=", number(2), number(2)), True),
        (Compared("<", Literally("가"), Literally("나")), True),
        (AllOf((TRUE, NULL)), None),
        (AllOf((FALSE, NULL)), False),
        (AllOf((TRUE, TRUE)), True),
        (AnyOf((TRUE, NULL)), True),
        (AnyOf((FALSE, NULL)), None),
        (AnyOf((FALSE, FALSE)), False),
        (Denied(NULL), None),
        (Denied(FALSE), True),
        (Missing(NULL), True),
        (Missing(number(0)), False),
        (Chosen(((NULL, number(1)), (TRUE, number(2))), number(3)), Fraction(2)),
        (Chosen(((FALSE, number(1)),), number(3)), Fraction(3)),
        (Given(KEY), "k"),
    ],
)
def test_a_term_has_the_value_that_sql_gives_it(term: Term, expected: object) -> None:
    assert evaluate(term, {KEY: "k"}) == expected


def rows(*pairs: tuple[str | None, int | None]) -> list[dict[Attribute, object]]:
    return [{KEY: key, FIGURE: None if figure is None else Fraction(figure)} for key, figure in pairs]


GIVEN = rows(("a", 2), ("b", None), ("c", 5), ("d", 2), (None, -3))


def shown(after: After) -> list[object]:
    return [row[KEY] for row in after.rows(GIVEN)]  # type: ignore[arg-type]


def test_without_order_rows_stay_as_they_were_listed() -> None:
    assert shown(After(())) == ["a", "b", "c", "d", None]


@pytest.mark.parametrize(
    ("descending", "expected"), [(False, [None, "a", "d", "c", "b"]), (True, ["c", "a", "d", None, "b"])]
)
def test_nulls_come_last_and_equal_rows_keep_their_order(descending: bool, expected: list[object]) -> None:
    assert shown(After((), order=((Given(FIGURE), descending),))) == expected


def test_a_second_order_decides_between_equal_rows() -> None:
    assert shown(After((), order=((Given(FIGURE), False), (Given(KEY), True)))) == [None, "d", "a", "c", "b"]


def test_having_keeps_what_is_true_and_nothing_that_is_unknown() -> None:
    assert shown(After((), having=Compared("<", Given(FIGURE), number(5)))) == ["a", "d", None]


def test_limit_and_offset_count_rows_that_are_shown() -> None:
    after = After((), having=Compared("<>", Given(FIGURE), number(5)), limit=2, offset=1)
    assert shown(after) == ["d", None]
    assert shown(After((), limit=0)) == []
    assert shown(After((), offset=9)) == []


def test_what_is_no_term_is_no_term() -> None:
    with pytest.raises(TypeError):
        evaluate(Term(), {})

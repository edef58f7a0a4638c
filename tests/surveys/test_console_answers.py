"""Answers as tables, bars and files, amounts as people write them, and sentences of the policy layer in Korean."""

import csv
import io
from itertools import pairwise, product
from typing import Any

import pytest
from django.utils.translation import override

from privacy.policy.errors import QueryRefused
from privacy.policy.labels import bounded, unbounded
from privacy.policy.plan import plan_query
from privacy.policy.schema import Column
from privacy.policy.sql import translate
from surveys.pages.console_answer import SHOWN, answer_context, answer_csv
from surveys.pages.console_charts import Axis, Bar, apart, chart, short_text
from surveys.pages.console_left import micro_text, pico_text
from surveys.pages.console_plan import number_text
from surveys.pages.console_words import refusal_words, trace_words
from surveys.pages.sources_schema import values_text
from tests.policy.test_sql.school import POLICY
from tests.policy.test_sql.test_meaning import QUERIES
from tests.policy.test_sql.test_refused import REFUSED
from tests.surveys.test_console import FIGURE, PART


def document(rows: list[Any], intervals: list[Any], **more: Any) -> dict[str, Any]:
    figures = [{**FIGURE, "parts": [PART]}]
    return {"columns": ["key", "n"], "rows": rows, "intervals": intervals, "figures": figures, **more}


def test_an_answer_shows_value_interval_and_noise() -> None:
    told = answer_context(document([["a", -3], [None, 12000]], [[None, [-9, 3]], [None, [11994, 12006]]]))
    assert [[cell["text"] for cell in row] for row in told["rows"]] == [["a", "−3"], ["NULL", "12,000"]]
    assert told["rows"][1][1]["interval"] == "11,994 – 12,006"
    assert [one["intervals"] for one in told["columns"]] == [False, True]
    part = told["figures"][0]["parts"][0]
    assert (str(part["law"]), part["scale"], part["epsilon"]) == ("discrete Laplace", "2", "0.5")


def test_of_many_groups_the_first_are_shown_and_all_are_in_the_file() -> None:
    many = document([[str(at), at] for at in range(10_000)], [[None, [at, at]] for at in range(10_000)])
    told = answer_context(many)
    assert (len(told["rows"]), told["groups"], told["cut"]) == (SHOWN, 10_000, True)
    assert len(told["charts"][0]["chart"]["rows"]) == SHOWN
    assert answer_csv(many).count(b"\r\n") == 10_001


def test_a_file_holds_both_ends_and_no_formula() -> None:
    given = document([["=1+1", 1.5], [True, None]], [[None, [0.5, 2.5]], [None, None]])
    rows = list(csv.reader(io.StringIO(answer_csv(given).decode())))
    assert rows == [
        ["key", "n", "n (95 % low)", "n (95 % high)"],
        ["'=1+1", "1.5", "0.5", "2.5"],
        ["true", "", "", ""],
    ]
    assert answer_csv(given, mark=True).startswith(b"\xef\xbb\xbf")


def test_cells_of_every_kind_are_shown() -> None:
    row = ["", False, "2026-01-31", 2024, 2.25, "12345678901234567890", None]
    given = {
        "columns": list("abcdefg"),
        "rows": [row],
        "intervals": [[None] * 4 + [[1, 3]] + [["1", "99999999999999999999"]] + [None]],
        "figures": [],
    }
    told = answer_context(given)
    cells = [cell["text"] for cell in told["rows"][0]]
    assert cells == ["''", "false", "2026-01-31", "2024", "2.25", "12,345,678,901,234,567,890", "NULL"]


def test_an_empty_answer_is_an_empty_table() -> None:
    told = answer_context(document([], []))
    assert (told["rows"], told["charts"]) == ([], [])


def test_bars_and_intervals_lie_where_their_numbers_are() -> None:
    drawn = chart([Bar("a", -5, (-10, 0)), Bar("b", 10, (5, 15)), Bar("c", None, None)])
    assert drawn["zero"] == "40.000%"
    low, high, none = drawn["rows"]
    assert low["bar"] == {"x": "20.000%", "width": "20.000%", "below": True}
    assert (high["interval"], none["bar"]) == ({"low": "60.000%", "high": "100.000%"}, None)
    assert [tick["label"] for tick in drawn["ticks"]] == ["−10", "0", "10"]


@pytest.mark.parametrize("numbers", [[], [0.0], [1e308, -1e308], [1e-9], [5e15, 5e15 + 2]])
def test_every_axis_has_few_marks(numbers: list[float]) -> None:
    assert 1 <= len(Axis.of(numbers).ticks()) <= 6


@pytest.mark.parametrize("numbers", [[-1_108_567, 2_133_644], [0, 3], [0, 1_234_567_890], [-0.4, 0.7]])
def test_labels_of_an_axis_do_not_touch_on_a_phone(numbers: list[float]) -> None:
    ends = [mark.stretch for mark in Axis.of(numbers).marks()]
    assert all(before[1] < after[0] for before, after in pairwise(ends))


def test_labels_would_touch_if_there_were_four_of_them() -> None:
    """The control of the test above."""
    assert not apart(Axis.of([-1_108_567, 2_133_644]).about(4))


@pytest.mark.parametrize(
    ("number", "said"),
    [(999_999_999, "999,999,999"), (10**9, "1.00·10⁹"), (-6_155_185_831_003_684_864, "−6.16·10¹⁸")],
)
def test_numbers_that_a_drawing_has_no_room_for_are_rounded(number: float, said: str) -> None:
    assert short_text(number) == said


def test_what_a_whole_number_holds_anyway_is_no_bound() -> None:
    told = [
        values_text(Column("id", "integer", bounds=bounds))
        for bounds in ((1, 2**63 - 1), (-(2**63), 2**63 - 1), (0, 2**31 - 1), (1, 99))
    ]
    assert told == ["1 or more", "", "0 or more", "from 1 to 99"]


@pytest.mark.parametrize(
    ("number", "said"),
    [(0, "0"), (-1234567, "−1,234,567"), (1.5, "1.5"), (1234.567, "1,235"), (0.00001234, "1.2e-05")],
)
def test_numbers_are_written_for_people(number: float, said: str) -> None:
    assert number_text(number) == said


def test_amounts_are_written_without_idle_zeros() -> None:
    assert [micro_text(one) for one in (0, 500_000, 10_000_000, 1)] == ["0", "0.5", "10", "0.000001"]
    assert [pico_text(one) for one in (0, 1_000_000, 2_500, 10**12)] == ["0", "1e-6", "2.5e-9", "1"]


# Words.


def test_every_refusal_is_said_in_korean() -> None:
    english = set()
    with override("ko"):
        for query, _ in REFUSED:
            try:
                translate("".join(query.split("¦")), POLICY)
            except QueryRefused as error:
                said = (error.reason, error.hint) if error.hint else (error.reason,)
                english |= {one for one in said if refusal_words(one).foreign}
    assert english == set()


def test_a_sentence_that_nobody_translated_is_marked_as_english() -> None:
    """The control of the test above."""
    with override("ko"):
        assert refusal_words("the moon is full").foreign
    assert not refusal_words("the moon is full").foreign


def test_every_line_of_a_plan_is_said_in_korean() -> None:
    policies = (POLICY, unbounded(POLICY), bounded(POLICY))
    english = set()
    with override("ko"):
        for sql, policy in product(QUERIES, policies):
            try:
                trace = plan_query(sql, policy).trace
            except QueryRefused:
                continue
            english |= {line for line, said in zip(trace, trace_words(trace), strict=True) if said.foreign}
    assert english == set()


def test_lines_of_several_entity_kinds_begin_with_their_kind() -> None:
    with override("ko"):
        said = trace_words(
            [
                "customer: filter: changes nothing",
                "customer: lineitem: 287 rows of one customer may be absent",
                "customer: the moon is full",
            ]
        )
    assert [one.foreign for one in said] == [False, False, True]
    assert [one.text.split(": ")[0] for one in said] == ["customer"] * 3
    assert said[1].text == "customer: lineitem: 보호 대상(customer) 하나에 딸린 행 287개가 없을 수 있습니다"

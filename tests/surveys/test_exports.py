"""Downloads hold every answer once, in every format alike, and no formula."""

import csv
import io
import json
from typing import Any

import openpyxl
import pytest

from surveys.exports.formats import FORMATS, neutral
from surveys.exports.rows import COLUMNS, NAMES, rows_of
from surveys.models import Estimate, Survey
from surveys.notes import NOTES
from surveys.selectors import Results, results_get
from surveys.services.publishing import manifest_of, survey_close, survey_pause, survey_publish
from surveys.services.questions import question_update
from surveys.services.results import results_documents
from tests import cast
from tests.surveys.test_results import tally

EVIL = '=HYPERLINK("http://evil.example";"설문")'


def finished(owner: Any, ns: list[int], questions: Any) -> Results:
    """Return the results of a survey with so many answers in each of its versions."""
    versions = [cast.published(owner, questions=questions)]
    survey = versions[0].survey
    for at in range(1, len(ns)):
        survey_pause(actor=owner, survey=survey)
        question_update(actor=owner, question=survey.questions.get(name="q1"), epsilon=f"1.{at}")
        versions.append(survey_publish(actor=owner, survey=survey))
    survey_close(actor=owner, survey=survey)
    tallies = [tally(manifest_of(version), n) for version, n in zip(versions, ns, strict=True)]
    numbers = {version.number: version for version in versions}
    for number, body in results_documents(tallies, minimum=50).items():
        version = None if number is None else numbers[number]
        Estimate.objects.create(survey=survey, version=version, n=sum(ns), body=body, code_version="test")
    return results_get(Survey.objects.get(pk=survey.pk))


@pytest.fixture
def results(owner: Any) -> Results:
    evil = {**cast.SINGLE, "text_en": EVIL, "choices": cast.choices("@SUM(A1)", "+1", "한국어")}
    return finished(owner, [240], [cast.YES_NO, evil, cast.MULTIPLE])


def read_csv(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def test_every_answer_has_a_row(results: Results) -> None:
    rows = [(row["question"], row["box"], row["answer"]) for row in rows_of(results) if row["among"] == "all"]
    assert len(rows) == len(set(rows)) == 3 + 4 + 3 * 3
    assert ("q3", "b", "not-ticked") in rows


def test_no_two_rows_have_one_key(owner: Any) -> None:
    results = finished(owner, [120, 80, 90], [cast.YES_NO, cast.MULTIPLE])
    keys = ("version", "versions", "question", "box", "answer", "among")
    rows = [tuple(row[name] for name in keys) for row in rows_of(results)]
    assert len(rows) == len(set(rows))
    assert {row[1] for row in rows if row[0] == "pooled"} == {"1 2 3"}


def test_a_withheld_box_has_one_row_without_figures(owner: Any) -> None:
    results = finished(owner, [120], [cast.MULTIPLE])
    rows = list(rows_of(results))
    assert [(row["box"], row["state"], row["n"], row["count"]) for row in rows] == [
        (name, "withheld", None, None) for name in "abc"
    ]
    assert all("Withheld" in str(row["notes_en"]) for row in rows)
    for name in FORMATS:
        assert FORMATS[name].write(results)


def test_a_liar_among_those_asked_moves_more(results: Results) -> None:
    moved = {
        (row["among"], row["question"]): row["one_liar"]
        for row in rows_of(results)
        if row["question"] == "q1"
    }
    assert float(str(moved["asked", "q1"])) > float(str(moved["all", "q1"]))


def test_every_column_is_in_every_row_and_in_the_codebook(results: Results) -> None:
    assert all(tuple(row) == NAMES for row in rows_of(results))
    assert all(column.en and column.ko for column in COLUMNS)


def test_json_holds_rows_and_documents(results: Results) -> None:
    document = json.loads(FORMATS["json"].write(results))
    assert document["rows"] == list(rows_of(results))
    assert document["documents"] == results.documents


def test_csv_holds_the_same_figures(results: Results) -> None:
    rows = read_csv(FORMATS["csv"].write(results))
    expected = list(rows_of(results))
    assert [float(row["unbiased"]) for row in rows] == [row["unbiased"] for row in expected]
    assert [row["answer_ko"] for row in rows] == [neutral(row["answer_ko"]) for row in expected]


def test_csv_for_excel_is_the_same_after_a_mark(results: Results) -> None:
    assert FORMATS["csv-excel"].write(results) == b"\xef\xbb\xbf" + FORMATS["csv"].write(results)


def test_xlsx_has_two_sheets_with_the_same_figures(results: Results) -> None:
    book = openpyxl.load_workbook(io.BytesIO(FORMATS["xlsx"].write(results)))
    assert book.sheetnames == ["estimates", "codebook"]
    lines = list(book["estimates"].values)
    assert lines[0] == NAMES
    at = NAMES.index("unbiased")
    assert [line[at] for line in lines[1:]] == [row["unbiased"] for row in rows_of(results)]
    assert [line[0] for line in list(book["codebook"].values)[1 : len(NAMES) + 1]] == list(NAMES)


def test_epsilon_is_a_number_in_a_workbook_and_text_in_json(results: Results) -> None:
    book = openpyxl.load_workbook(io.BytesIO(FORMATS["xlsx"].write(results)))
    cells = [line[NAMES.index("epsilon")] for line in book["estimates"].iter_rows(min_row=2)]
    assert [f"{cell.value:.4f}" for cell in cells] == [row["epsilon"] for row in rows_of(results)]
    assert {cell.number_format for cell in cells} == {"0.0000"}


def test_notes_are_told_in_words_of_both_languages(results: Results) -> None:
    for row in rows_of(results):
        assert str(row["notes"]).startswith("open-survey")
        assert "anyone can answer more than once" in str(row["notes_en"])
        assert "누구나 여러 번 응답할 수 있습니다" in str(row["notes_ko"])


def test_the_codebook_explains_every_note(results: Results) -> None:
    book = openpyxl.load_workbook(io.BytesIO(FORMATS["xlsx"].write(results)))
    lines = {line[0]: line[1:] for line in book["codebook"].values}
    for code in NOTES:
        english, korean = lines[code]
        assert all((english, korean))
        assert english != korean
        assert "{" not in english + korean


def test_no_text_is_a_formula(results: Results) -> None:
    rows = read_csv(FORMATS["csv"].write(results))
    texts = [value for row in rows for name, value in row.items() if name.endswith(("_en", "_ko"))]
    assert any(text == f"'{EVIL}" for text in texts)
    assert not any(text.startswith(("=", "+", "-", "@", "\t", "\r")) for text in texts)
    book = openpyxl.load_workbook(io.BytesIO(FORMATS["xlsx"].write(results)))
    cells = [cell for line in book["estimates"].iter_rows() for cell in line]
    assert any(cell.value == EVIL for cell in cells)
    assert not any(cell.data_type == "f" for cell in cells)


def test_a_naive_csv_would_be_a_formula(results: Results) -> None:
    """The control: the texts themselves do begin like formulas."""
    assert any(str(row["question_en"]).startswith("=") for row in rows_of(results))


def test_a_negative_number_stays_a_number() -> None:
    assert neutral(-0.05) == -0.05
    assert neutral("-0.05") == "'-0.05"


def test_of_two_versions_with_enough_people_all_three_are_there(owner: Any) -> None:
    results = finished(owner, [120, 80], [cast.YES_NO])
    assert [document["version"] for document in results.documents] == ["pooled", 1, 2]


@pytest.mark.parametrize("name", FORMATS)
def test_no_figure_of_a_hidden_part_is_in_any_format(owner: Any, name: str) -> None:
    results = finished(owner, [83, 37], [cast.YES_NO, cast.SINGLE])
    data = FORMATS[name].write(results)
    if name == "xlsx":
        book = openpyxl.load_workbook(io.BytesIO(data))
        found = {str(value) for sheet in book for line in sheet.values for value in line}
    elif name == "json":
        found = set(map(str, _leaves(json.loads(data))))
    else:
        found = {value for row in read_csv(data) for value in row.values()}
    assert "120" in found
    assert not {"83", "37"} & found


def _leaves(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [leaf for one in value.values() for leaf in _leaves(one)]
    return [leaf for one in value for leaf in _leaves(one)] if isinstance(value, list) else [value]

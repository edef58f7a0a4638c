"""The rows of a download: one for each answer of each question (or box) of each document shown."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from surveys.notes import notes_in
from surveys.selectors import Results

Cell = str | int | float | None
Row = dict[str, Cell]


@dataclass(frozen=True, slots=True)
class Column:
    """A column's name and what it means, in both languages."""

    name: str
    en: str
    ko: str


COLUMNS = (
    Column("survey", "Address of the survey", "설문 주소"),
    Column(
        "version",
        "Published version, or pooled: all versions that ask the question alike",
        "게시한 버전. pooled는 같은 문항을 쓴 모든 버전을 합친 것",
    ),
    Column("versions", "The versions whose answers are joined in this row", "이 행에 합쳐진 버전"),
    Column(
        "state",
        "State of the survey; withheld: the figures of this box are not shown, for too few reports",
        "설문 상태. withheld는 응답 수가 적어 이 항목의 수치를 공개하지 않음을 뜻함",
    ),
    Column("question", "Id of the question", "문항 식별자"),
    Column("kind", "Kind of question", "문항 유형"),
    Column("question_en", "Text of the question, English", "문항(영어)"),
    Column("question_ko", "Text of the question, Korean", "문항(한국어)"),
    Column("box", "Id of the box of a multiple choice, else empty", "복수 선택 항목 식별자. 그 밖에는 빈칸"),
    Column("box_en", "Text of the box, English", "항목(영어)"),
    Column("box_ko", "Text of the box, Korean", "항목(한국어)"),
    Column("answer", "Id of the answer", "보기 식별자"),
    Column("answer_en", "Text of the answer, English", "보기(영어)"),
    Column("answer_ko", "Text of the answer, Korean", "보기(한국어)"),
    Column(
        "among",
        "Whose share: all respondents, or asked: those who were asked and gave an answer",
        "비율의 기준. all은 모든 응답자, asked는 문항을 받고 답한 사람",
    ),
    Column("n", "Reports about this question (or box)", "이 문항(또는 항목)에 대한 응답 수"),
    Column("count", "Randomised reports that name this answer", "이 보기가 적힌 무작위 응답 수"),
    Column(
        "observed", "Share of the randomised reports, not an estimate", "무작위 응답의 비율. 추정값이 아님"
    ),
    Column(
        "unbiased",
        "Unbiased estimate of the share; below 0 or above 1 by chance alone",
        "비율의 비편향 추정값. 우연히 0보다 작거나 1보다 클 수 있음",
    ),
    Column("standard_error", "Standard error of the unbiased estimate", "비편향 추정값의 표준오차"),
    Column("interval_low", "Confidence interval, lower end", "신뢰구간 하한"),
    Column("interval_high", "Confidence interval, upper end", "신뢰구간 상한"),
    Column("interval_method", "How the interval was made", "신뢰구간 방법"),
    Column("level", "Confidence level", "신뢰 수준"),
    Column(
        "simultaneous_low", "Interval that holds for all answers at once, lower end", "동시 신뢰구간 하한"
    ),
    Column(
        "simultaneous_high", "Interval that holds for all answers at once, upper end", "동시 신뢰구간 상한"
    ),
    Column("maximum_likelihood", "Most likely share between 0 and 1", "0과 1 사이에서 가능성이 가장 큰 비율"),
    Column(
        "epsilon",
        "Privacy loss ε of the question, never less than the true one: four decimals, as text in JSON",
        "문항의 프라이버시 손실 ε. 실제 값보다 작지 않음. 소수 넷째 자리까지이며 JSON에서는 문자열",
    ),
    Column("protocol", "How the device randomised the answer", "기기가 답변을 무작위로 처리한 방법"),
    Column(
        "one_liar",
        "How far one false report moves the shares of this row",
        "거짓 응답 하나가 이 행의 비율을 움직이는 최대 크기",
    ),
    Column("notes", "Codes of remarks", "비고 부호"),
    Column("notes_en", "The remarks in words, English", "비고(영어)"),
    Column("notes_ko", "The remarks in words, Korean", "비고(한국어)"),
    Column("fingerprint", "Fingerprint of the published version", "게시한 버전의 지문"),
)
NAMES = tuple(column.name for column in COLUMNS)


def rows_of(results: Results) -> Iterator[Row]:
    """Give every row of a survey's results."""
    for document in results.documents:
        for question in document["questions"]:
            for part in question["parts"]:
                start = _start(results, document, question, part)
                if part["withheld"]:
                    yield {name: start.get(name) for name in NAMES} | {"state": "withheld"}
                yield from _rows({**start, "one_liar": part["one_liar"]}, part["answers"], "all")
                asked = {**start, "one_liar": part["asked_one_liar"]}
                yield from _rows(asked, part["among_asked"] or (), "asked")


def _start(
    results: Results, document: Mapping[str, Any], question: Mapping[str, Any], part: Mapping[str, Any]
) -> Row:
    box = part["box"] or {"id": "", "text": {"en": "", "ko": ""}}
    notes = [*document["notes"], *part["notes"]]
    return {
        "survey": document["slug"],
        "version": document["version"],
        "versions": " ".join(map(str, question["versions"])),
        "state": str(results.survey.state),
        "question": question["id"],
        "kind": question["kind"],
        **_texts("question", question["text"]),
        "box": box["id"],
        **_texts("box", box["text"]),
        "n": part["n"],
        "level": document["level"],
        "epsilon": question["epsilon"],
        "protocol": question["protocol"],
        "notes": " ".join(notes),
        "notes_en": notes_in("en", notes),
        "notes_ko": notes_in("ko", notes),
        "fingerprint": document["fingerprint"] or "",
    }


def _rows(start: Row, answers: Iterable[Mapping[str, Any]], among: str) -> Iterator[Row]:
    for answer in answers:
        low, high = answer["interval"]
        all_low, all_high = answer["simultaneous"]
        row = {
            **start,
            "answer": answer["id"],
            **_texts("answer", answer["text"]),
            "among": among,
            "count": answer.get("count"),
            "observed": answer.get("observed"),
            "unbiased": answer["unbiased"],
            "standard_error": answer["standard_error"],
            "interval_low": low,
            "interval_high": high,
            "interval_method": answer["interval_method"],
            "simultaneous_low": all_low,
            "simultaneous_high": all_high,
            "maximum_likelihood": answer["maximum_likelihood"],
        }
        yield {name: row[name] for name in NAMES}


def _texts(name: str, text: Mapping[str, str]) -> Row:
    return {f"{name}_en": text["en"], f"{name}_ko": text["ko"]}

"""Where simulated respondents take their true answers from: a table of shares, or the rows of real people."""

import csv
import secrets
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from privacy.bits import SecureBits
from surveys.errors import ParameterInvalid
from surveys.models import Question
from surveys.services.trial import Respondents, Truth, answered, silence, visible
from surveys.wire.manifest import choice_ids

Row = Mapping[str, Any]
SHARE_COLUMNS = {"question", "answer", "share"}
_SHOWN = 12  # names in one refusal


class TableInvalid(Exception):
    """A table of truths, or how its columns are mapped, does not fit the questionnaire."""


class Shares:
    """People whose answers follow a table of shares, each question by itself."""

    def __init__(self, manifest: Row, rows: Sequence[Row]) -> None:
        try:
            self._people = Respondents(manifest, shares_of(rows, manifest))
        except ParameterInvalid as error:
            raise TableInvalid(f"{error.field}: {error}") from error
        self._bits = SecureBits()

    def draw(self) -> list[Truth]:
        """Return the true answers of one more person."""
        return self._people.truths(self._bits)


def people_from(path: Path, manifest: Row, mapping: Sequence[str]) -> "Shares | Rows":
    """Return the people of a table.

    A CSV with the columns question, answer, share gives each question's shares among those who answer it (for
    a box: of those who tick it). Any other table has one person a row.
    """
    rows = table_read(path)
    if not rows:
        raise TableInvalid(f"{path}: no rows")
    return Shares(manifest, rows) if set(rows[0]) >= SHARE_COLUMNS else Rows(manifest, rows, mapping)


def table_read(path: Path) -> list[Row]:
    """Return the rows of a .csv (UTF-8) or .sav file."""
    if path.suffix.lower() == ".sav":
        return _sav(path)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            return list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise TableInvalid(f"{path}: {error}") from error


def shares_of(rows: Sequence[Row], manifest: Mapping[str, Any]) -> dict[str, list[float]]:
    """Return the shares of a table by question, in the order of the answers; every answer must be there."""
    given = {(row["question"], row["answer"]): row["share"] for row in rows}
    asked = {(q["id"], answer) for q in manifest["questions"] for answer in choice_ids(q)}
    if strange := [f"{question}: {answer}" for question, answer in given if (question, answer) not in asked]:
        raise TableInvalid(f"the survey has no such answer: {_listed(strange)}")
    shares = {}
    for question in manifest["questions"]:
        name = question["id"]
        if "mechanism" in question and any(row["question"] == name for row in rows):
            try:
                shares[name] = [float(given[name, answer]) for answer in choice_ids(question)]
            except KeyError as error:
                raise TableInvalid(f"{name}: no share of {error.args[0][1]}") from error
            except (TypeError, ValueError) as error:
                raise TableInvalid(f"{name}: a share is no number: {error}") from error
    return shares


class Rows:
    """People as rows: a column for each question (or box), named after its id or mapped to it.

    A mapping is `q1=COLUMN` or `q1=COLUMN:1=yes,2=no`; for one box `q7.box=COLUMN:1=yes,2=no`. Other values
    name an answer by its id or text; a box is ticked by yes, its id or text, and left by no or nothing. A cell
    that names no answer means that none is given; where the question is required, the table is refused.
    """

    def __init__(self, manifest: Mapping[str, Any], rows: Sequence[Row], mapping: Sequence[str]) -> None:
        self._asked = [question for question in manifest["questions"] if "mechanism" in question]
        self._columns = dict(_mapped(text) for text in mapping)
        self._checked(rows[0])
        # All of them before the first is sent: half a table would be a survey of others.
        self._people = [self.truths(row, at) for at, row in enumerate(rows, 1)]

    def draw(self) -> list[Truth]:
        """Return the true answers of one row, drawn with replacement."""
        return self._people[secrets.randbelow(len(self._people))]

    def each(self) -> Iterator[list[Truth]]:
        """Give the true answers of every row once."""
        return iter(self._people)

    def truths(self, row: Row, number: int = 1) -> list[Truth]:
        """Return one row's true answers, one for each question with a mechanism; its number is for refusals."""
        chosen: dict[str, set[str]] = {}
        truths: list[Truth] = []
        for question in self._asked:
            shown = visible(question.get("visible_if"), chosen)
            truth = self._truth(question, row, number) if shown else silence(question)
            chosen[question["id"]] = answered(question, truth)
            truths.append(truth)
        return truths

    def _checked(self, row: Row) -> None:
        """Refuse a mapping to nothing or of nothing, and a question without its column."""
        wanted = [target for question in self._asked for target in _targets(question)]
        for target, (column, _) in self._columns.items():
            if target not in wanted:
                raise TableInvalid(f"{target}: the survey has no such question; known are {_listed(wanted)}")
            if column not in row:
                raise TableInvalid(f"{target}: the table has no column {column}")
        if missing := [target for target in wanted if target not in self._columns and target not in row]:
            raise TableInvalid(
                f"the table has no column for {_listed(missing)}: name columns so, or use --map "
                f"{missing[0]}=COLUMN (for the values too: --map {missing[0]}=COLUMN:1=yes,2=no)"
            )

    def _truth(self, question: Row, row: Row, number: int) -> Truth:
        name = question["id"]
        if question["kind"] == Question.Kind.MULTIPLE:
            return tuple(self._ticked(question, choice, row, number) for choice in question["choices"])
        said = self._cell(name, row)
        for at, choice in enumerate(question["choices"]):
            if said.casefold() in _names(choice):
                return at
        return self._refused(name, said, number) if question["required"] else silence(question)

    def _ticked(self, question: Row, choice: Row, row: Row, number: int) -> int:
        target = f"{question['id']}.{choice['id']}"
        said = self._cell(target, row)
        if said.casefold() in _names(choice) | {"yes"}:
            return 0
        if question["required"] and said.casefold() not in ("no", ""):
            self._refused(target, said, number)
        return 1

    def _refused(self, target: str, said: str, number: int) -> NoReturn:
        column, _ = self._columns.get(target, (target, {}))
        raise TableInvalid(
            f"row {number}, column {column}: {said!r:.40} names no answer of {target}, which is required"
        )

    def _cell(self, target: str, row: Row) -> str:
        column, values = self._columns.get(target, (target, {}))
        value = row.get(column)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        text = "" if value is None else str(value).strip()
        return values.get(text, text)


def _targets(question: Row) -> list[str]:
    """What columns are named after: the question, or each of its boxes."""
    name = question["id"]
    boxes = question["kind"] == Question.Kind.MULTIPLE
    return [f"{name}.{box}" for box in choice_ids(question)] if boxes else [name]


def _names(choice: Row) -> set[str]:
    return {choice["id"].casefold(), *map(str.casefold, choice["text"].values())}


def _listed(names: Collection[str]) -> str:
    shown = ", ".join(list(names)[:_SHOWN])
    return shown if len(names) <= _SHOWN else f"{shown} and {len(names) - _SHOWN} more"


def _mapped(text: str) -> tuple[str, tuple[str, dict[str, str]]]:
    target, _, rest = text.partition("=")
    column, _, pairs = rest.partition(":")
    if not target or not column:
        raise TableInvalid(f"{text!r}: write QUESTION=COLUMN or QUESTION=COLUMN:VALUE=ANSWER,…")
    values = dict(pair.split("=", 1) for pair in pairs.split(",") if "=" in pair)
    return target, (column, values)


def _sav(path: Path) -> list[Row]:
    try:
        import pyreadstat  # of development only: nobody else reads SPSS files
    except ImportError as error:
        raise TableInvalid("reading .sav files needs pyreadstat: pip install pyreadstat") from error
    try:
        columns, _ = pyreadstat.read_sav(str(path), output_format="dict")
    except Exception as error:  # of several kinds, none of them documented
        raise TableInvalid(f"{path}: {error}") from error
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]

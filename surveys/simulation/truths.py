"""Where simulated respondents take their true answers from: a table of shares, or the rows of real people."""

import csv
import secrets
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from privacy.bits import SecureBits
from surveys.models import Question
from surveys.services.trial import Respondents, Truth, answered, silence, visible
from surveys.wire.manifest import choice_ids

Row = Mapping[str, Any]
SHARE_COLUMNS = {"question", "answer", "share"}


class TableInvalid(Exception):
    """A table of truths, or how its columns are mapped, does not fit the questionnaire."""


class Shares:
    """People whose answers follow a table of shares, each question by itself."""

    def __init__(self, manifest: Row, rows: Sequence[Row]) -> None:
        self._people, self._bits = Respondents(manifest, shares_of(rows, manifest)), SecureBits()

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
    except (OSError, UnicodeDecodeError) as error:
        raise TableInvalid(f"{path}: {error}") from error


def shares_of(rows: Sequence[Row], manifest: Mapping[str, Any]) -> dict[str, list[float]]:
    """Return the shares of a table by question, in the order of the answers; every answer must be there."""
    given = {(row["question"], row["answer"]): row["share"] for row in rows}
    shares = {}
    for question in manifest["questions"]:
        name = question["id"]
        if "mechanism" in question and any(row["question"] == name for row in rows):
            try:
                shares[name] = [float(given[name, answer]) for answer in choice_ids(question)]
            except (KeyError, ValueError) as error:
                raise TableInvalid(f"{name}: no share of {error}") from error
    return shares


class Rows:
    """People as rows: a column for each question (or box), named after its id or mapped to it.

    A mapping is `q1=COLUMN` or `q1=COLUMN:1=yes,2=no`; for one box `q7.box=COLUMN:1=yes,2=no`. Other values
    name an answer by its id or text. A cell that names no answer means that none is given; where the question
    is required, one is drawn evenly.
    """

    def __init__(self, manifest: Mapping[str, Any], rows: Sequence[Row], mapping: Sequence[str]) -> None:
        self._asked = [question for question in manifest["questions"] if "mechanism" in question]
        self._rows = rows
        self._columns = dict(_mapped(text) for text in mapping)
        for target, (column, _) in self._columns.items():
            if column not in rows[0]:
                raise TableInvalid(f"{target}: the table has no column {column}")

    def draw(self) -> list[Truth]:
        """Return the true answers of one row, drawn with replacement."""
        return self.truths(self._rows[secrets.randbelow(len(self._rows))])

    def each(self) -> Iterator[list[Truth]]:
        """Give the true answers of every row once."""
        return map(self.truths, self._rows)

    def truths(self, row: Row) -> list[Truth]:
        """Return one row's true answers, one for each question with a mechanism."""
        chosen: dict[str, set[str]] = {}
        truths: list[Truth] = []
        for question in self._asked:
            shown = visible(question.get("visible_if"), chosen)
            truth = self._truth(question, row) if shown else silence(question)
            chosen[question["id"]] = answered(question, truth)
            truths.append(truth)
        return truths

    def _truth(self, question: Row, row: Row) -> Truth:
        name, ids = question["id"], choice_ids(question)
        if question["kind"] == Question.Kind.MULTIPLE:
            return tuple(int(self._cell(f"{name}.{box}", row) not in ("yes", box)) for box in ids)
        said = self._cell(name, row)
        for at, choice in enumerate(question["choices"]):
            if said.casefold() in {choice["id"].casefold(), *map(str.casefold, choice["text"].values())}:
                return at
        return silence(question) if not question["required"] else secrets.randbelow(len(ids))

    def _cell(self, target: str, row: Row) -> str:
        column, values = self._columns.get(target, (target, {}))
        value = row.get(column)
        text = (
            str(int(value)) if isinstance(value, float) and value.is_integer() else str(value or "").strip()
        )
        return values.get(text, text)


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

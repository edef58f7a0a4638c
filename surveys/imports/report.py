"""What is wrong with a file: row by row, as a file that a spreadsheet opens, or what is alike only once."""

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext

from surveys.errors import RowFinding
from surveys.exports.formats import neutral
from surveys.imports.messages import row_message, row_remedy


def report_csv(findings: Iterable[RowFinding]) -> bytes:
    """Return line, column, what is wrong and what to do, in the language of the moment; UTF-8 as Excel knows it."""
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow([gettext("Line"), gettext("Column"), gettext("What is wrong"), gettext("What to do")])
    for one in findings:
        texts = (one.column, row_message(one), row_remedy(one))
        writer.writerow([one.line, *map(neutral, texts)])
    return b"\xef\xbb\xbf" + file.getvalue().encode()


@dataclass(frozen=True, slots=True)
class Joined:
    """One thing that is wrong in the same way on several lines."""

    finding: RowFinding  # as it is on the first of them
    lines: tuple[int, ...]


def findings_joined(findings: Iterable[RowFinding]) -> list[Joined]:
    """Return each thing that is wrong once, with all its lines, in the order of their first ones."""
    alike: dict[object, list[RowFinding]] = {}
    for one in findings:
        alike.setdefault((one.column, one.code, one.params), []).append(one)
    return [Joined(same[0], tuple(one.line for one in same)) for same in alike.values()]

"""A table out of a file: the names of its columns, and its rows with the line of each."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from unicodedata import normalize

from surveys.errors import ImportRefused, RowFinding

MOST_BYTES, MOST_ROWS, MOST_COLUMNS = 8_000_000, 100_000, 100
MOST_UNPACKED = 64_000_000  # bytes of a workbook's parts, and characters of all cells
# Line and cells of a row, as a file gives them.
Line = tuple[int, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Table:
    """Headers are unique and not empty; `wrong` names cells that hold no value that could be read."""

    headers: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]  # with the line that each begins on
    wrong: tuple[tuple[int, str, str], ...] = ()  # line, header, code


def table_of(lines: Iterable[Line], *, ragged: bool = False) -> Table:
    """Return the table that lines make; empty ones are passed over, the first other one holds the headers.

    `ragged`: rows may end early, as those of a worksheet do. Raises ImportRefused.
    """
    kept = list(_limited(lines, ragged))
    if len(kept) < 2:
        raise refused("file-empty")
    headers = _headers([normalize("NFC", name) for name in kept[0][1]])
    if len(headers) > MOST_COLUMNS:
        raise refused("columns-many", line=kept[0][0], most=MOST_COLUMNS)
    fill = len(headers) if ragged else 0
    return Table(headers, tuple((line, cells + ("",) * (fill - len(cells))) for line, cells in kept[1:]))


def _limited(lines: Iterable[Line], ragged: bool) -> Iterator[tuple[int, tuple[str, ...]]]:
    count = characters = 0
    for line, cells in lines:
        shown = tuple(normalize("NFC", cell.strip()) for cell in cells)
        if ragged:
            shown = _trimmed(shown)
        if not any(shown):
            continue
        count, characters = count + 1, characters + sum(map(len, shown))
        if count > MOST_ROWS + 1 or characters > MOST_UNPACKED:
            raise too_large(line)
        yield line, shown


def _trimmed(cells: tuple[str, ...]) -> tuple[str, ...]:
    end = len(cells)
    while end and not cells[end - 1]:
        end -= 1
    return cells[:end]


def _headers(names: Sequence[str]) -> tuple[str, ...]:
    """Tell columns without a name, or of one name, apart by the letter that a spreadsheet gives them."""
    kept: list[str] = []
    for at, name in enumerate(names):
        kept.append(name if name and name not in kept else f"{name} [{letter(at)}]".strip())
    return tuple(kept)


def letter(at: int) -> str:
    """Return the letters of a column: A for 0, AA for 26."""
    return (letter(at // 26 - 1) if at >= 26 else "") + chr(ord("A") + at % 26)


def refused(code: str, line: int = 1, **params: object) -> ImportRefused:
    """Return the refusal of a whole file."""
    return ImportRefused([RowFinding(line, "", code, tuple(params.items()))])


def too_large(line: int = 1) -> ImportRefused:
    """Return the refusal of a file with more than is imported at once."""
    megabytes = {"megabytes": MOST_BYTES // 1_000_000, "unpacked": MOST_UNPACKED // 1_000_000}
    return refused("file-too-large", line, rows=f"{MOST_ROWS:,}", **megabytes)

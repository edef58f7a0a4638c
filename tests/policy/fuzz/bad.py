"""Bad input: what is refused where and why, and texts too large to be written down."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

_COUNT = "SELECT COUNT(*) FROM respondent"
_WHERE = f"{_COUNT} WHERE "


@dataclass(frozen=True)
class Bad:
    """A text of one family, refused at a place for a reason."""

    family: str
    text: str
    line: int
    column: int
    reason: str


def bad_input() -> Iterator[Bad]:
    """Give the texts of bad_input.sql."""
    family = ""
    for line in Path(__file__).with_name("bad_input.sql").read_text("utf-8").splitlines()[1:]:
        if line.startswith("-- ") and " ## " not in line:
            family = line[3:]
        elif line:
            text, reason = (_spelled(part) for part in line.rsplit(" ## ", 1))
            before, _, after = text.partition("¦")
            place = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
            yield Bad(family, before + after, *place, reason)


def _spelled(text: str) -> str:
    return re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found[1], 16)), text.replace("\\n", "\n"))


def _nested(opening: str, middle: str, closing: str, times: int) -> str:
    return opening * times + middle + closing * times


# The name of each says what it is; a part of the reason it is refused for.
LARGE: Mapping[str, tuple[str, str]] = {
    "10,000 parentheses": (f"{_WHERE}id = {_nested('(', '1', ')', 10_000)}", "longer than 20,000"),
    "60 parentheses": (f"{_WHERE}id = {_nested('(', '1', ')', 60)}", "nested more than 50 deep"),
    "10,000 ANDs": (f"{_WHERE}id = 1{' AND id = 1' * 10_000}", "longer than 20,000"),
    "10,000 NOTs": (f"{_WHERE}{'NOT ' * 4_900}TRUE", "nested more than"),
    "10,000 signs": (f"{_WHERE}id = {' -' * 9_900}1", "nested more than"),
    "90 signs": (f"SELECT SUM({' -' * 90} position) FROM question", "nested too deep"),
    "500 nested subqueries": (
        f"SELECT COUNT(*) FROM {_nested('(SELECT * FROM ', 'respondent', ') x', 500)}",
        "nested more than 50 deep",
    ),
    "40 nested groups": (
        f"SELECT COUNT(*) FROM {_nested('(SELECT id, COUNT(*) c FROM ', 'respondent', ' GROUP BY id) x', 40)}",
        "nested too deep",
    ),
    "500 EXISTS": (
        _WHERE + _nested("EXISTS (SELECT 1 FROM panel WHERE ", "TRUE", ")", 400),
        "nested more than 50 deep",
    ),
    "5,000 WITHs": (
        f"WITH {', '.join(f'a{at} AS (SELECT * FROM respondent)' for at in range(5_000))} {_COUNT}",
        "longer than 20,000",
    ),
    "WITHs that double": (
        "WITH a0 AS (SELECT id FROM respondent), "
        + ", ".join(
            f"a{at} AS (SELECT x.id FROM a{at - 1} x JOIN a{at - 1} y ON x.id = y.id)" for at in range(1, 30)
        )
        + " SELECT COUNT(*) FROM a29",
        "reads relations more than 64 times",
    ),
    "70 relations": (f"{_COUNT} r{''.join(f', panel p{at}' for at in range(70))}", "more than 64 times"),
    "40 unions": (
        f"SELECT COUNT(*) FROM (SELECT id FROM respondent{' UNION ALL SELECT id FROM respondent' * 40}) x",
        "nested too deep",
    ),
    "CASEs within each other": (
        f"SELECT SUM({_nested('CASE WHEN TRUE THEN ', '1', ' END', 60)}) FROM respondent",
        "nested more than 50 deep",
    ),
    "COALESCEs within each other": (
        f"{_WHERE}{_nested('COALESCE(', 'region', ', region)', 30)} = 'x'",
        "nested too deep",
    ),
    "1 MB of text": (f"{_WHERE}region = '{'x' * 10**6}'", "longer than 20,000"),
    "1 MB of spaces": (_COUNT + " " * 10**6, "longer than 20,000"),
    "1 MB of comments": (f"{_COUNT} /*{'x' * 10**6}*/", "longer than 20,000"),
    "1 MB of nothing": ("\n" * 10**6, "longer than 20,000"),
    "1 MB of quotes": ("'" * 10**6, "longer than 20,000"),
    "a long literal": (f"{_WHERE}region = '{'x' * 1_001}'", "longer than 1,000 characters"),
    "a long name": (f"SELECT COUNT({'x' * 1_001}) FROM respondent", "longer than 1,000 characters"),
    "a long number": (f"{_WHERE}id = {'9' * 1_001}", "longer than 1,000 characters"),
    "a long fraction": (f"{_WHERE}id = 0.{'0' * 900}1", "more than 9 digits"),
    "a long pattern": (f"{_WHERE}region LIKE '{'%a' * 501}'", "longer than 1,000 characters"),
    "a huge IN list": (f"{_WHERE}id IN ({', '.join(map(str, range(10**5)))})", "longer than 20,000"),
    "101 columns": (f"SELECT {', '.join(['COUNT(*)'] * 101)} FROM respondent", "more than 100 columns"),
    "10,000 dollar quotes": (f"{_WHERE}region = {'$$x$$' * 3_000}", "not SQL that can be read"),
    "comments within each other": (f"{_COUNT} {_nested('/* ', '', '*/ ', 2_000)}x y", "not SQL that can be"),
    "10,000 semicolons": (f"{_COUNT}{';' * 10_000}{_COUNT}", "several statements"),
    "too many groups": (
        "SELECT COUNT(*) FROM respondent r JOIN invitation i ON r.id = i.respondent_id GROUP BY channel, issued"
        + "".join(f", CASE WHEN region = '{at}' THEN region ELSE age_band END" for at in range(8)),
        "more than 10,000 groups",
    ),
}

"""A university for the demo: the same students, courses and grades every time, legal under the declared bounds."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path

from privacy.policy.schema import Schema

Row = tuple[object, ...]
STUDENTS, TEACHERS, COURSES, SECTIONS = 240, 30, 50, 80
SEATS, TAKEN, GIVEN = 20, 6, 2  # max_rows of a section, of a student, and of a student's scholarships
_SURNAMES = ("Kim", "Lee", "Park", "Choi", "Jung", "Kang", "Cho", "Yoon", "Jang", "Lim", "Han", "Oh")
_NAMES = (
    "Minjun",
    "Seoyeon",
    "Jiho",
    "Hayun",
    "Dohyun",
    "Jiwoo",
    "Eunwoo",
    "Soyul",
    "Siwoo",
    "Yuna",
    "Juwon",
    "Ara",
)
_TOPICS = (
    "Algebra",
    "Logic",
    "Genetics",
    "Contracts",
    "Markets",
    "Ethics",
    "Optics",
    "Compilers",
    "Anatomy",
    "Poetry",
)
_LEVELS = ("Introduction to", "Topics in", "History of", "Advanced", "Seminar on")
_STORED = {"integer": "INTEGER", "decimal": "REAL", "text": "TEXT", "date": "TEXT", "boolean": "INTEGER"}


def university_write(path: Path, schema: Schema) -> None:
    """Write the university into a new SQLite file."""
    with closing(sqlite3.connect(path)) as raw, raw:
        for name, rows in university_rows(schema).items():
            relation = schema.relations[name]
            columns = ", ".join(f"{one.name} {_STORED[one.kind]}" for one in relation.columns.values())
            raw.execute(f"CREATE TABLE {name} ({columns}, PRIMARY KEY ({', '.join(relation.key)}))")
            raw.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' for _ in relation.columns)})", rows)


def university_rows(schema: Schema) -> Mapping[str, Sequence[Row]]:
    """Return the rows of each relation."""
    majors = schema.relations["student"].columns["u_major"].domain or ()
    return {
        "student": [(at, _person("student", at), _one(majors, "major", at)) for at in range(STUDENTS)],
        "faculty": [
            (at, _person("teacher", at), 40_000.0 + 500 * _draw(120, "salary", at)) for at in range(TEACHERS)
        ],
        "course": [(at, _course(at), 1 + _draw(3, "credits", at)) for at in range(COURSES)],
        # Every teacher has at most three sections, every course at most two.
        "section": [(at, at % TEACHERS, at % COURSES) for at in range(SECTIONS)],
        "enrollment": list(_enrollments("spring")),
        "enrollment2": list(_enrollments("autumn")),
        "scholarship": list(_scholarships()),
    }


def _enrollments(term: str) -> Iterator[Row]:
    taken, number = dict.fromkeys(range(SECTIONS), 0), 0
    for student in range(STUDENTS):
        wished = {_draw(SECTIONS, term, student, at) for at in range(2 + _draw(TAKEN - 1, term, student))}
        for section in sorted(one for one in wished if taken[one] < SEATS):
            taken[section] += 1
            yield number, section, student, _grade(term, student, section), _review(term, student, section)
            number += 1


def _grade(term: str, student: int, section: int) -> float | None:
    # Some never came to the examination. The sum of three draws is likelier in the middle.
    absent = _draw(12, term, "absent", student, section) == 0
    points = 40 + sum(_draw(81, term, "points", student, section, at) for at in range(3)) // 4
    return None if absent else float(points)


def _review(term: str, student: int, section: int) -> int | None:
    silent = _draw(4, term, "silent", student, section) == 0
    return None if silent else 1 + max(_draw(5, term, "review", student, section, at) for at in range(2))


def _scholarships() -> Iterator[Row]:
    number = 0
    for student in range(STUDENTS):
        for at in range(max(0, _draw(GIVEN + 3, "scholarships", student) - 2)):
            yield number, student, float(100 * (1 + _draw(10, "amount", student, at)))
            number += 1


def _person(kind: str, at: int) -> str:
    return f"{_one(_NAMES, kind, 'name', at)} {_one(_SURNAMES, kind, 'surname', at)}"


def _course(at: int) -> str:
    return f"{_LEVELS[at // len(_TOPICS)]} {_TOPICS[at % len(_TOPICS)]}"


def _one(of: Sequence[object], *what: object) -> object:
    return of[_draw(len(of), *what)]


def _draw(many: int, *what: object) -> int:
    """Return a number below `many` that is the same on every machine."""
    return int.from_bytes(sha256(repr(what).encode()).digest()[:8], "big") % many

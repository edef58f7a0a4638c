"""Every declared constraint is checked on the data of each engine: legal data opens a source, other data closes it."""

from pathlib import Path
from typing import Any

import pytest

from surveys.errors import SettingInvalid
from surveys.models import Source
from surveys.services import sources
from surveys.services.sources import (
    CHECKS,
    UNNAMED,
    UNREACHABLE,
    UNREACHED,
    source_check,
    source_policy_set,
    source_register,
)
from surveys.sources import checking, declared
from surveys.sources.connecting import Reach
from tests.surveys.asked import Asked

SCHEMA: dict[str, Any] = {
    "campus": {"key": ["code"], "columns": {"code": {"type": "text"}, "since": {"type": "date", "nullable": True}}},
    "student": {
        "key": ["id"],
        "columns": {
            "id": {"type": "integer"},
            "campus": {"type": "text", "nullable": True},
            "major": {"type": "text", "domain": ["maths", "o'law", "법학"]},
            "born": {"type": "date", "bounds": ["1990-01-01", "2010-12-31"], "nullable": True},
            "height": {"type": "decimal", "scale": 1, "nullable": True},
            "active": {"type": "boolean"},
        },
        "foreign_keys": [{"columns": ["campus"], "references": "campus", "to": ["code"], "max_rows": 3}],
    },
    "enrolment": {
        "key": ["student", "course"],
        "columns": {
            "student": {"type": "integer"},
            "course": {"type": "integer"},
            "tutor": {"type": "integer", "nullable": True},
            "grade": {"type": "decimal", "scale": 1, "bounds": [0, 4.5], "nullable": True},
        },
        "foreign_keys": [
            {"columns": ["student"], "references": "student", "to": ["id"], "max_rows": 3},
            {"columns": ["tutor"], "references": "student", "to": ["id"], "max_rows": 3},
        ],
    },
    "attempt": {
        "key": ["number"],
        "columns": {
            "number": {"type": "integer"},
            "student": {"type": "integer"},
            "course": {"type": "integer", "nullable": True},
        },
        # The columns of a foreign key stand in any order.
        "foreign_keys": [
            {"columns": ["course", "student"], "references": "enrolment", "to": ["course", "student"], "max_rows": 2}
        ],
    },
}  # fmt: skip
POLICY: dict[str, Any] = {
    "entity": "student",
    "labels": {"campus": "PUB", "student": "DEL", "enrolment": "DEL", "attempt": "DEL"},
    "max_rows_per_entity": {"enrolment": 3},
}
ROWS = """
INSERT INTO campus VALUES ('a', '1946-08-22'), ('B', NULL);
INSERT INTO student VALUES (1, 'a', 'maths', '1999-02-28', 1.8, TRUE), (2, NULL, 'o''law', NULL, NULL, FALSE);
INSERT INTO enrolment VALUES (1, 7, NULL, 4.5), (1, 8, 1, NULL), (2, 7, 1, 0);
INSERT INTO attempt VALUES (1, 1, 7), (2, 2, 7), (3, 2, NULL);
"""
STUDENT = "INSERT INTO student VALUES ({}, NULL, 'maths', NULL, NULL, TRUE)"
MAJOR = "UPDATE student SET major = {} WHERE id = 1"
BORN = "UPDATE student SET born = '{}'"
GRADE = "UPDATE enrolment SET grade = {}"
CAMPUS = "UPDATE student SET campus = {} WHERE id = 1"
CODE = "INSERT INTO campus VALUES ('{}', NULL)"
ENROLMENT = "INSERT INTO enrolment VALUES ({}, {}, {}, 1)"
ATTEMPT = "INSERT INTO attempt VALUES ({}, {}, {})"
TWICE = "INSERT INTO attempt VALUES (4, 2, {0}), (5, 2, {0})"


@pytest.fixture
def source(database: Asked, settings: Any, owner: Any) -> Source:
    database.make(SCHEMA, ROWS)
    settings.SOURCE_CONNECTIONS = {"school": database.address}
    return source_register(actor=owner, name="school", kind="", schema=SCHEMA, policies=[POLICY])


def found(source: Source, database: Asked, change: str = "") -> tuple[str, str]:
    if change:
        database.run(change)
    checked = source_check(actor=None, source=source, changed=True)
    return checked.state, checked.reason


def test_a_source_is_closed_until_its_data_was_found_to_keep_its_word(
    source: Source, database: Asked
) -> None:
    assert source.state == Source.State.CLOSED
    assert found(source, database) == ("open", "")


# Of what, its promise, a change that keeps it, and one that breaks it.
CASES = [
    ("student (id)", checking.KEY, STUDENT.format(3), STUDENT.format(1)),
    ("student.id", checking.NULL, STUDENT.format(4), STUDENT.format("NULL")),
    ("student.major", checking.NULL, MAJOR.format("'o''law'"), MAJOR.format("NULL")),
    ("student.major", checking.DOMAIN, MAJOR.format("'법학'"), MAJOR.format("'physics'")),
    ("student.major", checking.DOMAIN, MAJOR.format("'maths'"), MAJOR.format("'Maths'")),
    ("student.major", checking.DOMAIN, MAJOR.format("'maths'"), MAJOR.format("'maths '")),
    ("student.born", checking.BOUNDS, BORN.format("1990-01-01"), BORN.format("1989-12-31")),
    ("student.born", checking.BOUNDS, BORN.format("2010-12-31"), BORN.format("2011-01-01")),
    ("enrolment.grade", checking.BOUNDS, GRADE.format("4.5"), GRADE.format("4.6")),
    ("enrolment.grade", checking.BOUNDS, GRADE.format("0"), GRADE.format("-0.1")),
    ("student (campus) → campus", checking.LEADS, CAMPUS.format("'B'"), CAMPUS.format("'b'")),
    ("student (campus) → campus", checking.LEADS, CAMPUS.format("NULL"), CAMPUS.format("'A'")),
    ("campus (code)", checking.KEY, CODE.format("A"), CODE.format("a")),
    ("enrolment (student) → student", checking.LEADS, ENROLMENT.format(2, 9, 1), ENROLMENT.format(9, 9, 1)),
    ("enrolment (student, course)", checking.KEY, ENROLMENT.format(2, 8, 1), ENROLMENT.format(2, 7, "NULL")),
    (
        "attempt (course, student) → enrolment",
        checking.LEADS,
        ATTEMPT.format(4, 1, 8),
        ATTEMPT.format(4, 2, 8),
    ),
    ("attempt (course, student) → enrolment", checking.MAX_ROWS, ATTEMPT.format(4, 2, 7), TWICE.format(7)),
    ("attempt (course, student) → enrolment", checking.MAX_ROWS, TWICE.format("NULL"), TWICE.format(7)),
    # Student 1 is in 1/7 and 1/8 and tutors 1/8 and 2/7: three rows, of which one is reached over two paths.
    ("enrolment (student)", checking.CAP, ENROLMENT.format(2, 8, 2), ENROLMENT.format(2, 8, 1)),
]


@pytest.mark.parametrize(("place", "promise", "legal", "broken"), CASES, ids=range(len(CASES)))
def test_each_constraint_closes_a_source_that_breaks_it_and_only_such_a_one(
    source: Source, database: Asked, place: str, promise: str, legal: str, broken: str
) -> None:
    policy = {**POLICY, "max_rows_per_entity": {"enrolment": 3 if promise == checking.CAP else 9}}
    source_policy_set(actor=None, source=source, document=policy)
    assert found(source, database, legal) == ("open", "")
    database.run(
        "DELETE FROM attempt; DELETE FROM enrolment; DELETE FROM student; DELETE FROM campus;" + ROWS
    )
    assert found(source, database, broken) == ("failed", f"{place}: {promise}")


@pytest.mark.parametrize("kind", ["integer", "decimal", "text", "date", "boolean"])
def test_a_column_of_another_type_is_not_what_was_declared(
    source: Source, database: Asked, kind: str
) -> None:
    column, in_sqlite, elsewhere = {
        "integer": ("enrolment.course", "7.5", "NUMERIC"),
        "decimal": ("enrolment.grade", "'x'", "DOUBLE PRECISION"),
        "text": ("student.major", "7", "INTEGER"),
        "date": ("student.born", "19990228", "TIMESTAMP"),
        "boolean": ("student.active", "'t'", "INTEGER"),
    }[kind]
    table, name = column.split(".")
    if database.kind == "sqlite":
        # There every value has a type of its own.
        change, told = f"UPDATE {table} SET {name} = {in_sqlite}", checking.TYPE
    else:
        change, told = (
            f"ALTER TABLE {table} DROP {name}; ALTER TABLE {table} ADD {name} {elsewhere}",
            declared.TYPE,
        )
    assert found(source, database, change) == ("failed", f"{column}: {told}")


@pytest.mark.parametrize("narrow", ["SMALLINT", "INTEGER"])
def test_narrower_numbers_are_whole_numbers_too(source: Source, database: Asked, narrow: str) -> None:
    if database.kind != "sqlite":
        database.run(f"ALTER TABLE attempt ALTER COLUMN number TYPE {narrow}")
    assert found(source, database) == ("open", "")


def test_a_number_with_more_digits_than_declared_is_refused(source: Source, database: Asked) -> None:
    assert found(source, database, "UPDATE student SET height = 123456.7 WHERE id = 1") == ("open", "")
    if database.kind == "duckdb":
        change, told = "ALTER TABLE student ALTER COLUMN height TYPE DECIMAL(9, 2)", declared.TYPE
    else:
        change, told = "UPDATE student SET height = 1.75 WHERE id = 1", checking.DIGITS
    assert found(source, database, change) == ("failed", f"student.height: {told}")


@pytest.mark.parametrize("value", ["'NaN'", "'Infinity'", "'-Infinity'", "1e30", "9007199254740993"])
def test_what_is_no_number_of_64_bits_is_refused(source: Source, database: Asked, value: str) -> None:
    if database.kind == "duckdb":
        pytest.skip("its decimals hold nothing else")
    if database.kind == "sqlite":
        value = {"'Infinity'": "9e999", "'-Infinity'": "-9e999"}.get(value, value)
    elif value == "9007199254740993":
        value = "922337203685477581"
    told = checking.TYPE if value == "'NaN'" and database.kind == "sqlite" else checking.SIZE
    assert found(source, database, f"UPDATE student SET height = {value}") == (
        "failed",
        f"student.height: {told}",
    )


@pytest.mark.parametrize(
    "day", ["infinity", "-infinity", "0044-03-15 (BC)", "10000-01-01", "2001-02-30", "2001-2-3"]
)
def test_a_day_that_no_calendar_of_ours_has_is_refused(source: Source, database: Asked, day: str) -> None:
    assert found(source, database, "UPDATE campus SET since = '0001-01-01'") == ("open", "")
    assert found(source, database, "UPDATE campus SET since = '9999-12-31'") == ("open", "")
    if database.kind != "sqlite" and day.startswith("2001"):
        pytest.skip("its dates are dates")
    day = day.replace("(BC)", "BC") if database.kind == "postgresql" else day
    change = f"UPDATE campus SET since = '{day}'"
    assert found(source, database, change) == ("failed", f"campus.since: {checking.DAY}")


def test_a_table_or_column_that_is_not_there_is_noticed(source: Source, database: Asked) -> None:
    # SQLite takes "height" for a text where there is no such column.
    change = "ALTER TABLE student DROP COLUMN height"
    assert found(source, database, change) == ("failed", f"student.height: {declared.MISSING}")
    assert found(source, database, "DROP TABLE campus") == ("failed", f"campus: {declared.TABLE}")


def test_what_a_database_is_like_is_told_as_often_as_asked_and_its_rows_are_not(
    source: Source, database: Asked, owner: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tables and columns are nobody's: what is said of them uses up none of the checks that tell something."""
    Source.objects.filter(pk=source.pk).update(tables={"student": "pupil"})
    for _ in range(CHECKS + 2):
        checked = source_check(actor=owner, source=source)
        assert (checked.state, checked.reason) == ("failed", f"student (pupil): {declared.TABLE}")
    assert checked.told_on is None
    Source.objects.filter(pk=source.pk).update(tables={})
    database.run("ALTER TABLE student DROP COLUMN height")
    assert source_check(actor=owner, source=source).reason == f"student.height: {declared.MISSING}"
    # The control: whatever is found in rows, or cannot be told from them, counts.
    monkeypatch.setattr(sources, "first_undeclared", _broken_off)
    monkeypatch.setattr(checking, "first_undeclared", _broken_off)
    for _ in range(CHECKS):
        assert source_check(actor=owner, source=source).reason == UNREACHABLE
    with pytest.raises(SettingInvalid):
        source_check(actor=owner, source=source)


def _broken_off(*_: Any) -> str:
    raise ValueError("marker")


def test_a_table_that_is_there_is_not_read_to_find_out(
    source: Source, database: Asked, owner: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(sources, "first_broken", lambda *_: None)
    reading = Reach.rows
    monkeypatch.setattr(Reach, "rows", lambda reach, text: said.append(text) or reading(reach, text))
    source_check(actor=owner, source=source)
    ours = [one for one in said if any(f'FROM "{name}"' in one for name in SCHEMA)]
    assert sorted({one for one in ours if "WHERE FALSE" not in one}) == [
        f'EXPLAIN SELECT 1 FROM "{name}"' for name in sorted(SCHEMA)
    ]


def test_a_database_that_cannot_be_reached_says_nothing_of_its_data(
    source: Source, owner: Any, settings: Any
) -> None:
    assert source_check(actor=owner, source=source).state == "open"
    known = settings.SOURCE_CONNECTIONS["school"]
    gone = known.replace("//asker@", "//nobody@") if "asker" in known else f"{known}-gone"
    told = source_check(actor=owner, source=source).told
    for addresses, reason in (({"school": gone}, UNREACHED), ({}, UNNAMED)):
        settings.SOURCE_CONNECTIONS = addresses
        for _ in range(CHECKS + 1):
            checked = source_check(actor=owner, source=source)
            assert (checked.state, checked.reason, checked.told) == ("closed", reason, told)
    # Whoever says that the data changed has said it.
    assert source_check(actor=owner, source=source, changed=True).data_version == 2
    settings.SOURCE_CONNECTIONS = {"school": known}
    assert source_check(actor=owner, source=source).state == "open"
    if "postgres" not in known:
        assert not Path(gone.split(":///")[1]).exists()


def test_a_collation_of_its_own_is_refused_where_it_would_decide(source: Source, database: Asked) -> None:
    # Elsewhere queries say themselves that they compare byte by byte: the tables above have other collations.
    if database.kind != "duckdb":
        pytest.skip("DuckDB's columns alone keep theirs")
    collated = "CREATE OR REPLACE TABLE campus (code VARCHAR COLLATE {}, since DATE)"
    for collation in ("NOCASE", "NOACCENT", "NOCASE.NOACCENT"):
        told = ("failed", f"campus.code: {declared.CAPITALS}")
        assert found(source, database, collated.format(collation)) == told


def test_nothing_about_rows_is_in_what_is_told(source: Source, database: Asked) -> None:
    one = found(source, database, "UPDATE student SET major = 'marker' WHERE id = 1")
    two = found(source, database, "UPDATE student SET major = 'marker2'")
    assert one == two == ("failed", f"student.major: {checking.DOMAIN}")


def test_a_cap_over_rows_without_a_key_cannot_be_checked(database: Asked, settings: Any, owner: Any) -> None:
    visits = {
        "columns": {"student": {"type": "integer"}},
        "foreign_keys": [{"columns": ["student"], "references": "student", "to": ["id"]}],
    }
    schema = {"student": {**SCHEMA["student"], "foreign_keys": []}, "visit": visits}
    database.make(schema)
    settings.SOURCE_CONNECTIONS = {"school": database.address}
    policy = {"entity": "student", "labels": "unbounded"}
    asked: dict[str, Any] = {"kind": "", "schema": schema}
    plain = source_register(actor=owner, name="plain", connection="school", policies=[policy], **asked)
    assert found(plain, database) == ("open", "")
    capped = policy | {"max_rows_per_entity": {"visit": 2}}
    plain.delete()
    source = source_register(actor=owner, name="capped", connection="school", policies=[capped], **asked)
    assert found(source, database) == ("failed", f"visit (student): {checking.CAP_UNSEEN}")

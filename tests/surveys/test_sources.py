"""A source answers while its data keeps what it declares, and checks of that are few."""

import io
import json
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core import serializers
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.db.models import JSONField
from django.utils import timezone, translation

from privacy.policy.errors import PolicyInvalid, SchemaInvalid
from surveys.errors import NotAllowed, SettingInvalid
from surveys.models import AuditEntry, Source
from surveys.services import sources
from surveys.services.queries import policies_of
from surveys.services.sources import (
    UNCHECKED,
    source_check,
    source_close,
    source_get,
    source_policy_set,
    source_policy_text,
    source_reason,
    source_register,
    source_register_text,
    source_text,
)
from surveys.sources.connecting import source_connection
from surveys.sources.service import shipped
from tests import people
from tests.faults.running import database_url

SCHEMA: dict[str, Any] = {
    "student": {
        "key": ["id"],
        "columns": {
            "id": {"type": "integer"},
            "major": {"type": "text", "domain": ["maths", "o'law"]},
            "born": {"type": "date", "bounds": ["1990-01-01", "2010-12-31"], "nullable": True},
        },
    },
    "enrolment": {
        "key": ["student", "course"],
        "columns": {
            "student": {"type": "integer"},
            "course": {"type": "integer"},
            "grade": {"type": "decimal", "scale": 1, "bounds": [0, 4.5], "nullable": True},
            "passed": {"type": "boolean"},
        },
        "foreign_keys": [{"columns": ["student"], "references": "student", "to": ["id"], "max_rows": 3}],
    },
}
POLICY: dict[str, Any] = {
    "entity": "student",
    "labels": {"student": "DEL", "enrolment": "DEL"},
    "max_rows_per_entity": {"enrolment": 2},
}
TABLES = """
CREATE TABLE student (id, major, born);
CREATE TABLE enrolment (student, course, grade, passed);
INSERT INTO student VALUES (1, 'maths', '1999-02-28'), (2, 'o''law', NULL);
INSERT INTO enrolment VALUES (1, 7, 4.5, 1), (1, 8, NULL, 0), (2, 7, 0, 1);
"""


@pytest.fixture(params=["sqlite", "duckdb"])
def university(request: Any, tmp_path: Path, settings: Any, owner: Any) -> Any:
    """Return a registered source of each file engine, with a function that changes its data."""
    kind, path = request.param, tmp_path / "university"
    run(kind, path, TABLES if kind == "sqlite" else typed(TABLES))
    settings.SOURCE_CONNECTIONS = {"university": f"{kind}:///{path}"}
    source = source_register(actor=owner, name="university", kind=kind, schema=SCHEMA, policies=[POLICY])
    return source, lambda text: run(kind, path, text)


def typed(tables: str) -> str:
    return tables.replace("(id, major, born)", "(id BIGINT, major TEXT, born DATE)").replace(
        "(student, course, grade, passed)",
        "(student BIGINT, course BIGINT, grade DECIMAL(4,1), passed BOOLEAN)",
    )


def run(kind: str, path: Path, text: str) -> None:
    if kind == "sqlite":
        with closing(sqlite3.connect(path)) as raw:
            raw.executescript(text)
    else:
        import duckdb

        with closing(duckdb.connect(str(path))) as raw:
            raw.execute(text)


def test_data_that_keeps_its_word_opens_the_source(university: Any, owner: Any) -> None:
    source, _ = university
    assert source.state == Source.State.CLOSED
    checked = source_check(actor=owner, source=source)
    assert (checked.state, checked.reason) == (Source.State.OPEN, "")
    assert checked.checked_on is not None


def test_data_that_breaks_a_constraint_closes_the_source(university: Any, owner: Any) -> None:
    # Each constraint is tried in test_checking.py.
    source, changed = university
    source_check(actor=owner, source=source)
    changed("INSERT INTO student VALUES (3, 'physics', NULL)")
    failed = source_check(actor=owner, source=source, changed=True)
    told = "student.major: has a value of its domain"
    assert (failed.state, failed.reason, failed.data_version) == (Source.State.FAILED, told, 2)
    with translation.override("ko"):
        assert source_reason(failed).startswith("student.major: ")
        assert source_reason(failed) != told


def test_while_changed_data_is_checked_nothing_is_answered(
    university: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, _ = university
    source_check(actor=None, source=source)
    seen = []

    def looked_at(*_: Any) -> None:
        seen.append(Source.objects.get(name="university").state)

    monkeypatch.setattr(sources, "first_broken", looked_at)
    source_check(actor=None, source=source, changed=True)
    source_check(actor=None, source=source)
    assert seen == [Source.State.CLOSED, Source.State.OPEN]


def test_what_is_declared_otherwise_while_it_is_checked_is_checked_again(
    university: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, _ = university
    checked = []

    def looked_at(_reach: Any, _schema: Any, policies: Any, _tables: Any) -> str | None:
        checked.append(dict(policies[0].caps))
        if len(checked) == 1:
            policy = {**POLICY, "max_rows_per_entity": {"enrolment": 1}}
            source_policy_set(actor=None, source=source_get("university"), document=policy)
            return None
        return "enrolment (student): too many"

    monkeypatch.setattr(sources, "first_broken", looked_at)
    assert source_check(actor=None, source=source).state == Source.State.FAILED
    assert checked == [{"enrolment": 2}, {"enrolment": 1}]


def test_a_policy_of_other_caps_closes_a_source_until_they_are_checked(university: Any, owner: Any) -> None:
    source, _ = university
    opened = source_check(actor=owner, source=source)
    labels = {"student": "DEL", "enrolment": {"REP": ["student", "grade"]}}
    source_policy_set(actor=owner, source=opened, document={**POLICY, "labels": labels})
    assert source_get("university").state == Source.State.OPEN
    tighter = {**POLICY, "max_rows_per_entity": {"enrolment": 1}}
    source_policy_set(actor=owner, source=opened, document=tighter)
    assert (source_get("university").state, source_get("university").reason) == ("closed", UNCHECKED)
    assert source_check(actor=owner, source=opened).state == Source.State.FAILED


def test_a_file_registers_a_source_and_labels_it_anew(university: Any, owner: Any) -> None:
    original = policies_of(university[0])
    Source.objects.filter(name="university").delete()
    described = json.dumps({"schema": SCHEMA, "policies": [POLICY]})
    source = source_register_text(actor=owner, name="copy", connection="university", text=described)
    assert source_check(actor=owner, source=source).state == Source.State.OPEN
    again = source_text(source)
    assert [one.version for one in source_policy_text(actor=owner, source=source, text=again)] == [2]
    assert policies_of(source_get("copy")) == original
    wrong = again.replace("DEL", "NONE", 1)
    with pytest.raises(PolicyInvalid, match=r"line \d+"):
        source_policy_text(actor=owner, source=source, text=wrong)
    assert source_get("copy").policy_version == 2


def test_a_file_in_the_folder_of_sources_is_a_connection_of_its_name(
    owner: Any, settings: Any, tmp_path: Path
) -> None:
    settings.SOURCE_FOLDER = tmp_path
    run("sqlite", tmp_path / "school.sqlite3", TABLES)
    (tmp_path / "notes.txt").touch()
    described = json.dumps({"schema": SCHEMA, "policy": POLICY})
    source = source_register_text(actor=owner, name="school", text=described)
    assert (source.kind, source_check(actor=owner, source=source).state) == ("sqlite", "open")
    with pytest.raises(SettingInvalid):
        source_register_text(actor=owner, name="notes", text=described)


def test_a_database_is_registered_once(university: Any, owner: Any, settings: Any) -> None:
    """A second source there would have a budget of its own, and other bounds that a check finds true or false."""
    address = settings.SOURCE_CONNECTIONS["university"]
    again = {
        "copy": address,
        "quoted": address.replace("university", "%75niversity"),
        "around": address.replace("/university", "/./university"),
        "own": f"sqlite:///{connection.settings_dict['NAME']}",
        "service": "sqlite:////x",
    }
    settings.SOURCE_CONNECTIONS = {**settings.SOURCE_CONNECTIONS, **again, "free": "sqlite:////y"}
    asked: dict[str, Any] = {
        "actor": owner,
        "name": "other",
        "kind": "",
        "schema": SCHEMA,
        "policies": [POLICY],
    }
    if connection.vendor == "postgresql":
        again["own"] = settings.SOURCE_CONNECTIONS["own"] = database_url()
    for name in ("university", *again):
        with pytest.raises(SettingInvalid) as caught:
            source_register(connection=name, **asked)
        assert [one.code for one in caught.value.findings] == ["connection-taken"]
    assert source_register(connection="free", **asked).name == "other"


def test_two_who_register_one_connection_at_once_get_one_source(university: Any) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Source.objects.create(name="second", kind="sqlite", connection="university", schema=SCHEMA)


def test_checks_that_tell_something_are_few_a_day(
    university: Any, owner: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By other limits each time, an admin would find the exact number of rows of whoever has the most."""
    source, _ = university

    def told(rows: int, actor: Any = owner) -> str:
        policy = {**POLICY, "max_rows_per_entity": {"enrolment": rows}}
        source_policy_set(actor=actor, source=source, document=policy)
        return str(source_check(actor=actor, source=source).state)

    assert [told(4), told(3), told(1)] == ["open", "open", "failed"]
    with pytest.raises(SettingInvalid) as caught:
        told(2)
    assert [one.code for one in caught.value.findings] == ["checks-used"]
    assert source_get("university").state != Source.State.OPEN
    # Whoever is at the command line can read the data anyway.
    assert told(2, actor=None) == "open"
    with pytest.raises(SettingInvalid):
        source_check(actor=owner, source=source)
    noted = AuditEntry.objects.filter(action="source.check").order_by("number")
    assert [one.facts["state"] for one in noted] == ["open", "open", "failed", "open"]
    tomorrow = timezone.localdate() + timedelta(days=1)
    monkeypatch.setattr(timezone, "localdate", lambda *_: tomorrow)
    assert source_check(actor=owner, source=source).state == Source.State.OPEN


def test_that_all_still_holds_may_be_checked_at_any_time(university: Any, owner: Any) -> None:
    source, changed = university
    for _ in range(8):
        assert source_check(actor=owner, source=source, changed=True).state == Source.State.OPEN
    assert source_get("university").told == 1
    changed("INSERT INTO student VALUES (3, 'physics', NULL)")
    for _ in range(2):
        assert source_check(actor=owner, source=source).state == Source.State.FAILED
    before = source_get("university").data_version
    with pytest.raises(SettingInvalid):
        source_check(actor=owner, source=source, changed=True)
    assert source_get("university").data_version == before


def test_a_check_that_is_cut_off_counts(university: Any, owner: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    source, _ = university

    def stopped(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(sources, "first_broken", stopped)
    for _ in range(sources.CHECKS):
        with pytest.raises(KeyboardInterrupt):
            source_check(actor=owner, source=source)
    with pytest.raises(SettingInvalid):
        source_check(actor=owner, source=source)


def test_relations_and_columns_keep_the_order_of_the_file(university: Any) -> None:
    source = source_get("university")
    assert list(source.schema) == list(SCHEMA)
    assert list(source.schema["student"]["columns"]) == ["id", "major", "born"]
    # SQLite keeps it anyway; PostgreSQL's own JSON would not.
    assert not isinstance(Source._meta.get_field("schema"), JSONField)
    dumped = io.StringIO()
    call_command("dumpdata", "surveys.source", stdout=dumped)
    Source.objects.all().delete()
    for one in serializers.deserialize("json", dumped.getvalue()):
        one.save()
    assert json.dumps(source_get("university").schema) == json.dumps(SCHEMA)


@pytest.mark.parametrize("many", [1, 2])
def test_how_much_is_wrong_is_not_told(
    university: Any, capsys: pytest.CaptureFixture[str], many: int
) -> None:
    _, changed = university
    for at in range(many):
        changed(f"INSERT INTO student VALUES ({10 + at}, 'marker', NULL)")
    with pytest.raises(SystemExit) as caught:
        call_command("check_source", "university")
    said = capsys.readouterr()
    assert caught.value.code == 1
    assert said.err == "university is closed to queries: student.major: has a value of its domain\n"


def test_the_command_opens_a_sound_source(university: Any) -> None:
    out = io.StringIO()
    call_command("check_source", "university", stdout=out)
    assert out.getvalue() == "university is open: every declared constraint holds\n"


def test_a_source_that_is_none_is_refused_in_one_line(db: None, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        call_command("check_source", "nothing")
    assert (caught.value.code, capsys.readouterr().err[:7]) == (2, "error: ")


def test_nothing_can_be_written_through_a_source(university: Any) -> None:
    source, _ = university
    for text in ("DELETE FROM student", "CREATE TABLE t (a INT)", "ATTACH '/tmp/stolen' AS stolen"):
        with (
            source_connection(source) as reach,
            pytest.raises(Exception, match=r"(?i)read|not authorized|only|disabled"),
        ):
            reach.raw.execute(text)


def test_a_query_that_takes_too_long_is_ended(university: Any, settings: Any) -> None:
    source, _ = university
    settings.QUERY_SECONDS = 0.2
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n"
    with source_connection(source) as reach, pytest.raises(Exception, match=r"(?i)interrupt"):
        reach.raw.execute(endless).fetchone()


def test_credentials_are_in_no_table(owner: Any, settings: Any) -> None:
    settings.SOURCE_CONNECTIONS = {"hospital": "postgresql://asker:marker-secret@db.example/h"}
    source = source_register(
        actor=owner, name="hospital", kind="postgresql", schema=SCHEMA, policies=[POLICY]
    )
    dumped = io.StringIO()
    call_command("dumpdata", "surveys", stdout=dumped)
    assert "marker-secret" not in dumped.getvalue()
    assert source.connection == "hospital"


@pytest.mark.parametrize(
    ("changed", "refusal"),
    [
        ({"name": "No Name"}, SettingInvalid),
        ({"name": "new"}, SettingInvalid),
        ({"name": "elsewhere"}, SettingInvalid),
        ({"name": "university"}, SettingInvalid),
        ({"kind": "oracle"}, SettingInvalid),
        ({"kind": "service"}, SettingInvalid),
        ({"kind": "duckdb"}, SettingInvalid),
        ({"kind": "duckdb", "connection": "strange"}, SettingInvalid),
        ({"tables": {"student": "enrolment"}}, SchemaInvalid),
        ({"schema": {"t": {}}}, SchemaInvalid),
        ({"policies": []}, PolicyInvalid),
        ({"policies": [{"entity": "student", "labels": {"student": "DEL"}}]}, PolicyInvalid),
        ({"policies": [{**POLICY, "labels": {"student": "DEL", "enrolment": "PUB"}}]}, PolicyInvalid),
    ],
)
def test_what_means_nothing_is_not_registered(
    university: Any, owner: Any, settings: Any, changed: dict[str, Any], refusal: type[Exception]
) -> None:
    settings.SOURCE_CONNECTIONS = {
        **settings.SOURCE_CONNECTIONS,
        "other": "sqlite:////x",
        "strange": "mysql://x",
    }
    asked = {"name": "other", "kind": "sqlite", "schema": SCHEMA, "policies": [POLICY], **changed}
    with pytest.raises(refusal):
        source_register(actor=owner, **asked)
    assert Source.objects.count() == 2


def test_only_admins_see_to_sources(owner: Any, researcher: Any) -> None:
    source = people.service()
    for deed in (source_check, source_close):
        with pytest.raises(NotAllowed):
            deed(actor=researcher, source=source)
    with pytest.raises(NotAllowed):
        source_policy_set(actor=researcher, source=source, document=shipped()["policy"])

"""A source is registered at the command line by connection and file, and asked under a role that only reads."""

import json
import re
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import call_command

from privacy.policy.files import source_from
from surveys.models import AuditEntry, Budget, QueryRun, Source
from surveys.services.sources import source_check, source_get, source_register
from surveys.sources import declared
from surveys.sources.connecting import source_connection
from surveys.sources.service import shipped
from tests.surveys.asked import ROOT, Asked

SCHEMA = {"student": {"key": ["id"], "columns": {"id": {"type": "integer"}, "major": {"type": "text"}}}}
POLICY = {"entity": "student", "labels": {"student": "DEL"}}
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n"


@pytest.fixture
def described(database: Asked, settings: Any, tmp_path: Path) -> Path:
    database.make(SCHEMA, "INSERT INTO student VALUES (1, 'maths');")
    settings.SOURCE_CONNECTIONS = {"school": database.address}
    path = tmp_path / "school.json"
    path.write_text(json.dumps({"schema": SCHEMA, "policy": POLICY}, indent=1))
    return path


def say(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[Any, str, str]:
    capsys.readouterr()
    code: Any = 0
    try:
        call_command(*map(str, arguments))
    except SystemExit as ended:
        code = ended.code
    return (code, *capsys.readouterr())


@pytest.mark.django_db
def test_a_file_and_a_connection_make_a_source(described: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ("register_source", "school", "--file", described)
    assert say(capsys, *command) == (
        0,
        "school is registered; it is closed until manage.py check_source school opens it\n",
        "",
    )
    assert say(capsys, "check_source", "school")[0] == 0
    relabelled = described.with_name("policy.yaml")
    relabelled.write_text("entity: student\nlabels:\n  student: {REP: [major]}\n")
    again = ("register_source", "school", "--policy-only", "--budget", "2.5", "--file", relabelled)
    assert say(capsys, *again) == (0, "school has new policies for student; it is open\n", "")
    assert Budget.objects.get(source__name="school").total == 2_500_000
    code, _, told = say(capsys, *command)
    assert (code, told.partition(" --again")[0]) == (2, "error: name: This name is taken.")
    assert "--again declares that source anew" in told


@pytest.mark.django_db
def test_a_wrong_declaration_is_made_anew_until_something_was_asked(
    described: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ("register_source", "school", "--check", "--file", described)
    right = described.read_text()
    described.write_text(right.replace('"text"', '"text", "domain": ["law"]'))
    assert say(capsys, *command)[0] == 1
    described.write_text(right)
    assert say(capsys, *command, "--again") == (0, "school is registered; it is open\n", "")
    assert AuditEntry.objects.filter(action="source.forget", subject="school").count() == 1
    numbers = {"data_version": 1, "policy_version": 1, "epsilon": 1, "charged": 1}
    QueryRun.objects.create(source=source_get("school"), sql="SELECT 1", canonical="c", **numbers)
    for name in ("school", "service"):
        code, _, told = say(capsys, "register_source", name, "--again", "--file", described)
        assert (code, told[:41]) == (2, "error: name: This source was asked alread")
    assert source_get("school").state == Source.State.OPEN
    assert say(capsys, "register_source", "nothing", "--again", "--file", described)[0] == 2


@pytest.mark.django_db
def test_a_budget_of_delta_is_given_at_the_command_line_too(
    described: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ("register_source", "school", "--file", described, "--check", "--budget", "1")
    asked = ("dpsql", "school", "SELECT COUNT(*) FROM student", "--epsilon", "0.5", "--delta", "1e-9")
    assert say(capsys, *command)[0] == 0
    told = "error: school: δ 1e-9 was asked for, δ 0 is left\n"
    assert say(capsys, *asked) == (2, "", told)
    assert say(capsys, *command, "--again", "--delta-budget", "1e-6")[0] == 0
    assert Budget.objects.get(source__name="school").delta_total == 1_000_000


@pytest.mark.django_db
def test_a_source_that_failed_its_check_is_said_to_have(
    described: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    described.write_text(described.read_text().replace('"text"', '"text", "domain": ["law"]'))
    code, told, _ = say(capsys, "register_source", "school", "--file", described, "--check")
    assert (code, told) == (1, "school is registered; it failed its check\n")


@pytest.mark.django_db
def test_a_source_can_be_checked_at_once(
    described: Path, database: Asked, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ("register_source", "--connection", "school", "--check", "--budget", "1", "--file", described)
    assert say(capsys, *command, "one") == (0, "one is registered; it is open\n", "")
    told = say(capsys, *command, "two")[2]
    assert told.startswith("error: connection: A source with this database is registered already")
    Source.objects.filter(name="one").delete()
    database.run("INSERT INTO student VALUES (1, 'law')")
    code, _, told = say(capsys, *command, "two")
    assert (code, told) == (1, "two is closed to queries: student (id): no two rows share a key\n")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            lambda text: text.replace("DEL", "GONE"),
            "policy.labels.student (line 20): expected DEL, PUB, or REP",
        ),
        (lambda text: text.replace('"major"', '"id"'), "schema.student.columns.id (line 11): given twice"),
        (lambda text: text + "}", "line 23): not JSON: something follows the end"),
        (lambda text: text.encode("utf-16").decode("latin-1"), "control character"),
        (lambda text: text.replace("integer", "in\udce4teger"), "line 9: not UTF-8"),
    ],
)
def test_a_wrong_file_is_refused_in_one_line(
    described: Path, capsys: pytest.CaptureFixture[str], change: Any, told: str
) -> None:
    described.write_text(change(described.read_text()), errors="surrogateescape")
    code, out, error = say(capsys, "register_source", "school", "--file", described)
    assert (code, out) == (2, "")
    assert error.startswith(f"error: {described}: ")
    assert told in error
    assert error.count("\n") == 1
    assert not Source.objects.filter(name="school").exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("school",), "error: arguments: the following arguments are required: --file\n"),
        (("school", "--file", "/nothing"), "error: /nothing: No such file or directory\n"),
        (("School", "--file", "F"), "error: name: "),
        (
            ("other", "--file", "F"),
            "error: connection: The settings name no such connection; those that there are: school.\n",
        ),
        (("school", "--file", "F", "--delta-budget", "1e-6"), "error: --delta-budget: needs --budget\n"),
        (
            ("school", "--file", "F", "--budget", "1", "--delta-budget", "1"),
            "error: --delta-budget: expected a decimal",
        ),
        (("school", "--file", "F", "--budget", "much"), "error: --budget: expected a decimal"),
        (("nobody", "--file", "F", "--policy-only"), "error: nobody: there is no source 'nobody'\n"),
    ],
)
def test_wrong_arguments_are_refused_in_one_line(
    described: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], told: str
) -> None:
    given = [str(described) if one == "F" else one for one in arguments]
    code, _, error = say(capsys, "register_source", *given)
    assert code == 2
    assert error.startswith(told)
    assert error.count("\n") == 1
    assert Source.objects.filter(name="school").count() == 0


WRITES = (
    "INSERT INTO student VALUES (2, 'law')",
    "UPDATE student SET major = 'law'",
    "DELETE FROM student",
    "DROP TABLE student",
    "CREATE TABLE stolen AS SELECT * FROM student",
    "CREATE TEMPORARY TABLE stolen (a INTEGER)",
    "CREATE VIEW seen AS SELECT * FROM student",
)
OUTWARD = {
    "sqlite": (
        "ATTACH '/tmp/stolen' AS stolen",
        "PRAGMA query_only = OFF",
        "VACUUM INTO '/tmp/stolen'",
        "SELECT load_extension('/tmp/evil')",
    ),
    "duckdb": (
        "ATTACH '/tmp/stolen' AS stolen",
        "COPY student TO '/tmp/stolen'",
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        "SET enable_external_access = true",
        "INSTALL httpfs",
        "LOAD httpfs",
    ),
    "postgresql": (
        "SELECT * FROM grades",
        "SELECT pg_read_file('/etc/passwd')",
        "COPY student TO PROGRAM 'cat'",
        "SELECT lo_import('/etc/passwd')",
        "SELECT most_common_vals FROM pg_stats",
        "SELECT * FROM pg_statistic",
        "SELECT rolpassword FROM pg_authid",
        "CREATE ROLE thief",
        "SET ROLE deniable",
    ),
}
REFUSED = r"(?i)read.?only|not authorized|denied|disabled|only|locked|cannot|configuration|permission|privileges|exist"


@pytest.mark.django_db
def test_a_source_can_be_read_and_nothing_else(described: Path, database: Asked) -> None:
    if database.kind == "postgresql":
        database.run("CREATE TABLE grades (a INTEGER)")
    source = source_register(actor=None, name="school", kind="", schema=SCHEMA, policies=[POLICY])
    with source_connection(source) as reach:
        assert reach.rows("SELECT * FROM student") == [(1, "maths")]
    # DuckDB's temporary tables are in the memory of the one connection.
    writes = [one for one in WRITES if database.kind != "duckdb" or "TEMPORARY" not in one]
    for text in (*writes, *OUTWARD[database.kind]):
        with source_connection(source) as reach, pytest.raises(Exception, match=REFUSED):
            reach.rows(text)
    with source_connection(source) as reach:
        assert reach.rows("SELECT * FROM student") == [(1, "maths")]


@pytest.mark.django_db
def test_what_takes_too_long_is_ended_and_so_is_what_follows(described: Path, settings: Any) -> None:
    source = source_register(actor=None, name="school", kind="", schema=SCHEMA, policies=[POLICY])
    settings.QUERY_SECONDS = 0.3
    with source_connection(source) as reach:
        for _ in range(2):
            with pytest.raises(Exception, match=r"(?i)interrupt|timeout|aborted"):
                reach.rows(ENDLESS)


def test_the_recipe_alone_keeps_the_role_from_writing(recipe: Asked) -> None:
    recipe.make(SCHEMA)
    recipe.run("CREATE TABLE grades (a INTEGER); ALTER ROLE asker SET statement_timeout = '300ms'")
    with psycopg.connect(recipe.address, autocommit=True) as raw:
        # Without the service's own limits; and where the role gives its own up, it has no right to write.
        for wish in ("SELECT 1", "SET default_transaction_read_only = off"):
            raw.execute(wish)
            for text in WRITES:
                with pytest.raises(psycopg.Error, match=REFUSED + "|must be owner"):
                    raw.execute(text)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            raw.execute("SELECT * FROM grades")
        with pytest.raises(psycopg.errors.QueryCanceled):
            raw.execute(ENDLESS)


@pytest.mark.django_db
@pytest.mark.parametrize("right", ["INSERT", "UPDATE (major)", "TRUNCATE"])
def test_a_role_that_could_write_does_not_ask(recipe: Asked, settings: Any, right: str) -> None:
    recipe.make(SCHEMA)
    settings.SOURCE_CONNECTIONS = {"school": recipe.address, "open": recipe.owner}
    source = source_register(actor=None, name="school", kind="", schema=SCHEMA, policies=[POLICY])
    assert source_check(actor=None, source=source).state == Source.State.OPEN
    recipe.run(f"GRANT {right} ON student TO asker")
    assert source_check(actor=None, source=source).reason == f"student: {declared.READING}"
    source.delete()  # one database, one source
    mighty = source_register(actor=None, name="open", kind="", schema=SCHEMA, policies=[POLICY])
    assert source_check(actor=None, source=mighty).reason == f"student: {declared.READING}"


@pytest.mark.django_db
def test_two_relations_are_not_one_table(recipe: Asked, settings: Any) -> None:
    recipe.make(SCHEMA)
    recipe.run("CREATE SCHEMA elsewhere; CREATE VIEW elsewhere.pupil AS SELECT * FROM student")
    recipe.run("GRANT USAGE ON SCHEMA elsewhere TO asker; GRANT SELECT ON elsewhere.pupil TO asker")
    settings.SOURCE_CONNECTIONS = {"school": recipe.address}
    schema = {**SCHEMA, "pupil": SCHEMA["student"]}
    policy = {"entity": "student", "labels": {"student": "DEL", "pupil": "PUB"}}
    source = source_register(
        actor=None,
        name="school",
        kind="",
        schema=schema,
        policies=[policy],
        tables={"pupil": "elsewhere.pupil"},
    )
    # A view could be anything; the curator says what it is.
    assert source_check(actor=None, source=source).state == Source.State.OPEN
    Source.objects.filter(name="school").update(tables={"pupil": "public.student"})
    assert source_check(actor=None, source=source).reason == f"student: {declared.APART}"


def test_the_recipe_for_the_service_grants_what_its_schema_shows_and_no_more() -> None:
    text = (ROOT / "deploy" / "postgres" / "service.sql").read_text()
    granted = [line for line in text.splitlines() if line.startswith("GRANT SELECT")]
    assert granted == [
        f"GRANT SELECT ({', '.join(shipped()['schema'][name]['columns'])}) ON {table} TO asker;"
        for name, table in shipped()["tables"].items()
    ]


@pytest.mark.django_db(transaction=True)
def test_the_services_own_tables_are_read_under_the_recipe(settings: Any, server: str) -> None:
    from django.db import connection

    if connection.vendor != "postgresql":
        pytest.skip("the service's tables are in SQLite here")
    for name in ("asker", "service"):
        with connection.cursor() as cursor:
            cursor.execute((ROOT / "deploy" / "postgres" / f"{name}.sql").read_text())
    known = connection.settings_dict
    address = f"postgresql://asker@{known['HOST']}:{known['PORT']}/{known['NAME']}"
    settings.SOURCE_CONNECTIONS = {"service": address}
    assert source_check(actor=None, source=source_get("service")).reason == ""
    with source_connection(source_get("service")) as reach, pytest.raises(psycopg.Error, match="denied"):
        reach.rows("SELECT reference FROM surveys_respondent")


def test_the_file_that_the_readme_shows_is_one() -> None:
    text = (ROOT / "deploy" / "README.md").read_text("utf-8")
    shown = re.search(r"```yaml\n(tables: .*?)```", text, re.DOTALL)
    assert shown is not None
    assert source_from(shown[1]).policies[0].owned["grade"] == 30

"""A source that was declared wrongly is corrected or removed on its page, until it passed a check or was asked."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from surveys.errors import NotAllowed, SettingInvalid
from surveys.models import AuditEntry, Budget, QueryRun, Source
from surveys.services.audit import audit_verify
from surveys.services.ledger import budget_set
from surveys.services.queries import policies_of
from surveys.services.redeclaring import source_redeclarable, source_redeclare, source_remove
from surveys.services.sources import CHECKS, source_check, source_get, source_register_text
from surveys.sources.declared import MISSING, TABLE
from tests import people

PAGE = "/sources/shelf/declaration/"


def described(table: str = "person", column: str = "id", most: int = 99) -> str:
    """Return a file, which is right as it is."""
    columns = {column: {"type": "integer", "bounds": [1, most]}}
    schema = {table: {"key": [column], "columns": columns}}
    return json.dumps({"schema": schema, "policy": {"entity": table, "labels": {table: "DEL"}}})


@pytest.fixture
def admin(client: Client, owner: Any) -> Client:
    client.force_login(owner)
    return client


@pytest.fixture(autouse=True)
def shelf(settings: Any, tmp_path: Path) -> None:
    """A database of persons 1 and 20."""
    with closing(sqlite3.connect(tmp_path / "shelf.sqlite3")) as raw:
        raw.executescript("CREATE TABLE person (id INTEGER); INSERT INTO person VALUES (1), (20)")
    settings.SOURCE_CONNECTIONS = {"shelf": f"sqlite:///{tmp_path}/shelf.sqlite3"}


def registered(owner: Any, text: str) -> Source:
    source = source_register_text(actor=owner, name="shelf", text=text)
    return source_check(actor=owner, source=source)


def page(browser: Client, *posted: Any, **more: str) -> str:
    answer = browser.post(*posted, more, follow=True) if posted else browser.get(PAGE)
    return str(answer.content.decode())


def test_a_mistyped_table_is_named_corrected_and_opened_on_the_pages(admin: Client) -> None:
    body = {"name": "shelf", "connection": "shelf", "text": described("persons"), "check": "now"}
    told = page(admin, "/sources/new/", **body)
    assert f"persons: {TABLE}".split("`")[0] in told
    assert "Remove the source" in told
    told = page(admin, PAGE, text=described(column="number"), do="check")
    assert f"person.number: {MISSING}" in told
    told = page(admin, PAGE, text=described(), do="check")
    assert "The source is declared anew." in told
    source = source_get("shelf")
    assert (source.state, source.told) == ("open", 1)
    assert [one.entity for one in policies_of(source)] == ["person"]
    # From now on it stays.
    assert "Declare anew" not in page(admin)
    page(admin, PAGE, text=described(most=50), do="keep")
    assert source_get("shelf").schema == json.loads(described())["schema"]
    assert audit_verify()


def test_a_source_that_was_never_opened_is_removed_with_its_name_and_connection(
    admin: Client, owner: Any
) -> None:
    registered(owner, described("persons"))
    body = {"name": "shelf", "connection": "shelf", "text": described(), "check": "now"}
    assert PAGE in page(admin, "/sources/new/", **body)
    assert "removed" in page(admin, PAGE, do="remove")
    assert AuditEntry.objects.filter(action="source.forget", subject="shelf", actor="owner").exists()
    page(admin, "/sources/new/", **body)
    assert source_get("shelf").state == "open"


def test_what_is_wrong_with_the_new_file_is_told_beside_it(admin: Client, owner: Any) -> None:
    registered(owner, described("persons"))
    for text in ("", "schema: {", described().replace("DEL", "GONE")):
        assert "This was not saved yet" in page(admin, PAGE, text=text, do="keep")
    assert "persons" in source_get("shelf").schema


def test_once_rows_were_told_of_declarations_are_few_and_the_source_stays(owner: Any) -> None:
    """Declared with other bounds each time, a check would find the largest number to the last digit."""
    source = registered(owner, described(most=2))
    assert source.reason == "person.id: lies within its bounds"
    with pytest.raises(SettingInvalid) as caught:
        source_remove(actor=owner, source=source)
    assert [one.code for one in caught.value.findings] == ["source-told"]
    for most in range(3, 3 + CHECKS):
        source_redeclare(actor=owner, source=source, text=described(most=most))
    with pytest.raises(SettingInvalid) as caught:
        source_redeclare(actor=owner, source=source, text=described(most=9))
    assert [one.code for one in caught.value.findings] == ["source-told"]
    # Nor are the checks of the day counted anew.
    assert source_get("shelf").told == 1


def test_declared_anew_a_source_keeps_what_can_stay(owner: Any) -> None:
    source = registered(owner, described("persons"))
    for entity in ("persons", "person"):
        budget_set(actor=owner, source=source, entity=entity, total=1)
    kept = source_redeclare(actor=owner, source=source, text=described())
    assert (kept.state, kept.reason, kept.connection) == ("closed", "", "shelf")
    assert list(Budget.objects.filter(source=kept).values_list("entity", flat=True)) == ["person"]
    # A check of the earlier declaration that is under way finds that it is one.
    assert kept.policy_version > source.policy_version


def test_what_was_opened_or_asked_is_neither_corrected_nor_removed(owner: Any) -> None:
    opened = registered(owner, described())
    for deed in (source_remove, lambda **who: source_redeclare(text=described(), **who)):
        for source in (opened, people.service()):
            with pytest.raises(SettingInvalid) as caught:
                deed(actor=owner, source=source)
            assert [one.code for one in caught.value.findings] == ["source-opened"]
    Source.objects.filter(pk=opened.pk).update(checked_caps=None)
    assert source_redeclarable(source_get("shelf"))
    numbers = {"data_version": 1, "policy_version": 1, "epsilon": 1, "charged": 1}
    QueryRun.objects.create(source=opened, sql="SELECT 1", canonical="c", **numbers)
    assert not source_redeclarable(source_get("shelf"))


def test_only_an_admin_corrects_and_removes(owner: Any, researcher: Any) -> None:
    source = registered(owner, described("persons"))
    with pytest.raises(NotAllowed):
        source_redeclare(actor=researcher, source=source, text=described())
    with pytest.raises(NotAllowed):
        source_remove(actor=researcher, source=source)

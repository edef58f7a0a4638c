"""The tables that know answers have no column that could tell who, when or in which order."""

from collections.abc import Iterable
from typing import Any

import pytest
from django.db import connection, models

from surveys.models import InboxReport, Report, Spent

ALLOWED = {
    Spent: {"digest", "survey_id", "seal"},
    InboxReport: {"key", "version_id", "payload"},
    Report: {"key", "version_id", "packed"},
}
TELLING = (
    "ip", "addr", "agent", "browser", "created", "updated", "time", "date", "at", "when", "seq", "serial",
    "order", "number", "position", "lang", "locale", "user", "respondent", "person", "session", "device",
    "cookie", "referer", "country", "invitation", "ticket",
)  # fmt: skip


def telling(columns: Iterable[str]) -> list[str]:
    """Return the columns whose name, or a part of it, tells of a person, a time or an order."""
    return [name for name in columns if any(part.startswith(TELLING) for part in name.lower().split("_"))]


def columns_of(table: str) -> dict[str, str]:
    """Return the columns that the database really has, with their types."""
    with connection.cursor() as cursor:
        described = connection.introspection.get_table_description(cursor, table)
        return {
            column.name: str(connection.introspection.get_field_type(column.type_code, column))
            for column in described
        }


@pytest.mark.django_db
@pytest.mark.parametrize("model", ALLOWED, ids=lambda model: model.__name__)
def test_answers_are_kept_with_nothing_that_tells(model: Any) -> None:
    columns = columns_of(model._meta.db_table)
    assert set(columns) == ALLOWED[model]
    assert telling(columns) == []
    assert not {"DateTimeField", "DateField", "TimeField", "GenericIPAddressField"} & set(columns.values())


@pytest.mark.django_db
@pytest.mark.parametrize("model", ALLOWED, ids=lambda model: model.__name__)
def test_no_key_counts_up(model: Any) -> None:
    key = model._meta.pk
    assert not isinstance(key, models.AutoField | models.BigAutoField | models.UUIDField)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            assert connection.introspection.get_sequences(cursor, model._meta.db_table) == []
        else:
            cursor.execute("SELECT sql FROM sqlite_master WHERE name = %s", [model._meta.db_table])
            assert "AUTOINCREMENT" not in cursor.fetchone()[0].upper()


@pytest.mark.parametrize(
    "name",
    ["ip", "ip_address", "remote_addr", "user_agent", "created_at", "submitted_at", "sequence", "seq_no",
     "language", "user_id", "respondent_id", "session_key", "arrival_order", "order_number"],
)  # fmt: skip
def test_a_column_that_tells_is_found(name: str) -> None:
    """The control."""
    assert telling(["key", "version_id", "payload", name]) == [name]

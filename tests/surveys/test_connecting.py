"""A PostgreSQL reads what the compiler wrote, whatever its database or role is set to; else it is not asked."""

from typing import Any

import psycopg
import pytest

from surveys.models import Source
from surveys.sources import connecting
from surveys.sources.connecting import SettingsLost, source_connection
from tests.surveys.asked import Asked

STRANGE = {
    "standard_conforming_strings": "off",
    "transform_null_equals": "on",
    "DateStyle": "'German, DMY'",
    "extra_float_digits": "-15",
    "client_encoding": "'LATIN1'",
}


@pytest.fixture
def strange(recipe: Asked, settings: Any) -> Source:
    """Return a source in a database of other settings."""
    name = recipe.address.rsplit("/", 1)[1]
    for setting, value in STRANGE.items():
        recipe.run(f"ALTER DATABASE {name} SET {setting} = {value}")
        recipe.run(f"ALTER ROLE asker IN DATABASE {name} SET {setting} = {value}")
    settings.SOURCE_CONNECTIONS = {"strange": recipe.address}
    return Source(name="strange", kind=Source.Kind.POSTGRESQL)


def test_a_backslash_is_a_character_whatever_the_database_thinks(strange: Source) -> None:
    with source_connection(strange) as reach:
        assert reach.rows(r"SELECT '\', length('\''')") == [("\\", 2)]
        assert reach.rows("SELECT (NULL = NULL) IS NULL, DATE '2002-03-04', '서울'")[0][::2] == (True, "서울")
        assert reach.rows("SELECT CAST(0.1 AS DOUBLE PRECISION) + 0.2") == [(0.1 + 0.2,)]


def test_a_connection_that_loses_the_settings_is_not_asked(
    strange: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As through a pooler, which keeps a connection's options to itself."""

    def pooled(address: str, *, options: str, **more: Any) -> psycopg.Connection[Any]:
        return psycopg.connect(address, **more)

    monkeypatch.setattr(connecting, "psycopg", _With(pooled))
    with pytest.raises(SettingsLost, match="standard_conforming_strings"), source_connection(strange):
        pass


class _With:
    IsolationLevel = psycopg.IsolationLevel

    def __init__(self, connect: Any) -> None:
        self.connect = connect


def test_without_the_settings_it_would_be_a_quote_that_goes_on(strange: Source) -> None:
    """The control: the same text, over a connection that pins nothing."""
    with psycopg.connect(connecting.connections_named()[strange.name]) as raw:
        assert raw.execute(r"SELECT '\''").fetchall() == [("'",)]

"""One PostgreSQL for all tests of compiled statements."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import psycopg
import pytest

from privacy.policy.schema import Schema
from tests.policy.engines import Database, World, in_duckdb, postgresql, sqlite
from tests.services import postgres

Opened = Callable[[Schema, World], AbstractContextManager[list[Database]]]


@pytest.fixture(scope="session")
def server() -> Iterator[psycopg.Connection[Any]]:
    with postgres() as service:
        address = service.url.replace("postgres://", "postgresql://")
        with psycopg.connect(address, autocommit=True) as raw:
            yield raw


@pytest.fixture
def databases(server: psycopg.Connection[Any]) -> Opened:
    @contextmanager
    def opened(schema: Schema, world: World) -> Iterator[list[Database]]:
        with (
            sqlite(schema, world) as one,
            in_duckdb(schema, world) as two,
            postgresql(server, schema, world) as three,
        ):
            yield [one, two, three]

    return opened

"""A PostgreSQL of one's own, for sources that are asked there, and databases of each engine."""

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.services import postgres
from tests.surveys import asked

_NUMBERS = itertools.count()


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """Return the address of a PostgreSQL, as its owner reaches it."""
    with postgres() as service:
        yield service.url


@pytest.fixture(params=asked.ENGINES)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    """Return an empty database of each engine."""
    if request.param == "postgresql":
        return asked.of_recipe(request.getfixturevalue("server"), f"asked{next(_NUMBERS)}")
    return asked.file(request.param, tmp_path / "asked")


@pytest.fixture
def recipe(server: str) -> Any:
    """Return an empty PostgreSQL under the role of the recipe."""
    return asked.of_recipe(server, f"asked{next(_NUMBERS)}")

"""A PostgreSQL of one's own, for sources that are asked there, and databases of each engine."""

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from aggregator import tasks
from tests import people
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


@pytest.fixture
def desk(owner: Any, client: Any) -> Any:
    """Return the owner at a desk, who reads English."""
    client.force_login(owner)
    client.cookies["django_language"] = "en"
    return client


@pytest.fixture
def ward(owner: Any) -> Any:
    """Return a panel of nobody yet."""
    return people.panel(owner)


@pytest.fixture
def engine() -> Iterator[None]:
    """Draw answers without a look at any data."""
    with people.engine_of(people.drawing()):
        yield


@pytest.fixture
def asleep(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no broker be asked: the sweep or the test itself runs what is charged."""
    monkeypatch.setattr(tasks, "wake_query", lambda run_id: None)

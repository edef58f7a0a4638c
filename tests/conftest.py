"""The cast: the owner of a survey, a researcher, an auditor, a stranger; respondents have no account."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from hypothesis import HealthCheck, settings

from tests import cast

# No test is judged by the clock.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

# Whoever asks for one of these opens the database that the suite runs on.
OPENING = {"db", "transactional_db", "django_db_setup", "live_server"}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let `make test` run what opens no database once, and the rest on each."""
    parser.addoption("--database", choices=["with", "without"], help="only tests that do, or do not, open it")


def pytest_configure(config: pytest.Config) -> None:
    """Name the marks that this file reads."""
    config.addinivalue_line("markers", "each_database: starts a service of its own on the suite's database")
    config.addinivalue_line("markers", "looks: how a page looks; every second case is seen on each database")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what belongs to another part of `make test`, where one is asked for."""
    asked = config.getoption("--database")
    if asked is None:
        return
    kept = [item for item in items if opens_database(item) == (asked == "with")]
    looks = [item for item in kept if item.get_closest_marker("looks")]
    elsewhere = set(looks[connection.vendor == "postgresql" :: 2])
    items[:] = [item for item in kept if item not in elsewhere]


def opens_database(item: pytest.Item) -> bool:
    """Tell whether a test runs on the database of the suite."""
    marks = {mark.name for mark in item.iter_markers()}
    return bool(marks & {"django_db", "each_database"} or OPENING & set(getattr(item, "fixturenames", ())))


@pytest.fixture(autouse=True)
def quick_passwords(settings: Any) -> None:
    """Make accounts fast: what a password costs to guess is not under test."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def built(settings: Any, tmp_path: Path) -> Path:
    """Return a frontend that is built, as far as pages can tell."""
    entries = {"src/pages/respondent/main.tsx": "respondent", "src/pages/staff/main.ts": "staff"}
    (tmp_path / "assets").mkdir()
    listing = {}
    for entry, name in entries.items():
        files = {"file": f"assets/{name}-0a1b2c3d.js", "css": [f"assets/{name}-4e5f6a7b.css"]}
        for file in (files["file"], *files["css"]):
            (tmp_path / str(file)).write_text(f"/* {name} */")
        listing[entry] = files
    (tmp_path / "manifest.json").write_text(json.dumps(listing))
    settings.FRONTEND_DIST = tmp_path
    return tmp_path


@pytest.fixture
def owner(db: None) -> Any:
    """Return the admin who owns the surveys of a test."""
    return cast.person("owner", "admin")


@pytest.fixture
def researcher(db: None) -> Any:
    """Return a researcher to whom nothing is granted yet."""
    return cast.person("researcher", "researcher")


@pytest.fixture
def auditor(db: None) -> Any:
    """Return an auditor."""
    return cast.person("auditor", "auditor")


@pytest.fixture
def stranger(db: None) -> Any:
    """Return somebody who can log in and has no role."""
    return cast.person("stranger")


@pytest.fixture
def draft(owner: Any) -> Any:
    """Return a draft that could be published."""
    return cast.draft(owner)


@pytest.fixture
def version(owner: Any) -> Any:
    """Return the first version of an open survey with one yes-or-no question."""
    return cast.published(owner)

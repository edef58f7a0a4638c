"""The cast: the owner of a survey, a researcher, an auditor, a stranger; respondents have no account."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests import cast


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

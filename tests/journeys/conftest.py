"""One browser for the journeys of a file, and the respondent's page built from this checkout."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.journeys.browser import chromium
from tests.journeys.fixture import Server, build, serving


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Run Chromium; playwright's own event loop must not keep Django from its database meanwhile."""
    before = os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    try:
        with chromium() as running:
            yield running
    finally:
        if before is None:
            del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture(scope="session")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the respondent's bundle."""
    return build(tmp_path_factory.mktemp("respondent"))


@pytest.fixture
def server(bundle: Path) -> Iterator[Server]:
    """Serve the respondent's page with fakes of the API."""
    with serving(bundle) as running:
        yield running

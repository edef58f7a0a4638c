"""The API's own documentation page: readable by all, in both languages, at every width, under the strict policy."""

from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.journeys.browser import axe_violations
from tests.journeys.staff import Staff


@pytest.mark.parametrize(("language", "width"), [("ko", 360), ("en", 1280)])
def test_the_documentation_is_clean(live_server: Any, browser: Browser, language: str, width: int) -> None:
    reader = Staff(browser, live_server.url, width)
    page = reader.opens(f"/api/v1/docs/?lang={language}")
    found = axe_violations(page), reader.refused(), reader.sideways(), reader.small_targets()
    reader.context.close()
    assert found == ([], [], 0, [])

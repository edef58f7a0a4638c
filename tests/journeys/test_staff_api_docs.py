"""The API's own documentation page: readable by all, in both languages, at every width, under the strict policy."""

from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.journeys.browser import axe_violations
from tests.journeys.staff import Staff


@pytest.mark.looks
@pytest.mark.parametrize(("language", "width"), [("ko", 360), ("en", 1280)])
def test_the_documentation_is_clean(live_server: Any, browser: Browser, language: str, width: int) -> None:
    reader = Staff(browser, live_server.url, width)
    page = reader.opens(f"/api/v1/docs/?lang={language}")
    found = axe_violations(page), reader.refused(), reader.sideways(), reader.small_targets()
    reader.context.close()
    assert found == ([], [], 0, [])


def test_the_name_of_a_parameter_stays_in_one_line(live_server: Any, browser: Browser) -> None:
    reader = Staff(browser, live_server.url, 360)
    page = reader.opens("/api/v1/docs/")
    lines = page.locator("th code").evaluate_all("all => all.map((one) => one.getClientRects().length)")
    reader.context.close()
    assert set(lines) == {1}

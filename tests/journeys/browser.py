"""Debian's Chromium, driven by playwright, with an empty profile and nothing phoning home."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, Playwright, sync_playwright

EXECUTABLE = "/usr/bin/chromium"
ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
FRONTEND = Path(__file__).resolve().parents[2] / "frontend"
AXE = FRONTEND / "node_modules" / "axe-core" / "axe.min.js"


@contextmanager
def chromium() -> Iterator[Browser]:
    """Run a browser; its contexts start with an empty profile."""
    with _driver() as playwright:
        browser = playwright.chromium.launch(executable_path=EXECUTABLE, args=list(ARGUMENTS))
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def chromium_on(profile: Path, **options: Any) -> Iterator[BrowserContext]:
    """Run a browser that keeps its profile in a folder, so that what is left on disk can be read."""
    with _driver() as playwright:
        context = playwright.chromium.launch_persistent_context(
            profile, executable_path=EXECUTABLE, args=list(ARGUMENTS), **options
        )
        try:
            yield context
        finally:
            context.close()


_running: list[Playwright] = []


@contextmanager
def _driver() -> Iterator[Playwright]:
    # One driver a process: a second one beside it is refused by playwright.
    if _running:
        yield _running[-1]
        return
    with sync_playwright() as playwright:
        _running.append(playwright)
        try:
            yield playwright
        finally:
            _running.pop()


def axe_violations(page: Page) -> list[dict[str, Any]]:
    """Return what axe finds with all of its rules on; it is run past the page's own policy."""
    session = page.context.new_cdp_session(page)
    try:
        session.send("Runtime.evaluate", {"expression": AXE.read_text(encoding="utf-8")})
        answer = session.send(
            "Runtime.evaluate",
            {"expression": _AXE_RUN, "awaitPromise": True, "returnByValue": True},
        )
    finally:
        session.detach()
    if "exceptionDetails" in answer:
        raise AssertionError(answer["exceptionDetails"])
    return answer["result"]["value"]


_AXE_RUN = """
axe.run(document, {resultTypes: ["violations"], rules: Object.fromEntries(
  axe.getRules().map(({ruleId}) => [ruleId, {enabled: true}])
)}).then(({violations}) => violations.map(({id, help, nodes}) => (
  {id, help, nodes: nodes.map(({html, failureSummary}) => `${html} ${failureSummary}`)}
)))
"""

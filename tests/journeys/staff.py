"""A member of staff at a real browser, and what the browser refused or complained about meanwhile."""

from typing import Any

from playwright.sync_api import Browser, Locator, Page

from tests.cast import PASSWORD

# Run before any script of the page, and outside of its policy.
_LISTEN = """
window.refused = [];
document.addEventListener("securitypolicyviolation", (event) =>
  window.refused.push(`${event.effectiveDirective} ${event.blockedURI} ${event.sample}`));
"""
# Controls that are smaller than a thumb; links within a line of text are text.
_SMALL = """
() => [...document.querySelectorAll("a, button, input:not([type=hidden]), select, textarea, summary")]
  .filter((one) => one.offsetParent !== null)
  .filter((one) => !(one.matches("a:not(.button)") && one.closest("p, td, dd, main li")))
  .filter((one) => !one.matches(".skip, [tabindex='-1']"))
  .map((one) => [one.closest("label") ?? one, one])
  .filter(([area]) => area.getBoundingClientRect().height < 43.5)
  .map(([, one]) => one.outerHTML.slice(0, 120))
"""


class Staff:
    """One person with one browser window."""

    def __init__(self, browser: Browser, base: str, width: int = 1280, **options: Any) -> None:
        self.base = base
        self.context = browser.new_context(viewport={"width": width, "height": 900}, **options)
        self.context.add_init_script(_LISTEN)
        self.page: Page = self.context.new_page()

    def opens(self, path: str) -> Page:
        """Open an address of the service."""
        self.page.goto(self.base + path)
        return self.page

    def logs_in(self, name: str, password: str = PASSWORD) -> Page:
        """Log in through the page."""
        self.opens("/accounts/login/")
        self.page.fill("#id_login", name)
        self.page.fill("#id_password", password)
        self.sends()
        return self.page

    def presses(self, label: str, within: str = "main") -> Page:
        """Press the button or link with this label that leads to another page, and wait for it."""
        with self.page.expect_navigation():
            self.page.locator(f'{within} :is(a, button):visible:has-text("{label}")').first.click()
        return self.page

    def sends(self, form: str = "form.card") -> Page:
        """Send a form with its own button, and wait for the answer."""
        with self.page.expect_navigation():
            self.page.locator(f'{form} button[type="submit"]:visible').first.click()
        return self.page

    def refused(self) -> list[str]:
        """Return what the content policy refused on this page."""
        return list(self.page.evaluate("window.refused"))

    def sideways(self) -> int:
        """Return how far the page can be scrolled sideways."""
        return int(
            self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        )

    def small_targets(self) -> list[str]:
        """Return the controls that are smaller than a thumb."""
        return list(self.page.evaluate(_SMALL))

    def errors_of(self, field: str) -> str:
        """Return what stands beside a field, as a screen reader announces it with the field."""
        described = self.page.get_attribute(f"#{field}", "aria-describedby") or ""
        found = [self.page.text_content(f"#{one}") or "" for one in described.split() if "errors" in one]
        return " ".join(found).strip()


def figure(page: Page, name: str) -> Locator:
    """Return the place of one figure of the plan that is shown: sentences of other protocols are put away."""
    return page.locator(f'[data-plan="{name}"]:visible')

"""What a respondent does on the page, and all that can be seen of it from outside."""

import json
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, Page

from tests.journeys.browser import FRONTEND
from tests.journeys.fixture import Server

# Of a screen that only says something, the first line is the heading.
SAID: dict[str, dict[str, str]] = {
    lang: {
        key.removeprefix("$"): sentence.split("\n")[0]
        for key, sentence in json.loads(
            (FRONTEND / "src" / "i18n" / f"{lang}.json").read_text(encoding="utf-8")
        ).items()
    }
    for lang in ("en", "ko")
}
# Before the page's own scripts: every breach of its policy is noted, and every title, however short-lived
# (the document's own may be seen or not, so it always counts).
WATCH = """
globalThis.breaches = [];
globalThis.titles = new Set(["", "Deniable"]);
new MutationObserver(() => titles.add(document.title)).observe(
  document, {subtree: true, childList: true, characterData: true});
addEventListener("securitypolicyviolation", (e) => breaches.push(`${e.violatedDirective} ${e.blockedURI}`));
"""
EVERYTHING_STORED = """async () => {
  const found = [JSON.stringify({...localStorage}), JSON.stringify({...sessionStorage})];
  found.push(location.href, JSON.stringify(history.state), ...titles, document.cookie, name);
  for (const {name} of await indexedDB.databases()) {
    const open = indexedDB.open(name);
    const db = await new Promise((done, failed) => { open.onsuccess = () => done(open.result);
                                                     open.onerror = failed; });
    for (const store of db.objectStoreNames) {
      const all = db.transaction(store).objectStore(store).getAll();
      found.push(JSON.stringify(await new Promise((done) => { all.onsuccess = () => done(all.result); })));
    }
    db.close();
  }
  for (const cache of await caches.keys()) found.push(cache);
  return found.join("\\n");
}"""


@dataclass
class Respondent:
    """A person with a device; `lang` decides which words they look for."""

    browser: Browser
    server: Server
    lang: str = "en"
    width: int = 360
    scripts: tuple[str, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Open a context with an empty profile."""
        viewport = {"width": self.width, "height": 780}
        self.context = self.browser.new_context(viewport=viewport, locale=self.lang, **self.options)
        self.context.set_default_timeout(15_000)
        for script in (WATCH, *self.scripts):
            self.context.add_init_script(script)
        self.complaints: list[str] = []
        self.page = self.tab()

    def tab(self) -> Page:
        """Open a further tab."""
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda message: self._note(message.text))
        return page

    def _note(self, text: str) -> None:
        # The browser's own line about an answer of 4xx or 5xx is no complaint about the page.
        if not text.startswith("Failed to load resource"):
            self.complaints.append(text)

    def say(self, key: str, **facts: Any) -> str:
        """Return a sentence of the page in this person's language."""
        return SAID[self.lang][key].format(**facts)

    def visit(self, manifest: dict[str, Any], page: Page | None = None, extra: str = "") -> None:
        """Open the survey and wait until the page says something."""
        self.open(self.server.serve(manifest), page, extra)

    def open(self, address: str, page: Page | None = None, extra: str = "") -> None:
        """Open an address and wait until the page says something."""
        page = page or self.page
        page.goto(f"{address}?lang={self.lang}{extra}")
        page.locator("h1").wait_for()

    def press(self, key: str, page: Page | None = None) -> None:
        """Press the button with these words."""
        (page or self.page).get_by_role("button", name=self.say(key), exact=True).click()

    def choose(self, *answers: int, page: Page | None = None) -> None:
        """Tick or select by place, then go on; without any, only go on."""
        page = page or self.page
        for answer in answers:
            page.locator(".choice input").nth(answer).check()
        self.press("next", page)

    def answer(self, *questions: tuple[int, ...], page: Page | None = None) -> None:
        """Begin and answer question by question, up to the screen before the draw."""
        self.press("begin", page)
        for answers in questions:
            self.choose(*answers, page=page)
        self.heading("ready", page)

    def finish(self, page: Page | None = None) -> None:
        """Draw without wheels, so that the review comes at once."""
        (page or self.page).locator(".choice input").check()
        self.press("done", page)
        self.heading("review", page)

    def heading(self, key: str, page: Page | None = None) -> None:
        """Wait for this heading."""
        (page or self.page).get_by_role("heading", level=1, name=self.say(key), exact=True).wait_for()

    def heading_of(self, manifest: dict[str, Any], page: Page | None = None) -> None:
        """Wait for the first screen of this survey."""
        title = manifest["title"][self.lang]
        (page or self.page).get_by_role("heading", level=1, name=title, exact=True).wait_for()

    def shown_body(self, page: Page | None = None) -> str:
        """Return the bytes that the review shows."""
        page = page or self.page
        return page.locator("code.code").text_content() or ""

    def stored(self, page: Page | None = None) -> str:
        """Return everything that the page has put anywhere, as one text."""
        return (page or self.page).evaluate(EVERYTHING_STORED)

    def breaches(self, page: Page | None = None) -> list[str]:
        """Return the breaches of the page's policy so far."""
        return (page or self.page).evaluate("breaches")

    def close(self) -> None:
        """Close the device."""
        self.context.close()

"""Figures of the respondent page in a real Chromium on a slow line and a slow processor."""

import gzip
import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.bench.figures import Figure, median
from tests.bench.intake import TEN
from tests.bench.machine import Unavailable
from tests.bench.sizes import Size
from tests.faults.running import ROOT, environment, web
from tests.faults.seeding import seed
from tests.journeys.browser import EXECUTABLE, chromium

GROUP = "Respondent page (1.6 Mbit/s, 150 ms, processor ÷ 4)"
DIST = ROOT / "frontend" / "dist"
LINE = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}
# When the first question's first answer can be ticked, by the page's own clock; Begin is pressed at once.
QUESTION = """() => new Promise((done) => {
  const look = () => {
    if (document.querySelector(".choice input")) return done(performance.now());
    const begin = [...document.querySelectorAll("main button")].find((one) => one.className.includes("main"))
      ?? document.querySelector("main button:not([lang])");
    if (begin && !begin.dataset.pressed) { begin.dataset.pressed = "1"; begin.click(); }
    requestAnimationFrame(look);
  };
  look();
})"""


def figures(size: Size) -> Iterator[Figure]:
    """Measure the bundle and the time to the first question."""
    if not Path(EXECUTABLE).exists():
        raise Unavailable(f"Chromium was not found at {EXECUTABLE} (Debian: chromium)")
    bundle = _bundle()
    yield Figure(GROUP, "bundle: script and style, gzipped", bundle / 1024, "KiB", "≤ 25")
    with tempfile.TemporaryDirectory(prefix="deniable-bench-") as name:
        folder = Path(name)
        url = f"sqlite:///{folder / 'deniable.sqlite3'}"
        seed(environment(url, folder), slug="ten", questions=TEN)
        with web(url, folder) as base, chromium() as browser:
            visits = [_visit(browser, f"{base}/s/ten/?lang=en") for _ in range(max(3, size.repeats))]
    yield Figure(GROUP, "bytes over the line", median([visit["bytes"] for visit in visits]) / 1024, "KiB")
    yield Figure(GROUP, "requests", median([visit["requests"] for visit in visits]))
    yield Figure(GROUP, "first paint", median([visit["paint"] for visit in visits]) / 1e3, "s")
    seconds = median([visit["question"] for visit in visits]) / 1e3
    yield Figure(GROUP, "first usable question", seconds, "s", "≤ 1.5")


def _bundle() -> int:
    """Return the gzipped size of what the respondent's page loads, building it when it is missing."""
    if not (DIST / "manifest.json").exists():
        if shutil.which("npm") is None:
            raise Unavailable("the page is not built, and npm was not found")
        subprocess.run(["npm", "run", "--silent", "build"], cwd=ROOT / "frontend", check=True)
    known = json.loads((DIST / "manifest.json").read_text())
    entry = known["src/pages/respondent/main.tsx"]
    files = [entry["file"], *entry.get("css", [])]
    return sum(len(gzip.compress((DIST / name).read_bytes(), 9)) for name in files)


def _visit(browser: Any, address: str) -> dict[str, float]:
    context = browser.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    line = context.new_cdp_session(page)
    loaded: list[float] = []
    line.on("Network.loadingFinished", lambda event: loaded.append(event["encodedDataLength"]))
    line.send("Network.enable")
    line.send("Network.setCacheDisabled", {"cacheDisabled": True})
    line.send("Network.emulateNetworkConditions", LINE)
    line.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    page.goto(address, wait_until="commit")
    question = page.evaluate(QUESTION)
    paint = page.evaluate("() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN")
    context.close()
    return {"question": question, "paint": paint, "bytes": sum(loaded), "requests": float(len(loaded))}

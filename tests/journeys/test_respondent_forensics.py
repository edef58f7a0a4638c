"""What a disk tells after an answer: of two answers, the chosen one is nowhere found more often than the other."""

import os
import signal
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.journeys.browser import chromium_on
from tests.journeys.fixture import Server
from tests.journeys.questionnaires import manifest, question, texts
from tests.journeys.respondent import SAID

CHOSEN, OTHER = "Quokkachosen", "Quokkaothers"
LEAK = "addEventListener('change', (e) => { localStorage.last = e.target.parentElement.textContent })"


def marked() -> dict[str, object]:
    """A question whose answers can be told from everything else on a disk."""
    choices = [("a", texts(CHOSEN, CHOSEN)), ("b", texts(OTHER, OTHER))]
    return manifest("marked", [question("q", texts("Which?", "무엇입니까?"), "single", choices)])


def found(folder: Path, word: str) -> int:
    """Count a word in all files of a folder, in the encodings a browser writes."""
    spellings = [word.encode(code) for code in ("utf-8", "utf-16-le", "utf-16-be")]
    files = [path.read_bytes() for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    return sum(data.count(spelling) for data in files for spelling in spellings)


def press(page: Page, key: str) -> None:
    page.get_by_role("button", name=SAID["en"][key], exact=True).click()


def chooses(page: Page, address: str) -> None:
    page.goto(f"{address}?lang=en")
    press(page, "begin")
    page.get_by_label(CHOSEN).check()


def kill(profile: Path) -> None:
    """End the browser of this profile as a crash would, and nothing else."""
    for entry in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            if f"--user-data-dir={profile}".encode() in (entry / "cmdline").read_bytes().split(b"\0"):
                os.kill(int(entry.name), signal.SIGKILL)


def submits(context: BrowserContext, page: Page) -> None:
    press(page, "next")
    page.locator(".choice input").check()
    press(page, "done")
    press(page, "send")
    page.locator(".tick").wait_for()


@pytest.mark.parametrize("end", ["sent", "killed at the question", "killed at the review"])
def test_the_profile_does_not_tell_the_answer(server: Server, tmp_path: Path, end: str) -> None:
    address = server.serve(marked())
    with suppress(Exception), chromium_on(tmp_path / "profile") as context:
        page = context.new_page()
        chooses(page, address)
        if end == "sent":
            submits(context, page)
        else:
            if "review" in end:
                press(page, "next")
                page.locator(".choice input").check()
                press(page, "done")
                page.locator(".code").wait_for(state="attached")
            # Long enough for what the browser writes by and by.
            page.wait_for_timeout(3000)
            kill(tmp_path / "profile")
    assert any((tmp_path / "profile").rglob("*")), "no profile was written"
    assert found(tmp_path / "profile", CHOSEN) == found(tmp_path / "profile", OTHER)


def test_control_a_page_that_writes_the_answer_down_is_found(server: Server, tmp_path: Path) -> None:
    address = server.serve(marked())
    with chromium_on(tmp_path / "profile") as context:
        context.add_init_script(LEAK)
        chooses(context.new_page(), address)
    assert found(tmp_path / "profile", CHOSEN) > found(tmp_path / "profile", OTHER)

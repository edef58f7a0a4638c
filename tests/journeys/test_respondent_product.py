"""A respondent at the real product: its document, its headers, its intake."""

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Request

from surveys.wire.fingerprint import fingerprint_of
from surveys.wire.packing import Layout
from tests import cast
from tests.faults.running import environment, web
from tests.faults.seeding import seed
from tests.journeys.fixture import Server
from tests.journeys.respondent import Respondent
from tests.journeys.test_respondent_access import findings

QUESTIONS = [cast.COIN, cast.SINGLE, cast.LIKERT, cast.NOTE, cast.MULTIPLE]


@dataclass
class Product:
    """Where it is served, what it asks, and its database."""

    address: str
    manifest: dict[str, Any]
    database: Path

    def count(self, table: str) -> int:
        """Count the rows of a table."""
        with closing(sqlite3.connect(self.database)) as connection:
            return int(connection.execute(f"select count(*) from {table}").fetchone()[0])


@pytest.fixture(scope="module")
def product(bundle: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    folder = tmp_path_factory.mktemp("product")
    shutil.copytree(bundle, folder / "dist")
    (folder / "dist" / "respondent.json").rename(folder / "dist" / "manifest.json")
    url, more = f"sqlite:///{folder / 'db.sqlite3'}", {"FRONTEND_DIST": str(folder / "dist")}
    manifest = seed(environment(url, folder, **more), questions=QUESTIONS)
    with web(url, folder, **more) as base:
        yield Product(f"{base}/s/habits/", manifest, folder / "db.sqlite3")


@pytest.mark.parametrize("lang", ["en", "ko"])
def test_a_respondent_answers_the_real_survey(
    browser: Browser, server: Server, product: Product, lang: str
) -> None:
    before = product.count("surveys_spent")
    minji = Respondent(browser, server, lang, options={"reduced_motion": "reduce"})
    asked: list[Request] = []
    minji.page.on("request", lambda request: asked.append(request))
    minji.open(product.address, extra="#f=" + fingerprint_of(product.manifest))
    found = findings(minji, "welcome")
    minji.answer((0,), (), (2,), (), (1,))
    minji.press("done")
    for turn in range(4):
        minji.page.locator(".sent").first.wait_for()
        found += findings(minji, f"wheel {turn}")
        minji.press("next" if turn < 3 else "check")
    body = minji.shown_body()
    minji.press("send")
    minji.heading("thanks")
    found += findings(minji, "receipt")
    minji.page.reload()
    minji.heading("already")
    minji.close()
    assert found == []
    Layout.of(product.manifest).pack(json.loads(body)["reports"])
    assert [request.post_data for request in asked if request.method == "POST"] == [body]
    assert {request.url.split("/")[2] for request in asked if request.url.startswith("http")} == {
        product.address.split("/")[2]
    }
    assert product.count("surveys_spent") == before + 1


def test_a_lost_connection_to_the_real_server_stores_the_report_once(
    browser: Browser, server: Server, product: Product
) -> None:
    before = product.count("surveys_spent")
    minji = Respondent(browser, server, options={"reduced_motion": "reduce"})
    minji.open(product.address)
    minji.answer((0,), (), (2,), (), (1,))
    minji.finish()
    body = minji.shown_body()

    def lose(route: Any) -> None:
        # The server stores it, and the answer never arrives.
        assert route.fetch().status == 201
        route.abort()

    minji.context.route("**/reports/", lose, times=1)
    minji.press("send")
    minji.heading("unsent")
    assert product.count("surveys_spent") == before + 1
    minji.page.reload()
    minji.heading("review")
    assert minji.shown_body() == body
    minji.press("send")
    minji.heading("thanks")
    minji.close()
    assert product.count("surveys_spent") == before + 1

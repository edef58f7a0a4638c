"""What the README tells a newcomer to type and expect holds, alike in both languages."""

import json
import re
import shlex
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.test import Client
from django.utils.translation import gettext, override

from aggregator import tasks
from surveys.demo.registering import GENERATOR
from surveys.management.commands.simulate import Command
from surveys.services.publishing import draft_manifest
from surveys.services.tokens import token_create
from surveys.simulation.truths import people_from
from tests import cast, people

ROOT = Path(__file__).parents[2]
READMES = ("README.md", "README.ko.md")


def lines_of(name: str) -> list[str]:
    """Return the two lines that let simulated people answer."""
    block = re.search(r"```sh\n(printf .*?)```", (ROOT / name).read_text(), re.DOTALL)
    assert block is not None
    return block[1].splitlines()


@pytest.mark.parametrize("name", READMES)
def test_the_line_that_simulates_people_can_be_typed(name: str, owner: Any, tmp_path: Path) -> None:
    table, line = lines_of(name)
    typed = shlex.split(line)
    assert typed[:3] == [".venv/bin/python", "manage.py", "simulate"]
    options = vars(Command().create_parser("manage.py", "simulate").parse_args(typed[3:]))
    assert (options["slug"], options["truth"], options["n"]) == ("habits", Path("shares.csv"), 200)
    survey = cast.draft(owner)
    (tmp_path / "shares.csv").write_text(shlex.split(table)[1].replace("\\n", "\n"))
    manifest = draft_manifest(survey, list(survey.questions.all()))
    assert people_from(tmp_path / "shares.csv", manifest, []).draw()[0] in (0, 1)  # type: ignore[union-attr]


@pytest.mark.parametrize("name", READMES)
def test_how_many_answers_results_need_is_said_in_the_steps(name: str) -> None:
    steps = (ROOT / name).read_text().split("```sh\nprintf")[0].split("1. **")[1]
    assert str(settings.MINIMUM_N) in steps


@pytest.mark.parametrize("name", READMES)
def test_the_query_of_the_script_is_charged_and_answered(
    name: str, owner: Any, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "wake_query", lambda run_id: None)
    typed = re.findall(r"^curl (?:.*\\\n)*.*$", (ROOT / name).read_text(), re.MULTILINE)
    asking, reading = (shlex.split(one) for one in typed if "/sources/" in one or "/api/v1/queries/" in one)
    sent, where = asking[asking.index("-d") + 1], urlsplit(asking[-1]).path
    token = {"HTTP_AUTHORIZATION": f"Token {token_create(actor=owner)}"}
    answer = client.post(where, sent, content_type="application/json", **token)  # type: ignore[arg-type]
    assert (answer.status_code, people.micro_spent()) == (201, 100_000)
    read = re.sub(r"/[^/]+/$", f"/{answer.json()['id']}/", urlsplit(reading[-1]).path)
    assert client.get(read, **token).json()["sql"] == json.loads(sent)["sql"]  # type: ignore[arg-type]


@pytest.mark.parametrize("name", READMES)
def test_what_a_token_costs_and_what_the_demo_needs_is_said(name: str) -> None:
    script, people_asked = (ROOT / name).read_text().split("\n## ")[3:5]
    assert ("영원히" if "ko" in name else "for ever") in script
    assert f"pip install {GENERATOR}" in people_asked


@pytest.mark.parametrize("action", ["Preview", "Try it", "Publish"])
def test_actions_have_the_same_name_in_the_readme_and_on_the_pages(action: str) -> None:
    with override("ko"):
        name = gettext(action)
    assert name in ("미리 보기", "시험해 보기", "게시")
    assert f"**{name}**" in (ROOT / "README.ko.md").read_text()

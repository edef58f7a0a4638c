"""What the README tells a newcomer to type and expect holds, alike in both languages."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.utils.translation import gettext, override

from surveys.management.commands.simulate import Command
from surveys.services.publishing import draft_manifest
from surveys.simulation.truths import people_from
from tests import cast

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


@pytest.mark.parametrize("action", ["Preview", "Try it", "Publish"])
def test_actions_have_the_same_name_in_the_readme_and_on_the_pages(action: str) -> None:
    with override("ko"):
        name = gettext(action)
    assert name in ("미리 보기", "시험해 보기", "게시")
    assert f"**{name}**" in (ROOT / "README.ko.md").read_text()

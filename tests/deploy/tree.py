"""A checkout in miniature, in which the commands of the preparation are written down instead of run."""

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from deploy import prepare

FILES = (
    "requirements.lock",
    "requirements-dev.lock",
    "frontend/package-lock.json",
    "frontend/package.json",
    "frontend/src/page.ts",
    "surveys/locale/ko/LC_MESSAGES/django.po",
)


@dataclass
class Tree:
    """The checkout, what was run in it, and which steps are to fail."""

    root: Path
    ran: list[list[str]] = field(default_factory=list)
    failing: set[str] = field(default_factory=set)
    pip: bool = True

    def names(self) -> list[str]:
        """Give the steps taken, in order."""
        return [step_of(command) for command in self.ran]

    def run(self, command: Sequence[str | Path], **options: object) -> "subprocess.CompletedProcess[str]":
        """Write the command down and leave the files that it would make."""
        words = [str(word) for word in command]
        if words[:2] == ["node", "--version"]:
            return subprocess.CompletedProcess(words, 0, "v20.0.0\n")
        if words[1:] == ["-c", "import pip"]:
            return subprocess.CompletedProcess(words, 0 if self.pip else 1)
        self.ran.append(words)
        step = step_of(words)
        if step in self.failing:
            return subprocess.CompletedProcess(words, 1)
        for made in MADE.get(step, ()):
            (self.root / made).parent.mkdir(parents=True, exist_ok=True)
            (self.root / made).write_text("made")
        return subprocess.CompletedProcess(words, 0)


MADE = {
    "venv": [".venv/bin/python"],
    "npm ci": ["frontend/node_modules/x"],
    "npm run": ["frontend/dist/manifest.json"],
    "compile_catalogues": ["surveys/locale/ko/LC_MESSAGES/django.mo"],
}


def step_of(command: Sequence[str]) -> str:
    """Give a short name of a command."""
    if "apt-get" in command:
        return "apt-get install" if "install" in command else "apt-get update"
    if command[0] == "npm":
        return " ".join(command[:2])
    return "venv" if "venv" in command else "pip" if "pip" in command else command[-1]


def planted(root: Path, monkeypatch: pytest.MonkeyPatch) -> Tree:
    """Lay the files and put the checkout in the place of the real one."""
    for name in FILES:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name)
    tree = Tree(root)
    moved = {
        "ROOT": root,
        "VENV": root / ".venv",
        "PYTHON": root / ".venv" / "bin" / "python",
        "FRONTEND": root / "frontend",
        "STAMPS": root / ".venv" / "prepared",
    }
    for name, value in moved.items():
        monkeypatch.setattr(prepare, name, value)
    monkeypatch.setattr(prepare.subprocess, "run", tree.run)
    return tree

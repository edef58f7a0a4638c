"""A checkout is prepared once, and again only when what it was made from changed."""

import subprocess
from pathlib import Path

import pytest

from deploy import prepare
from tests.deploy.tree import Tree, planted


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tree:
    """Return a small checkout whose commands are only written down."""
    return planted(tmp_path, monkeypatch)


def test_a_fresh_checkout_takes_every_step(tree: Tree) -> None:
    prepare.prepare(dev=False)
    assert tree.names() == ["venv", "pip", "npm ci", "npm run", "compile_catalogues"]


def test_a_second_start_takes_no_step(tree: Tree) -> None:
    prepare.prepare(dev=False)
    tree.ran.clear()
    prepare.prepare(dev=False)
    assert tree.names() == []


@pytest.mark.parametrize(
    ("path", "step"),
    [
        ("requirements.lock", "pip"),
        ("frontend/package-lock.json", "npm ci"),
        ("frontend/src/page.ts", "npm run"),
        ("surveys/locale/ko/LC_MESSAGES/django.po", "compile_catalogues"),
    ],
)
def test_a_changed_source_is_made_again(tree: Tree, path: str, step: str) -> None:
    prepare.prepare(dev=False)
    tree.ran.clear()
    (tree.root / path).write_text("changed")
    prepare.prepare(dev=False)
    assert step in tree.names()


def test_a_file_touched_but_not_changed_is_not_made_again(tree: Tree) -> None:
    prepare.prepare(dev=False)
    tree.ran.clear()
    (tree.root / "requirements.lock").write_bytes((tree.root / "requirements.lock").read_bytes())
    prepare.prepare(dev=False)
    assert tree.names() == []


def test_development_packages_serve_a_run_as_well(tree: Tree) -> None:
    prepare.prepare(dev=True)
    tree.ran.clear()
    prepare.prepare(dev=False)
    assert tree.names() == []


def test_a_run_does_not_serve_development(tree: Tree) -> None:
    prepare.prepare(dev=False)
    tree.ran.clear()
    prepare.prepare(dev=True)
    assert tree.names() == ["pip"]


def test_a_failed_installation_is_tried_again(tree: Tree) -> None:
    tree.failing.add("pip")
    with pytest.raises(prepare.Unprepared, match="needs a network"):
        prepare.prepare(dev=False)
    tree.failing.clear()
    tree.ran.clear()
    prepare.prepare(dev=False)
    assert "pip" in tree.names()


def test_packages_are_checked_against_their_hashes(tree: Tree) -> None:
    prepare.prepare(dev=False)
    assert any("--require-hashes" in command for command in tree.ran)


def test_an_old_python_is_told_what_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepare, "PYTHON_FLOOR", (99, 0))
    with pytest.raises(prepare.Unprepared, match="Python 3.11 or newer is needed"):
        prepare.need_programs()


def test_an_old_node_is_told_what_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepare, "NODE_FLOOR", 999)
    with pytest.raises(prepare.Unprepared, match="Node 999 or newer is needed; this is v"):
        prepare.need_programs()


def test_a_missing_node_is_told_what_is_needed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(prepare.Unprepared, match="Node 20 or newer"):
        prepare.need_programs()


def test_a_person_reads_one_sentence_and_no_traceback(tree: Tree, capsys: pytest.CaptureFixture[str]) -> None:
    tree.failing.add("npm ci")
    assert prepare.main([]) == 1
    assert "The npm packages could not be installed" in capsys.readouterr().err


def test_preparing_needs_nothing_but_the_standard_library() -> None:
    program = "import sys; sys.argv = ['prepare', '--help']; import runpy; runpy.run_path(sys.argv.pop(), run_name='x')"
    bare = ["python3", "-I", "-S", "-c", program.replace("'--help'", f"{prepare.__file__!r}")]
    assert subprocess.run(bare, capture_output=True, check=False).returncode == 0

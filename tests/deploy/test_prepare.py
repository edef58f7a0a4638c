"""A checkout is prepared once, and again only when what it was made from changed."""

import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from deploy import prepare
from tests.deploy.test_processes import wait_until
from tests.deploy.tree import Tree, planted, step_of


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


@pytest.fixture
def bare(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> Tree:
    """Return the checkout on Debian without python3-venv: `venv` is there, what puts pip into it is not."""
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    monkeypatch.setattr(prepare.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(prepare.os, "geteuid", lambda: 1000)
    return tree


def brought(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the package bring what is missing, to whom may install it."""
    run = tree.run

    def bringing(command: Any, **options: Any) -> Any:
        if step_of([str(word) for word in command]) == "apt-get install":
            monkeypatch.delitem(sys.modules, "ensurepip")
        return run(command, **options)

    monkeypatch.setattr(prepare.os, "geteuid", lambda: 0)
    monkeypatch.setattr(prepare.subprocess, "run", bringing)


@pytest.mark.parametrize("arguments", [[], ["--dev"]])
def test_without_venv_a_person_reads_one_line_and_nothing_is_begun(
    bare: Tree, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    assert prepare.main(arguments) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.strip() == prepare.NO_VENV
    assert "apt-get install python3-venv" in said.err
    assert "\n" not in said.err.strip()
    assert bare.names() == []


def test_tests_run_by_root_install_venv_before_it_is_needed(
    bare: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    brought(bare, monkeypatch)
    prepare.prepare(dev=True)
    assert bare.names()[:3] == ["apt-get update", "apt-get install", "venv"]


def test_a_run_by_root_installs_no_package(bare: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    brought(bare, monkeypatch)
    with pytest.raises(prepare.Unprepared, match="python3-venv"):
        prepare.prepare(dev=False)
    assert bare.names() == []


def test_a_package_that_does_not_help_is_told(bare: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepare.os, "geteuid", lambda: 0)
    with pytest.raises(prepare.Unprepared, match="python3-venv"):
        prepare.prepare(dev=True)
    assert "venv" not in bare.names()


def test_an_environment_without_pip_is_made_anew(tree: Tree) -> None:
    prepare.prepare(dev=False)
    tree.ran.clear()
    tree.pip = False
    prepare.prepare(dev=False)
    assert tree.names()[:1] == ["venv"]


def test_who_waits_for_another_preparation_is_told(tree: Tree, capsys: pytest.CaptureFixture[str]) -> None:
    with prepare.one_at_a_time():
        assert capsys.readouterr().out == ""
        waiting = threading.Thread(target=prepare.main, args=([],), daemon=True)
        waiting.start()
        wait_until(lambda: "Waiting for another preparation" in capsys.readouterr().out)
        assert tree.names() == []
    waiting.join(30)
    assert tree.names() != []


def test_a_person_reads_one_sentence_and_no_traceback(tree: Tree, capsys: pytest.CaptureFixture[str]) -> None:
    tree.failing.add("npm ci")
    assert prepare.main([]) == 1
    assert "The npm packages could not be installed" in capsys.readouterr().err


def test_preparing_needs_nothing_but_the_standard_library() -> None:
    program = "import sys; sys.argv = ['prepare', '--help']; import runpy; runpy.run_path(sys.argv.pop(), run_name='x')"
    bare = ["python3", "-I", "-S", "-c", program.replace("'--help'", f"{prepare.__file__!r}")]
    assert subprocess.run(bare, capture_output=True, check=False).returncode == 0

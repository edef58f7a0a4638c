"""The product's source as a mapping from path to text, so that a rule can be tried on planted files too."""

import ast
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
Files = Mapping[str, str]

FLOORS = ("privacy", "surveys", "aggregator", "deploy")


def tracked() -> list[str]:
    """Give every path that git knows or would add, relative to the root."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return sorted(path for path in listed.stdout.split("\0") if path and (ROOT / path).is_file())


def files(*suffixes: str, under: tuple[str, ...] = ()) -> dict[str, str]:
    """Give path → text of the tracked files with these suffixes below these folders."""
    return {
        path: (ROOT / path).read_text(encoding="utf-8")
        for path in tracked()
        if path.endswith(suffixes) and (not under or path.split("/")[0] in under or path.startswith(under))
    }


def product() -> dict[str, str]:
    """Give the Python files of the four floors, generated migrations aside."""
    return {path: text for path, text in files(".py", under=FLOORS).items() if "/migrations/" not in path}


def functions(text: str) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Walk every function and method."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count a function's lines from `def` to its end, its docstring aside."""
    last = function.end_lineno or function.lineno
    words = function.body[0]
    documented = ast.get_docstring(function) is not None
    said = (words.end_lineno or words.lineno) - words.lineno + 1 if documented else 0
    return last - function.lineno + 1 - said

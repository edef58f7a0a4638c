"""The rules of the house, each a function from files to what breaks it."""

import ast
import re
import statistics
from collections.abc import Iterator

from tests.architecture.source import FLOORS, Files, functions, length

# What mathematics has no business with: frameworks, files, clocks, networks, and randomness that is not secure.
NOT_FOR_PRIVACY = {
    "asyncio", "celery", "django", "environ", "http", "io", "kombu", "logging", "msgspec", "pathlib",
    "psycopg", "random", "redis", "rest_framework", "shutil", "socket", "sqlite3", "subprocess", "sys", "tempfile",
    "threading", "time", "urllib",
}  # fmt: skip
# A date is a value; which one it is today is asked of a clock.
CLOCK = {"fromtimestamp", "now", "today", "utcnow"}
# The one door to the machine: os.urandom.
MAY_USE_OS = {"privacy/bits.py"}
STOPWATCH = re.compile(r"perf_counter(_ns)?\(|process_time(_ns)?\(")
INSECURE = re.compile(r"\bMath\.random\b|\b(?:np|numpy)\.random\b|^\s*(?:import|from) random\b", re.MULTILINE)
LONGEST_FILE, LONGEST_FUNCTION, MEDIAN_FUNCTION = 400, 40, 8


def imports(text: str) -> Iterator[tuple[int, str]]:
    """Give line and dotted name of everything imported, inside functions too."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, name.name) for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.lineno, node.module


def upward_imports(files: Files) -> list[str]:
    """Name every import from a lower floor to a higher one, and every import of tests."""
    found = []
    for path, text in files.items():
        floor = FLOORS.index(path.split("/")[0])
        above = {*FLOORS[floor + 1 :], "tests"}
        found += [
            f"{path}:{line} imports {name}" for line, name in imports(text) if name.split(".")[0] in above
        ]
    return found


def impure_mathematics(files: Files) -> list[str]:
    """Name everything in privacy/ that knows a framework, a file, a clock, a network or a weak random source."""
    found = []
    for path, text in files.items():
        banned = NOT_FOR_PRIVACY | (set() if path in MAY_USE_OS else {"os", "secrets"})
        found += [
            f"{path}:{line} imports {name}" for line, name in imports(text) if name.split(".")[0] in banned
        ]
        found += [
            f"{path}:{node.lineno} calls {node.func.id}"
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in {"open", "print", "input"}
        ]
        found += [
            f"{path}:{node.lineno} calls {node.func.attr}"
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CLOCK
        ]
    return found


def insecure_randomness(files: Files) -> list[str]:
    """Name every use of a random source that is not made for secrets."""
    return [
        f"{path}:{text.count(chr(10), 0, hit.start()) + 1} {hit.group().strip()}"
        for path, text in files.items()
        for hit in INSECURE.finditer(text)
    ]


def timed_tests(files: Files) -> list[str]:
    """Name every test that reads a stopwatch: how long something takes is for the benchmarks to say."""
    return [path for path, text in files.items() if "/test_" in path and STOPWATCH.search(text)]


def long_files(files: Files) -> list[str]:
    """Name every file of more lines than a reader keeps in mind."""
    return [f"{path}: {lines}" for path, text in files.items() if (lines := text.count("\n")) > LONGEST_FILE]


def long_functions(files: Files) -> list[str]:
    """Say so when the median function, or one in twenty, is longer than aimed at."""
    lengths = sorted(
        (length(function), f"{path}:{function.lineno} {function.name}")
        for path, text in files.items()
        for function in functions(text)
    )
    if not lengths:
        return []
    found = []
    median = statistics.median(lines for lines, _ in lengths)
    if median > MEDIAN_FUNCTION:
        found.append(f"the median function has {median} lines")
    above = [entry for entry in lengths if entry[0] > LONGEST_FUNCTION]
    if len(above) > 0.05 * len(lengths):
        found += [f"{name}: {lines}" for lines, name in above]
    return found


def undocumented(files: Files) -> list[str]:
    """Name every public module, class and function without a docstring."""
    found = []
    for path, text in files.items():
        tree = ast.parse(text)
        if ast.get_docstring(tree) is None and text.strip():
            found.append(path)
        found += [
            f"{path}:{node.lineno} {node.name}" for node in _public(tree) if ast.get_docstring(node) is None
        ]
    return found


def _public(
    scope: ast.Module | ast.ClassDef,
) -> Iterator[ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in scope.body:
        if isinstance(
            node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        ) and not node.name.startswith("_"):
            # An overload is documented where it is implemented.
            if not any("overload" in ast.unparse(one) for one in node.decorator_list):
                yield node
            if isinstance(node, ast.ClassDef):
                yield from _public(node)


def settings_read(files: Files) -> set[str]:
    """Give the name of every environment variable that the settings read."""
    call = re.compile(r"\benv(?:\.\w+)?\(\s*\"([A-Z_]+)\"|environ(?:\.get\(|\[)\s*\"([A-Z_]+)\"")
    return {name or other for text in files.values() for name, other in call.findall(text)}


def undocumented_settings(names: set[str], example: str, readme: str) -> list[str]:
    """Name every setting that env.example does not show or README.md does not explain."""
    shown = set(re.findall(r"^#?\s?([A-Z_]+)=", example, re.MULTILINE))
    explained = set(re.findall(r"`([A-Z_]+)`", readme))
    return [
        *(f"{name} is not in env.example" for name in sorted(names - shown)),
        *(f"{name} is not in README.md" for name in sorted(names - explained)),
    ]


def registry_hosts(files: Files) -> list[str]:
    """Name every place where a tracked file names a host that packages are downloaded from."""
    # Written apart, so that this file does not name one itself.
    hosts = ("pypi" + ".org", "python" + "hosted.org", "npm" + "js.org", "npm" + "js.com", "yarn" + "pkg.com")
    return [
        f"{path}:{number}"
        for path, text in files.items()
        for number, line in enumerate(text.splitlines(), 1)
        if any(host in line for host in hosts)
    ]


def lock_addresses(files: Files) -> list[str]:
    """Name every place where a lock file names an address, were it only one that asks for donations."""
    locks = {path: text for path, text in files.items() if path.endswith((".lock", "lock.json"))}
    return [
        f"{path}:{number}"
        for path, text in locks.items()
        for number, line in enumerate(text.splitlines(), 1)
        if re.search("https?:" + "//", line)
    ]


def strange_folders(paths: list[str]) -> list[str]:
    """Name every top-level folder that the architecture does not list."""
    known = {*FLOORS, "frontend", "tests", ".ci"}
    return sorted({path.split("/")[0] for path in paths if "/" in path} - known)

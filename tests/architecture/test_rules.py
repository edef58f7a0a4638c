"""The house stands: floors, sizes, words, randomness. Each rule is tried on a planted violation as well."""

import pytest
from hypothesis import settings

from tests.architecture import rules
from tests.architecture.source import ROOT, files, product, tracked

TYPESCRIPT = ("frontend/src/",)


def test_no_floor_imports_the_one_above() -> None:
    assert rules.upward_imports(product()) == []


def test_privacy_knows_no_framework_and_no_machine() -> None:
    assert rules.impure_mathematics(files(".py", under=("privacy",))) == []


def test_randomness_is_secure_wherever_privacy_could_depend_on_it() -> None:
    looked_at = files(".py", under=("privacy", "surveys", "aggregator")) | files(
        ".ts", ".tsx", under=TYPESCRIPT
    )
    assert rules.insecure_randomness(looked_at) == []


def test_mathematics_in_typescript_knows_no_page_and_no_wire() -> None:
    twins = files(".ts", under=("frontend/src/privacy/",))
    assert twins
    assert [
        path for path, text in twins.items() if "/pages/" in text or "/wire/" in text or "document." in text
    ] == []


def test_no_test_is_judged_by_the_clock() -> None:
    assert rules.timed_tests(files(".py", under=("tests",))) == []
    assert settings().deadline is None


def test_a_reader_keeps_any_file_in_mind() -> None:
    looked_at = product() | files(".py", under=("tests",)) | files(".ts", ".tsx", under=("frontend",))
    assert rules.long_files(looked_at) == []


def test_functions_are_short() -> None:
    assert rules.long_functions(product()) == []


def test_every_public_name_says_what_it_promises() -> None:
    assert rules.undocumented(product()) == []


def test_every_setting_is_shown_and_explained() -> None:
    names = rules.settings_read(files(".py", under=("deploy", "surveys", "aggregator")))
    assert "DATABASE_URL" in names
    example, readme = (ROOT / "deploy" / name for name in ("env.example", "README.md"))
    # Django's own switch, set by the servers' entry points.
    names -= {"DJANGO_SETTINGS_MODULE"}
    assert rules.undocumented_settings(names, example.read_text(), readme.read_text()) == []


def test_no_file_names_a_registry() -> None:
    text = (
        ".py",
        ".ts",
        ".tsx",
        ".json",
        ".lock",
        ".toml",
        ".yaml",
        ".yml",
        ".md",
        ".npmrc",
        ".mjs",
        "Makefile",
        "run",
    )
    assert rules.registry_hosts(files(*text)) == []


def test_no_lock_file_names_an_address() -> None:
    assert rules.lock_addresses(files(".lock", ".json")) == []


def test_no_top_level_folder_beyond_the_house() -> None:
    assert rules.strange_folders(tracked()) == []


@pytest.mark.parametrize(
    ("rule", "path", "text"),
    [
        (rules.upward_imports, "surveys/a.py", "from aggregator.tasks import sweep\n"),
        (rules.upward_imports, "privacy/a.py", "def f():\n    import surveys\n"),
        (rules.upward_imports, "deploy/a.py", "import tests.services\n"),
        (rules.impure_mathematics, "privacy/a.py", "from django.conf import settings\n"),
        (rules.impure_mathematics, "privacy/a.py", "import os\n"),
        (rules.impure_mathematics, "privacy/a.py", "import random\n"),
        (rules.impure_mathematics, "privacy/a.py", "print(1)\n"),
        (rules.impure_mathematics, "privacy/a.py", "import datetime\ndatetime.date.today()\n"),
        (rules.insecure_randomness, "privacy/a.py", "import numpy as np\nnp.random.default_rng()\n"),
        (rules.insecure_randomness, "surveys/a.py", "def f():\n    from random import choice\n"),
        (rules.insecure_randomness, "frontend/src/a.ts", "const coin = Math.random() < 0.5;\n"),
        (rules.timed_tests, "tests/a/test_a.py", "import time\nbegan = time.perf_" + "counter()\n"),
        (rules.long_files, "surveys/a.py", "x = 1\n" * 401),
        (rules.long_functions, "surveys/a.py", "def f():\n" + "    x = 1\n" * 41),
        (rules.undocumented, "surveys/a.py", '"""A module."""\ndef f():\n    pass\n'),
        (
            rules.undocumented,
            "surveys/a.py",
            '"""A module."""\nclass A:\n    """A."""\n    def f(self): pass\n',
        ),
        (rules.registry_hosts, "requirements.lock", "--index-url https://" + "pypi" + ".org/simple\n"),
        (rules.lock_addresses, "a/package-lock.json", '"url": "https:' + '//example.org/"\n'),
    ],
)
def test_a_planted_violation_is_found(rule, path, text) -> None:
    assert len(rule({path: text})) >= 1


def test_a_planted_folder_is_found() -> None:
    assert rules.strange_folders(["privacy/a.py", "scripts/a.py", "README.md"]) == ["scripts"]


def test_a_planted_setting_is_found() -> None:
    read = rules.settings_read(
        {"deploy/settings.py": 'A = env.int("POOL_SIZE", default=5)\nB = os.environ["HOST"]'}
    )
    assert read == {"POOL_SIZE", "HOST"}
    assert rules.undocumented_settings(read, "POOL_SIZE=50\n", "`HOST` is …") == [
        "HOST is not in env.example",
        "POOL_SIZE is not in README.md",
    ]

"""What is made from something else is up to date: schema, migrations, catalogues, lock files."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import polib
import pytest

from tests.architecture import lists, rules
from tests.architecture.source import ROOT, product, tracked

SERVER = {"aggregator", "deploy", "manage.py", "privacy", "surveys"}
SCHEMA = ROOT / "surveys" / "api" / "openapi.yaml"


def manage(root: Path, var: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command of Django's in a checkout, with a folder of running files of its own."""
    environment = {
        **os.environ,
        "DENIABLE_VAR": str(var),
        "DATABASE_URL": f"sqlite:///{var / 'check.sqlite3'}",
    }
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a copy of the server's source that may be changed."""
    for path in tracked():
        # The words of a fingerprint are the one file that server and page share.
        if path.split("/")[0] in SERVER or path.endswith("/words.json"):
            target = tmp_path / "copy" / path
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / path, target)
    return tmp_path / "copy"


def test_the_published_schema_is_the_one_the_code_makes(tmp_path: Path) -> None:
    made = tmp_path / "openapi.yaml"
    done = manage(ROOT, tmp_path, "spectacular", "--validate", "--fail-on-warn", "--file", str(made))
    assert done.returncode == 0, done.stderr
    assert made.read_text(encoding="utf-8") == SCHEMA.read_text(encoding="utf-8"), "run: make openapi"


def test_every_change_of_a_table_has_its_migration(tmp_path: Path) -> None:
    done = manage(ROOT, tmp_path, "makemigrations", "--check", "--dry-run")
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_table_changed_without_a_migration_is_found(copy: Path, tmp_path: Path) -> None:
    models = copy / "surveys" / "models" / "account.py"
    models.write_text(models.read_text().replace("default=False", "default=True"))
    assert manage(copy, tmp_path, "makemigrations", "--check", "--dry-run").returncode == 1


def extracted(copy: Path, var: Path) -> polib.POFile:
    """Give the Korean catalogue brought up to date with every text in the source."""
    done = manage(copy, var, "makemessages", "--locale", "ko", "--no-obsolete", "--no-location")
    assert done.returncode == 0, done.stderr
    return polib.pofile(str(next(copy.rglob("locale/ko/LC_MESSAGES/django.po"))))


def test_every_text_of_the_server_speaks_korean(copy: Path, tmp_path: Path) -> None:
    assert lists.untranslated(extracted(copy, tmp_path)) == []


def test_a_text_that_nobody_translated_is_found(copy: Path, tmp_path: Path) -> None:
    planted = copy / "surveys" / "planted.py"
    planted.write_text('from django.utils.translation import gettext as _\nTEXT = _("A planted text")\n')
    assert "A planted text" in lists.untranslated(extracted(copy, tmp_path))


@pytest.mark.parametrize(
    "entry",
    [
        polib.POEntry(msgid="Log in", msgstr=""),
        polib.POEntry(msgid="Log in", msgstr="로그인", flags=["fuzzy"]),
        polib.POEntry(msgid="%(n)s answers", msgstr="%(m)s명"),
        polib.POEntry(msgid="{n} answers", msgstr="명"),
    ],
    ids=["empty", "fuzzy", "another placeholder", "no placeholder"],
)
def test_an_unfinished_translation_is_found(entry: polib.POEntry) -> None:
    catalogue = polib.POFile()
    catalogue.append(entry)
    assert lists.untranslated(catalogue) == [entry.msgid]


def test_the_respondent_page_says_the_same_things_in_both_languages() -> None:
    folder = ROOT / "frontend" / "src" / "i18n"
    english, korean = (
        json.loads((folder / f"{language}.json").read_text(encoding="utf-8")) for language in ("en", "ko")
    )
    assert len(english) > 0
    assert lists.catalogues_that_differ(english, korean) == []


def test_a_text_in_one_language_only_is_found() -> None:
    assert lists.catalogues_that_differ({"a": {"b": "x"}, "c": "y"}, {"a": {"b": " "}}) == ["a.b", "c"]


def asked_for(*, dev: bool) -> list[str]:
    """Give what pyproject.toml asks for."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return [*project["project"]["dependencies"], *(project["dependency-groups"]["dev"] if dev else [])]


@pytest.mark.parametrize(("name", "dev"), [("requirements.lock", False), ("requirements-dev.lock", True)])
def test_the_python_locks_hold_what_the_project_asks_for(name: str, dev: bool) -> None:
    assert lists.lock_out_of_step(asked_for(dev=dev), (ROOT / name).read_text(encoding="utf-8")) == [], (
        "run: make lock"
    )


def test_tests_run_on_the_versions_that_the_service_runs_on() -> None:
    runtime, dev = (
        (ROOT / name).read_text(encoding="utf-8") for name in ("requirements.lock", "requirements-dev.lock")
    )
    assert lists.locks_that_differ(runtime, dev) == []


def test_a_lock_out_of_step_is_found() -> None:
    lock = (
        "django==4.2 \\\n    --hash=sha256:aa\n    # via deniable (pyproject.toml)\n"
        "honcho==2.0 \\\n    --hash=sha256:aa\n    # via deniable (pyproject.toml)\n"
        "numpy==2.0\n"
    )
    assert lists.lock_out_of_step(["Django>=5.2", "celery"], lock) == [
        "celery is not locked",
        "django 4.2 does not fit >=5.2",
        "honcho is locked and no longer asked for",
        "numpy has no hash",
    ]
    assert lists.locks_that_differ("a==1\nb==2\n", "a==1\nb==3\n") == ["b"]


def test_the_service_asks_for_every_package_that_it_imports() -> None:
    imported = {name.split(".")[0] for text in product().values() for _, name in rules.imports(text)}
    # Simulated respondents may be read from SPSS files where a developer installed the reader.
    imported -= {"pyreadstat"}
    assert lists.imports_not_asked_for(imported, asked_for(dev=False), packages_distributions()) == []


def test_an_import_that_nobody_asked_for_is_found() -> None:
    offers = {"yaml": ["PyYAML"], "django": ["Django"], "rest_framework": ["djangorestframework"]}
    asked = ["Django>=5", "djangorestframework"]
    assert lists.imports_not_asked_for({"yaml", "django", "rest_framework", "os"}, asked, offers) == ["yaml"]


def test_the_npm_lock_holds_what_the_frontend_asks_for() -> None:
    package, lock = (
        json.loads((ROOT / "frontend" / name).read_text(encoding="utf-8"))
        for name in ("package.json", "package-lock.json")
    )
    root = lock["packages"][""]
    for kind in ("dependencies", "devDependencies"):
        assert root.get(kind, {}) == package.get(kind, {}), "run: npm install in frontend/"
    assert [name for name, entry in lock["packages"].items() if "resolved" in entry] == []

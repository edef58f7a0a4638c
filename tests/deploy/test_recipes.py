"""The recipes of deploy/: they parse, start what exists, and let nobody's address through."""

import re
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.architecture.source import ROOT
from tests.deploy.nginx import DEPLOY, NGINX, Upstream, front, upstream
from tests.deploy.nginx import ask as ask_plain
from tests.services import free_port

MARKERS = {
    "User-Agent": "marked-browser",
    "X-Forwarded-For": "198.51.100.77",
    "X-Real-IP": "198.51.100.78",
    "Forwarded": "for=198.51.100.79",
    "Cookie": "marked=cookie",
    "Referer": "https://marked.example/",
}


def texts() -> dict[str, str]:
    """Give every recipe by its path."""
    found = [
        path
        for path in DEPLOY.rglob("*")
        if path.suffix in {".yaml", ".service", ".conf"} or path.name == "Dockerfile"
    ]
    return {str(path.relative_to(DEPLOY)): path.read_text(encoding="utf-8") for path in found}


def settings_of_recipes() -> set[str]:
    compose = yaml.safe_load(texts()["compose.yaml"])
    kubernetes = [one for one in yaml.safe_load_all(texts()["k8s/deniable.yaml"]) if one is not None]
    named = set(compose["x-service"]["environment"])
    for document in kubernetes:
        named |= set(document.get("data", {})) | set(document.get("stringData", {}))
    return named


def test_every_setting_in_a_recipe_is_a_setting_of_the_service() -> None:
    example = (DEPLOY / "env.example").read_text(encoding="utf-8")
    assert settings_of_recipes() - set(re.findall(r"^#?\s?([A-Z_]+)=", example, re.MULTILINE)) == set()


def commands() -> list[str]:
    """Give every command that a recipe starts, as one line."""
    lines = []
    for text in texts().values():
        lines += re.findall(r"ExecStart=(.+)", text)
        lines += [
            " ".join(re.findall(r"[^\s\",]+", part))
            for part in re.findall(r"(?:command: |CMD )\[(.+)\]", text)
        ]
    return lines


@pytest.mark.parametrize("command", sorted(set(commands())))
def test_a_recipe_starts_what_exists_and_logs_no_access(command: str) -> None:
    assert "--access-log" not in command
    for module in re.findall(r"deploy\.(\w+)", command):
        assert (DEPLOY / f"{module}.py").exists()
    if "granian" in command:
        assert "--no-access-log" in command


def test_under_systemd_nobody_else_reads_the_files() -> None:
    units = [text for name, text in texts().items() if name.endswith(".service")]
    assert units
    assert all("StateDirectoryMode=0700\nUMask=0077\n" in unit for unit in units)


def test_the_recipes_start_every_part() -> None:
    started = " ".join(commands())
    for part in ("deploy.web", "deploy.wsgi:application", "deploy worker", "deploy beat", "migrate"):
        assert started.count(part) >= 3, part


@pytest.mark.parametrize(
    "flag",
    [
        "--blocking-threads",
        "--host",
        "--interface",
        "--log-level",
        "--no-access-log",
        "--no-ws",
        "--port",
        "--workers",
    ],
)
def test_the_web_server_knows_the_flags(flag: str) -> None:
    helped = subprocess.run(
        [ROOT / ".venv/bin/granian", "--help"], capture_output=True, text=True, check=True
    )
    assert flag in helped.stdout


def ask(port: int, method: str, path: str, body: bytes | None = None) -> int:
    """Send a request that carries everything which could tell who sent it."""
    return ask_plain(port, method, path, body, MARKERS)


def told(server: Upstream) -> str:
    return repr(server.seen)


needs_nginx = pytest.mark.skipif(NGINX is None, reason="nginx is not installed (make test installs it)")


@needs_nginx
def test_nginx_sends_reports_to_the_intake_and_pages_to_the_web(tmp_path: Path) -> None:
    with (
        upstream() as intake,
        upstream() as web,
        front(tmp_path, intake.server_port, web.server_port) as port,
    ):
        assert ask(port, "POST", "/api/v1/surveys/habits/reports/", b"{}") == 200
        for path in (
            "/s/habits/",
            "/api/v1/surveys/habits/",
            "/api/v1/surveys/habits/estimates/",
            "/surveys/",
            "/static/a.js",
        ):
            assert ask(port, "GET", path) == 200
    assert [path for _, path, _ in intake.seen] == ["/api/v1/surveys/habits/reports/"]
    assert len(web.seen) == 5


@needs_nginx
def test_nobody_behind_nginx_learns_who_answered(tmp_path: Path) -> None:
    with (
        upstream() as intake,
        upstream() as web,
        front(tmp_path, intake.server_port, web.server_port) as port,
    ):
        ask(port, "POST", "/api/v1/surveys/habits/reports/", b"{}")
        for path in ("/s/habits/", "/api/v1/surveys/habits/", "/static/assets/respondent.js"):
            ask(port, "GET", path)
    assert [marker for marker in MARKERS.values() if marker in told(intake) + told(web)] == []


@needs_nginx
def test_a_recipe_that_passes_addresses_on_is_found(tmp_path: Path) -> None:
    naive = ('X-Forwarded-For "";', "X-Forwarded-For $proxy_add_x_forwarded_for;")
    with (
        upstream() as intake,
        upstream() as web,
        front(tmp_path, intake.server_port, web.server_port, change=naive) as port,
    ):
        ask(port, "POST", "/api/v1/surveys/habits/reports/", b"{}")
    assert MARKERS["X-Forwarded-For"] in told(intake)


def written(folder: Path) -> str:
    return "".join(path.read_text(errors="replace") for path in folder.iterdir() if "log" in path.name)


@needs_nginx
@pytest.mark.parametrize(
    ("change", "finds"),
    [
        (("", ""), False),
        (("access_log off;", "access_log {}/naive.log;"), True),
        (("error_log /dev/null emerg;", "error_log {}/naive.log error;"), True),
    ],
    ids=["as it is", "with an access log", "with an error log"],
)
def test_nginx_writes_nothing_about_a_request(tmp_path: Path, change: tuple[str, str], finds: bool) -> None:
    # Nobody listens behind: a request that fails is the one an error log would tell of.
    moved = (change[0], change[1].format(tmp_path))
    with front(tmp_path, free_port(), free_port(), change=moved) as port:
        assert ask(port, "POST", "/api/v1/surveys/habits/reports/", b"{}") == 502
        assert ask(port, "POST", "/api/v1/surveys/habits/reports/", b"x" * 70_000) == 413
        assert ask(port, "GET", "/s/habits/") == 502
    assert ("habits" in written(tmp_path)) is finds


@needs_nginx
def test_files_of_people_pass_nginx_in_memory(tmp_path: Path) -> None:
    """The control is another page of staff, whose larger bodies become files for a moment."""
    logged = ("/var/log/nginx/deniable.error.log emerg;", f"{tmp_path}/naive.log warn;")
    with upstream() as web, front(tmp_path, free_port(), web.server_port, change=logged) as port:
        for path in ("/panels/1/import", "/panels/new"):
            assert ask(port, "POST", path, b"x" * 8_500_000) == 200
            assert ask(port, "POST", path, b"x" * 13_000_000) == 413
        assert "/client_body/" not in written(tmp_path)
        # Where nginx may not write in this folder, that file is what it fails on.
        assert ask(port, "POST", "/panels/1/edit", b"x" * 1_000_000) in (200, 500)
        assert "/client_body/" in written(tmp_path)
        assert ask(port, "POST", "/panels/1/edit", b"x" * 8_500_000) == 413

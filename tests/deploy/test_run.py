"""`make run` as a person meets it: addresses that answer, passwords that log in, and nothing left after Ctrl-C."""

import http.cookiejar
import re
import signal
import socket
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.launcher import Running, descendants, greeted, launch
from tests.deploy.test_processes import alive, wait_until
from tests.services import free_port


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Return the running service with its demo."""
    with greeted(tmp_path_factory.mktemp("var")) as running:
        yield running


def get(url: str) -> str:
    with urllib.request.urlopen(url, timeout=30) as answer:
        return answer.read().decode()


def test_every_address_that_is_printed_answers(service: Running) -> None:
    addresses = service.addresses()
    assert len(addresses) >= 3
    for address in addresses:
        assert "Deniable" in get(address)


def test_the_service_is_ready_when_it_greets(service: Running) -> None:
    assert '"worker": true' in get(f"http://127.0.0.1:{service.port}/readyz")


@pytest.mark.parametrize("name", ["admin", "researcher"])
def test_a_printed_password_logs_in_once_and_must_be_replaced(service: Running, name: str) -> None:
    password = re.search(rf"^\s*{name}\s.*?(\S+)\s*$", service.text, re.MULTILINE)
    assert password is not None, service.text
    jar = http.cookiejar.CookieJar()
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    address = f"http://localhost:{service.port}/accounts/login/"
    page = browser.open(address, timeout=30).read().decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
    assert token is not None
    form = {"csrfmiddlewaretoken": token.group(1), "login": name, "password": password.group(1)}
    request = urllib.request.Request(
        address, urllib.parse.urlencode(form).encode(), {"Origin": f"http://localhost:{service.port}"}
    )
    answer = browser.open(request, timeout=30)
    assert urllib.parse.urlsplit(answer.url).path == "/accounts/password/change/"


def test_what_web_and_worker_say_is_no_complaint(service: Running) -> None:
    complaints = [
        line
        for line in service.said
        if "│" in line and re.search(r"(?i)error|traceback|critical|warning", line)
    ]
    assert complaints == []


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_second_start_ends_with_everything_it_started(
    service: Running, tmp_path: Path, how: signal.Signals
) -> None:
    # A service of its own, so that the other one goes on.
    running = launch(tmp_path, free_port())
    wait_until(
        lambda: "Waiting for web and worker" in running.text or running.process.poll() is not None,
        seconds=240,
    )
    wait_until(lambda: len(descendants(running.process.pid)) >= 2, seconds=60)
    started = descendants(running.process.pid)
    running.process.send_signal(how)
    assert running.process.wait(90) == 0, running.text
    wait_until(lambda: not any(alive(number) for number in started))
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", running.port))


def test_a_port_in_use_is_said_in_one_sentence(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        running = launch(tmp_path, port)
        assert running.process.wait(60) == 1
    wait_until(lambda: f"make run PORT={port + 1}" in running.text)
    assert "Traceback" not in running.text

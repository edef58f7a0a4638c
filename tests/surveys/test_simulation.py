"""Simulated respondents take truths from a table and send real reports over HTTP, the same bytes until answered."""

import csv
import io
import json
import os
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from surveys.models import InboxReport, Spent
from surveys.services.publishing import manifest_of
from surveys.simulation.sending import SendingFailed, manifest_load, reports_send
from surveys.simulation.truths import Rows, Shares, TableInvalid, people_from
from surveys.wire.packing import Layout
from surveys.wire.seals import key_decode, receipt_of, seal_of
from tests import cast
from tests.faults.running import database_url, web

BRANCH = {**cast.SINGLE, "visible_if": {"all": [{"question": "q1", "is": ["yes"]}]}}
QUESTIONS = [{**cast.YES_NO, "required": True}, BRANCH, {**cast.MULTIPLE, "required": True}]


class Stub(ThreadingHTTPServer):
    """A server that answers as it is told, and remembers every body."""

    def __init__(self, manifest: dict[str, Any], answers: list[int]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.manifest, self.answers, self.bodies = manifest, answers, []
        self.base = f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Stub

    def do_GET(self) -> None:
        self._answer(200, self.server.manifest)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.bodies.append(body)
        status = self.server.answers.pop(0) if self.server.answers else 201
        self._answer(status, self._told(status, body))

    def _told(self, status: int, body: bytes) -> dict[str, Any]:
        if status != 201:
            return {"type": "/problems/intake-full"}
        report = json.loads(body)
        packed = Layout.of(self.server.manifest).pack(report["reports"])
        seal = seal_of(self.server.manifest["slug"], report["version"], key_decode(report["key"]), packed)
        return {"receipt": receipt_of(seal)}

    def _answer(self, status: int, document: dict[str, Any]) -> None:
        data = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("retry-after", "0")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args: Any) -> None:
        pass


@pytest.fixture
def manifest(owner: Any) -> dict[str, Any]:
    return manifest_of(cast.published(owner, questions=QUESTIONS, epsilon_ceiling="16"))


@pytest.fixture
def stub(manifest: dict[str, Any]) -> Iterator[Stub]:
    server = Stub(manifest, [])
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def table(path: Path, *rows: dict[str, str]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return path


def shares(path: Path, *rows: tuple[str, str, float]) -> Path:
    return table(path, *({"question": q, "answer": a, "share": str(s)} for q, a, s in rows))


def test_a_table_of_shares_is_followed(manifest: dict[str, Any], tmp_path: Path) -> None:
    """1,000 draws at share 0.2: outside 120…280 with probability below 1e-9."""
    path = shares(
        tmp_path / "t.csv",
        ("q1", "yes", 0.2),
        ("q1", "no", 0.8),
        ("q3", "a", 1),
        ("q3", "b", 0),
        ("q3", "c", 0.5),
    )
    people = people_from(path, manifest, ())
    assert isinstance(people, Shares)
    drawn = [people.draw() for _ in range(1000)]
    assert 120 < Counter(truths[0] for truths in drawn)[0] < 280
    assert all(truths[2][:2] == (0, 1) for truths in drawn)
    assert all((truths[1] == 3) == (truths[0] == 1) for truths in drawn)


def test_a_share_that_is_missing_is_named(manifest: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(TableInvalid, match="q1"):
        people_from(shares(tmp_path / "t.csv", ("q1", "yes", 0.2)), manifest, ())


def test_rows_of_people_are_read_by_id_text_and_mapping(manifest: dict[str, Any], tmp_path: Path) -> None:
    rows = (
        {"Q8": "1", "q2": "b", "M": "1", "E": "2", "q3.c": "yes"},
        {"Q8": "1", "q2": "often", "M": "2", "E": "1", "q3.c": ""},
        {"Q8": "2", "q2": "a", "M": "2", "E": "2", "q3.c": "no"},
    )
    mapping = ["q1=Q8:1=yes,2=no", "q3.a=M:1=yes,2=no", "q3.b=E:1=yes,2=no"]
    people = people_from(table(tmp_path / "t.csv", *rows), manifest, mapping)
    assert isinstance(people, Rows)
    # The third is not shown q2, whatever the table says.
    assert list(people.each()) == [[0, 1, (0, 1, 0)], [0, 2, (1, 0, 1)], [1, 3, (1, 1, 1)]]


@pytest.mark.parametrize("mapping", ["q1", "q1=", "q1=NOPE", "=Q8", "q9=Q8"])
def test_a_mapping_that_fits_nothing_is_refused(
    manifest: dict[str, Any], tmp_path: Path, mapping: str
) -> None:
    with pytest.raises(TableInvalid):
        people_from(table(tmp_path / "t.csv", {"Q8": "1"}), manifest, [mapping])


FULL = {"q1": "yes", "q2": "a", "q3.a": "yes", "q3.b": "no", "q3.c": ""}


@pytest.mark.parametrize("missing", FULL)
def test_a_question_without_its_column_is_named(
    manifest: dict[str, Any], tmp_path: Path, missing: str
) -> None:
    row = {name: value for name, value in FULL.items() if name != missing}
    with pytest.raises(TableInvalid, match=rf"no column for {missing}: .*--map {missing}=COLUMN"):
        people_from(table(tmp_path / "t.csv", row), manifest, ())
    # The control: with it the table is taken.
    assert people_from(table(tmp_path / "t.csv", FULL), manifest, ())


@pytest.mark.parametrize("changed", [{"q1": ""}, {"q1": "maybe"}, {"q3.b": "1"}])
def test_a_cell_that_names_no_answer_of_a_required_question_is_named(
    manifest: dict[str, Any], tmp_path: Path, changed: dict[str, str]
) -> None:
    column, value = next(iter(changed.items()))
    path = table(tmp_path / "t.csv", FULL, {**FULL, **changed})
    with pytest.raises(TableInvalid, match=rf"row 2, column {column}: '{value}' names no answer of {column}"):
        people_from(path, manifest, ())


def test_a_cell_of_a_question_that_may_be_skipped_may_name_nothing(
    manifest: dict[str, Any], tmp_path: Path
) -> None:
    people = people_from(table(tmp_path / "t.csv", {**FULL, "q2": "?"}), manifest, ())
    assert isinstance(people, Rows)
    assert list(people.each()) == [[0, 3, (0, 1, 1)]]


@pytest.mark.parametrize("rows", [
    [("q1", "yes", "-0.2"), ("q1", "no", "1.2")],
    [("q1", "yes", "nan"), ("q1", "no", "1")],
    [("q1", "yes", "half"), ("q1", "no", "1")],
    [("q1", "yes", "0"), ("q1", "no", "0")],
    [("q3", "a", "1.5"), ("q3", "b", "0"), ("q3", "c", "0")],
    [("q1", "maybe", "0.5")],
    [("q9", "yes", "0.5")],
])  # fmt: skip
def test_a_share_that_is_none_is_refused(
    stub: Stub, tmp_path: Path, rows: list[tuple[str, str, Any]]
) -> None:
    path = shares(tmp_path / "t.csv", *rows)
    with pytest.raises(CommandError, match="q[139]") as refused:
        call_command("simulate", "habits", "--truth", str(path), "--n", "1", "--base-url", stub.base)
    assert refused.value.returncode == 2


@pytest.mark.parametrize("option", ["--n=-5", "--n=0", "--threads=0", "--threads=1000", "--threads=-1"])
def test_a_number_of_nobody_is_refused(stub: Stub, tmp_path: Path, option: str) -> None:
    path = shares(tmp_path / "t.csv", ("q1", "yes", 1), ("q1", "no", 0))
    words = ["simulate", "habits", "--truth", str(path), "--n=1", "--base-url", stub.base]
    with pytest.raises(CommandError, match=option.partition("=")[0]) as refused:
        call_command(*words, option)
    assert refused.value.returncode == 2
    assert stub.bodies == []


def test_a_line_that_no_reader_of_csv_takes_is_refused(manifest: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("q1\n" + "x" * 200_000)
    with pytest.raises(TableInvalid, match="field larger"):
        people_from(tmp_path / "t.csv", manifest, ())


@pytest.mark.parametrize("base", ["http://127.0.0.1:port", "http://[", "ftp://x", "nothing"])
def test_an_address_that_is_none_is_said(base: str) -> None:
    with pytest.raises(SendingFailed, match="no http address"):
        manifest_load(base, "habits")


@pytest.mark.parametrize("answer", [[], {}, "text", {"fingerprint": 1}])
def test_a_server_of_something_else_is_said(stub: Stub, answer: Any) -> None:
    stub.manifest = answer
    with pytest.raises(SendingFailed, match="something else"):
        manifest_load(stub.base, "설문 1")


def test_a_sav_file_is_read_like_any_table(manifest: dict[str, Any], tmp_path: Path) -> None:
    beside = Path(__file__).resolve().parents[3] / "shared"
    path = Path(os.environ.get("DENIABLE_SHARED", beside)) / "samples" / "yrbs2019.sav"
    if not path.exists():
        pytest.skip("the YRBS sample is not beside this checkout")
    optional = {**manifest["questions"][0], "required": False}
    asked = {**manifest, "questions": [optional]}
    people = people_from(path, asked, ["q1=Q34:1=yes,2=no"])
    assert isinstance(people, Rows)
    # Some are missing in the file: nobody answers for them.
    assert {people.draw()[0] for _ in range(2000)} == {0, 1, 2}
    with pytest.raises(TableInvalid, match=r"row \d+, column Q34: '' names no answer of q1"):
        people_from(path, {**manifest, "questions": manifest["questions"][:1]}, ["q1=Q34:1=yes,2=no"])
    with pytest.raises(TableInvalid, match=r"no column for q2, q3\.a, q3\.b, q3\.c: .*--map q2=COLUMN"):
        people_from(path, manifest, ["q1=Q34:1=yes,2=no"])


def test_every_respondent_sends_one_well_formed_report(stub: Stub, manifest: dict[str, Any]) -> None:
    tally = reports_send(stub.base, manifest, [[0, 1, (0, 1, 0)]] * 40, threads=3)
    assert (tally.accepted, tally.refused) == (40, {})
    assert len({json.loads(body)["key"] for body in stub.bodies}) == 40
    assert len({len(body) for body in stub.bodies}) == 1


def test_a_full_queue_gets_the_same_bytes_again(stub: Stub, manifest: dict[str, Any]) -> None:
    stub.answers = [503, 503, 201]
    assert reports_send(stub.base, manifest, [[1, 3, (1, 1, 1)]], threads=1).accepted == 1
    assert len(stub.bodies) == 3
    assert len(set(stub.bodies)) == 1


def test_a_refusal_is_counted_by_its_type(stub: Stub, manifest: dict[str, Any]) -> None:
    stub.answers = [409]
    tally = reports_send(stub.base, manifest, [[1, 3, (1, 1, 1)]] * 2, threads=1)
    assert (tally.accepted, tally.refused) == (1, {"/problems/intake-full": 1})


def test_a_manifest_with_another_fingerprint_is_refused(stub: Stub, manifest: dict[str, Any]) -> None:
    stub.manifest = {**manifest, "epsilon_total": "9.0000"}
    with pytest.raises(SendingFailed, match="fingerprint"):
        manifest_load(stub.base, "habits")


def test_a_server_that_is_not_there_is_said(manifest: dict[str, Any], tmp_path: Path) -> None:
    path = shares(tmp_path / "t.csv", ("q1", "yes", 1), ("q1", "no", 0))
    with pytest.raises(CommandError):
        call_command(
            "simulate", "habits", "--truth", str(path), "--n", "1", "--base-url", "http://127.0.0.1:9"
        )


@pytest.mark.django_db(transaction=True)
def test_the_command_sends_through_the_real_server(tmp_path: Path) -> None:
    cast.published(cast.person("maker", "admin"), questions=QUESTIONS, epsilon_ceiling="16")
    path = shares(tmp_path / "t.csv", ("q1", "yes", 0.3), ("q1", "no", 0.7))
    out = io.StringIO()
    with web(database_url(), tmp_path / "var") as base:
        call_command("simulate", "habits", "--truth", str(path), "--n", "120", "--base-url", base, stdout=out)
    assert out.getvalue() == "120 reports were acknowledged\n"
    assert Spent.objects.count() == InboxReport.objects.count() == 120

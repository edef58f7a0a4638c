"""manage.py estimate and manage.py plan, as a shell sees them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

MANAGE = Path(__file__).resolve().parents[2] / "manage.py"


def manage(*words, stdin="", database="postgres://nobody@127.0.0.1:1/none"):
    """Run a command with a database that does not answer: these commands need none."""
    environment = {**os.environ, "DATABASE_URL": database}
    return subprocess.run(
        [sys.executable, str(MANAGE), *words],
        input=stdin,
        capture_output=True,
        text=True,
        env=environment,
        timeout=120,
    )


def test_a_case_on_standard_input_is_answered_with_json_without_a_database():
    case = {"channel": {"p_yes_if_yes": 0.75, "p_yes_if_no": 0.25}, "counts": [70, 30]}
    done = manage("estimate", "--case", "-", stdin=json.dumps([case, case]))
    assert done.returncode == 0, done.stderr
    assert [answer["estimates"][0]["unbiased"] for answer in json.loads(done.stdout)] == [0.9, 0.9]


@pytest.mark.parametrize(
    "stdin, begins",
    [('{"channel": {}, "counts": []}', "error: channel: "), ("{", "error: -: ")],
)
def test_bad_input_is_one_line_and_status_two(stdin, begins):
    done = manage("estimate", "--case", "-", stdin=stdin)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(begins)
    assert done.stderr.count("\n") == 1


def test_a_missing_file_is_named(tmp_path):
    done = manage("estimate", "--case", str(tmp_path / "none.json"))
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: {tmp_path / 'none.json'}: ")


def test_a_plan_is_a_table_for_people_and_json_for_machines(tmp_path):
    words = (
        "plan",
        "--epsilon",
        "1",
        "--choices",
        "2",
        "--n",
        "1000",
        "--prevalence",
        "0.1",
        "--margin",
        "0.05",
    )
    table, machine = manage(*words), manage(*words, "--json")
    assert table.returncode == machine.returncode == 0, table.stderr
    assert "of 100 people about 73" in table.stdout
    assert json.loads(machine.stdout)["n_needed"] == 1553


def test_a_plan_that_cannot_be_is_one_line_and_status_two():
    done = manage("plan", "--epsilon", "99", "--choices", "2")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: epsilon-out-of-range: ")

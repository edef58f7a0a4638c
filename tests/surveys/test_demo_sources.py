"""The demo's sources are there after one command, checked and budgeted; a second one leaves them alone."""

import io
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from privacy.policy.files import source_from
from surveys.demo import registering
from surveys.demo.making import demo_make
from surveys.demo.registering import sources_make
from surveys.management.commands.demo import Command
from surveys.models import Budget, Share, Source
from surveys.services.queries import policies_of, query_plan
from surveys.services.sources import source_check, source_close
from tests.surveys.asked import ROOT

CASES = json.loads((ROOT / "tests" / "policy" / "cases.json").read_text())
DEMO = ROOT / "surveys" / "demo" / "sources"


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> Path:
    settings.SOURCE_FOLDER, settings.SOURCE_CONNECTIONS = tmp_path / "sources", {}
    return tmp_path / "sources"


def say() -> str:
    out = io.StringIO()
    call_command("demo", "--sources", "--base-url", "http://127.0.0.1:8123/", stdout=out)
    return out.getvalue()


@pytest.mark.django_db
def test_one_command_makes_sources_that_can_be_asked() -> None:
    demo_make()
    said = say()
    for name, entities in (("university", ["student"]), ("tpch", ["customer", "supplier"])):
        source = Source.objects.get(name=name)
        assert (source.state, source.reason) == (Source.State.OPEN, "")
        assert f"http://127.0.0.1:8123/sources/{name}/\n" in said
        assert [one.entity for one in policies_of(source)] == entities
        assert source.policy_version == 1
        assert sorted(Budget.objects.filter(source=source).values_list("entity", flat=True)) == entities
        assert Share.objects.filter(budget__source=source, researcher__username="researcher").count() == len(
            entities
        )


@pytest.mark.parametrize(
    ("host", "port", "address"),
    [
        (None, None, "http://127.0.0.1:8000"),
        ("0.0.0.0", "9000", "http://127.0.0.1:9000"),
        ("::1", "9000", "http://[::1]:9000"),
        ("surveys.example.org", "80", "http://surveys.example.org:80"),
    ],
)
def test_the_addresses_are_those_of_the_service_that_runs(
    monkeypatch: pytest.MonkeyPatch, host: str | None, port: str | None, address: str
) -> None:
    for name, value in (("HOST", host), ("PORT", port)):
        monkeypatch.delenv(name, raising=False)
        if value is not None:
            monkeypatch.setenv(name, value)
    assert vars(Command().create_parser("manage.py", "demo").parse_args([]))["base_url"] == address


@pytest.mark.django_db
def test_a_second_time_nothing_is_made_again(folder: Path) -> None:
    sources_make()
    made = {one: one.stat().st_mtime_ns for one in folder.iterdir()}
    Budget.objects.filter(source__name="university").update(total=7)
    source_close(actor=None, source=Source.objects.get(name="university"))
    assert [one.missing for one in sources_make()] == ["closed", ""]
    assert {one: one.stat().st_mtime_ns for one in folder.iterdir()} == made
    assert Budget.objects.get(source__name="university").total == 7
    assert (Source.objects.get(name="university").state, Source.objects.count()) == ("closed", 3)


@pytest.mark.django_db
def test_without_tpchs_generator_the_university_is_there_alone(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registering, "GENERATOR", "tpchgen-nowhere")
    said = say()
    assert "install it with .venv/bin/pip install tpchgen-nowhere" in said
    assert [one.name for one in folder.iterdir()] == ["university.sqlite3"]
    assert set(Source.objects.values_list("name", flat=True)) == {"service", "university"}


def test_the_university_is_the_same_every_time(tmp_path: Path) -> None:
    schema = source_from((DEMO / "university.yaml").read_text()).schema
    for name in ("one", "two"):
        registering.university_write(tmp_path / name, schema)
    dumped = []
    for name in ("one", "two"):
        with closing(sqlite3.connect(tmp_path / name)) as raw:
            dumped.append(list(raw.iterdump()))
    assert dumped[0] == dumped[1]
    assert 700 < sum('INTO "enrollment"' in line for line in dumped[0]) <= 1001


@pytest.mark.django_db
def test_a_university_with_a_seat_too_many_would_be_closed(folder: Path) -> None:
    sources_make()
    source = Source.objects.get(name="university")
    with closing(sqlite3.connect(folder / "university.sqlite3")) as raw, raw:
        raw.execute("UPDATE enrollment SET e_sid = 1")
    told = "enrollment (e_sid) → section: at most max_rows rows share a parent"
    assert source_check(actor=None, source=source, changed=True).reason == told


def test_the_university_is_that_of_the_study() -> None:
    found = source_from((DEMO / "university.yaml").read_text())
    described = json.loads(json.dumps(found.described))
    # Without a domain nobody could group by it.
    del described["student"]["columns"]["u_major"]["domain"]
    empty = {name: {"foreign_keys": [], **one} for name, one in described.items()}
    assert empty == CASES["schemas"]["university"]
    policy = CASES["policies"]["university/flexible"]
    assert source_from(json.dumps({"schema": found.described, "policy": policy})).policies == found.policies


@pytest.mark.django_db
def test_the_studys_queries_have_the_same_price_on_the_demo() -> None:
    sources_make()
    source = Source.objects.get(name="university")
    for number in range(1, 6):
        (case,) = [one for one in CASES["cases"] if one["name"] == f"university Q{number} flex"]
        asked = query_plan(source=source, sql=case["sql"])
        assert case["at_least"] <= asked.plan.l1 <= case["at_most"]

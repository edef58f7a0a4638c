"""The page of a policy: what is wrong is told with its place, what would change is shown before it is kept."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from privacy.policy.files import source_from
from privacy.policy.labels import policy_from
from privacy.policy.plan import plan_query
from privacy.policy.schema import schema_from
from surveys.demo import registering
from surveys.models import AuditEntry, QueryRun, Source, SourcePolicy
from surveys.pages import sources_new
from surveys.pages.policy_samples import samples
from tests import people
from tests.surveys.test_console import text

SOURCES = Path(registering.__file__).with_name("sources")
PAGE = "/sources/service/policy/?entity=respondent"
COUNT = people.COUNT
LABELS = {
    "organisation": "PUB",
    "panel": "PUB",
    "respondent": "DEL",
    "invitation": "DEL",
    "survey": "PUB",
    "question": "PUB",
    "version": "PUB",
}


@pytest.fixture
def admin(client: Client, owner: Any) -> Client:
    people.filled(owner)
    client.force_login(owner)
    return client


def posts(browser: Client, do: str = "preview", queries: str = COUNT, known: str = "", **labels: Any) -> Any:
    """Post the shipped policy with some labels changed; a list is the columns of REP."""
    body: dict[str, Any] = {"do": do, "queries": queries, "known": known}
    for name, label in {**LABELS, **labels}.items():
        body[f"label-{name}"] = "REP" if isinstance(label, list) else label
        if isinstance(label, list):
            body[f"columns-{name}"] = label
    return browser.post(PAGE, body)


def versions() -> int:
    return SourcePolicy.objects.count()


def test_the_page_shows_the_labels_of_now_and_what_queries_cost(admin: Client) -> None:
    page = admin.get(PAGE)
    assert 'name="label-respondent" value="DEL" checked' in page.content.decode()
    first = page.context["prices"][0]
    assert (first["sql"], first["now"]["sensitivity"], first["unbounded"], first["bounded"]) == (
        COUNT,
        "1",
        "1",
        "0",
    )
    assert first["edited"] is None


def test_a_preview_compares_prices_and_keeps_nothing(admin: Client) -> None:
    page = posts(admin, respondent=["region", "sex"], queries=f"{COUNT}\nSELECT nonsense")
    count, nonsense = page.context["prices"]
    assert (count["now"]["sensitivity"], count["edited"]["public"], count["differs"]) == ("1", True, True)
    assert (nonsense["edited"]["refused"], nonsense["unbounded"]) == (True, None)
    assert "Line 1, column 8:" in text(page)
    assert "It is not saved yet" in text(page)
    assert versions() == 1


def test_columns_in_another_order_are_no_change(admin: Client) -> None:
    labels = {**LABELS, "respondent": {"REP": ["sex", "region"]}}
    SourcePolicy.objects.update(document={"entity": "respondent", "labels": labels})
    assert "the same as the one that counts now" in text(posts(admin, respondent=["region", "sex"]))
    assert "It is not saved yet" in text(posts(admin, respondent=["region"]))


def test_saving_makes_a_new_version_that_counts(admin: Client) -> None:
    known = posts(admin, respondent=["region", "sex"]).context["exposure"]
    assert posts(admin, "save", known=known, respondent=["region", "sex"]).status_code == 302
    kept = SourcePolicy.objects.latest("version")
    assert kept.version == people.service().policy_version == 2
    assert kept.document["labels"]["respondent"] == {"REP": ["region", "sex"]}
    assert AuditEntry.objects.filter(action="source.policy").count() == 1
    assert admin.get(PAGE).context["prices"][0]["now"]["public"]


def test_what_becomes_public_is_listed_and_saved_only_when_ticked(admin: Client) -> None:
    page = posts(admin, respondent=["segment"])
    (found,) = page.context["exposed"]
    assert (found["relation"], found["count"]) == ("respondent", True)
    assert {"region", "sex", "id"} <= set(found["columns"])
    assert "segment" not in found["columns"]
    assert "how many rows respondent has" in text(page)
    for known in ("", "yes", posts(admin, respondent=["segment", "sex"]).context["exposure"]):
        refused = posts(admin, "save", known=known, respondent=["segment"])
        assert "Nothing was saved: tick this" in text(refused)
        assert versions() == 1
    posts(admin, "save", known=page.context["exposure"], respondent=["segment"])
    assert versions() == 2
    # More protection needs no tick, and a list of nothing shows none.
    stronger = posts(admin, respondent=["segment", "sex"])
    assert (stronger.context["exposed"], "I know that" in text(stronger)) == ([], False)
    assert posts(admin, "save").status_code == 302
    assert versions() == 3


def test_what_another_kind_of_entity_protects_does_not_become_public(admin: Client) -> None:
    page = "/sources/service/policy/?entity=organisation"
    body = {f"label-{name}": "DEL" for name in LABELS}
    assert admin.post(page, {**body, "do": "save"}).status_code == 302
    assert posts(admin, respondent=["segment"]).context["exposed"] == []


def test_an_ill_formed_policy_names_the_relation_and_the_reason(admin: Client) -> None:
    page = posts(admin, "save", invitation="PUB")
    assert "labels.invitation : rows of respondent can go or change their key" in text(page)
    assert [row["name"] for row in page.context["rows"] if row["wrong"]] == ["invitation"]
    assert versions() == 1


@pytest.mark.parametrize(
    ("labels", "reason", "hint"),
    [
        ({"respondent": []}, "no column is ticked", "Tick at least one column"),
        ({"respondent": "PUB"}, "the entity's own relation", "Choose DEL for it"),
        ({"invitation": "PUB"}, "rows of respondent can go", "Choose DEL for invitation, or REP and tick"),
        ({"survey": "ALL"}, "no label", "Choose DEL, REP or PUB"),
        ({"respondent": ["nothing"]}, "there is no column nothing", "Tick columns of this relation only"),
    ],
)
def test_a_refused_policy_says_what_to_do(admin: Client, labels: Any, reason: str, hint: str) -> None:
    refusal = posts(admin, "save", **labels).context["refusal"]
    assert str(refusal["reason"]).startswith(reason)
    assert refusal["hint"].startswith(hint)


def test_a_refused_text_says_what_to_do(admin: Client) -> None:
    page = admin.post(f"{PAGE}&as=text", {"do": "save", "text": "entity: respondent\nlabels: ["})
    assert "What to do: Correct the text there" in text(page)
    page = admin.post(f"{PAGE}&as=text", {"do": "save", "text": "entity: panel\nlabels: unbounded"})
    assert "What to do: Write respondent as the entity" in text(page)


def test_the_reason_is_said_in_korean(admin: Client) -> None:
    page = admin.post(f"{PAGE}&lang=ko", {"do": "save", "label-respondent": "PUB"})
    assert "라벨이 없습니다" in text(page)


@pytest.mark.parametrize("labels", [{"respondent": []}, {"respondent": ["nothing"]}, {"survey": "ALL"}])
def test_labels_that_mean_nothing_are_refused(admin: Client, labels: Any) -> None:
    assert posts(admin, "save", **labels).context["refusal"] is not None
    assert versions() == 1


@pytest.mark.parametrize("rows", ["0", "-1", "x", "1" * 30, "²"])
def test_rows_of_one_entity_are_a_number(admin: Client, rows: str) -> None:
    body = {f"label-{name}": label for name, label in LABELS.items()}
    page = admin.post(PAGE, {**body, "rows-invitation": rows, "do": "save"})
    assert page.context["refusal"]["place"] == "max_rows_per_entity.invitation"


def test_fewer_rows_of_one_entity_make_queries_cheaper(admin: Client) -> None:
    sql = "SELECT COUNT(*) FROM invitation"
    body = {f"label-{name}": label for name, label in LABELS.items()}
    page = admin.post(PAGE, {**body, "rows-invitation": "3", "do": "preview", "queries": sql})
    price = page.context["prices"][0]
    assert (price["now"]["sensitivity"], price["edited"]["sensitivity"]) == ("20", "3")


# As a text.


def test_the_text_says_the_same_and_is_kept(admin: Client) -> None:
    shown = admin.get(f"{PAGE}&as=text").context["text"]
    assert shown.startswith("entity: respondent\n")
    page = admin.post(f"{PAGE}&as=text", {"do": "preview", "text": shown, "queries": COUNT})
    assert "the same as the one that counts now" in text(page)
    body = {"text": shown.replace("respondent: DEL", "respondent: {REP: [sex]}")}
    known = admin.post(f"{PAGE}&as=text", {**body, "do": "preview"}).context["exposure"]
    admin.post(f"{PAGE}&as=text", {**body, "do": "save", "known": known})
    assert SourcePolicy.objects.latest("version").document["labels"]["respondent"] == {"REP": ["sex"]}


@pytest.mark.parametrize(
    ("typed", "line", "reason"),
    [
        ("entity: respondent\nlabels:\n  respondent: PUP\n", 3, "expected DEL, PUB, or REP"),
        ("entity: respondent\nlabels: [", 3, "not YAML"),
        ('{"entity": "respondent",\n "labels": {}}', 2, "no label"),
        ("entity: panel\nlabels: unbounded", 1, "this page is for the entity respondent"),
        ("", None, ""),
        ("entity: *a", 1, "refers to another part"),
    ],
)
def test_a_text_is_refused_with_its_line(admin: Client, typed: str, line: int | None, reason: str) -> None:
    page = admin.post(f"{PAGE}&as=text", {"do": "save", "text": typed})
    refusal = page.context["refusal"]
    assert (refusal["line"] or line) == line
    assert reason in str(refusal["reason"])
    assert page.context["text"] == typed
    assert versions() == 1


# Other kinds of entity, other sources.


def test_another_kind_of_entity_gets_a_policy_of_its_own(admin: Client) -> None:
    page = admin.get("/sources/service/policy/?entity=organisation")
    assert page.context["new"]
    assert all(row["labels"][0] == ("DEL", True) for row in page.context["rows"])
    body = {f"label-{name}": "DEL" for name in LABELS}
    admin.post("/sources/service/policy/?entity=organisation", {**body, "do": "save"})
    assert set(SourcePolicy.objects.values_list("entity", flat=True)) == {"respondent", "organisation"}
    assert "ε left" in text(admin.get("/sources/service/ledger/"))


@pytest.mark.parametrize("entity", ["nothing", "", "<b>"])
def test_a_relation_that_is_none_shows_the_policy_of_now(admin: Client, entity: str) -> None:
    assert admin.get("/sources/service/policy/", {"entity": entity}).context["entity"] == "respondent"


def test_only_admins_label(client: Client, owner: Any, researcher: Any, auditor: Any) -> None:
    people.share(owner, researcher, 1)
    for somebody in (researcher, auditor):
        client.force_login(somebody)
        assert client.get(PAGE).status_code == 403
        assert posts(client, "save").status_code == 403
    assert versions() == 1


def test_at_most_twenty_queries_are_looked_at(admin: Client) -> None:
    assert len(posts(admin, queries="\n".join([COUNT] * 50)).context["prices"]) == 20


FILE = {
    "schema": {"person": {"key": ["id"], "columns": {"id": {"type": "integer", "bounds": [1, 99]}}}},
    "policy": {"entity": "person", "labels": {"person": "DEL"}},
}


@pytest.fixture
def shelf(settings: Any, tmp_path: Path) -> Path:
    """A database that the settings name."""
    path = tmp_path / "shelf.sqlite3"
    raw = sqlite3.connect(path)
    raw.execute("CREATE TABLE person (id INTEGER PRIMARY KEY)")
    raw.execute("INSERT INTO person VALUES (1), (2)")
    raw.commit()
    raw.close()
    settings.SOURCE_CONNECTIONS = {"shelf": f"sqlite:///{path}"}
    return path


def registers(browser: Client, written: Any = FILE, **more: str) -> Any:
    body = {"name": "shelf", "connection": "shelf", "text": json.dumps(written), "check": "now"}
    return browser.post("/sources/new/", {**body, **more})


def test_an_admin_registers_and_checks_a_source(admin: Client, shelf: Path) -> None:
    assert registers(admin)["Location"] == "/sources/shelf/ledger/"
    assert Source.objects.get(name="shelf").state == "open"
    assert "Set a budget" in text(admin.get("/sources/shelf/ledger/"))
    admin.post("/sources/shelf/budget", {"entity": "person", "total": "1", "delta": "0"})
    told = text(
        admin.post("/sources/shelf/", {"sql": "SELECT COUNT(*) FROM person", "epsilon": "1", "do": "ask"})
    )
    assert "person ε 1 ε 0" in told


def test_a_fresh_source_has_examples_to_price_and_to_ask(admin: Client, shelf: Path) -> None:
    registers(admin)
    count = "SELECT COUNT(*) FROM person"
    (line,) = admin.get("/sources/shelf/policy/").context["prices"]
    assert (line["sql"], line["now"]["sensitivity"], line["unbounded"], line["bounded"]) == (
        count,
        "1",
        "1",
        "0",
    )
    assert admin.get("/sources/shelf/").context["examples"] == [count]
    assert admin.get("/sources/shelf/?example=0").context["form"].initial["sql"] == count
    # What was asked is priced as well, but offered to nobody: it is who asked it who knows.
    asked = "SELECT COUNT(*) FROM person WHERE id = 7"
    QueryRun.objects.create(
        source=Source.objects.get(name="shelf"),
        sql=asked,
        canonical="x",
        data_version=1,
        policy_version=1,
        epsilon=1,
        charged=1,
    )
    assert [one["sql"] for one in admin.get("/sources/shelf/policy/").context["prices"]] == [asked, count]
    assert admin.get("/sources/shelf/").context["examples"] == [count]


@pytest.mark.parametrize("name", ["university", "tpch"])
def test_examples_of_a_schema_count_group_add_and_join(name: str) -> None:
    text = (SOURCES / f"{name}.yaml").read_text("utf-8")
    policies = list(source_from(text).policies)
    made = samples(policies)
    assert len(set(made)) == len(made) <= 20
    plans = [plan_query(sql, policy) for sql in made for policy in policies]
    assert any(not plan.public for plan in plans)
    for part in ("GROUP BY", "AVG(", "SUM(", "JOIN", "SELECT COUNT(*) FROM "):
        assert any(part in sql for sql in made), part


def test_names_that_are_no_words_of_sql_are_quoted() -> None:
    columns = {"my key": {"type": "integer", "bounds": [0, 9]}, "Sex": {"type": "text", "domain": ["f", "m"]}}
    schema = schema_from({"order": {"key": ["my key"], "columns": columns}})
    policy = policy_from({"entity": "order", "labels": {"order": "DEL"}}, schema)
    assert samples([policy])[1] == 'SELECT "Sex", COUNT(*) FROM "order" GROUP BY "Sex"'
    assert [plan_query(sql, policy).l1 for sql in samples([policy])] == [1, 1]


def test_a_source_that_breaks_its_file_stays_closed(admin: Client, shelf: Path) -> None:
    narrow = json.loads(json.dumps(FILE).replace("[1, 99]", "[1, 1]"))
    registers(admin, narrow)
    assert Source.objects.get(name="shelf").state == "failed"
    assert "person.id: lies within its bounds" in text(admin.get("/sources/shelf/ledger/"))


def test_a_source_registered_without_a_check_is_closed(admin: Client, shelf: Path) -> None:
    registers(admin, check="no")
    assert Source.objects.get(name="shelf").state == "closed"
    admin.post("/sources/shelf/check", {"changed": "yes"})
    kept = Source.objects.get(name="shelf")
    assert (kept.state, kept.data_version) == ("open", 2)
    admin.post("/sources/shelf/close")
    assert Source.objects.get(name="shelf").state == "closed"


def test_no_check_is_left_after_three_that_told_something(admin: Client, shelf: Path) -> None:
    narrow = json.loads(json.dumps(FILE).replace("[1, 99]", "[1, 1]"))
    registers(admin, narrow)
    for _ in range(3):
        page = admin.post("/sources/shelf/check", follow=True)
    assert "The 3 checks of today that told something are used up" in text(page)
    assert AuditEntry.objects.filter(action="source.check").count() == 3
    assert "at most 3 checks a day" in text(page)


def test_other_bounds_cannot_be_tried_under_another_name(admin: Client, shelf: Path) -> None:
    registers(admin)
    page = registers(admin, json.loads(json.dumps(FILE).replace("99", "50")), name="again")
    assert "registered already" in str(page.context["form"].errors["connection"])
    assert Source.objects.count() == 2


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"name": "new"}, "name"),
        ({"name": "Not one"}, "name"),
        ({"name": "service"}, "name"),
        ({"connection": "elsewhere"}, "connection"),
        ({"text": ""}, "file"),
        ({"text": "schema: {"}, "text"),
        ({"text": "policy: {entity: a, labels: {}}"}, "text"),
    ],
)
def test_what_cannot_be_registered_is_told_beside_its_field(
    admin: Client, shelf: Path, more: dict[str, str], field: str
) -> None:
    assert field in registers(admin, **more).context["form"].errors
    assert not Source.objects.filter(name="shelf").exists()


@pytest.mark.parametrize("content", [b"\xff\xfe\x00binary", b"", b"#" * 1_000_001, b"\x00" * 100])
def test_a_file_that_is_none_is_refused(admin: Client, shelf: Path, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "source.yaml"
    path.write_bytes(content)
    with path.open("rb") as file:
        page = admin.post("/sources/new/", {"name": "shelf", "connection": "shelf", "file": file})
    assert page.context["form"].errors["file"]


def test_without_connections_the_page_says_who_adds_them(
    admin: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources_new, "connections_named", set)
    assert "SOURCE_CONNECTIONS names no connection yet" in text(admin.get("/sources/new/"))

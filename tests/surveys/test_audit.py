"""What staff did is in a chain: nothing is changed, taken out or swapped without its telling where."""

import hashlib
import io
import json
import threading
from typing import Any

import pytest
import rfc8785
from django.core.management import call_command
from django.db import connection, connections, transaction

from surveys.errors import AuditBroken
from surveys.models import AuditEntry, Survey
from surveys.services.audit import GENESIS, audit_append, audit_verify, digest_of
from surveys.services.publishing import survey_close, survey_publish
from surveys.services.surveys import grant_add, grant_remove, survey_delete, survey_update


@pytest.fixture
def chain(db: None) -> list[AuditEntry]:
    return [
        audit_append(actor=None, action="test", subject=f"s{at}", facts={"at": at, "ε": "1.5"})
        for at in range(5)
    ]


def broken_at() -> int:
    with pytest.raises(AuditBroken) as caught:
        audit_verify()
    return caught.value.number


def test_an_untouched_chain_holds(chain: list[AuditEntry]) -> None:
    assert audit_verify() == (5, chain[-1].digest)


def test_an_empty_chain_holds(db: None) -> None:
    assert audit_verify() == (0, GENESIS)


@pytest.mark.parametrize(
    "change",
    [
        {"actor": "somebody"},
        {"action": "other"},
        {"subject": "s9"},
        {"facts": {"at": 2}},
        {"at": "2020-01-01T00:00:00Z"},
        {"digest": "0" * 64},
    ],
)
def test_a_changed_entry_is_found(chain: list[AuditEntry], change: dict[str, Any]) -> None:
    AuditEntry.objects.filter(number=3).update(**change)
    assert broken_at() == 3


def test_a_changed_entry_with_a_digest_that_fits_breaks_the_next(chain: list[AuditEntry]) -> None:
    entry = AuditEntry.objects.get(number=3)
    entry.actor = "somebody"
    entry.digest = digest_of(entry)
    entry.save()
    assert broken_at() == 4


def test_a_deleted_entry_is_found(chain: list[AuditEntry]) -> None:
    AuditEntry.objects.filter(number=3).delete()
    assert broken_at() == 3


def test_a_deleted_entry_whose_followers_moved_up_is_found(chain: list[AuditEntry]) -> None:
    AuditEntry.objects.filter(number=3).delete()
    for number in (4, 5):
        AuditEntry.objects.filter(number=number).update(number=number - 1)
    assert broken_at() == 3


def test_two_swapped_entries_are_found(chain: list[AuditEntry]) -> None:
    for before, after in ((2, 9), (3, 2), (9, 3)):
        AuditEntry.objects.filter(number=before).update(number=after)
    assert broken_at() == 2


def test_entries_cut_off_are_found_by_who_kept_the_head(chain: list[AuditEntry]) -> None:
    """The control: the chain alone holds; the head of an earlier run is missing."""
    AuditEntry.objects.filter(number__gt=3).delete()
    assert audit_verify()[0] == 3
    with pytest.raises(SystemExit):
        call_command("audit", "--quiet", "--head", f"5:{chain[-1].digest}", stderr=io.StringIO())
    call_command("audit", "--quiet", "--head", f"3:{chain[2].digest}", stdout=io.StringIO())


@pytest.mark.parametrize(
    "head", ["abc", "", "5", "5:", ":", "x:y", "-5:{0}", "0:{0}", "٥:{0}", "5:{0}0", "5:{1}"]
)
def test_a_head_that_is_none_is_refused(
    chain: list[AuditEntry], head: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = head.format(chain[-1].digest, chain[-1].digest[:12])
    with pytest.raises(SystemExit) as caught:
        call_command("audit", "--quiet", f"--head={text}")
    said = capsys.readouterr()
    assert (caught.value.code, said.out) == (2, "")
    assert said.err.startswith("error: --head: ")
    assert said.err.count("\n") == 1


def test_the_head_of_an_empty_log_is_in_every_chain(chain: list[AuditEntry]) -> None:
    call_command("audit", "--quiet", "--head", f"0:{GENESIS}", stdout=io.StringIO())


def test_the_command_prints_and_verifies(chain: list[AuditEntry]) -> None:
    out = io.StringIO()
    call_command("audit", stdout=out)
    assert out.getvalue().splitlines()[0].startswith("1 ")
    assert f"the chain holds: 5:{chain[-1].digest}" in out.getvalue()


def test_the_command_says_where_the_chain_breaks(chain: list[AuditEntry]) -> None:
    AuditEntry.objects.filter(number=2).update(subject="other")
    err = io.StringIO()
    with pytest.raises(SystemExit) as caught:
        call_command("audit", "--quiet", stderr=err, stdout=io.StringIO())
    assert caught.value.code == 1
    assert "BROKEN at entry 2" in err.getvalue()


def test_what_was_rolled_back_was_not_done(chain: list[AuditEntry]) -> None:
    try:
        with transaction.atomic():
            audit_append(actor=None, action="test", subject="never")
            raise RuntimeError
    except RuntimeError:
        pass
    assert audit_verify()[0] == 5


def test_every_act_on_a_survey_is_noted(owner: Any, researcher: Any, draft: Survey) -> None:
    survey_update(actor=owner, survey=draft, population=1200)
    survey_publish(actor=owner, survey=draft)
    grant_add(actor=owner, survey=draft, researcher=researcher)
    grant_remove(actor=owner, survey=draft, researcher=researcher)
    survey_close(actor=None, survey=draft)
    survey_delete(actor=owner, survey=draft)
    acts = ["create", "update", "publish", "close", "delete"]
    noted = list(AuditEntry.objects.values_list("action", "actor"))
    assert [action for action, _ in noted if action.startswith("survey.")] == [
        f"survey.{act}" for act in acts
    ]
    assert ("question.add", "owner") in noted
    assert ("grant.add", "owner") in noted
    assert ("grant.remove", "owner") in noted
    assert ("survey.close", "system") in noted
    assert audit_verify()[0] == len(noted)


def test_an_auditor_can_check_the_downloaded_chain(
    client: Any, auditor: Any, chain: list[AuditEntry]
) -> None:
    """The file alone is enough: every line follows from the one before, and reading adds none."""
    client.force_login(auditor, backend="django.contrib.auth.backends.ModelBackend")
    lines = [json.loads(line) for line in client.get("/audit/chain.jsonl").getvalue().splitlines()]
    previous = GENESIS
    for line in lines:
        said = {name: value for name, value in line.items() if name != "digest"}
        assert said["previous"] == previous
        previous = hashlib.sha256(rfc8785.dumps(said)).hexdigest()
        assert line["digest"] == previous
    assert (len(lines), previous) == audit_verify() == (5, chain[-1].digest)


def test_the_page_shows_every_fact_and_hash_in_full(client: Any, auditor: Any, db: None) -> None:
    long = "x" * 500
    entry = audit_append(actor=None, action="test", subject="s", facts={"note": long})
    client.force_login(auditor, backend="django.contrib.auth.backends.ModelBackend")
    page = client.get("/audit/").content.decode()
    assert [
        told for told in (long, entry.digest, entry.previous, "Asia/Seoul", " KST") if told not in page
    ] == []


@pytest.mark.django_db(transaction=True)
def test_appends_at_the_same_time_make_one_chain() -> None:
    """Eight threads on the real database: numbers without gaps, every append there."""
    failures: list[Exception] = []
    start = threading.Barrier(8)

    def work(name: int) -> None:
        try:
            start.wait()
            for at in range(5):
                audit_append(actor=None, action="race", subject=f"{name}-{at}")
        except Exception as error:
            failures.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=work, args=(name,)) for name in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert audit_verify()[0] == 40
    assert AuditEntry.objects.values("subject").distinct().count() == 40
    assert connection.vendor in ("sqlite", "postgresql")


def test_what_operators_do_in_djangos_admin_is_noted(
    client: Any, owner: Any, researcher: Any, draft: Survey
) -> None:
    owner.is_staff = owner.is_superuser = True
    owner.save()
    client.force_login(owner, backend="django.contrib.auth.backends.ModelBackend")
    client.post("/admin/surveys/grant/add/", {"survey": draft.pk, "researcher": researcher.pk})
    grant = draft.grants.get()
    chosen = {"action": "delete_selected", "_selected_action": [grant.pk], "post": "yes"}
    client.post("/admin/surveys/grant/", chosen)
    client.post("/admin/auth/group/add/", {"name": "visitors"})
    noted = AuditEntry.objects.filter(action__startswith="admin.").values_list("action", "actor", "subject")
    assert list(noted) == [
        ("admin.add", "owner", "researcher reads habits"),
        ("admin.delete", "owner", "researcher reads habits"),
        ("admin.add", "owner", "visitors"),
    ]
    assert not draft.grants.exists()
    assert audit_verify()

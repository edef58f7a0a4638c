"""The first source is the service itself: shipped, made at the first start, checked as any other."""

from typing import Any

import pytest

from privacy.policy.errors import PolicyInvalid
from privacy.policy.labels import policy_from
from privacy.policy.schema import schema_from
from surveys.errors import SourceUnknown
from surveys.models import AuditEntry, Budget, Organisation, Respondent, Source
from surveys.services.sources import source_check, source_close, source_get, source_policy_set
from surveys.sources.service import service_schema, service_source_create, shipped
from tests import cast, people


def test_an_ill_formed_policy_changes_nothing(owner: Any) -> None:
    labels = {**shipped()["policy"]["labels"], "invitation": "PUB"}
    with pytest.raises(PolicyInvalid):
        document = {"entity": "respondent", "labels": labels}
        source_policy_set(actor=owner, source=people.service(), document=document)
    assert people.service().policy_version == 1


def test_the_shipped_policy_is_well_formed() -> None:
    schema = schema_from(service_schema([]))
    policy = policy_from(shipped()["policy"], schema)
    assert set(shipped()["tables"]) == set(schema.relations)
    assert (policy.owned["respondent"], policy.owned["invitation"]) == (1, 20)
    assert [name for name in schema.relations if policy.touched(name)] == ["respondent", "invitation"]


def test_the_shipped_schema_shows_no_column_that_names_somebody() -> None:
    shown = {name: set(one["columns"]) for name, one in shipped()["schema"].items()}
    assert not shown["respondent"] & {"reference"}
    assert not shown["invitation"] & {"code", "blinded"}


def test_the_service_is_a_source_from_the_first_start(db: None) -> None:
    source = source_get("service")
    assert (source.state, source.kind, source.policy_version) == ("open", "service", 1)
    assert Budget.objects.get(source=source).entity == "respondent"
    service_source_create()
    assert Source.objects.count() == 1
    with pytest.raises(SourceUnknown):
        source_get("nothing")


def test_a_second_start_changes_neither_budget_nor_policy(owner: Any) -> None:
    people.budget(owner, 123)
    service_source_create()
    assert Budget.objects.get().total == 123


def test_a_service_with_people_in_it_is_checked_before_it_is_asked(owner: Any) -> None:
    people.filled(owner)
    Source.objects.all().delete()
    service_source_create()
    assert people.service().state == Source.State.CLOSED


@pytest.mark.django_db(transaction=True)
def test_the_services_own_data_keeps_its_word() -> None:
    owner = cast.person("owner", "admin")
    cast.published(owner, questions=[cast.YES_NO, cast.SINGLE, cast.MULTIPLE, cast.NOTE])
    people.filled(owner)
    checked = source_check(actor=owner, source=people.service())
    assert (checked.reason, checked.state) == ("", "open")
    Respondent.objects.filter(reference="r1").update(region="Atlantis")
    failed = source_check(actor=owner, source=people.service())
    assert failed.reason == "respondent.region: has a value of its domain"


def test_every_act_on_a_source_is_noted(owner: Any) -> None:
    source_close(actor=owner, source=people.service())
    source_policy_set(actor=owner, source=people.service(), document=shipped()["policy"])
    noted = list(AuditEntry.objects.values_list("action", flat=True))
    assert noted == ["source.close", "source.policy"]
    assert not Organisation.objects.exists()

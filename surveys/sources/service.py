"""The first source: the service's own organisations, respondents, invitations and surveys."""

import json
from collections.abc import Iterable, Mapping
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

from django.db import transaction

from surveys.models import Budget, Panel, Respondent, Source, SourcePolicy
from surveys.models.participation import TRAITS

NAME = "service"
# Given at the first start; an admin sets others. ε 10 and δ 10⁻⁶ for every respondent, for ever.
TOTAL, DELTA_TOTAL = 10_000_000, 1_000_000


@cache
def shipped() -> Mapping[str, Any]:
    """Return the shipped tables, schema and policy."""
    found: Mapping[str, Any] = json.loads(Path(__file__).with_name("service.json").read_text("utf-8"))
    return found


def service_schema(domains: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the shipped schema, in which a trait has every value that any panel declares for it."""
    schema: dict[str, Any] = deepcopy(shipped()["schema"])
    declared = list(domains)
    for trait in TRAITS:
        # In the order in which panels declare them; a value of two panels once.
        values = list(dict.fromkeys(value for one in declared for value in one.get(trait, ())))
        if values:
            schema["respondent"]["columns"][trait]["domain"] = values
    return schema


def service_source_create(**_sender: Any) -> None:
    """Make the service's source with its policy and budget, unless it is there; called after every migration."""
    with transaction.atomic():
        # Empty tables break no constraint; others are checked first.
        state = Source.State.CLOSED if Respondent.objects.exists() else Source.State.OPEN
        made = {
            "kind": Source.Kind.SERVICE,
            "schema": _schema(),
            "tables": shipped()["tables"],
            "state": state,
        }
        source, new = Source.objects.get_or_create(name=NAME, defaults={**made, "policy_version": 1})
        if new:
            policy = shipped()["policy"]
            SourcePolicy.objects.create(source=source, entity=policy["entity"], version=1, document=policy)
            Budget.objects.create(
                source=source, entity=policy["entity"], total=TOTAL, delta_total=DELTA_TOTAL
            )


def service_source_changed() -> None:
    """Note, in the caller's transaction, that people or panels changed: answers of before are of before."""
    for source in Source.objects.select_for_update().filter(name=NAME):
        source.schema = _schema()
        source.data_version += 1
        source.save(update_fields=("schema", "data_version"))


def _schema() -> dict[str, Any]:
    return service_schema(Panel.objects.order_by("pk").values_list("domains", flat=True))

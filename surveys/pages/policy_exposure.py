"""What a policy would make public that is protected now: columns, and how many rows there are."""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from privacy.policy.labels import Del, Policy, Rep


def exposed(kept: Mapping[str, Policy], edited: Policy) -> Sequence[Mapping[str, Any]]:
    """Return the relations of which something becomes public, each with its columns and whether its rows are counted.

    What another kind of entity protects stays protected; a first policy of a kind takes nothing away.
    """
    if edited.entity not in kept:
        return []
    now, then = list(kept.values()), [*({**kept, edited.entity: edited}).values()]
    found = [
        {"relation": name, "count": _count(name, then) and not _count(name, now), "columns": columns}
        for name, relation in edited.schema.relations.items()
        for columns in [[one for one in relation.columns if _newly(name, one, now, then)]]
    ]
    return [one for one in found if one["count"] or one["columns"]]


def exposure_digest(found: Sequence[Mapping[str, Any]]) -> str:
    """Return what tells one list from another: a tick counts for the list that was shown."""
    return sha256(json.dumps(list(found)).encode()).hexdigest()


def _newly(name: str, column: str, now: Sequence[Policy], then: Sequence[Policy]) -> bool:
    return _column(name, column, then) and not _column(name, column, now)


def _count(name: str, policies: Sequence[Policy]) -> bool:
    return not any(one.touched(name) and isinstance(one.label(name), Del) for one in policies)


def _column(name: str, column: str, policies: Sequence[Policy]) -> bool:
    return not any(column_label(name, column, one) != "PUB" for one in policies)


def column_label(relation: str, column: str, policy: Policy) -> str:
    """Return what protects a column; a column outside a REP label is as public as PUB."""
    label = policy.label(relation)
    if not policy.touched(relation):
        return "PUB"
    if isinstance(label, Del):
        return "DEL"
    return "REP" if isinstance(label, Rep) and column in label.columns else "PUB"

"""A policy as the text of a file: what the form shows, for those who would rather write it."""

from collections.abc import Mapping
from typing import Any

import yaml

from privacy.policy.errors import PolicyInvalid
from privacy.policy.files import policies_from
from privacy.policy.labels import policy_document
from privacy.policy.schema import Schema


def policy_text(document: Mapping[str, Any]) -> str:
    """Return the document as YAML, in the order of the form."""
    return yaml.safe_dump(dict(document), sort_keys=False, allow_unicode=True, default_flow_style=None)


def policy_read(text: str, schema: Schema, described: object, entity: str) -> Mapping[str, Any]:
    """Return the policy of an entity kind of a text in YAML or JSON, or raise what names line and reason."""
    found = {one.entity: one for one in policies_from(text, schema, described)}
    if entity not in found:
        raise PolicyInvalid(("entity",), f"this page is for the entity {entity}", 1)
    return policy_document(found[entity])

"""What a file says of a source: its schema, where its tables are, and a policy for each kind of entity.

`schema` holds relations as schema_from reads them; `tables`, {relation: "schema.table"}, those with another name in the
database; `policy` is one as policy_from reads it, or `policies` several, listed or by name.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from privacy.policy.documents import Document, Place, document_from
from privacy.policy.errors import DocumentInvalid, PolicyInvalid, SchemaInvalid
from privacy.policy.labels import Policy, policy_from
from privacy.policy.schema import Schema, schema_from

FIELDS = ("schema", "tables", "policy", "policies")


@dataclass(frozen=True)
class SourceFile:
    """A schema as it was described and as it is meant, the tables of its relations, and the policies."""

    described: Mapping[str, Any]
    schema: Schema
    policies: tuple[Policy, ...]
    tables: Mapping[str, str] = field(default_factory=dict)


def source_from(text: str) -> SourceFile:
    """Return what a file says, or raise DocumentInvalid, SchemaInvalid or PolicyInvalid with line and reason."""
    document = document_from(text)
    _fields(document)
    described = document.value.get("schema")
    if described is None:
        raise DocumentInvalid(("schema",), "missing", document.line(()))
    with _placed(document, "schema"):
        schema = schema_from(described)
    with _placed(document, "tables"):
        tables = tables_from(document.value.get("tables"), schema)
    return SourceFile(described, schema, _policies(document, schema), tables)


def policies_from(text: str, schema: Schema, described: object) -> tuple[Policy, ...]:
    """Return the policies of a file over a schema that is known; what else it declares must be as known."""
    document = document_from(text)
    if isinstance(document.value, Mapping) and "entity" in document.value:
        with _placed(document):
            return (policy_from(document.value, schema),)
    _fields(document)
    if document.value.get("schema", described) != described:
        raise DocumentInvalid(("schema",), "differs from the registered one", document.line(("schema",)))
    return _policies(document, schema)


def tables_from(described: object, schema: Schema) -> Mapping[str, str]:
    """Return the tables of relations, or raise SchemaInvalid; two relations are never one table."""
    if described is None:
        described = {}
    if not isinstance(described, Mapping):
        raise SchemaInvalid((), "expected tables by relation")
    for name, table in described.items():
        if name not in schema.relations:
            raise SchemaInvalid((name,), "there is no such relation")
        if not isinstance(table, str) or not 1 <= len(parts := table.split(".")) <= 2 or not all(parts):
            raise SchemaInvalid((name,), "expected table, or schema.table")
    _apart({name: described.get(name, name) for name in schema.relations})
    return dict(described)


def _apart(tables: Mapping[str, str]) -> None:
    # A name without its schema could be the same table as one with it; engines differ over capitals.
    seen: dict[str, tuple[str, str]] = {}
    for name, table in tables.items():
        if len(table.split(".")) > 2:
            raise SchemaInvalid((name,), "expected table, or schema.table: a name has one point at most")
        *where, last = table.casefold().split(".")
        other, place = seen.setdefault(last, (name, "".join(where)))
        if other != name and (place == "".join(where) or not place or not where):
            raise SchemaInvalid((name,), f"is the table of {other} as well: one of the labels would not hold")


def _policies(document: Document, schema: Schema) -> tuple[Policy, ...]:
    found: dict[str, Policy] = {}
    for place in _places(document):
        value = document.value
        for one in place:
            value = value[one]
        with _placed(document, *place):
            policy = policy_from(value, schema)
            if policy.entity in found:
                raise PolicyInvalid(("entity",), f"{policy.entity} has a policy already")
        found[policy.entity] = policy
    return tuple(found.values())


def _places(document: Document) -> Sequence[Place]:
    given = document.value.get("policies")
    if ("policy" in document.value) == (given is not None):
        line = document.line(("policies",))
        raise DocumentInvalid((), "expected one of policy and policies: a source needs a policy", line)
    if given is None:
        return [("policy",)]
    if not isinstance(given, Mapping | list) or not given:
        line = document.line(("policies",))
        raise DocumentInvalid(("policies",), "expected a list of policies, or policies by name", line)
    return [("policies", one) for one in (given if isinstance(given, Mapping) else range(len(given)))]


def _fields(document: Document) -> None:
    if not isinstance(document.value, Mapping):
        raise DocumentInvalid((), f"expected {', '.join(FIELDS)} by name", document.line(()))
    for name in document.value:
        if name not in FIELDS:
            told = f"unknown; expected one of {', '.join(FIELDS)}"
            raise DocumentInvalid((name,), told, document.line((name,)))


@contextmanager
def _placed(document: Document, *before: object) -> Iterator[None]:
    """Give refusals their line in the document."""
    try:
        yield
    except (SchemaInvalid, PolicyInvalid) as refused:
        raise refused.at(document.line((*before, *refused.place)), *before) from None

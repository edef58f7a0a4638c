"""A policy as a form: a label for each relation, the columns of REP, and rows that one entity may own."""

from collections.abc import Mapping, Sequence
from typing import Any

from privacy.policy.schema import Schema

Posted = Mapping[str, Any]
LABELS = ("DEL", "REP", "PUB")


def document_posted(posted: Any, entity: str, schema: Schema) -> dict[str, Any]:
    """Return the document that the form describes; whether it is well-formed is judged elsewhere."""
    labels: dict[str, Any] = {}
    caps: dict[str, Any] = {}
    for name in schema.relations:
        label = posted.get(f"label-{name}")
        if label in ("DEL", "PUB"):
            labels[name] = label
        elif label == "REP":
            labels[name] = {"REP": posted.getlist(f"columns-{name}")}
        typed = posted.get(f"rows-{name}", "").strip()
        if typed:
            caps[name] = int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 19 else typed
    document: dict[str, Any] = {"entity": entity, "labels": labels}
    return {**document, "max_rows_per_entity": caps} if caps else document


def form_rows(
    document: Mapping[str, Any], schema: Schema, wrong: str | None = None
) -> Sequence[Mapping[str, Any]]:
    """Return what the form shows of a document, relation by relation; `wrong` names the one that was refused."""
    labels, caps = document.get("labels", {}), document.get("max_rows_per_entity", {})
    return [
        _row(
            schema, name, labels.get(name) if isinstance(labels, Mapping) else None, caps, wrong=name == wrong
        )
        for name in schema.relations
    ]


def _row(schema: Schema, name: str, label: Any, caps: Any, *, wrong: bool) -> Mapping[str, Any]:
    relation = schema.relations[name]
    replaced = label.get("REP", ()) if isinstance(label, Mapping) else ()
    chosen = "REP" if isinstance(label, Mapping) else label
    return {
        "name": name,
        "wrong": wrong,
        "labels": [(one, one == chosen) for one in LABELS],
        "columns": [
            {"name": one, "replaced": one in replaced, "key": one in relation.key} for one in relation.columns
        ],
        "parents": [edge.parent for edge in relation.foreign_keys],
        "rows": caps.get(name, "") if isinstance(caps, Mapping) else "",
    }


def first_document(entity: str, schema: Schema) -> dict[str, Any]:
    """Return where a policy for a new entity kind starts: everything protected as much as can be."""
    return {"entity": entity, "labels": dict.fromkeys(schema.relations, "DEL")}

"""The schema of a source in words: what each column is, what is known of its values, and what protects it."""

import datetime
from collections.abc import Mapping, Sequence
from decimal import Decimal
from math import isinf
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from privacy.policy.labels import Policy, Rep
from privacy.policy.schema import Column, ForeignKey, Relation
from privacy.policy.values import Value
from surveys.models import Source
from surveys.pages.console_left import plain
from surveys.pages.policy_exposure import column_label
from surveys.services.queries import policies_of

SHOWN = 12  # values of a domain
# What whole numbers of 32 and of 64 bits hold.
LEAST, MOST = (-(2**31), -(2**63)), (2**31 - 1, 2**63 - 1)
KINDS = {
    "integer": _("whole number"),
    "decimal": _("decimal number"),
    "text": _("text"),
    "date": _("date"),
    "boolean": _("true or false"),
}
# (label, what it is called, what it means), for the legend.
LEGEND = (
    (
        "DEL",
        _("rows may be missing"),
        _("No answer tells whether somebody's rows are there at all."),
    ),
    (
        "REP",
        _("value may be another"),
        _(
            "That there is such a row is known; what it says in this column is not: it could be anything legal."
        ),
    ),
    ("PUB", _("public"), _("Known to everybody: answers from these columns alone are exact and free.")),
)


def schema_context(source: Source) -> Mapping[str, Any]:
    """Return the relations of a source under its policies; one that has none shows nothing."""
    if not source.policies.exists():
        return {"relations": [], "legend": LEGEND}
    policies = policies_of(source)
    relations = policies[0].schema.relations.values()
    return {"relations": [_relation(one, policies) for one in relations], "legend": LEGEND}


def _relation(one: Relation, policies: Sequence[Policy]) -> Mapping[str, Any]:
    return {
        "name": one.name,
        "labels": [_label(one.name, policy) for policy in policies],
        "marks": _marks([(_label(one.name, policy)["label"], policy.entity) for policy in policies]),
        "columns": [_column(one, column, policies) for column in one.columns.values()],
    }


def _label(name: str, policy: Policy) -> Mapping[str, Any]:
    label = policy.label(name)
    told = label.text if policy.touched(name) else "PUB"
    own = policy.owned[name]
    return {
        "entity": policy.entity,
        "label": told,
        "columns": sorted(label.columns) if isinstance(label, Rep) and told != "PUB" else (),
        "rows": None if told == "PUB" or isinf(own) else int(own),
    }


def _column(relation: Relation, column: Column, policies: Sequence[Policy]) -> Mapping[str, Any]:
    protections = [(column_label(relation.name, column.name, policy), policy.entity) for policy in policies]
    edges = [edge for edge in relation.foreign_keys if column.name in edge.columns]
    return {
        "name": column.name,
        "kind": str(KINDS[column.kind]),
        "nullable": column.nullable,
        "key": column.name in relation.key,
        "references": [_edge(edge, column.name) for edge in edges],
        "values": values_text(column),
        "marks": _marks(protections),
        "groups": column.domain is not None or {label for label, _ in protections} == {"PUB"},
    }


def _marks(labels: Sequence[tuple[str, str]]) -> Sequence[tuple[str, str]]:
    """Return each label that protects somebody, of several kinds with the kind's name; else that it is public."""
    protecting = [(label, entity if len(labels) > 1 else "") for label, entity in labels if label != "PUB"]
    return protecting or [("PUB", "")]


def _edge(edge: ForeignKey, column: str) -> Mapping[str, Any]:
    to = edge.to[edge.columns.index(column)]
    return {"to": f"{edge.parent}.{to}", "rows": edge.max_rows}


def values_text(column: Column) -> str:
    """Return what is publicly known of the values: a list, or both ends."""
    if column.domain is not None:
        listed = ", ".join(_value(one, column.scale) for one in column.domain[:SHOWN])
        more = len(column.domain) - SHOWN
        if more <= 0:
            return listed
        if column.bounds is not None:
            return _ends(column, *column.bounds)
        return gettext("%(values)s … and %(more)s more") % {"values": listed, "more": f"{more:,}"}
    return "" if column.bounds is None else _ends(column, *column.bounds)


def _ends(column: Column, low: int, high: int) -> str:
    # What the type holds anyway is no bound that tells anything.
    if column.kind == "integer" and high in MOST:
        return "" if low in LEAST else gettext("%(low)s or more") % {"low": _value(low, 0)}
    if column.kind == "date":
        ends = [datetime.date.fromordinal(one).isoformat() for one in (low, high)]
    else:
        ends = [_value(one, column.scale) for one in (low, high)]
    return gettext("from %(low)s to %(high)s") % {"low": ends[0], "high": ends[1]}


def _value(value: Value, scale: int) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return plain(Decimal(value).scaleb(-scale))
    return value.isoformat() if isinstance(value, datetime.date) else (value or "''")

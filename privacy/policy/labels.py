"""Policies: one label a relation, whose rows an entity owns, and when the labels make sense together."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from privacy.policy.errors import PolicyInvalid
from privacy.policy.schema import ForeignKey, Relation, Schema

# A number of rows: whole, or math.inf where nothing is declared.
Rows = float


@dataclass(frozen=True, slots=True)
class Del:
    """The entity's rows are absent in the neighbouring world."""

    text: ClassVar[str] = "DEL"


@dataclass(frozen=True, slots=True)
class Rep:
    """The entity's rows stay; the named columns hold any legal values in the neighbouring world."""

    columns: frozenset[str]
    text: ClassVar[str] = "REP"


@dataclass(frozen=True, slots=True)
class Pub:
    """The relation is the same in both worlds."""

    text: ClassVar[str] = "PUB"


Label = Del | Rep | Pub


@dataclass(frozen=True)
class Policy:
    """Labels of all relations of a schema, seen from one kind of entity; well-formed, or it does not exist."""

    schema: Schema
    entity: str
    labels: Mapping[str, Label]
    caps: Mapping[str, int] = field(default_factory=dict)  # rows one entity may own, declared directly

    def __post_init__(self) -> None:
        _check(self)
        object.__setattr__(self, "owned", _owned(self))

    owned: Mapping[str, Rows] = field(default_factory=dict, init=False, compare=False)

    def label(self, relation: str) -> Label:
        """Return the label of a relation."""
        return self.labels[relation]

    def touched(self, relation: str) -> bool:
        """Say whether the neighbouring world can differ in a relation at all."""
        return self.owned[relation] > 0 and not isinstance(self.labels[relation], Pub)


def times(a: Rows, b: Rows) -> Rows:
    """Return the product, where nothing times unboundedly many is nothing."""
    return 0 if a == 0 or b == 0 else a * b


def rows_per_parent(edge: ForeignKey) -> Rows:
    """Return how many rows may share a parent."""
    return math.inf if edge.max_rows is None else edge.max_rows


def _owned(policy: Policy) -> Mapping[str, Rows]:
    """Return own(R) of every relation: rows that one entity can own, over all paths."""
    owned: dict[str, Rows] = {}
    for name in policy.schema.order:
        relation = policy.schema.relations[name]
        reached = sum(times(owned[edge.parent], rows_per_parent(edge)) for edge in relation.foreign_keys)
        own: Rows = reached + (name == policy.entity)
        owned[name] = min(own, policy.caps[name]) if name in policy.caps else own
    return owned


def _check(policy: Policy) -> None:
    schema, labels = policy.schema, policy.labels
    if policy.entity not in schema.relations:
        raise PolicyInvalid(("entity",), f"there is no relation {policy.entity}")
    if not schema.relations[policy.entity].key:
        raise PolicyInvalid(("entity",), f"{policy.entity} has no key, so that nobody can be told apart")
    for name in labels:
        if name not in schema.relations:
            raise PolicyInvalid(("labels", name), "there is no such relation")
    for name, relation in schema.relations.items():
        _label_check(name, relation, labels.get(name))
    if isinstance(labels[policy.entity], Pub):
        raise PolicyInvalid(("labels", policy.entity), "the entity's own relation would be public")
    owned = _owned(policy)
    for name in schema.relations:
        _children_check(policy, name, owned)


def _label_check(name: str, relation: Relation, label: Label | None) -> None:
    if label is None:
        raise PolicyInvalid(("labels", name), "no label; a relation is never taken to be public")
    if isinstance(label, Rep):
        for column in sorted(label.columns):
            if column not in relation.columns:
                raise PolicyInvalid(("labels", name, "REP"), f"there is no column {column}")


def _children_check(policy: Policy, name: str, owned: Mapping[str, Rows]) -> None:
    """Where the row referred to can go or be renamed, whatever refers to it must be able to follow."""
    label, key = policy.labels[name], set(policy.schema.relations[name].key)
    gone = label.columns & key if isinstance(label, Rep) else key if isinstance(label, Del) else set()
    if not gone or owned[name] == 0:
        return
    for child, edge in policy.schema.children[name]:
        follows = policy.labels[child.name]
        needed = {own for own, to in zip(edge.columns, edge.to, strict=True) if to in gone}
        if isinstance(follows, Del) or (isinstance(follows, Rep) and needed <= follows.columns):
            continue
        raise PolicyInvalid(
            ("labels", child.name),
            f"rows of {name} can go or change their key, so {child.name} must be DEL, or REP with "
            f"{' and '.join(sorted(needed))} replaced",
        )


def policy_from(described: object, schema: Schema) -> Policy:
    """Return the policy that a document describes, or raise PolicyInvalid naming the place and the reason.

    Form: {"entity": relation, "labels": {relation: "DEL" | "PUB" | {"REP": [column]}},
    "max_rows_per_entity"?: {relation: rows}}. Labels may also be one of the two uniform policies, by its name.
    """
    if not isinstance(described, Mapping):
        raise PolicyInvalid((), "expected entity and labels")
    for name in described:
        if name not in ("entity", "labels", "max_rows_per_entity"):
            raise PolicyInvalid((name,), "unknown; expected entity, labels or max_rows_per_entity")
    entity, given = described.get("entity"), described.get("labels")
    if not isinstance(entity, str):
        raise PolicyInvalid(("entity",), "expected the name of a relation")
    caps = _caps(described.get("max_rows_per_entity", {}), schema)
    return Policy(schema, entity, _labels(given, schema), caps)


def _labels(given: Any, schema: Schema) -> Mapping[str, Label]:
    if isinstance(given, str) and given in UNIFORM:
        return {one.name: UNIFORM[given](one) for one in schema.relations.values()}
    if not isinstance(given, Mapping):
        raise PolicyInvalid(("labels",), "expected a label for each relation, or unbounded, or bounded")
    for name in given:
        if name not in schema.relations:
            raise PolicyInvalid(("labels", name), "there is no such relation")
    return {name: _label(schema.relations[name], one) for name, one in given.items()}


def _label(relation: Relation, given: Any) -> Label:
    if given == "DEL":
        return Del()
    if given == "PUB":
        return Pub()
    if isinstance(given, Mapping) and list(given) == ["REP"]:
        return _replaced(relation, given["REP"])
    raise PolicyInvalid(("labels", relation.name), "expected DEL, PUB, or REP with a list of columns")


def _replaced(relation: Relation, given: Any) -> Label:
    place = ("labels", relation.name, "REP")
    if not isinstance(given, Sequence) or isinstance(given, str) or not given:
        raise PolicyInvalid(place, "expected a list of columns")
    found: dict[str, int] = {}
    for at, one in enumerate(given):
        if not isinstance(one, str) or one not in relation.columns:
            raise PolicyInvalid((*place, at), f"there is no column {one!s:.80}")
        if found.setdefault(one, at) != at:
            raise PolicyInvalid((*place, at), f"{one} is named twice")
    return Rep(frozenset(found))


def _caps(given: Any, schema: Schema) -> Mapping[str, int]:
    if not isinstance(given, Mapping):
        raise PolicyInvalid(("max_rows_per_entity",), "expected rows by relation")
    for name, rows in given.items():
        if name not in schema.relations:
            raise PolicyInvalid(("max_rows_per_entity", name), "there is no such relation")
        if not isinstance(rows, int) or isinstance(rows, bool) or rows < 1:
            raise PolicyInvalid(("max_rows_per_entity", name), "expected a whole number, 1 or more")
    return dict(given)


def unbounded(policy: Policy) -> Policy:
    """Return the uniform policy under which every relation is DEL: an entity may be absent."""
    return _uniform(policy, "unbounded")


def bounded(policy: Policy) -> Policy:
    """Return the uniform policy under which every column of every relation is REP: the number of rows is known."""
    return _uniform(policy, "bounded")


def _uniform(policy: Policy, which: str) -> Policy:
    return Policy(policy.schema, policy.entity, _labels(which, policy.schema), policy.caps)


UNIFORM: Mapping[str, Callable[[Relation], Label]] = {
    "unbounded": lambda _relation: Del(),
    "bounded": lambda relation: Rep(frozenset(relation.columns)),
}


def policy_document(policy: Policy) -> dict[str, Any]:
    """Return the document that describes a policy."""
    labels = {
        name: {"REP": sorted(label.columns)} if isinstance(label, Rep) else label.text
        for name, label in policy.labels.items()
    }
    document: dict[str, Any] = {"entity": policy.entity, "labels": labels}
    return {**document, "max_rows_per_entity": dict(policy.caps)} if policy.caps else document

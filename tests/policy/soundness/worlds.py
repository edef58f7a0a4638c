"""Random schemas, well-formed policies, worlds, and legal neighbours of one entity that try to make a difference."""

from collections import Counter
from collections.abc import Mapping
from copy import deepcopy
from random import Random
from typing import Any

from privacy.policy.errors import PolicyInvalid
from privacy.policy.labels import Del, Policy, Pub, Rep, policy_from
from privacy.policy.schema import Relation, Schema, schema_from

World = dict[str, list[dict[str, Any]]]
VALUES = 4  # values of a small column: so few that counts and thresholds meet


def random_schema(dice: Random) -> Schema:
    """Return people with things that they have, things of those things, and a public list that all may refer to."""
    relations: dict[str, Any] = {
        "place": _relation(dice, "pl", []),
        "person": _relation(dice, "pe", [("place", 6)] if dice.random() < 0.3 else []),
    }
    relations["visit"] = _relation(dice, "vi", [("person", dice.randint(1, 3)), ("place", 5)])
    relations["item"] = _relation(dice, "it", [("visit", dice.randint(1, 3))])
    parents = [("person", dice.randint(1, 3))] + ([("visit", 2)] if dice.random() < 0.3 else [])
    relations["note"] = _relation(dice, "no", parents)
    return schema_from(relations)


def _relation(dice: Random, short: str, parents: list[tuple[str, int]]) -> dict[str, Any]:
    columns: dict[str, Any] = {f"{short}_id": {"type": "integer", "bounds": [0, 40]}}
    for name in ("a", "b"):
        low = dice.choice([0, 0, -2])
        facts = {"type": "integer", "bounds": [low, low + VALUES - 1], "nullable": dice.random() < 0.3}
        if dice.random() < 0.7:
            facts["domain"] = {"range": [low, low + VALUES - 1]}
        columns[f"{short}_{name}"] = facts
    edges = []
    for parent, most in parents:
        own = f"{short}_{parent}"
        columns[own] = {"type": "integer", "nullable": dice.random() < 0.2}
        edges.append({"columns": [own], "references": parent, "to": [f"{parent[:2]}_id"], "max_rows": most})
    return {"key": [f"{short}_id"], "columns": columns, "foreign_keys": edges}


def random_policy(dice: Random, schema: Schema) -> Policy:
    """Return a well-formed policy about persons."""
    while True:
        labels = {name: _label(dice, one) for name, one in schema.relations.items()}
        try:
            return policy_from({"entity": "person", "labels": labels}, schema)
        except PolicyInvalid:
            continue


def _label(dice: Random, relation: Relation) -> Any:
    kind = dice.choice(["DEL", "REP", "REP", "PUB"])
    if kind != "REP":
        return kind
    names = [name for name in relation.columns if dice.random() < (0.15 if name in relation.key else 0.6)]
    return {"REP": names or [next(iter(relation.columns))]}


def random_world(dice: Random, schema: Schema) -> World:
    """Return a legal world in which person 0 often has as much as anybody may have."""
    world: World = {}
    for name in schema.order:
        relation = schema.relations[name]
        number = {"place": dice.randint(1, 3), "person": dice.randint(1, 4)}.get(name, dice.randint(0, 9))
        rows = [_row(dice, relation, at, world) for at in range(number)]
        world[name] = [row for row in rows if row is not None]
        world[name] = _fitting(relation, world[name])
    return world


def _row(dice: Random, relation: Relation, at: int, world: World) -> dict[str, Any] | None:
    row: dict[str, Any] = {}
    for name, column in relation.columns.items():
        if name in relation.key:
            row[name] = at
        elif column.nullable and dice.random() < 0.25:
            row[name] = None
        elif column.bounds is not None:
            row[name] = dice.choice([column.bounds[0], column.bounds[1], dice.randint(*column.bounds)])
    for edge in relation.foreign_keys:
        own, to = edge.columns[0], edge.to[0]
        if own in row:
            continue
        there = [one[to] for one in world[edge.parent]]
        if not there:
            return None
        # Number 0 gets most: it is the one who will be looked for.
        row[own] = there[0] if dice.random() < 0.5 else dice.choice(there)
    return row


def _fitting(relation: Relation, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    kept: list[dict[str, Any]] = []
    counts: Counter[tuple[str, Any]] = Counter()
    for row in rows:
        edges = [(edge, (edge.columns[0], row[edge.columns[0]])) for edge in relation.foreign_keys]
        if all(key[1] is None or edge.max_rows is None or counts[key] < edge.max_rows for edge, key in edges):
            counts.update(key for _, key in edges)
            kept.append(row)
    return kept


def neighbour(dice: Random, policy: Policy, world: World, key: int) -> World | None:
    """Return a legal neighbouring world for the person of this key, None where the dice found none."""
    owned = owned_rows(policy.schema, world, key)
    other: World = {}
    for name in policy.schema.order:
        relation, label = policy.schema.relations[name], policy.labels[name]
        rows = deepcopy(world[name])
        mine = owned[name]
        if isinstance(label, Del):
            rows = [row for at, row in enumerate(rows) if at not in mine]
        elif isinstance(label, Rep):
            for at in mine:
                _replace(dice, relation, label, rows, at, other)
        other[name] = rows
    return other if legal(policy.schema, other) else None


def owned_rows(schema: Schema, world: World, key: int) -> Mapping[str, set[int]]:
    """Return the places of the rows that a person owns."""
    owned: dict[str, set[int]] = {}
    for name in schema.order:
        relation, mine = schema.relations[name], set[int]()
        for at, row in enumerate(world[name]):
            if name == "person" and row[relation.key[0]] == key:
                mine.add(at)
            for edge in relation.foreign_keys:
                parents = {world[edge.parent][one][edge.to[0]] for one in owned[edge.parent]}
                if row[edge.columns[0]] in parents:
                    mine.add(at)
        owned[name] = mine
    return owned


def _replace(
    dice: Random, relation: Relation, label: Rep, rows: list[dict[str, Any]], at: int, other: World
) -> None:
    row = rows[at]
    refers = {edge.columns[0]: edge for edge in relation.foreign_keys}
    for name in label.columns:
        column = relation.columns[name]
        if column.nullable and dice.random() < 0.25:
            row[name] = None
        elif name in refers:
            edge = refers[name]
            there = [one[edge.to[0]] for one in other[edge.parent]]
            row[name] = dice.choice(there) if there else None
        elif name in relation.key:
            row[name] = dice.choice([row[name], 40 - at])
        elif column.bounds is not None:
            row[name] = dice.choice([column.bounds[0], column.bounds[1], dice.randint(*column.bounds)])


def legal(schema: Schema, world: World) -> bool:
    """Say whether keys, foreign keys, frequencies and NULLs are as declared."""
    for name, relation in schema.relations.items():
        keys = [row[relation.key[0]] for row in world[name]]
        if len(set(keys)) != len(keys):
            return False
        for edge in relation.foreign_keys:
            there = {one[edge.to[0]] for one in world[edge.parent]}
            used = Counter(row[edge.columns[0]] for row in world[name])
            nothing = used.pop(None, 0)
            if nothing and not relation.columns[edge.columns[0]].nullable:
                return False
            if not set(used) <= there or any(edge.max_rows and n > edge.max_rows for n in used.values()):
                return False
    return True


def label_text(policy: Policy) -> str:
    """Return a policy in a line."""
    named = {Del: "DEL", Pub: "PUB"}
    return ", ".join(
        f"{name} {named.get(type(label)) or 'REP(' + ' '.join(sorted(getattr(label, 'columns', ()))) + ')'}"
        for name, label in policy.labels.items()
    )

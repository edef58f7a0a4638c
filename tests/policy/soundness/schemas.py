"""Random schemas and the well-formed policies over them: a few relations, linked in every way that is allowed."""

from collections.abc import Iterator
from random import Random
from typing import Any

from privacy.policy.labels import Policy, policy_from
from privacy.policy.schema import Relation, Schema, schema_from

KEYS = 12  # different values of a key column
LIMIT = 14  # no entity owns more rows of one relation than this: worlds stay small
TEXTS = ["a", "ab", "b", "B"]
DAYS = ["2001-12-30", "2002-02-02"]


def random_schema(dice: Random) -> Schema:
    """Return two to five relations; each refers to up to two that stand before it, to one of them twice perhaps."""
    names = [f"r{at}" for at in range(dice.choice([2, 3, 3, 4, 4, 5]))]
    relations: dict[str, Any] = {}
    for name in names:
        parents = [one for one in relations if relations[one]["key"]]
        number = dice.choice([0, 1, 1, 1, 2, 2]) if len(relations) > 1 else len(relations)
        chosen = [dice.choice(parents) for _ in range(number)] if parents else []
        relations[name] = _relation(dice, name, chosen, relations)
    return schema_from(relations)


def _relation(dice: Random, name: str, parents: list[str], known: dict[str, Any]) -> dict[str, Any]:
    columns: dict[str, Any] = {}
    edges = [_edge(dice, f"{name}_f{at}", parent, known, columns) for at, parent in enumerate(parents)]
    key = _key(dice, name, edges, columns)
    for at in range(dice.choice([1, 1, 2, 2, 3])):
        columns[f"{name}_v{at}"] = random_column(dice)
    return {"key": key, "columns": columns, "foreign_keys": edges}


def _key(dice: Random, name: str, edges: list[dict[str, Any]], columns: dict[str, Any]) -> list[str]:
    shape = dice.choice(["one", "one", "one", "two", "child", "child", "none"]) if edges else "one"
    if dice.random() < 0.2 and not edges:
        shape = "two"
    if shape == "none":
        return []
    own = {"type": "integer", "bounds": [0, KEYS - 1]}
    if dice.random() < 0.5:
        own["domain"] = {"range": [0, KEYS - 1]}
    columns[f"{name}_k"] = own
    if shape == "two":
        columns[f"{name}_m"] = {"type": "integer", "bounds": [0, 2]}
        return [f"{name}_k", f"{name}_m"]
    if shape == "child" and len(edges[0]["columns"]) < 3:
        # Numbered within its parent, as lines of an order are.
        first = edges[0]["columns"]
        for one in first:
            columns[one]["nullable"] = False
        if len(first) == 1 and edges[0]["max_rows"] is not None and dice.random() < 0.2:
            edges[0]["max_rows"] = 1
            return list(first)
        return [*first, f"{name}_k"]
    return [f"{name}_k"]


def _edge(
    dice: Random, prefix: str, parent: str, known: dict[str, Any], columns: dict[str, Any]
) -> dict[str, Any]:
    own = []
    for at, to in enumerate(known[parent]["key"]):
        column = {
            "type": "integer",
            "bounds": known[parent]["columns"][to]["bounds"],
            "nullable": dice.random() < 0.2,
        }
        if dice.random() < 0.4:
            column["domain"] = {"range": column["bounds"]}
        own.append(f"{prefix}{'xyz'[at]}")
        columns[own[-1]] = column
    rows = dice.choice([1, 2, 2, 3, 3, 3, None])
    return {"columns": own, "references": parent, "to": list(known[parent]["key"]), "max_rows": rows}


def random_column(dice: Random) -> dict[str, Any]:
    """Return a column of few values, so that counts and thresholds meet."""
    nullable = dice.random() < 0.3
    kind = dice.choice(["integer", "integer", "integer", "decimal", "text", "date", "boolean"])
    if kind == "text":
        return {"type": "text", "domain": TEXTS, "nullable": nullable}
    if kind == "boolean":
        return {"type": "boolean", "domain": [False, True], "nullable": nullable}
    if kind == "date":
        return {"type": "date", "bounds": DAYS, "nullable": nullable}
    low = dice.choice([0, 0, 1, -1, -2])
    facts: dict[str, Any] = {"type": kind, "bounds": [low, low + 2], "nullable": nullable}
    if kind == "decimal":
        return {**facts, "scale": 1, "bounds": [f"{low}.0", f"{low + 1}.5" if low + 1 >= 0 else "-0.5"]}
    return {**facts, "domain": {"range": [low, low + 2]}} if dice.random() < 0.7 else facts


def random_policy(dice: Random, schema: Schema) -> Policy | None:
    """Return a well-formed policy about some relation, None where one entity could own too much to try it out."""
    able = [name for name in schema.order if schema.relations[name].key]
    entity = dice.choice([*(one for one in able if schema.children[one]), able[0]])
    labels: dict[str, Any] = {}
    for name in schema.order:
        labels[name] = _label(dice, schema, name, entity, labels)
    described: dict[str, Any] = {"entity": entity, "labels": labels}
    policy = policy_from(described, schema)
    caps = dict(_caps(dice, policy))
    if caps:
        policy = policy_from({**described, "max_rows_per_entity": caps}, schema)
    finite = [own for own in policy.owned.values() if own != float("inf")]
    return policy if max(finite) <= LIMIT else None


def _caps(dice: Random, policy: Policy) -> Iterator[tuple[str, int]]:
    for name, own in policy.owned.items():
        unbounded = own == float("inf") and dice.random() < 0.8
        if own > 0 and name != policy.entity and (unbounded or dice.random() < 0.1):
            yield name, dice.randint(2, 4)


def _label(dice: Random, schema: Schema, name: str, entity: str, labels: dict[str, Any]) -> Any:
    relation = schema.relations[name]
    needed = {
        own
        for edge in relation.foreign_keys
        for own, to in zip(edge.columns, edge.to, strict=True)
        if labels[edge.parent] == "DEL" or (labels[edge.parent] != "PUB" and to in labels[edge.parent]["REP"])
    }
    kinds = ["DEL", "REP", "REP"] if needed or name == entity else ["DEL", "REP", "REP", "PUB", "PUB"]
    kind = dice.choice(kinds)
    if kind != "REP":
        return kind
    return {"REP": sorted(needed | set(_replaced(dice, relation))) or [next(iter(relation.columns))]}


def _replaced(dice: Random, relation: Relation) -> Iterator[str]:
    referring = {own for edge in relation.foreign_keys for own in edge.columns}
    for name in relation.columns:
        chance = 0.1 if name in relation.key else 0.35 if name in referring else 0.6
        if dice.random() < chance:
            yield name

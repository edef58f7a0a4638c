"""Pairs of neighbouring schools: one pupil gone, or with other values, under three policies."""

import datetime
from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any

from privacy.policy.labels import Del, Policy, Rep, policy_from
from tests.policy.test_sql.school import POLICY, SCHEMA, rows

World = dict[str, list[dict[str, Any]]]
_OWN = {"pupil": "p_id", "mark": "m_pupil", "visit": "v_pupil"}
_REPLACED = {
    "pupil": {"REP": ["p_name", "p_born", "p_grade", "p_fee", "p_boarder", "p_luck"]},
    "mark": {"REP": ["m_points", "m_subject", "m_on"]},
}
POLICIES: tuple[Policy, ...] = (
    POLICY,
    policy_from(
        {"entity": "pupil", "labels": {"town": "PUB", **_REPLACED, "visit": {"REP": ["v_days"]}}}, SCHEMA
    ),
    policy_from(
        {"entity": "pupil", "labels": {"town": "PUB", **_REPLACED, "mark": "PUB", "visit": "DEL"}}, SCHEMA
    ),
)


@dataclass(frozen=True)
class Pair:
    """Two worlds that differ by one pupil."""

    policy: Policy
    one: World
    other: World


def pair(seed: int) -> Pair:
    """Return the pair of a seed; every eighth is of an empty school beside one of a single pupil."""
    dice = Random(seed)
    policy, one = POLICIES[seed % len(POLICIES)], _legal(rows(seed))
    if seed % 8 == 7:
        one = {**one, **{name: [row for row in one[name] if row[key] == 0] for name, key in _OWN.items()}}
    pupil = dice.choice([row["p_id"] for row in one["pupil"]])
    return Pair(policy, one, {name: _other(dice, policy, name, one[name], pupil) for name in one})


def _legal(world: World) -> World:
    """Return a world without the rows that a declared frequency does not allow."""
    for name, relation in SCHEMA.relations.items():
        seen: Counter[tuple[str, Any]] = Counter()
        kept = []
        for row in world[name]:
            edges = [(edge, (edge.columns[0], row[edge.columns[0]])) for edge in relation.foreign_keys]
            if all(
                key[1] is None or edge.max_rows is None or seen[key] < edge.max_rows for edge, key in edges
            ):
                seen.update(key for _, key in edges)
                kept.append(row)
        world[name] = kept
    there = {row["p_id"] for row in world["pupil"]}
    return {
        name: [
            row for row in found if name not in _OWN or row[_OWN[name]] is None or row[_OWN[name]] in there
        ]
        for name, found in world.items()
    }


def _other(
    dice: Random, policy: Policy, name: str, found: list[dict[str, Any]], pupil: int
) -> list[dict[str, Any]]:
    label, key = policy.labels[name], _OWN.get(name)
    if isinstance(label, Del) and key:
        return [row for row in found if row[key] != pupil]
    if isinstance(label, Rep) and key:
        return [
            {**row, **{one: _value(dice, name, one) for one in sorted(label.columns)}}
            if row[key] == pupil
            else row
            for row in found
        ]
    return found


def _value(dice: Random, relation: str, name: str) -> Any:
    column = SCHEMA.relations[relation].columns[name]
    if column.nullable and dice.random() < 0.3:
        return None
    if column.kind == "date":
        return datetime.date(2001, 1, 1) + datetime.timedelta(days=dice.choice([0, 1, 900]))
    if column.domain is not None:
        return dice.choice(list(column.domain))
    # Where nothing is declared a value may be any.
    wild: list[Any] = ["", "zzz", "'"] if column.kind == "text" else [-(2**62), 0, 2**62]
    return dice.choice(list(column.bounds)) if column.bounds is not None else dice.choice(wild)

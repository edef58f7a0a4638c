"""A source with every type: people with Korean names and debts, and what they ordered."""

from datetime import date
from random import Random
from typing import Any

from privacy.policy.labels import Policy, policy_from
from privacy.policy.schema import Schema, schema_from

CITIES = ["서울", "부산", "Jeju", "jeju"]
TAGS = [
    "100%",
    "100x",
    "a_b",
    "axb",
    "a*b",
    "a?b",
    "[ab]",
    "a",
    "A",
    "",
    "가나다",
    "가_다",
    "it's",
    'q"q',
    "tail ",
]

DOCUMENT: dict[str, Any] = {
    "person": {
        "key": ["id"],
        "columns": {
            "id": {"type": "integer", "bounds": [0, 1000]},
            "name": {"type": "text", "nullable": True},
            "city": {"type": "text", "domain": CITIES},
            "born": {"type": "date", "nullable": True, "bounds": ["1950-01-01", "2010-12-31"]},
            "active": {"type": "boolean", "domain": [False, True]},
            "balance": {"type": "decimal", "scale": 2, "nullable": True, "bounds": ["-100.00", "100.00"]},
            "big": {"type": "integer", "bounds": [-(2**62), 2**62]},
        },
    },
    "order": {
        "key": ["id"],
        "columns": {
            "id": {"type": "integer", "bounds": [0, 1000]},
            "person_id": {"type": "integer", "nullable": True, "bounds": [0, 1000]},
            "amount": {"type": "decimal", "scale": 3, "bounds": ["-5.000", "50.000"]},
            "tag": {"type": "text", "nullable": True, "domain": TAGS},
            "placed": {"type": "date", "bounds": ["1992-01-01", "1998-12-31"]},
            "pieces": {"type": "integer", "nullable": True, "bounds": [-3, 9]},
        },
        "foreign_keys": [{"columns": ["person_id"], "references": "person", "to": ["id"], "max_rows": 20}],
    },
}
SCHEMA: Schema = schema_from(DOCUMENT)
POLICY: Policy = policy_from({"entity": "person", "labels": {"person": "DEL", "order": "DEL"}}, SCHEMA)
EMPTY: dict[str, list[dict[str, Any]]] = {"person": [], "order": []}


def world(seed: int, people: int = 12, orders: int = 60) -> dict[str, list[dict[str, Any]]]:
    """Return rows at random, the extremes among them."""
    dice = Random(seed)
    return {
        "person": [_person(dice, at) for at in range(people)],
        "order": [_order(dice, at, people) for at in range(orders)],
    }


def _maybe(dice: Random, value: Any) -> Any:
    return None if dice.random() < 0.2 else value


def _person(dice: Random, at: int) -> dict[str, Any]:
    return {
        "id": at,
        "name": _maybe(dice, dice.choice(["김철수", "이영희", "Ann", "ann", "ånn"])),
        "city": dice.choice(CITIES),
        "born": _maybe(dice, date(dice.randint(1950, 2010), dice.randint(1, 12), dice.randint(1, 28))),
        "active": dice.random() < 0.5,
        "balance": _maybe(dice, dice.choice([-10_000, 10_000, -1, 1, dice.randint(-10_000, 10_000)])),
        "big": dice.choice([2**62, -(2**62), 2**62 - 1, 0, 2**31, -(2**31) - 1]),
    }


def _order(dice: Random, at: int, people: int) -> dict[str, Any]:
    return {
        "id": at,
        "person_id": _maybe(dice, dice.randrange(people)),
        "amount": dice.choice([-5_000, 50_000, 1, dice.randint(-5_000, 50_000)]),
        "tag": _maybe(dice, dice.choice(TAGS)),
        "placed": date(dice.randint(1992, 1998), dice.randint(1, 12), dice.randint(1, 28)),
        "pieces": _maybe(dice, dice.randint(-3, 9)),
    }

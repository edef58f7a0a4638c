"""A small school: columns of every type, with and without bounds, and rows for it."""

import datetime
import random
from typing import Any

from privacy.policy.labels import Policy, policy_from
from privacy.policy.schema import schema_from


def _number(low: int, high: int, **more: Any) -> dict[str, Any]:
    return {"type": "integer", "bounds": [low, high], **more}


SCHEMA = schema_from(
    {
        "town": {
            "key": ["t_id"],
            "columns": {
                "t_id": _number(0, 9),
                "t_name": {"type": "text", "domain": ["Busan", "Jeju", "Seoul"]},
                "t_size": _number(0, 9),
                "t_note": {"type": "text", "nullable": True},
            },
        },
        "pupil": {
            "key": ["p_id"],
            "columns": {
                "p_id": _number(0, 99),
                "p_town": {"type": "integer"},
                "p_name": {"type": "text"},
                "p_born": {"type": "date", "bounds": ["2001-01-01", "2003-12-31"]},
                "p_grade": _number(0, 5, nullable=True, domain={"range": [0, 5]}),
                "p_fee": {"type": "decimal", "scale": 2, "bounds": [0, 100]},
                "p_boarder": {"type": "boolean", "domain": [False, True]},
                "p_luck": {"type": "integer"},
            },
            "foreign_keys": [{"columns": ["p_town"], "references": "town", "to": ["t_id"], "max_rows": 9}],
        },
        "mark": {
            "key": ["m_id"],
            "columns": {
                "m_id": _number(0, 999),
                "m_pupil": {"type": "integer"},
                "m_subject": {"type": "text", "domain": ["art", "maths"]},
                "m_points": {"type": "decimal", "scale": 1, "bounds": [0, 15], "nullable": True},
                "m_on": {"type": "date"},
            },
            "foreign_keys": [{"columns": ["m_pupil"], "references": "pupil", "to": ["p_id"], "max_rows": 4}],
        },
        "visit": {
            "key": ["v_id"],
            "columns": {
                "v_id": _number(0, 999),
                "v_pupil": {"type": "integer", "nullable": True},
                "v_town": {"type": "integer"},
                "v_days": _number(-2, 5),
            },
            "foreign_keys": [
                {"columns": ["v_pupil"], "references": "pupil", "to": ["p_id"], "max_rows": 3},
                {"columns": ["v_town"], "references": "town", "to": ["t_id"], "max_rows": 20},
            ],
        },
    }
)

POLICY: Policy = policy_from(
    {"entity": "pupil", "labels": {"town": "PUB", "pupil": "DEL", "mark": "DEL", "visit": "DEL"}}, SCHEMA
)


def rows(seed: int) -> dict[str, list[dict[str, Any]]]:
    """Return rows of a school, numbers in units; the same for the same seed."""
    dice = random.Random(seed)
    names = ["Ara", "Bo", "Chul", "Ae_ra", "Bobo"]
    towns = [
        {
            "t_id": at,
            "t_name": dice.choice(["Busan", "Jeju", "Seoul"]),
            "t_size": dice.randint(0, 9),
            "t_note": None,
        }
        for at in range(4)
    ]
    towns[0]["t_note"] = "port"
    pupils = [
        {
            "p_id": at,
            "p_town": dice.randrange(4),
            "p_name": dice.choice(names),
            "p_born": datetime.date(2001, 1, 1) + datetime.timedelta(days=dice.randrange(1000)),
            "p_grade": dice.choice([None, 0, 1, 2, 5]),
            "p_fee": 25 * dice.randrange(400),
            "p_boarder": dice.random() < 0.5,
            "p_luck": dice.randint(-3, 3),
        }
        for at in range(12)
    ]
    marks = [
        {
            "m_id": at,
            "m_pupil": at // 3 if at < 30 else dice.randrange(10, 12),
            "m_subject": dice.choice(["art", "maths"]),
            "m_points": dice.choice([None, 0, 5, 100, 150]),
            "m_on": datetime.date(2020, dice.randint(1, 12), dice.randint(1, 28)),
        }
        for at in range(33)
    ]
    visits = [
        {
            "v_id": at,
            "v_pupil": dice.choice([None, *range(8)]),
            "v_town": dice.randrange(4),
            "v_days": dice.randint(-2, 5),
        }
        for at in range(14)
    ]
    return {"town": towns, "pupil": pupils, "mark": marks, "visit": visits}

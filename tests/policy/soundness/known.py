"""Neighbours written by hand, where a rule matters that random ones seldom meet: each shows its bound to be needed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from privacy.policy.errors import QueryRefused
from privacy.policy.labels import policy_from
from privacy.policy.schema import schema_from
from tests.policy.soundness.fixed import tried
from tests.policy.soundness.trial import Trial
from tests.policy.soundness.worlds import Row

NUMBER = {"type": "integer", "bounds": [0, 50]}
FEW = {"type": "integer", "bounds": [0, 9], "domain": list(range(10))}
SIGNED = {"type": "integer", "bounds": [-1, 1]}


@dataclass(frozen=True)
class Known:
    """A schema, its labels, a query and the world of an entity whose first row is absent or as wished."""

    relations: Mapping[str, Any]
    labels: Mapping[str, Any]
    sql: str
    tables: Mapping[str, Sequence[Row]]
    wishes: Mapping[tuple[str, str], Any] = field(default_factory=dict)

    def trial(self) -> Trial:
        """Return what is seen; raises QueryRefused."""
        described = {"entity": "person", "labels": dict(self.labels)}
        return tried(
            self.sql, policy_from(described, schema_from(dict(self.relations))), self.tables, self.wishes
        )


def relation(columns: Mapping[str, Any], *foreign_keys: Mapping[str, Any], key: str = "id") -> dict[str, Any]:
    """Describe a relation with one column as its key."""
    return {"key": [key], "columns": dict(columns), "foreign_keys": list(foreign_keys)}


def reference(column: str, parent: str, most: int) -> dict[str, Any]:
    """Describe a foreign key to the id of a parent with so many rows at most."""
    return {"columns": [column], "references": parent, "to": ["id"], "max_rows": most}


PERSON, TOWN = relation({"id": NUMBER, "a": FEW}), relation({"id": NUMBER})
# Everybody is in the same three towns.
VISIT = relation(
    {"id": NUMBER, "p": NUMBER, "t": NUMBER}, reference("p", "person", 3), reference("t", "town", 12)
)
VISITS = [{"id": 3 * one + at, "p": one, "t": at} for one in range(12) for at in range(3)]
# Every shop has f = 0, as the person's key is; only shop 0 has k = 0 as well.
SHOP = relation({"k": NUMBER, "f": NUMBER}, reference("f", "town", 41), key="k")
SHOPS = [{"k": at, "f": 0} for at in range(40)]

KNOWN = {
    "two people meet in pairs that their keys do not tie": Known(
        {"person": PERSON, "town": TOWN, "visit": VISIT},
        {"person": "DEL", "town": "PUB", "visit": "DEL"},
        "SELECT COUNT(*) FROM (SELECT v.p, COUNT(*) AS n FROM visit v JOIN visit w ON v.t = w.t GROUP BY v.p) u "
        "WHERE n >= 36",
        {
            "person": [{"id": at} for at in range(12)],
            "town": [{"id": at} for at in range(3)],
            "visit": VISITS,
        },
    ),
    "what one join makes equal names no owner of another": Known(
        {"person": PERSON, "town": TOWN, "shop": SHOP},
        {"person": "DEL", "town": "PUB", "shop": "PUB"},
        "SELECT COUNT(*) FROM (SELECT s.k, COUNT(*) AS n FROM shop s LEFT JOIN person c ON s.f = c.id AND s.k = c.id "
        "JOIN person e ON e.id = s.f GROUP BY s.k) u",
        {"person": [{"id": 0}], "town": [{"id": 0}], "shop": SHOPS},
    ),
    "a group of rows that stay changes": Known(
        {"person": PERSON, "shop": relation({"k": NUMBER}, key="k")},
        {"person": "DEL", "shop": "PUB"},
        "SELECT n, COUNT(*) FROM (SELECT s.k, COUNT(c.id) AS n FROM shop s LEFT JOIN person c ON s.k = c.id "
        "GROUP BY s.k) u GROUP BY n",
        {"person": [{"id": 0}], "shop": [{"k": 0}]},
    ),
    "a row that moves is told by where it was and by where it is": Known(
        {"person": PERSON, "shop": relation({"k": FEW}, key="k")},
        {"person": {"REP": ["a"]}, "shop": "PUB"},
        "SELECT k, COUNT(*) FROM shop WHERE k IN (SELECT a FROM person) GROUP BY k",
        {"person": [{"id": 0, "a": 0}], "shop": [{"k": 0}, {"k": 1}]},
        {("person", "a"): 1},
    ),
    "a partner that fails a filter leaves a row with NULLs behind": Known(
        {"person": PERSON, "shop": relation({"k": NUMBER}, key="k")},
        {"person": {"REP": ["a"]}, "shop": "PUB"},
        "SELECT CASE WHEN c.id IS NULL THEN 0 ELSE 1 END, COUNT(*) FROM shop s LEFT JOIN "
        "(SELECT * FROM person WHERE a > 3) c ON c.id = s.k GROUP BY CASE WHEN c.id IS NULL THEN 0 ELSE 1 END",
        {"person": [{"id": 0, "a": 9}], "shop": [{"k": 0}]},
        {("person", "a"): 0},
    ),
    "what comes and what goes add up where values have both signs": Known(
        {
            "person": relation(
                {"id": NUMBER, "g": NUMBER, "v": SIGNED, "h": {"type": "integer", "domain": [0]}}
            )
        },
        {"person": {"REP": ["g"]}},
        "SELECT SUM(b.v) FROM person a JOIN person b ON a.g = b.id GROUP BY a.h",
        {
            "person": [
                {"id": 0, "g": 1, "v": 0, "h": 0},
                {"id": 1, "g": 9, "v": -1, "h": 0},
                {"id": 2, "g": 9, "v": 1, "h": 0},
            ]
        },
        {("person", "g"): 2},
    ),
    "which keys meet depends on what is replaced": Known(
        {"town": TOWN, "person": relation({"id": NUMBER, "t": NUMBER}, reference("t", "town", 50))},
        {"town": "PUB", "person": {"REP": ["t"]}},
        "SELECT p.id, t.id, COUNT(*) FROM person p JOIN town t ON p.t = t.id GROUP BY p.id, t.id",
        {"town": [{"id": 0}, {"id": 1}], "person": [{"id": 0, "t": 0}, {"id": 1, "t": 1}]},
        {("person", "t"): 1},
    ),
}


def known_trials() -> Iterator[Trial]:
    """Give what is seen on each; where a mutant refuses a query or calls a world illegal, nothing is."""
    for one in KNOWN.values():
        try:
            yield one.trial()
        except (QueryRefused, AssertionError):
            continue

"""Refusals of parts of a text: where they begin, and what is most like an unknown name."""

import difflib
from collections.abc import Iterable

from sqlglot import exp

from privacy.policy.errors import Place, QueryRefused

MOST_NAMES = 8
# What the parser calls a clause → what its author wrote.
CLAUSES = {
    "sample": "TABLESAMPLE",
    "locks": "FOR UPDATE",
    "windows": "WINDOW",
    "laterals": "LATERAL",
    "pivots": "PIVOT",
    "connect": "CONNECT BY",
    "limit": "LIMIT",
    "offset": "OFFSET",
    "db": "a schema name",
    "catalog": "a catalog name",
    "except_": "* EXCEPT",
    "replace": "* REPLACE",
    "rename": "* RENAME",
    "unnest": "UNNEST",
    "on": "DISTINCT ON",
    "by_name": "BY NAME",
    "limit_options": "PERCENT or WITH TIES",
    "version": "FOR SYSTEM_TIME",
    "field": "IN without parentheses",
    "ordinality": "WITH ORDINALITY",
}


def refused(node: exp.Expr, reason: str, hint: str = "") -> QueryRefused:
    """Return a refusal of a part of the text, with the place where it begins."""
    return QueryRefused(reason, hint, *place_of(node))


def place_of(node: exp.Expr) -> Place:
    """Return line and column, from 1, of the first word of a part of the text, or else of what is around it."""
    around: exp.Expr | None = node
    while around is not None:
        places = [_start(one) for one in around.walk() if "line" in one.meta]
        if places:
            return min(places)
        around = around.parent
    return None, None


def _start(node: exp.Expr) -> tuple[int, int]:
    # The parser tells where a word ends.
    meta = node.meta
    return meta["line"], max(1, meta["col"] - (meta["end"] - meta["start"]))


def only(node: exp.Expr, *known: str) -> None:
    """Refuse every clause of a part of the text that is not known: none is passed over in silence."""
    for name, value in node.args.items():
        if value and name not in known:
            inside = value[0] if isinstance(value, list) else value
            place = inside if isinstance(inside, exp.Expr) else node
            named = CLAUSES.get(name, name.strip("_").replace("_", " ").upper())
            raise refused(place, f"{named} is not answered here", "leave it out")


def nearest(name: str, known: Iterable[str]) -> str:
    """Return a hint that names what is most like an unknown name."""
    names = list(known)
    like = difflib.get_close_matches(name, names, n=1)
    if like:
        return f"did you mean {like[0]}?"
    more = ["…"] if len(names) > MOST_NAMES else []
    return f"there are {', '.join([*sorted(names)[:MOST_NAMES], *more])}" if names else "there is none"

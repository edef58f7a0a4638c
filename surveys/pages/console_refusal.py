"""A refused query: the line and the place in it, the reason, and what to do instead."""

import re
from typing import Any

from privacy.policy.errors import QueryRefused
from surveys.pages.console_words import refusal_words

# Characters of the line shown before the place, so that it is seen on a phone, and behind it.
BEFORE, BEHIND = 24, 80
_WORD = re.compile(r"[\w.]+|\S|$")


def refusal_context(error: QueryRefused, sql: str) -> dict[str, Any]:
    """Return what the page tells of a refusal; the line is cut around the place."""
    told: dict[str, Any] = {
        "reason": refusal_words(error.reason),
        "hint": refusal_words(error.hint) if error.hint else None,
        "line": error.line,
        "column": error.column,
    }
    lines = sql.split("\n")
    if error.line is None or error.column is None or not 1 <= error.line <= len(lines):
        return told
    line, at = lines[error.line - 1], error.column - 1
    start = max(0, at - BEFORE)
    found = _WORD.match(line, at)
    word = found.group()[:BEHIND] if found else ""
    behind = at + len(word)
    told["offset"] = sum(len(one) + 1 for one in lines[: error.line - 1]) + at
    told["length"] = len(word)
    told["excerpt"] = {
        "before": ("… " if start else "") + line[start:at].replace("\t", " "),
        "word": word,
        "after": line[behind : behind + BEHIND] + (" …" if behind + BEHIND < len(line) else ""),
    }
    return told

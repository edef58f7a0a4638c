"""The sentences of the policy layer in the language of the page; the layer itself knows no translations."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from django.utils.translation import get_language, gettext

from surveys.pages.console_sentences import HOW_FAR, POLICY, REFUSALS, TRACE


@dataclass(frozen=True, slots=True)
class Words:
    """A sentence, and whether it stayed in English on a page of another language."""

    text: str
    foreign: bool = False

    def __str__(self) -> str:
        """Give the sentence."""
        return self.text


def refusal_words(sentence: str) -> Words:
    """Return a reason or a hint of a refusal."""
    return _said(sentence, REFUSALS)


def policy_words(sentence: str) -> Words:
    """Return why a policy is not well-formed."""
    return _said(sentence, POLICY)


def trace_words(lines: Sequence[str]) -> list[Words]:
    """Return the lines of a trace; of several entity kinds each line begins with its kind."""
    return [_traced(line) for line in lines]


def _traced(line: str) -> Words:
    found = _said(line, TRACE, how_far_words)
    kind, colon, rest = line.partition(": ")
    if not found.foreign or not colon:
        return found
    within = _said(rest, TRACE, how_far_words)
    return found if within.foreign else Words(f"{kind}: {within}")


def how_far_words(sentence: str) -> str:
    """Return "6 rows may come, 2 rows may vanish" and the like."""
    # "6 rows may change, come or vanish" is one part.
    parts = re.split(", (?!come or vanish)", sentence)
    return ", ".join(_said(part, HOW_FAR).text for part in parts)


def _said(sentence: str, known: Sequence[str], inner: Callable[[str], str] = str) -> Words:
    if (get_language() or "en").startswith("en"):
        return Words(sentence)
    for message, pattern in _patterns(tuple(known)):
        if found := pattern.fullmatch(sentence):
            facts = {name: inner(text) if name == "far" else text for name, text in found.groupdict().items()}
            return Words(gettext(message) % facts)
    return Words(sentence, foreign=True)


@cache
def _patterns(known: tuple[str, ...]) -> Sequence[tuple[str, re.Pattern[str]]]:
    return [(message, re.compile(_pattern(message), re.DOTALL)) for message in known]


# What fills a message: any text, but a name has no colon, which may stand before the rest of a line.
_FILLED = {"n": r"[\d,]+|unboundedly many", **dict.fromkeys(("name", "relation", "entity", "far"), "[^:]+?")}


def _pattern(message: str) -> str:
    """Return what matches a message that is filled in."""
    parts = re.split(r"%\((\w+)\)s", message)
    filled = (
        f"(?P<{one}>{_FILLED.get(one, '.+?')})" if at % 2 else re.escape(one) for at, one in enumerate(parts)
    )
    return "".join(filled)

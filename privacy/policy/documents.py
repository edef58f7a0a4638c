"""Documents: YAML or JSON text becomes plain values, and every place in them keeps the line that it stands on.

Plain words mean what YAML 1.2 says (`no` is a text, a date is a text until a column makes it one). What could surprise
a reader is refused: names given twice, references to other parts of the text, tags, several documents in one text.
"""

import re
from bisect import bisect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from json import JSONDecoder
from typing import Any, NoReturn

import yaml

from privacy.policy.errors import DocumentInvalid

Place = tuple[object, ...]
LONGEST = 1_000_000  # characters of a document
DEEPEST = 12  # a value of a domain is seven names deep

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_WHOLE = re.compile(r"[-+]?[0-9]+", re.ASCII)
_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", re.ASCII)
_WORDS: Mapping[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}


@dataclass(frozen=True)
class Document:
    """A value, and the line of each place in it, counted from 1."""

    value: Any
    lines: Mapping[Place, int]

    def line(self, place: Place) -> int | None:
        """Return the line of a place, or, where it is missing, of what it is missing in."""
        for end in range(len(place), -1, -1):
            if place[:end] in self.lines:
                return self.lines[place[:end]]
        return None


def document_from(text: str) -> Document:
    """Return what a text says; JSON where it begins as JSON does, else YAML. Raises DocumentInvalid with the line."""
    text = text.removeprefix("\ufeff")
    if len(text) > LONGEST:
        raise DocumentInvalid((), f"more than {LONGEST} characters")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        raise DocumentInvalid((), "half of a character", line) from None
    return _Json(text).read() if re.match(r'\s*(\{\s*["}]|\[)', text) else _Yaml(text).read()


@dataclass
class _Reader:
    text: str
    lines: dict[Place, int] = field(default_factory=dict)

    def note(self, place: Place, line: int) -> None:
        if place in self.lines and place:
            raise DocumentInvalid(place, f"given twice, first in line {self.lines[place]}", line)
        if len(place) > DEEPEST:
            raise DocumentInvalid(place[:3], f"nested more than {DEEPEST} deep", line)
        self.lines[place] = line


@dataclass
class _Yaml(_Reader):
    def read(self) -> Document:
        events: Iterator[Any] = yaml.parse(self.text, Loader=_Loader)
        try:
            found = self._documents(events)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            told = " ".join(filter(None, (error.context, error.problem)))
            raise DocumentInvalid((), f"not YAML: {told}", None if mark is None else mark.line + 1) from None
        except yaml.reader.ReaderError as error:
            line = self.text.count("\n", 0, int(error.position)) + 1
            raise DocumentInvalid((), "not YAML: a control character", line) from None
        return Document(found, self.lines)

    def _documents(self, events: Iterator[Any]) -> object:
        found: object = None
        several = False
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                if several:
                    raise DocumentInvalid((), "a second document begins", _line(event))
                several = True
            elif isinstance(event, yaml.NodeEvent):
                self.note((), _line(event))
                found = self._value(event, events, ())
        return found

    def _value(self, event: Any, events: Iterator[Any], place: Place) -> object:
        line = _line(event)
        if isinstance(event, yaml.AliasEvent):
            raise DocumentInvalid(place, f"refers to another part, *{event.anchor}: write it out", line)
        if event.tag is not None and event.tag != "!":
            raise DocumentInvalid(place, f"has the tag {event.tag}: leave it out", line)
        if isinstance(event, yaml.ScalarEvent):
            return _scalar(event.value, place, line) if event.implicit[0] else event.value
        if isinstance(event, yaml.SequenceStartEvent):
            return self._list(events, place)
        return self._mapping(events, place)

    def _list(self, events: Iterator[Any], place: Place) -> list[object]:
        found: list[object] = []
        while not isinstance(event := next(events), yaml.SequenceEndEvent):
            inner = (*place, len(found))
            self.note(inner, _line(event))
            found.append(self._value(event, events, inner))
        return found

    def _mapping(self, events: Iterator[Any], place: Place) -> dict[str, object]:
        found: dict[str, object] = {}
        while not isinstance(event := next(events), yaml.MappingEndEvent):
            line = _line(event)
            if not isinstance(event, yaml.ScalarEvent):
                raise DocumentInvalid(place, "a name was expected", line)
            inner = (*place, event.value)
            self.note(inner, line)
            found[event.value] = self._value(next(events), events, inner)
        return found


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 1


def _scalar(word: str, place: Place, line: int) -> object:
    if word in _WORDS:
        return _WORDS[word]
    if _WHOLE.fullmatch(word):
        return _whole(word, place, line)
    return _decimal(word, place, line) if _NUMBER.fullmatch(word) else word


def _whole(word: str, place: Place, line: int) -> int:
    if len(word) > 40:
        raise DocumentInvalid(place, f"a number of more than 40 digits: {word:.20}…", line)
    return int(word)


def _decimal(word: str, place: Place, line: int) -> float:
    # Kept as a database's JSON keeps it; what that would change is refused.
    if Decimal(repr(float(word))) != Decimal(word):
        raise DocumentInvalid(place, f"{word:.40} has more digits than a number keeps: quote it", line)
    return float(word)


_SPACE = re.compile(r"[ \t\r\n]*")
_TOKEN = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?|true|false|null", re.ASCII)


@dataclass
class _Json(_Reader):
    at: int = 0

    def __post_init__(self) -> None:
        self.ends = [one.end() for one in re.finditer("\n", self.text)]

    def read(self) -> Document:
        self._skip()
        self.note((), self._line())
        found = self._value(())
        self._skip()
        if self.at < len(self.text):
            self._wrong((), "something follows the end")
        return Document(found, self.lines)

    def _value(self, place: Place) -> object:
        if self._next() == "{":
            return self._mapping(place)
        if self._next() == "[":
            return self._list(place)
        if self._next() == '"':
            return self._text(place)
        token = _TOKEN.match(self.text, self.at)
        if token is None:
            self._wrong(place, "expected a value")
        line, self.at = self._line(), token.end()
        return _scalar(token[0], place, line)

    def _list(self, place: Place) -> list[object]:
        found: list[object] = []
        for _ in self._parts(place, "]"):
            inner = (*place, len(found))
            self.note(inner, self._line())
            found.append(self._value(inner))
        return found

    def _mapping(self, place: Place) -> dict[str, object]:
        found: dict[str, object] = {}
        for _ in self._parts(place, "}"):
            if self._next() != '"':
                self._wrong(place, "expected a name in double quotes")
            line = self._line()
            name = self._text(place)
            self.note((*place, name), line)
            self._skip()
            self._take(":", place)
            found[name] = self._value((*place, name))
        return found

    def _parts(self, place: Place, end: str) -> Iterator[None]:
        self._take(self._next(), place)
        if self._next() == end:
            return self._take(end, place)
        while True:
            yield
            self._skip()
            if self._next() == end:
                return self._take(end, place)
            self._take(",", place)

    def _text(self, place: Place) -> str:
        found: str
        try:
            found, end = JSONDecoder().raw_decode(self.text, self.at)
        except ValueError as error:
            self._wrong(place, str(error).split(":")[0].lower())
        if not found.isprintable() and any("\ud800" <= one <= "\udfff" for one in found):
            self._wrong(place, "half of a character")
        self.at = end
        return found

    def _take(self, sign: str, place: Place) -> None:
        if not self.text.startswith(sign, self.at):
            self._wrong(place, f"expected {sign!r}")
        self.at += len(sign)
        self._skip()

    def _next(self) -> str:
        return self.text[self.at : self.at + 1]

    def _skip(self) -> None:
        space = _SPACE.match(self.text, self.at)
        self.at = self.at if space is None else space.end()

    def _line(self) -> int:
        return bisect(self.ends, self.at) + 1

    def _wrong(self, place: Place, reason: str) -> NoReturn:
        found = self.text[self.at : self.at + 20] or "the end"
        raise DocumentInvalid(place, f"not JSON: {reason}, found {found!r}", self._line())

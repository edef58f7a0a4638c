"""Known answers of the wire, by the server's code, that the device must give too.

`python -m tests.surveys.wire.known` writes frontend/tests/known/wire.json, the same bytes each time.
"""

import json
from pathlib import Path
from typing import Any

from privacy.accounting import total
from privacy.mechanisms.catalogue import Mechanism, configure
from surveys.wire.fingerprint import canonical, fingerprint_of, fingerprint_words
from surveys.wire.seals import key_encode, receipt_of, seal_of, spent_of

FILE = Path(__file__).parents[3] / "frontend" / "tests" / "known" / "wire.json"

# The RFC's own sorting example and strings that other serialisers write in another way.
TEXTS: list[dict[str, Any]] = [
    {"€": 1, "\r": 2, "\ufb33": 3, "1": 4, "😀": 5, "\u0080": 6, "ö": 7},
    {"b": [True, False, None], "a": {"y": [], "x": {}}, "": ""},
    {"text": "\"\\/\b\f\n\r\t\x00\x1f\x7f\u2028\u2029<>&'한글 😀 é é"},
    {"numbers": [0, -1, 1, 2**53 - 1, 1 - 2**53, 10**15]},
]


def both(text: str) -> dict[str, str]:
    """Return a text in both languages."""
    return {"ko": f"{text} 한국어", "en": text}


def choices(*ids: str) -> list[dict[str, Any]]:
    """Return answers with these ids."""
    return [{"id": name, "text": both(name)} for name in ids]


def priced(asked: str, mechanism: Mechanism) -> dict[str, Any]:
    """Return what a question says about its price."""
    return {"epsilon": mechanism.epsilon, "epsilon_asked": asked, "mechanism": mechanism.manifest()}


def survey() -> dict[str, Any]:
    """Return a manifest with every kind of question, every mechanism and both kinds of branching."""
    after_yes = {"all": [{"question": "q1", "is": ["yes"]}]}
    either = {"any": [{"question": "q1", "is": ["no"]}, {"question": "q5", "is": ["b", "c"]}]}
    questions: list[dict[str, Any]] = [
        {"id": "hello", "kind": "note", "choices": [], "required": False},
        {"id": "q1", "kind": "yes_no", "choices": choices("yes", "no"), "required": True}
        | priced("ln(3)", configure("coin", "ln(3)", 2, tosses=1)),
        {"id": "q2", "kind": "single", "choices": choices("a", "b", "c"), "required": False}
        | priced("1.5", configure("spinner", "1.5", 4)),
        {"id": "q3", "kind": "likert", "choices": choices("1", "2", "3", "4", "5"), "required": True}
        | priced("2", configure("spinner-coin", "2", 6))
        | {"visible_if": after_yes},
        {"id": "q4", "kind": "multiple", "choices": choices("a", "b", "c"), "required": True}
        | priced("1", configure("one-box", "1", 2, boxes=3)),
        {"id": "q5", "kind": "multiple", "choices": choices("a", "b", "c"), "required": False}
        | priced("3", configure("every-box", "3", 3, boxes=3)),
        {"id": "q6", "kind": "yes_no", "choices": choices("yes", "no"), "required": True}
        | priced("1", configure("spinner", "1", 3))
        | {"visible_if": either},
    ]
    manifest = {
        "slug": "known-answers",
        "version": 7,
        "title": both("A survey"),
        "intro": both("Welcome.\nThank you."),
        "questions": [question | {"text": both(question["id"])} for question in questions],
        "epsilon_total": total(question["epsilon"] for question in questions if "epsilon" in question),
        "closes": "2026-12-31T14:59:00Z",
        "target": 500,
    }
    return manifest | {"fingerprint": fingerprint_of(manifest), "state": "open"}


def seal(slug: str, version: int, key: bytes, packed: bytes) -> dict[str, Any]:
    """Return what both sides compute of one sent report."""
    sealed = seal_of(slug, version, key, packed)
    given = {"slug": slug, "version": version, "key": key.hex(), "packed": packed.hex()}
    digests = {"spent": spent_of(slug, key).hex(), "seal": sealed.hex(), "receipt": receipt_of(sealed)}
    return given | {"key_text": key_encode(key)} | digests


def contents() -> str:
    """Return the file's text."""
    manifest = survey()
    words = {language: fingerprint_words(manifest["fingerprint"], language) for language in ("en", "ko")}
    known = {
        "canonical": [{"value": value, "utf8": canonical(value).hex()} for value in TEXTS],
        "survey": manifest,
        "words": words,
        "seals": [
            seal("known-answers", 7, bytes(range(32)), bytes.fromhex("0001020304")),
            seal("a", 1, bytes([255] * 32), b""),
            seal("s-2", 2**32 - 1, bytes([251, 240] * 16), bytes(range(200))),
        ],
    }
    return json.dumps(known, ensure_ascii=True, indent=1) + "\n"


if __name__ == "__main__":
    FILE.write_text(contents(), "utf-8")

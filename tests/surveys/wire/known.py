"""Known answers of the wire, by the server's code, that the device must give too.

`python -m tests.surveys.wire.known` writes frontend/tests/known/wire.json, the same bytes each time.
"""

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import django

from surveys.wire.fingerprint import canonical, fingerprint_words
from surveys.wire.seals import key_encode, receipt_of, seal_of, spent_of

FILE = Path(__file__).parents[3] / "frontend" / "tests" / "known" / "wire.json"

# The RFC's own sorting example and strings that other serialisers write in another way.
TEXTS: list[dict[str, Any]] = [
    {"€": 1, "\r": 2, "\ufb33": 3, "1": 4, "😀": 5, "\u0080": 6, "ö": 7},
    {"b": [True, False, None], "a": {"y": [], "x": {}}, "": ""},
    {"text": "\"\\/\b\f\n\r\t\x00\x1f\x7f\u2028\u2029<>&'한글 😀 é é"},
    {"numbers": [0, -1, 1, 2**53 - 1, 1 - 2**53, 10**15]},
]


AFTER_YES = {"all": [{"question": "q1", "is": ["yes"]}]}
AFTER_EITHER = {"any": [{"question": "q1", "is": ["no"]}, {"question": "q5", "is": ["b", "c"]}]}
# Every kind of question, every mechanism, both kinds of branching.
QUESTIONS: list[dict[str, Any]] = [
    {"name": "hello", "kind": "note"},
    {"name": "q1", "kind": "yes_no", "required": True, "protocol": "coin", "tosses": 1, "epsilon": "ln(3)"},
    {"name": "q2", "kind": "single", "choices": "abc", "protocol": "spinner", "epsilon": "1.5"},
    {"name": "q3", "kind": "likert", "choices": "12345", "required": True, "visible_if": AFTER_YES}
    | {"protocol": "spinner-coin", "epsilon": "2"},
    {"name": "q4", "kind": "multiple", "choices": "abc", "required": True}
    | {"protocol": "one-box", "epsilon": "1"},
    {"name": "q5", "kind": "multiple", "choices": "abc", "protocol": "every-box", "epsilon": "3"},
    {"name": "q6", "kind": "yes_no", "required": True, "visible_if": AFTER_EITHER}
    | {"protocol": "spinner", "epsilon": "1"},
]


def survey() -> dict[str, Any]:
    """Return the manifest that the server would publish of these questions."""
    # Models can be imported only where Django is set up; the rest of this file needs none.
    from surveys.models import Question, Survey
    from surveys.wire.manifest import manifest_build

    titles = {"title_en": "A survey", "title_ko": "설문", "intro_en": "Welcome.\nThank you."}
    closes = datetime(2026, 12, 31, 14, 59, tzinfo=UTC)
    draft = Survey(slug="known-answers", closes_at=closes, target=500, **titles)
    asked = [
        Question(**{**fields, "text_en": fields["name"], "choices": choices(fields.get("choices", ""))})
        for fields in QUESTIONS
    ]
    return {**manifest_build(draft, asked, 7), "state": "open"}


def choices(ids: str) -> list[dict[str, Any]]:
    """Return answers with these one-letter ids."""
    return [{"id": name, "text": {"en": f"Answer {name}", "ko": f"답 {name}"}} for name in ids]


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
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    django.setup()
    FILE.write_text(contents(), "utf-8")

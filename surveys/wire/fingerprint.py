"""The fingerprint of a published questionnaire, as hexadecimal and as words that two people can compare."""

import json
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import rfc8785

# May change while a version stays the same, or is computed from the rest.
LOOSE = ("fingerprint", "state")
# One list for both languages of the program: the TypeScript twin bundles this very file.
WORDS = Path(__file__).resolve().parents[2] / "frontend" / "src" / "wire" / "words.json"


def canonical(manifest: Mapping[str, Any]) -> bytes:
    """Return the RFC 8785 canonical JSON of what is fixed in a manifest."""
    return rfc8785.dumps({name: value for name, value in manifest.items() if name not in LOOSE})


def fingerprint_of(manifest: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the canonical manifest, in hexadecimal."""
    return sha256(canonical(manifest)).hexdigest()


def fingerprint_words(fingerprint: str, language: str) -> list[str]:
    """Return eight words, "en" or "ko", for the first eight bytes."""
    words = _lists()[language]
    return [words[byte] for byte in bytes.fromhex(fingerprint)[:8]]


def words_by_language(fingerprint: str) -> dict[str, list[str]]:
    """Return the words in each language: a respondent sees those of the page's language."""
    return {language: fingerprint_words(fingerprint, language) for language in ("ko", "en")}


@cache
def _lists() -> dict[str, list[str]]:
    return json.loads(WORDS.read_text(encoding="utf-8"))

"""A fingerprint covers what is fixed, in one spelling, and is told in words that differ."""

import json

import pytest

from surveys.wire.fingerprint import WORDS, canonical, fingerprint_of, fingerprint_words

MANIFEST = {
    "version": 1,
    "slug": "habits",
    "title": {"ko": "습관", "en": "Habits"},
    "state": "open",
    "fingerprint": "x",
}


def test_what_may_change_is_not_covered() -> None:
    assert fingerprint_of(MANIFEST) == fingerprint_of({**MANIFEST, "state": "closed", "fingerprint": "y"})


@pytest.mark.parametrize(
    "change", [{"version": 2}, {"slug": "habit"}, {"title": {"ko": "습관", "en": "habits"}}]
)
def test_what_is_fixed_is_covered(change: dict[str, object]) -> None:
    assert fingerprint_of(MANIFEST) != fingerprint_of({**MANIFEST, **change})


def test_the_order_of_members_does_not_matter() -> None:
    turned = dict(reversed(MANIFEST.items()))
    assert (
        canonical(turned)
        == canonical(MANIFEST)
        == '{"slug":"habits","title":{"en":"Habits","ko":"습관"},"version":1}'.encode()
    )


@pytest.mark.parametrize("language", ["ko", "en"])
def test_words_tell_bytes_apart(language: str) -> None:
    words = json.loads(WORDS.read_text(encoding="utf-8"))[language]
    assert len(words) == len(set(words)) == 256
    assert fingerprint_words("00ff" * 16, language) == [words[0], words[255]] * 4

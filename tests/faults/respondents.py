"""Respondents without a browser: their truths drawn as their devices would, each under a fresh key."""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from privacy.bits import SecureBits
from surveys.wire.packing import Layout
from surveys.wire.seals import key_encode


def bodies_of(manifest: Mapping[str, Any], truths: Iterable[Sequence[Any]]) -> list[dict[str, Any]]:
    """Return the body that each respondent sends, given the true answers in the order of the questions."""
    slots, bits = Layout.of(manifest).slots, SecureBits()
    return [
        {
            "version": manifest["version"],
            "reports": [
                slot.mechanism.encode(slot.mechanism.report(truth, bits)).hex()
                for slot, truth in zip(slots, answers, strict=True)
            ],
            "key": key_encode(os.urandom(32)),
        }
        for answers in truths
    ]

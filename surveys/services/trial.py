"""A trial run: simulated respondents answer a copy of a draft in memory, before anybody is asked."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from django.conf import settings

from privacy.bits import Bits, SecureBits
from privacy.estimation.counting import count_packed
from privacy.sampling import categorical
from surveys.errors import ParameterInvalid
from surveys.models import Question, Survey
from surveys.services.publishing import draft_manifest
from surveys.services.results import Document, VersionTally, results_document
from surveys.wire.manifest import choice_ids
from surveys.wire.packing import Layout

MOST = 5000
_UNIT = 1 << 32

Truth = int | tuple[int, ...]
Shares = Mapping[str, Sequence[float]]


def trial_run(
    *,
    survey: Survey,
    questions: Sequence[Question],
    n: int,
    shares: Shares | None = None,
    bits: Bits | None = None,
) -> Document:
    """Return the result document that n simulated respondents would lead to; nothing is stored.

    `shares` gives, by question id, the assumed share of each answer in order ("no answer" last, where the
    question may be skipped), or of each box that is ticked; what is missing is uniform. They need not add up
    to one. The device's own mechanisms and secure random bits are used. The document says "simulated".
    Raises ParameterInvalid, and PrivacyError where the draft has no mechanism.
    """
    if not 1 <= n <= MOST:
        raise ParameterInvalid("n", f"a whole number from 1 to {MOST}")
    source = bits or SecureBits()
    manifest = draft_manifest(survey, questions)
    respondents = Respondents(manifest, shares or {})
    layout = Layout.of(manifest)
    packed = [drawn(layout, respondents.truths(source), source) for _ in range(n)]
    rows = np.frombuffer(b"".join(packed), dtype=np.uint8).reshape(n, layout.width)
    counts = count_packed([slot.mechanism for slot in layout.slots], rows) if layout.slots else []
    by_name = {slot.question: list(map(int, cells)) for slot, cells in zip(layout.slots, counts, strict=True)}
    tally, minimum = VersionTally(manifest, n, by_name), settings.MINIMUM_N
    document = results_document(tally, minimum=minimum, population=survey.population)
    too_few = ["fewer-than-minimum"] if n < minimum else []
    return {**document, "notes": ["simulated", *document["notes"], *too_few]}


def drawn(layout: Layout, truths: Sequence[Truth], bits: Bits) -> bytes:
    """Return the packed report that a device with these truths sends."""
    return b"".join(
        slot.mechanism.encode(slot.mechanism.report(truth, bits))  # type: ignore[arg-type]  # fits its own mechanism
        for slot, truth in zip(layout.slots, truths, strict=True)
    )


class Respondents:
    """People who answer a manifest's questions with assumed shares, and follow its branches."""

    def __init__(self, manifest: Mapping[str, Any], shares: Shares) -> None:
        self._questions = manifest["questions"]
        self._weights = {
            q["id"]: _weights(q, shares.get(q["id"])) for q in self._questions if "mechanism" in q
        }

    def truths(self, bits: Bits) -> list[Truth]:
        """Draw one respondent: a true answer for each question with a mechanism, in order."""
        chosen: dict[str, set[str]] = {}
        truths: list[Truth] = []
        for question in self._questions:
            shown = visible(question.get("visible_if"), chosen)
            if "mechanism" not in question:
                continue
            truth = self._answer(question, bits) if shown else silence(question)
            chosen[question["id"]] = answered(question, truth)
            truths.append(truth)
        return truths

    def _answer(self, question: Mapping[str, Any], bits: Bits) -> Truth:
        weights = self._weights[question["id"]]
        if question["kind"] == Question.Kind.MULTIPLE:
            return tuple(categorical(box, bits) for box in weights)
        return categorical(weights[0], bits)


def visible(condition: Mapping[str, Any] | None, chosen: Mapping[str, set[str]]) -> bool:
    """Say whether a question is shown to somebody who chose these answers."""
    if condition is None:
        return True
    mode, clauses = next(iter(condition.items()))
    met = [bool(chosen.get(clause["question"], set()) & set(clause["is"])) for clause in clauses]
    return any(met) if mode == "any" else all(met)


def silence(question: Mapping[str, Any]) -> Truth:
    """Return the truth of somebody who gives no answer."""
    listed = len(question["choices"])
    return (2,) * listed if question["kind"] == Question.Kind.MULTIPLE else listed


def answered(question: Mapping[str, Any], truth: Truth) -> set[str]:
    """Return the ids of the answers (or boxes) that a truth stands for."""
    ids = choice_ids(question)
    if isinstance(truth, tuple):
        return {name for name, answer in zip(ids, truth, strict=True) if answer == 0}
    return {ids[truth]} if truth < len(ids) else set()


def _weights(question: Mapping[str, Any], shares: Sequence[float] | None) -> list[list[int]]:
    listed = len(question["choices"])
    if question["kind"] == Question.Kind.MULTIPLE:
        given = [0.5] * listed if shares is None else list(shares)
        ticks = [[share, 1.0 - share] for share in given] or [[]]
        checked = [_checked(question["id"], pair, (2,)) for pair in ticks]
        return [scaled(pair) for pair in _as_many(question["id"], checked, listed)]
    if shares is None:
        return [scaled([1.0] * listed)]
    # Shares of the listed answers alone mean that nobody skips.
    silent = not question["required"] or "visible_if" in question
    return [scaled(_checked(question["id"], shares, (listed, listed + silent)))]


def _checked(name: str, shares: Sequence[float], lengths: Sequence[int]) -> Sequence[float]:
    if len(shares) not in lengths or any(not 0 <= share < 1e9 for share in shares) or not sum(shares):
        raise ParameterInvalid(f"shares.{name}", f"{lengths[-1]} shares that are not negative")
    return shares


def _as_many(name: str, given: list[Sequence[float]], boxes: int) -> list[Sequence[float]]:
    if len(given) != boxes:
        raise ParameterInvalid(f"shares.{name}", f"{boxes} shares from 0 to 1")
    return given


def scaled(shares: Sequence[float]) -> list[int]:
    """Return whole numbers in the proportions of the shares that add up to 2**32."""
    total = sum(shares)
    weights = [int(share / total * _UNIT) for share in shares]
    weights[weights.index(max(weights))] += _UNIT - sum(weights)
    return weights

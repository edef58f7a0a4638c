"""The result documents of a closed survey: the only thing that pages, the API and downloads read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import rfc8785

from privacy.estimation.questions import QuestionEstimate, estimate_pooled
from privacy.mechanisms.catalogue import Mechanism, mechanism_from
from surveys.services.withholding import Published, publishable
from surveys.wire.manifest import NO_ANSWER

Document = dict[str, Any]

LEVEL = 0.95
POOLED = "pooled"
WITHHELD: Document = {"withheld": "too-few"}
BOX_ANSWERS = (
    {"id": "ticked", "text": {"ko": "선택함", "en": "Ticked"}},
    {"id": "not-ticked", "text": {"ko": "선택하지 않음", "en": "Not ticked"}},
)


@dataclass(frozen=True, slots=True)
class VersionTally:
    """What was counted of one version: its manifest, how many reports, and the cells of each question."""

    manifest: Mapping[str, Any]
    n: int
    counts: Mapping[str, Sequence[int]]  # by question id

    @property
    def number(self) -> int:
        """The version's number."""
        return int(self.manifest["version"])

    def question(self, name: str) -> Mapping[str, Any]:
        """Return one question of the manifest."""
        return next(question for question in self.manifest["questions"] if question["id"] == name)


def results_documents(
    tallies: Sequence[VersionTally], *, minimum: int, level: float = LEVEL, population: int | None = None
) -> dict[int | None, Document]:
    """Return the document of every version and, under None, of all together; `WITHHELD` for a hidden one.

    The pooled document holds each question over all versions that ask it alike, where that may be shown.
    """
    published = publishable(
        {tally.number: tally.n for tally in tallies},
        minimum,
        [[tally.number for tally in alike] for alike in _lineages(tallies).values()],
    )
    documents: dict[int | None, Document] = {None: _pooled(tallies, published, level, population)}
    for tally in tallies:
        shown = tally.number in published.versions
        documents[tally.number] = results_document(tally, level, population) if shown else dict(WITHHELD)
    return documents


def results_document(tally: VersionTally, level: float = LEVEL, population: int | None = None) -> Document:
    """Return the results of one version.

    Shape, every figure rounded as `privacy.estimation` does and every text in both languages:
    {"slug", "version": number | "pooled", "versions": [numbers], "title", "fingerprint": hex | null, "n",
     "level": 0.95, "population": whole | null, "epsilon_total": text, "notes": ["open-survey", …],
     "questions": [{"id", "text", "kind", "required", "conditional": bool, "versions": [numbers],
       "epsilon", "epsilon_asked", "protocol", "mechanism": {…} (null when pooled over several), "n",
       "parts": [{"box": null | {"id", "text"}, "n", "one_liar", "notes": [codes],
         "answers": [{"id", "text", "count", "observed", "unbiased", "standard_error", "interval": [lo, hi],
           "interval_method", "simultaneous": [lo, hi], "maximum_likelihood"}],
         "among_asked": null | [{"id", "text", "unbiased", "standard_error", "interval", "interval_method",
           "maximum_likelihood"}]}]}]}
    A question has one part; a multiple choice one for each box, whose answers are ticked and not ticked.
    The answer "no-answer" comes last where a question has it. Notes of a question (a "note") are left out.
    """
    questions = [_question([tally], q["id"], level, population) for q in _asked(tally)]
    return {
        **_head([tally], population, level),
        "version": tally.number,
        "fingerprint": tally.manifest["fingerprint"],
        "epsilon_total": tally.manifest["epsilon_total"],
        "n": tally.n,
        "questions": questions,
    }


def _pooled(
    tallies: Sequence[VersionTally], published: Published, level: float, population: int | None
) -> Document:
    shown = [
        (name, alike)
        for (name, _), alike in _lineages(tallies).items()
        if published.shows(tally.number for tally in alike)
    ]
    if not shown:
        return dict(WITHHELD)
    return {
        **_head(tallies, population, level),
        "version": POOLED,
        "fingerprint": None,
        "epsilon_total": max((tally.manifest["epsilon_total"] for tally in tallies), key=float),
        "n": sum(tally.n for tally in tallies),
        "questions": [_question(alike, name, level, population) for name, alike in shown],
    }


def _head(tallies: Sequence[VersionTally], population: int | None, level: float) -> Document:
    last = tallies[-1].manifest
    return {
        "slug": last["slug"],
        "title": last["title"],
        "versions": [tally.number for tally in tallies],
        "level": level,
        "population": population,
        "notes": ["open-survey"],
    }


def _asked(tally: VersionTally) -> list[Mapping[str, Any]]:
    return [question for question in tally.manifest["questions"] if "mechanism" in question]


def _lineages(tallies: Sequence[VersionTally]) -> dict[tuple[str, bytes], list[VersionTally]]:
    """Group the versions that ask a question alike: same id, kind, texts, answers, and whom it is asked."""
    alike: dict[tuple[str, bytes], list[VersionTally]] = {}
    for tally in tallies:
        for question in _asked(tally):
            same = {
                name: question.get(name) for name in ("kind", "text", "choices", "required", "visible_if")
            }
            alike.setdefault((question["id"], rfc8785.dumps(same)), []).append(tally)
    return alike


def _question(tallies: Sequence[VersionTally], name: str, level: float, population: int | None) -> Document:
    asked = [tally.question(name) for tally in tallies]
    mechanisms = [mechanism_from(question["mechanism"]) for question in asked]
    last, silent = asked[-1], not asked[-1]["required"] or "visible_if" in asked[-1]
    counted = [
        (mechanism, tally.counts.get(name) or [0] * mechanism.cells)
        for mechanism, tally in zip(mechanisms, tallies, strict=True)
    ]
    estimates = estimate_pooled(counted, level, _possible(population, tallies), silence=silent)
    return {
        **{field: last[field] for field in ("id", "text", "kind", "required")},
        "conditional": "visible_if" in last,
        "versions": [tally.number for tally in tallies],
        "epsilon": max((question["epsilon"] for question in asked), key=float),
        "epsilon_asked": last["epsilon_asked"],
        "protocol": _protocol(mechanisms),
        "mechanism": last["mechanism"] if len(set(mechanisms)) == 1 else None,
        "n": sum(tally.n for tally in tallies),
        "parts": [_part(last, estimate, silent) for estimate in estimates],
    }


def _possible(population: int | None, tallies: Sequence[VersionTally]) -> int | None:
    # Anyone may answer an open survey more than once: more answers than people are no finite population.
    return population if population is not None and population >= sum(tally.n for tally in tallies) else None


def _protocol(mechanisms: Sequence[Mechanism]) -> str:
    return ", ".join(dict.fromkeys(str(mechanism.manifest()["name"]) for mechanism in mechanisms))


def _part(question: Mapping[str, Any], estimate: QuestionEstimate, silent: bool) -> Document:
    figures = estimate.to_json()
    boxed = estimate.box is not None
    listed = list(BOX_ANSWERS if boxed else question["choices"])
    labels = [*listed, NO_ANSWER] if silent else listed
    asked = figures["among_asked"]
    return {
        "box": question["choices"][estimate.box] if boxed else None,
        "n": figures["n"],
        "one_liar": figures["one_liar"],
        "notes": figures["notes"],
        "answers": [{**label, **answer} for label, answer in zip(labels, figures["answers"], strict=True)],
        "among_asked": None if asked is None else [{**a, **b} for a, b in zip(listed, asked, strict=True)],
    }

"""The result documents of a closed survey: the only thing that pages, the API and downloads read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import rfc8785

from privacy.estimation.questions import QuestionEstimate, estimate_pooled
from privacy.mechanisms.catalogue import Mechanism, mechanism_from
from privacy.mechanisms.one_box import OneBox
from surveys.services.withholding import Boxes, Published, boxes_publishable, publishable
from surveys.wire.manifest import NO_ANSWER

Document = dict[str, Any]
Lineage = tuple[str, bytes]

LEVEL = 0.95
POOLED = "pooled"
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

    def cells(self, name: str) -> Sequence[int]:
        """Return the counts of one question; nothing was counted where nobody reported."""
        return self.counts.get(name) or [0] * mechanism_from(self.question(name)["mechanism"]).cells


def results_documents(
    tallies: Sequence[VersionTally],
    *,
    minimum: int,
    level: float = LEVEL,
    population: int | None = None,
    pool: int = 0,
) -> dict[int | None, Document]:
    """Return the document of every version and, under None, of all together; a hidden one is {"withheld": reason}.

    The pooled document holds each question over all versions that ask it alike, where that may be shown;
    a question that one version alone asks stands in the document of that version. Reasons: "too-few"
    answered; "another-version" would be revealed by subtraction; "nothing-alike" is asked in several versions.
    `pool` is how many reports the inbox keeps back: fewer than twice as many are never mixed before closing.
    """
    lineages = _lineages(tallies)
    published = publishable(
        {tally.number: tally.n for tally in tallies},
        minimum,
        [[tally.number for tally in alike] for alike in lineages.values()],
        total_known=_target_tells(tallies, minimum),
    )
    scope = _Scope(minimum, level, population, pool, tuple(tallies), published)
    documents: dict[int | None, Document] = {None: _pooled(scope, lineages)}
    for tally in tallies:
        if tally.number in published.versions:
            documents[tally.number] = _of_version(tally, scope, lineages)
        else:
            documents[tally.number] = _withheld("too-few" if tally.n < minimum else "another-version")
    return documents


def results_document(
    tally: VersionTally, *, minimum: int, level: float = LEVEL, population: int | None = None
) -> Document:
    """Return the results of one version as if there were no other, however few answered.

    Shape, every figure rounded as `privacy.estimation` does and every text in both languages:
    {"slug", "version": number | "pooled", "versions": [numbers], "title", "fingerprint": hex | null,
     "n": whole | null (pooled, where no question is shown for all), "level": 0.95, "population": whole | null,
     "epsilon_total": text, "notes": ["open-survey", …],
     "questions": [{"id", "text", "kind", "required", "conditional": bool, "versions": [numbers],
       "epsilon", "epsilon_asked", "protocol", "mechanism": {…} (null when pooled over several), "n",
       "parts": [{"box": null | {"id", "text"}, "withheld": bool, "n", "one_liar", "asked_one_liar", "notes": [codes],
         "answers": [{"id", "text", "count", "observed", "unbiased", "standard_error", "interval": [lo, hi],
           "interval_method", "simultaneous": [lo, hi], "maximum_likelihood"}],
         "among_asked": null | [{"id", "text", "unbiased", "standard_error", "interval", "interval_method",
           "simultaneous", "maximum_likelihood"}]}]}]}
    A question has one part; a multiple choice one for each box, whose answers are ticked and not ticked.
    A withheld part has no figure and no answer. The answer "no-answer" comes last where a question has it.
    Notes of a question (a "note") are left out.
    """
    alone = frozenset({tally.number})
    published = Published(frozenset({alone}), alone)
    scope = _Scope(minimum, level, population, 0, (tally,), published)
    return _of_version(tally, scope, _lineages([tally]))


def _target_tells(tallies: Sequence[VersionTally], minimum: int) -> bool:
    """Say whether a published target tells how many answered: one that was reached, or nearly reached.

    Reached, it is the total. Not reached, it is more than the total, and from less than the minimum above it
    a hidden version would follow to be smaller than its being hidden tells.
    """
    total = sum(tally.n for tally in tallies)
    targets = [tally.manifest.get("target") for tally in tallies]
    return any(target is not None and total + minimum > target for target in targets)


@dataclass(frozen=True, slots=True)
class _Scope:
    """What holds for all documents of a survey."""

    minimum: int
    level: float
    population: int | None
    pool: int
    tallies: tuple[VersionTally, ...]
    published: Published

    @property
    def possible(self) -> int | None:
        """The population, if it can be one: anyone may answer an open survey more than once.

        Alike for all documents, and told by the answers in documents that are shown.
        """
        told = sum(tally.n for tally in self.tallies if tally.number in self.published.told)
        return self.population if self.population is not None and told <= self.population else None

    @property
    def all_told(self) -> int | None:
        """How many answered in all, where that is shown."""
        return sum(tally.n for tally in self.tallies) if self.published.pooled else None


def _of_version(
    tally: VersionTally, scope: _Scope, lineages: Mapping[Lineage, list[VersionTally]]
) -> Document:
    alike = {name: among for (name, _), among in lineages.items() if tally in among}
    return {
        **_head([tally], scope, tally.n),
        "version": tally.number,
        "fingerprint": tally.manifest["fingerprint"],
        "epsilon_total": tally.manifest["epsilon_total"],
        "n": tally.n,
        "questions": [_question([tally], alike[q["id"]], q["id"], scope) for q in _asked(tally)],
    }


def _pooled(scope: _Scope, lineages: Mapping[Lineage, list[VersionTally]]) -> Document:
    tallies, single = scope.tallies, len(scope.tallies) == 1
    joined = [(name, alike) for (name, _), alike in lineages.items() if single or len(alike) > 1]
    shown = [one for one in joined if scope.published.shows(tally.number for tally in one[1])]
    if not shown:
        return _withheld(_why(joined, scope.minimum))
    head = _head(tallies, scope, scope.all_told)
    return {
        **head,
        "notes": [*head["notes"], *(["questions-withheld"] if len(shown) < len(joined) else [])],
        "version": POOLED,
        "fingerprint": None,
        "epsilon_total": max((tally.manifest["epsilon_total"] for tally in tallies), key=float),
        "n": scope.all_told,
        "questions": [_question(alike, alike, name, scope) for name, alike in shown],
    }


def _why(joined: Sequence[tuple[str, Sequence[VersionTally]]], minimum: int) -> str:
    if not joined:
        return "nothing-alike"
    most = max(sum(tally.n for tally in alike) for _, alike in joined)
    return "too-few" if most < minimum else "another-version"


def _withheld(reason: str) -> Document:
    return {"withheld": reason}


def _head(tallies: Sequence[VersionTally], scope: _Scope, n: int | None) -> Document:
    last = tallies[-1].manifest
    return {
        "slug": last["slug"],
        "title": last["title"],
        "versions": [tally.number for tally in tallies],
        "level": scope.level,
        "population": scope.population,
        "notes": ["open-survey", *_batch_notes(scope, n), *_population_notes(scope)],
    }


def _batch_notes(scope: _Scope, n: int | None) -> list[str]:
    # Where the number of all is not shown, whether it is small is not told either.
    if scope.all_told is not None:
        return ["one-batch"] if scope.all_told < 2 * scope.pool else []
    return ["perhaps-one-batch"] if n is None or n < 2 * scope.pool else []


def _population_notes(scope: _Scope) -> list[str]:
    return ["population-exceeded"] if scope.population is not None and scope.possible is None else []


def _asked(tally: VersionTally) -> list[Mapping[str, Any]]:
    return [question for question in tally.manifest["questions"] if "mechanism" in question]


def _lineages(tallies: Sequence[VersionTally]) -> dict[Lineage, list[VersionTally]]:
    """Group the versions that ask a question alike: same id, kind, texts, answers, and whom it is asked."""
    alike: dict[Lineage, list[VersionTally]] = {}
    for tally in tallies:
        for question in _asked(tally):
            same = {
                name: question.get(name) for name in ("kind", "text", "choices", "required", "visible_if")
            }
            alike.setdefault((question["id"], rfc8785.dumps(same)), []).append(tally)
    return alike


def _question(
    tallies: Sequence[VersionTally], alike: Sequence[VersionTally], name: str, scope: _Scope
) -> Document:
    """Return a question over some of the versions that ask it alike."""
    asked = [tally.question(name) for tally in tallies]
    mechanisms = [mechanism_from(question["mechanism"]) for question in asked]
    last, silent = asked[-1], not asked[-1]["required"] or "visible_if" in asked[-1]
    counted = [(mechanism, tally.cells(name)) for mechanism, tally in zip(mechanisms, tallies, strict=True)]
    estimates = estimate_pooled(counted, scope.level, scope.possible, silence=silent)
    boxes = _boxes(alike, name, scope)
    numbers = frozenset(tally.number for tally in tallies if tally.n)
    return {
        **{field: last[field] for field in ("id", "text", "kind", "required")},
        "conditional": "visible_if" in last,
        "versions": [tally.number for tally in tallies],
        "epsilon": max((question["epsilon"] for question in asked), key=float),
        "epsilon_asked": last["epsilon_asked"],
        "protocol": _protocol(mechanisms),
        "mechanism": last["mechanism"] if len(set(mechanisms)) == 1 else None,
        "n": sum(tally.n for tally in tallies),
        "parts": [
            _part(last, estimate, silent)
            if boxes is None or boxes.shows(numbers, at)
            else _part_withheld(last["choices"][at])
            for at, estimate in enumerate(estimates)
        ],
    }


def _boxes(alike: Sequence[VersionTally], name: str, scope: _Scope) -> Boxes | None:
    """Return which boxes may be shown where each respondent answered one; None where all answered all."""
    if not any(isinstance(mechanism_from(tally.question(name)["mechanism"]), OneBox) for tally in alike):
        return None
    drawn = {tally.number: _drawn(tally, name) for tally in alike if tally.n}
    together = frozenset(drawn)
    groups = {
        group for group in (together, *(frozenset({v}) for v in drawn)) if group in scope.published.groups
    }
    boxes = range(len(alike[-1].question(name)["choices"]))
    by_box = [{version: ns[box] for version, ns in drawn.items()} for box in boxes]
    return boxes_publishable(by_box, groups, scope.minimum)


def _drawn(tally: VersionTally, name: str) -> list[int]:
    """Return how many reports are about each box."""
    k = mechanism_from(tally.question(name)["mechanism"]).choices
    cells = tally.cells(name)
    return [sum(cells[start : start + k]) for start in range(0, len(cells), k)]


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
        "withheld": False,
        "n": figures["n"],
        "one_liar": figures["one_liar"],
        "asked_one_liar": figures["asked_one_liar"],
        "notes": figures["notes"],
        "answers": [{**label, **answer} for label, answer in zip(labels, figures["answers"], strict=True)],
        "among_asked": None if asked is None else [{**a, **b} for a, b in zip(listed, asked, strict=True)],
    }


def _part_withheld(box: Mapping[str, Any]) -> Document:
    return {
        "box": box,
        "withheld": True,
        **dict.fromkeys(("n", "one_liar", "asked_one_liar", "among_asked")),
        "notes": ["box-withheld"],
        "answers": [],
    }

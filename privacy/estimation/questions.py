"""The estimate of one question: what a results page shows, from a mechanism and its counts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from privacy.estimation.asked import AskedShare, one_liar_among_asked, shares_among_asked
from privacy.estimation.debias import CountsMalformed, Support, checked_counts
from privacy.estimation.figures import rounded, rounded_outward
from privacy.estimation.intervals import Interval, sampling_part, simultaneous_interval
from privacy.estimation.pooling import (
    Group,
    Part,
    merged,
    pooled_error,
    pooled_interval,
    pooled_maximum_likelihood,
    pooled_share,
)
from privacy.mechanisms.catalogue import Mechanism
from privacy.mechanisms.every_box import EveryBox
from privacy.mechanisms.one_box import OneBox

Json = dict[str, Any]

SILENT_BOX = 3  # the answers of a box that has "no answer" among them


@dataclass(frozen=True, slots=True)
class AnswerEstimate:
    """What is known about the share of one answer; of no reports there is no unbiased share and no error."""

    count: int
    observed: float
    unbiased: float | None
    standard_error: float | None
    interval: Interval
    simultaneous: Interval
    maximum_likelihood: float

    @property
    def interval_method(self) -> str:
        """How the interval was made."""
        return self.interval.method

    def to_json(self) -> Json:
        """Rounded figures: shares and errors to six decimals, intervals outward."""
        return {
            "count": self.count,
            "observed": rounded(self.observed),
            "unbiased": None if self.unbiased is None else rounded(self.unbiased),
            "standard_error": None if self.standard_error is None else rounded(self.standard_error),
            "interval": rounded_outward(self.interval),
            "interval_method": self.interval_method,
            "simultaneous": rounded_outward(self.simultaneous),
            "maximum_likelihood": rounded(self.maximum_likelihood),
        }


@dataclass(frozen=True, slots=True)
class QuestionEstimate:
    """The estimates of one question, or of one box of a multiple choice.

    `epsilon` is what the whole question costs; `one_liar` is how far one dishonest report can move an
    unbiased share, `asked_one_liar` one among those asked; `notes` are stable codes that a page translates.
    """

    n: int
    epsilon: str
    answers: tuple[AnswerEstimate, ...]
    among_asked: tuple[AskedShare, ...] | None
    notes: tuple[str, ...]
    one_liar: float | None
    asked_one_liar: float | None = None
    box: int | None = None

    def to_json(self) -> Json:
        """Rounded figures that JSON can carry."""
        return {
            "n": self.n,
            "epsilon": self.epsilon,
            "box": self.box,
            "answers": [answer.to_json() for answer in self.answers],
            "among_asked": None
            if self.among_asked is None
            else [_asked_json(one) for one in self.among_asked],
            "notes": list(self.notes),
            "one_liar": None if self.one_liar is None else rounded(self.one_liar),
            "asked_one_liar": None if self.asked_one_liar is None else rounded(self.asked_one_liar),
        }


def estimate_question(
    mechanism: Mechanism,
    counts: Sequence[int],
    level: float = 0.95,
    population: int | None = None,
    *,
    respondents: bool = False,
    silence: bool | None = None,
) -> list[QuestionEstimate]:
    """The estimate of a question; of a multiple choice, one for each box, given who answered that box.

    `counts` are the cells of the mechanism. `silence` says that the last answer is "no answer" (a box
    of three answers always has it): shares among those asked are then given too. `population` or
    `respondents` say whom the intervals are about, when not about an endless population.
    """
    return estimate_pooled([(mechanism, counts)], level, population, respondents=respondents, silence=silence)


def estimate_pooled(
    versions: Sequence[tuple[Mechanism, Sequence[int]]],
    level: float = 0.95,
    population: int | None = None,
    *,
    respondents: bool = False,
    silence: bool | None = None,
) -> list[QuestionEstimate]:
    """The estimate of one question that was answered under several versions, each with its own integers."""
    epsilon = max((mechanism.epsilon for mechanism, _ in versions), key=float)
    boxes = [_groups_by_box(mechanism, counts) for mechanism, counts in versions]
    if len({(len(groups), groups[0].support.choices) for groups in boxes}) != 1:
        raise CountsMalformed("versions with different answers cannot be pooled")
    many = isinstance(versions[0][0], OneBox | EveryBox)
    silent = bool(silence) or (many and versions[0][0].choices == SILENT_BOX)
    return [
        _estimate(list(groups), epsilon, level, (population, respondents), silent, box if many else None)
        for box, groups in enumerate(zip(*boxes, strict=True))
    ]


def _groups_by_box(mechanism: Mechanism, counts: Sequence[int]) -> list[Group]:
    cells, k = checked_counts(counts, mechanism.cells), mechanism.choices
    support = Support.of(mechanism)
    return [Group(support, tuple(cells[start : start + k])) for start in range(0, len(cells), k)]


def _estimate(
    given: list[Group],
    epsilon: str,
    level: float,
    target: tuple[int | None, bool],
    silent: bool,
    box: int | None,
) -> QuestionEstimate:
    groups = merged(given)
    n, k = sum(group.n for group in groups), given[0].support.choices
    best = pooled_maximum_likelihood(groups) if groups else [1 / k] * k
    g = sampling_part(n, *target)
    answers = tuple(
        _answer([group.part(answer) for group in groups], k, level, g, best[answer]) for answer in range(k)
    )
    asked = shares_among_asked(groups, best, level) if silent else None
    return QuestionEstimate(
        n=n,
        epsilon=epsilon,
        answers=answers,
        among_asked=None if asked is None else tuple(asked),
        notes=tuple(_notes(answers, len(groups), silent and asked is None)),
        one_liar=_one_liar(groups) if groups else None,
        asked_one_liar=None if asked is None else one_liar_among_asked(groups),
        box=box,
    )


def _answer(parts: list[Part], k: int, level: float, g: float, best: float) -> AnswerEstimate:
    count, n = sum(part.hits for part in parts), sum(part.n for part in parts)
    interval = pooled_interval(parts, level, g)
    return AnswerEstimate(
        count=count,
        observed=count / max(1, n),
        unbiased=pooled_share(parts) if parts else None,
        standard_error=pooled_error(parts) if parts else None,
        interval=interval,
        simultaneous=interval if k == 2 else _simultaneous(parts, k, level).hull(interval),
        maximum_likelihood=best,
    )


def _simultaneous(parts: list[Part], k: int, level: float) -> Interval:
    # Two answers share one interval; of more, each takes its part of the error.
    if len(parts) == 1:
        return simultaneous_interval(*parts[0], k, level)
    return pooled_interval(parts, 1 - (1 - level) / k)


def _one_liar(groups: list[Group]) -> float:
    # Weights n delta^2 turn one report into delta of its own channel, whoever sends it.
    total = sum(group.n * float(group.support.delta) ** 2 for group in groups)
    return max(float(group.support.delta) for group in groups) / total


def _notes(answers: Sequence[AnswerEstimate], groups: int, too_few_asked: bool) -> list[str]:
    shares = [answer.unbiased for answer in answers if answer.unbiased is not None]
    found = {
        "no-reports": not shares,
        "negative-estimate": any(share < 0 for share in shares),
        "estimate-above-one": any(share > 1 for share in shares),
        "pooled-versions": groups > 1,
        "too-few-asked": too_few_asked,
    }
    return [code for code, holds in found.items() if holds]


def _asked_json(share: AskedShare) -> Json:
    return {
        "unbiased": rounded(share.unbiased),
        "standard_error": rounded(share.standard_error),
        "interval": rounded_outward(share.interval),
        "interval_method": share.interval.method,
        "simultaneous": rounded_outward(share.simultaneous),
        "maximum_likelihood": rounded(share.maximum_likelihood),
    }

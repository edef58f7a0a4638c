"""The ten YRBS questions as a survey, and its results beside the true shares."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.estimation import yrbs

EPSILON = "1.6"
# Of some forty shares one lies beyond by chance once in two million surveys: 2·40·Φ(−5.8) ≈ 5e-7.
Z = 5.8


@dataclass(frozen=True)
class Compared:
    """One share: what was true of these respondents, and what their reports say."""

    question: str
    answer: str
    true: float
    estimate: float
    standard_error: float

    @property
    def z(self) -> float:
        """The error in standard errors."""
        return (self.estimate - self.true) / self.standard_error


def survey_values(epsilon: str = EPSILON) -> dict[str, Any]:
    """Return what a designer would enter."""
    return {
        "slug": "yrbs",
        "title_en": "Youth risk behaviour",
        "title_ko": "청소년 건강 위험 행동",
        "epsilon_ceiling": "16",
        "questions": [_question(one, epsilon) for one in yrbs.QUESTIONS],
    }


def people(number: int, seed: int = 2019) -> np.ndarray:
    """Return the answers of so many of the real respondents, drawn without replacement."""
    truths = np.asarray(yrbs.truths())
    return truths[np.random.default_rng(seed).permutation(len(truths))[:number]]


def compared(document: Mapping[str, Any], truths: np.ndarray) -> list[Compared]:
    """Return each share of a result document beside the truth."""
    return [
        row for at, question in enumerate(document["questions"]) for row in _rows(question, truths[:, at])
    ]


def _rows(question: Mapping[str, Any], truths: Sequence[int]) -> Iterator[Compared]:
    answers = question["parts"][0]["answers"]
    shares = np.bincount(truths, minlength=len(answers)) / len(truths)
    for answer, share in zip(answers, shares, strict=True):
        yield Compared(
            question["text"]["en"], answer["id"], float(share), answer["unbiased"], answer["standard_error"]
        )


def _question(one: yrbs.Question, epsilon: str) -> dict[str, Any]:
    entered = one.manifest()
    return {
        "kind": one.kind,
        "text_en": one.english,
        "text_ko": one.korean,
        "required": False,
        "epsilon": epsilon,
        **({} if one.kind == "yes_no" else {"choices": entered["choices"]}),
    }

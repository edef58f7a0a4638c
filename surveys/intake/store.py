"""What a store of submissions promises, and how the fate of one that was not stored is told."""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Protocol

from surveys.errors import DeniableError, KeyReused, SurveyClosed, SurveyUnknown
from surveys.intake.submission import Submission
from surveys.models import Survey


class Stored(Enum):
    """A report is in the database: by this write, or by an earlier one of the same bytes."""

    NOW = "now"
    BEFORE = "before"


Outcome = Stored | Exception


class StoreLost(Exception):
    """The database went away; what became of the transaction is unknown, and the same write may be tried again."""


class StoreRefused(Exception):
    """The database refused these rows; one of them is to blame."""


class Store(Protocol):
    """Where submissions become durable."""

    async def write(self, batch: Sequence[Submission]) -> list[Outcome]:
        """Store a batch of different keys in one transaction; return each one's fate after COMMIT."""

    async def close(self) -> None:
        """Let the connection go."""


def outcomes_of(
    batch: Sequence[Submission],
    fresh: frozenset[bytes] | set[bytes],
    seals: Mapping[bytes, bytes],
    states: Mapping[int, str],
) -> list[Outcome]:
    """Return each submission's fate from the digests just stored, the seals found and the surveys' states."""
    return [Stored.NOW if one.spent in fresh else _fate(one, seals, states) for one in batch]


def _fate(one: Submission, seals: Mapping[bytes, bytes], states: Mapping[int, str]) -> Outcome:
    # What was stored once is confirmed whatever the state: a lost acknowledgement must not cost a respondent anything.
    if (seal := seals.get(one.spent)) is not None:
        return Stored.BEFORE if seal == one.seal else KeyReused(one.slug)
    return _refusal(one.slug, states.get(one.survey))


def _refusal(slug: str, state: str | None) -> DeniableError:
    if state is None or state == Survey.State.DRAFT:
        return SurveyUnknown(slug)
    # A running survey that took nothing has passed its closing time or its target: the sweep is about to close it.
    return SurveyClosed(slug)

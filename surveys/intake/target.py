"""How many more reports a survey with a target may take."""

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from surveys.intake.submission import Submission

# A target changes only while its survey is paused; other intake processes may count too. The sweep settles the rest.
FRESH_SECONDS = 1.0


@dataclass(slots=True)
class _Known:
    target: int | None
    taken: int
    at: float

    @property
    def room(self) -> int | None:
        return None if self.target is None else max(0, self.target - self.taken)


class Targets:
    """A memory of each survey's target and of how much of it is taken, so that no write counts rows."""

    def __init__(self) -> None:
        self._known: dict[int, _Known] = {}

    def stale(self, surveys: Iterable[int]) -> list[int]:
        """Return the surveys that must be looked up again before a write."""
        limit = time.monotonic() - FRESH_SECONDS
        return [one for one in surveys if one not in self._known or self._known[one].at < limit]

    def counted(self, survey: int) -> bool:
        """Say whether the rows of a survey need no counting: it was counted and has room left."""
        known = self._known.get(survey)
        return known is not None and known.target is not None and known.taken < known.target

    def learn(self, survey: int, target: int | None, taken: int | None) -> None:
        """Keep what the database said; `taken` is None where rows were not counted."""
        before = self._known.get(survey)
        kept = before.taken if before is not None else 0
        self._known[survey] = _Known(target, kept if taken is None else taken, time.monotonic())

    def add(self, stored: Iterable[Submission]) -> None:
        """Count what a write stored."""
        for survey, more in Counter(one.survey for one in stored).items():
            self._known[survey].taken += more

    def full(self, surveys: Iterable[int]) -> set[int]:
        """Return the surveys that take nothing more."""
        return {one for one in surveys if self._known[one].room == 0}

    def within(self, batch: Sequence[Submission]) -> int:
        """Return how many from the head of a batch surely fit; the rest must be written after them."""
        asked: Counter[int] = Counter()
        for at, one in enumerate(batch):
            room = self._known[one.survey].room
            # In a full survey nothing is stored, so anything may be asked.
            if room and asked[one.survey] >= room:
                return at
            asked[one.survey] += 1
        return len(batch)

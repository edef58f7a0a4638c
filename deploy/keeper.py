"""Processes that are started again when they end, and given up when they keep ending."""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from deploy.processes import Processes

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 30.0
# Who lasted this long starts afresh; who ended this often within it is given up.
SPAN, OFTEN = 60.0, 5


class KeepsEnding(Exception):
    """A process ends as often as it is started; the text says so."""


@dataclass
class Deaths:
    """When one process ended, and so how long to wait before it is started again."""

    started: float
    pause: float = FIRST_PAUSE
    times: list[float] = field(default_factory=list)

    def another(self, now: float) -> float | None:
        """Note an end; give the seconds to wait, doubled each time, or None where it is no use."""
        self.times = [*(at for at in self.times if now - at < SPAN), now]
        if len(self.times) >= OFTEN:
            return None
        pause = FIRST_PAUSE if now - self.started >= SPAN else self.pause
        self.pause = min(2 * pause, LONGEST_PAUSE)
        return pause


@dataclass
class Keeper:
    """Looks after running processes."""

    processes: Processes
    clock: Callable[[], float] = time.monotonic
    deaths: dict[str, Deaths] = field(default_factory=dict)
    due: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Count everything from now on as started."""
        self.deaths = {name: Deaths(self.clock()) for name in self.processes.running}

    def look(self) -> None:
        """Start again what ended, each after its pause; refuse where one keeps ending."""
        for name, code in self.processes.ended().items():
            if name not in self.due:
                self._ended(name, code)
            elif self.clock() >= self.due[name]:
                del self.due[name]
                self.processes.restart(name)
                self.deaths[name].started = self.clock()

    def _ended(self, name: str, code: int) -> None:
        how = f"by signal {-code}" if code < 0 else f"with exit code {code}"
        pause = self.deaths[name].another(self.clock())
        if pause is None:
            raise KeepsEnding(
                f"The {name} process ended {OFTEN} times within {SPAN:.0f} s, at last {how}; "
                "its last words stand above. Ending everything."
            )
        print(f"The {name} process ended {how}; starting it again in {pause:.0f} s.", file=sys.stderr)
        self.due[name] = self.clock() + pause

"""Time that is spent inside some functions, within a longer piece of work."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest import mock


class Stopwatch:
    """Adds up the time of calls; a call within a call is counted once."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._running = False

    def __call__(self, call: Callable[..., Any], *asked: Any) -> Any:
        """Call, and count the time: Django's form of a wrapper around the execution of a statement."""
        if self._running:
            return call(*asked)
        self._running, started = True, time.perf_counter()
        try:
            return call(*asked)
        finally:
            self.seconds += time.perf_counter() - started
            self._running = False

    @contextmanager
    def over(self, module: Any, *names: str) -> Iterator[None]:
        """Count every call of these functions of a module."""
        with ExitStack() as patched:
            for name in names:
                patched.enter_context(mock.patch.object(module, name, self._counted(getattr(module, name))))
            yield

    def _counted(self, call: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *asked: self(call, *asked)

"""The one writer: at most one flush in flight, which takes everything that was queued meanwhile."""

import asyncio
import logging
import time
from collections.abc import Sequence

from surveys.errors import IntakeFull, IntakeUnavailable
from surveys.intake.store import Outcome, Store, Stored, StoreLost, StoreRefused
from surveys.intake.submission import Submission

logger = logging.getLogger(__name__)

# A database that restarts is back within seconds; a browser waits longer than that.
PATIENCE_SECONDS = 8.0
PAUSE_SECONDS = 0.1
_Waiting = tuple[Submission, "asyncio.Future[Stored]"]


class Writer:
    """A bounded queue and the task that empties it. No timer: an idle service adds no latency."""

    def __init__(self, store: Store, limit: int) -> None:
        self._store = store
        self._limit = limit
        self._queue: list[_Waiting] = []
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping = False

    def start(self) -> None:
        """Begin to write, in the running event loop."""
        if self._task is None:
            # Kept: asking for the running loop costs a system call (getpid) before Python 3.12.
            self._loop = asyncio.get_running_loop()
            self._task = self._loop.create_task(self._run())

    async def stop(self) -> None:
        """Write what is queued, then let the database go."""
        self._stopping = True
        self._wake.set()
        if self._task is not None:
            await self._task
        await self._store.close()

    def submit(self, submission: Submission) -> "asyncio.Future[Stored]":
        """Queue a submission; the result comes after COMMIT, or is the refusal. Raises IntakeFull."""
        if len(self._queue) >= self._limit:
            raise IntakeFull(len(self._queue))
        if self._stopping or self._loop is None:
            raise IntakeUnavailable
        future: asyncio.Future[Stored] = self._loop.create_future()
        self._queue.append((submission, future))
        self._wake.set()
        return future

    async def _run(self) -> None:
        while self._queue or not self._stopping:
            if not self._queue:
                self._wake.clear()
                await self._wake.wait()
                continue
            batch = self._take()
            outcomes = await self._write([submission for submission, _ in batch])
            for (_, future), outcome in zip(batch, outcomes, strict=True):
                _answer(future, outcome)

    def _take(self) -> list[_Waiting]:
        # Of two equal keys the second waits for the next flush, which finds the first one stored.
        taken: dict[bytes, _Waiting] = {}
        later = []
        for waiting in self._queue:
            if taken.setdefault(waiting[0].spent, waiting) is not waiting:
                later.append(waiting)
        self._queue = later
        return list(taken.values())

    async def _write(self, batch: Sequence[Submission]) -> Sequence[Outcome]:
        try:
            return await self._patiently(batch)
        except StoreLost:
            return [IntakeUnavailable()] * len(batch)
        except StoreRefused:
            return await self._one_by_one(batch)
        except Exception as error:  # the writer outlives every fault of a flush
            logger.error("a flush failed: %s", type(error).__name__)
            return await self._one_by_one(batch)

    async def _patiently(self, batch: Sequence[Submission]) -> Sequence[Outcome]:
        # A transaction that may or may not have been committed is safe to repeat: its digests tell.
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                return await self._store.write(batch)
            except StoreLost:
                if time.monotonic() > deadline:
                    logger.error("the database cannot be reached")
                    raise
                await asyncio.sleep(PAUSE_SECONDS)

    async def _one_by_one(self, batch: Sequence[Submission]) -> list[Outcome]:
        outcomes: list[Outcome] = []
        for submission in batch:
            try:
                outcomes += await self._store.write([submission])
            except StoreLost:
                outcomes.append(IntakeUnavailable())
            except Exception as error:  # (the row to blame gets the error, the others their receipts)
                logger.error("a report could not be stored: %s", type(error).__name__)
                outcomes.append(error)
        return outcomes


def _answer(future: "asyncio.Future[Stored]", outcome: Outcome) -> None:
    # A client that went away has cancelled its future; its report is stored all the same.
    if future.done():
        return
    if isinstance(outcome, Stored):
        future.set_result(outcome)
    else:
        future.set_exception(outcome)

"""The one writer: one flush at a time takes all that waits; nobody's misfortune is another's."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from surveys.errors import IntakeFull, IntakeUnavailable
from surveys.intake import writer as writing
from surveys.intake.store import Outcome, Stored, StoreLost, StoreRefused
from surveys.intake.submission import Submission
from surveys.intake.writer import Writer
from tests import cast
from tests.surveys.intake.asgi import post, run


@dataclass
class FakeStore:
    """A store whose flushes wait until they are let go, and fail as told."""

    go: asyncio.Event = field(default_factory=asyncio.Event)
    batches: list[list[bytes]] = field(default_factory=list)
    flying: int = 0
    most: int = 0
    faults: list[Exception] = field(default_factory=list)
    bad: bytes | None = None

    async def write(self, batch: Sequence[Submission]) -> list[Outcome]:
        self.flying += 1
        self.most = max(self.most, self.flying)
        try:
            await self.go.wait()
            if self.faults:
                raise self.faults.pop(0)
            if any(one.spent == self.bad for one in batch):
                raise StoreRefused("DataError")
        finally:
            self.flying -= 1
        self.batches.append([one.spent for one in batch])
        return [Stored.NOW] * len(batch)

    async def close(self) -> None:
        """Nothing is open."""


def submission(name: str) -> Submission:
    return Submission("habits", 1, 1, name.encode(), b"seal", b"\0")


def told(story: Any, limit: int = 100, **faults: Any) -> Any:
    async def tell() -> Any:
        store = FakeStore(**faults)
        writer = Writer(store, limit)
        writer.start()
        result = await story(writer, store)
        store.go.set()
        await writer.stop()
        return result

    return asyncio.run(tell())


def test_one_flush_takes_all_that_was_queued_meanwhile() -> None:
    async def story(writer: Writer, store: FakeStore) -> None:
        first = writer.submit(submission("first"))
        await asyncio.sleep(0)
        rest = [writer.submit(submission(f"{at}")) for at in range(50)]
        await asyncio.sleep(0.01)
        store.go.set()
        await asyncio.gather(first, *rest)
        assert [len(batch) for batch in store.batches] == [1, 50]
        assert store.most == 1

    told(story)


def test_a_full_queue_refuses_and_keeps_what_it_has() -> None:
    async def story(writer: Writer, store: FakeStore) -> None:
        writer.submit(submission("in flight"))
        await asyncio.sleep(0.01)
        waiting = [writer.submit(submission(f"{at}")) for at in range(3)]
        with pytest.raises(IntakeFull):
            writer.submit(submission("one too many"))
        store.go.set()
        assert await asyncio.gather(*waiting) == [Stored.NOW] * 3
        assert await writer.submit(submission("later")) is Stored.NOW

    told(story, limit=3)


def test_a_respondent_who_vanished_does_not_stop_the_writer() -> None:
    async def story(writer: Writer, store: FakeStore) -> None:
        gone, stays = writer.submit(submission("gone")), writer.submit(submission("stays"))
        await asyncio.sleep(0.01)
        gone.cancel()
        store.go.set()
        assert await stays is Stored.NOW
        assert await writer.submit(submission("next")) is Stored.NOW
        # It was acknowledged to nobody, and stored all the same.
        assert b"gone" in store.batches[0]

    told(story)


def test_one_bad_row_harms_nobody_else() -> None:
    async def story(writer: Writer, store: FakeStore) -> list[Any]:
        futures = [writer.submit(submission(name)) for name in ("a", "bad", "c")]
        store.go.set()
        return await asyncio.gather(*futures, return_exceptions=True)

    before, bad, after = told(story, bad=b"bad")
    assert (before, after) == (Stored.NOW, Stored.NOW)
    assert isinstance(bad, StoreRefused)


def test_an_unforeseen_fault_does_not_end_the_writer() -> None:
    async def story(writer: Writer, store: FakeStore) -> Any:
        future = writer.submit(submission("a"))
        store.go.set()
        return await future

    assert told(story, faults=[RuntimeError("unforeseen")]) is Stored.NOW


def test_a_database_that_comes_back_gets_the_same_batch() -> None:
    async def story(writer: Writer, store: FakeStore) -> Any:
        future = writer.submit(submission("a"))
        store.go.set()
        return await future

    assert told(story, faults=[StoreLost(), StoreLost()]) is Stored.NOW


def test_a_database_that_stays_away_is_said_to_be_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "PATIENCE_SECONDS", -1.0)

    async def story(writer: Writer, store: FakeStore) -> None:
        future = writer.submit(submission("a"))
        store.go.set()
        with pytest.raises(IntakeUnavailable):
            await future
        # And the next one is tried again.
        assert await writer.submit(submission("b")) is Stored.NOW

    told(story, faults=[StoreLost()])


def test_stopping_writes_what_waits() -> None:
    async def story() -> tuple[Any, int]:
        store = FakeStore()
        store.go.set()
        writer = Writer(store, 100)
        writer.start()
        futures = [writer.submit(submission(f"{at}")) for at in range(20)]
        await writer.stop()
        with pytest.raises(IntakeUnavailable):
            writer.submit(submission("late"))
        return [future.result() for future in futures], sum(map(len, store.batches))

    assert asyncio.run(story()) == ([Stored.NOW] * 20, 20)


@pytest.mark.django_db(transaction=True)
def test_a_full_queue_is_a_503_that_says_when_to_come_again(version: Any, settings: Any) -> None:
    settings.INTAKE_QUEUE = 1
    manifest = json.loads(version.manifest)
    store = FakeStore()

    async def story(app: Any) -> list[Any]:
        def ask() -> "asyncio.Task[Any]":
            return asyncio.create_task(post(app, "habits", cast.report(manifest, [0])))

        # The writer must have taken the first one: only then has the queue room for one more.
        asked = [ask()]
        while not store.flying:
            await asyncio.sleep(0.001)
        asked += [ask() for _ in range(5)]
        done: set[Any] = set()
        while len(done) < 4:
            done, _ = await asyncio.wait(asked, timeout=0.05)
        store.go.set()
        return await asyncio.gather(*asked)

    answers = run(story, store=store)
    refused = [answer for answer in answers if answer.status == 503]
    assert sorted(answer.status for answer in answers) == [201] * 2 + [503] * 4
    assert {(a.type, a.headers["retry-after"]) for a in refused} == {("intake-full", "1")}

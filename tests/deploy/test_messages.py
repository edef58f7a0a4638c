"""The embedded broker hands over whole messages, and outlives what is none."""

import logging
from collections.abc import Iterator
from pathlib import Path
from queue import Empty
from typing import Any

import pytest
from kombu import Connection, Exchange, Queue
from kombu.transport import filesystem

from deploy import messages

QUEUE = Queue("celery", Exchange("celery"), routing_key="celery")
BROKEN = [b"", b"{", b"\xff\xfe", b"[]", b"{}", b'{"properties": {}}', b"null"]


def channel_of(var: Path, transport: type = messages.Transport) -> Any:
    """Return a channel over folders of one's own, with the queue declared."""
    for name in ("messages", "control"):
        (var / name).mkdir(exist_ok=True)
    folders = {
        "data_folder_in": str(var / "messages"),
        "data_folder_out": str(var / "messages"),
        "control_folder": str(var / "control"),
    }
    connection = Connection("files://localhost//", transport=transport, transport_options=folders)
    channel = connection.default_channel
    # What this process bound before was bound in other folders.
    channel.state.clear()
    QUEUE.bind(channel).declare()
    return channel


@pytest.fixture
def channel(tmp_path: Path) -> Iterator[Any]:
    """Return a channel of ours."""
    channel = channel_of(tmp_path)
    yield channel
    channel.connection.client.close()


def sent(channel: Any, *words: str) -> None:
    for word in words:
        message = channel.prepare_message(f'"{word}"', content_type="application/json")
        channel.basic_publish(message, exchange="celery", routing_key="celery")


def received(channel: Any) -> list[str]:
    found = []
    while True:
        try:
            found.append(channel.Message(channel._get("celery"), channel=channel).decode())
        except Empty:
            return found


def test_messages_come_in_the_order_they_were_sent(channel: Any) -> None:
    sent(channel, "one", "two", "three")
    assert received(channel) == ["one", "two", "three"]


def test_a_message_is_received_once(channel: Any, tmp_path: Path) -> None:
    sent(channel, "one")
    assert received(channel) == ["one"]
    assert received(channel) == []
    assert list((tmp_path / "messages").iterdir()) == []


@pytest.mark.parametrize("content", BROKEN)
def test_what_cannot_be_read_is_no_message(
    channel: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture, content: bytes
) -> None:
    (tmp_path / "messages" / "1_x.celery.msg").write_bytes(content)
    sent(channel, "one")
    with caplog.at_level(logging.WARNING, "deploy.messages"):
        assert received(channel) == ["one"]
    assert "cannot be read" in caplog.text
    assert list((tmp_path / "messages").iterdir()) == []


def test_the_stock_transport_would_fall_over_it(tmp_path: Path) -> None:
    """The control: kombu's own reader passes the failure on, and the worker ends."""
    channel = channel_of(tmp_path, filesystem.Transport)
    (tmp_path / "messages" / "1_x.celery.msg").touch()
    with pytest.raises(ValueError, match="Expecting value"):
        received(channel)


def when_written(monkeypatch: pytest.MonkeyPatch, look: Any) -> None:
    """Look into the folder whenever a message is about to be made text: before its file can be whole."""
    for module in (messages, filesystem):
        told = module.dumps
        monkeypatch.setattr(module, "dumps", lambda content, told=told: (look(), told(content))[1])


@pytest.mark.parametrize(
    ("transport", "seen"), [(messages.Transport, 0), (filesystem.Transport, 1)], ids=["ours", "stock"]
)
def test_a_message_is_seen_only_when_it_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, transport: type, seen: int
) -> None:
    channel, found = channel_of(tmp_path, transport), []
    when_written(monkeypatch, lambda: found.append(channel._size("celery")))
    sent(channel, "one")
    assert found == [seen]


def test_a_table_that_cannot_be_read_is_made_anew(channel: Any, tmp_path: Path) -> None:
    (tmp_path / "control" / "celery.exchange").write_bytes(b"")
    assert channel.get_table("celery") == []
    channel.state.clear()
    QUEUE.bind(channel).declare()
    assert [row.queue for row in channel.get_table("celery")] == ["celery"]


def test_a_queue_that_is_deleted_hears_nothing_more(channel: Any, tmp_path: Path) -> None:
    sent(channel, "one")
    QUEUE.bind(channel).delete()
    assert channel.get_table("celery") == []
    assert list((tmp_path / "messages").iterdir()) == []


def test_what_earlier_runs_left_is_forgotten(channel: Any, tmp_path: Path) -> None:
    sent(channel, "one", "two")
    folder = tmp_path / "messages"
    (folder / "1_x.celery.msg.2.part").touch()
    (folder / "1_x.abc.reply.celery.pidbox.msg").touch()
    assert messages.messages_forgotten(folder) == 4
    assert received(channel) == []

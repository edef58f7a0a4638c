"""The embedded broker: a message is a file that appears whole, and one that cannot be read is none.

kombu's transport of the same kind writes into the file that the reader already sees, and ends the worker over half a
message. Here a message may be lost, as every task may: the next sweep finds its work in the database.
"""

import fcntl
import logging
import os
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty
from typing import Any

from kombu.transport import filesystem, virtual
from kombu.utils.json import dumps, loads

logger = logging.getLogger(__name__)

_Row = filesystem.exchange_queue_t


class Channel(filesystem.Channel):
    """Reads and writes messages, and the tables of who hears what, each as a whole."""

    def _put(self, queue: str, payload: Any, **_options: Any) -> None:  # type: ignore[override]  # its bases differ
        name = f"{time.time_ns():020}_{uuid.uuid4()}.{queue}.msg"
        _written(Path(self.data_folder_out) / name, payload)

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        folder = Path(self.data_folder_in)
        for name in sorted(os.listdir(folder)):
            if name.partition(".")[2] != f"{queue}.msg":
                continue
            content = _taken(folder / name)
            if content is not None and (payload := self._understood(content)) is not None:
                return payload
        raise Empty

    def _understood(self, content: bytes) -> Any:
        try:
            payload = loads(content.decode())
            self.Message(payload, channel=self)
        except Exception as error:  # (whatever is wrong with it, the worker must outlive it)
            logger.warning("a message that cannot be read was thrown away: %s", type(error).__name__)
            return None
        return payload

    def get_table(self, exchange: str) -> list[Any]:
        """Give who hears an exchange; one that cannot be read is empty until the next process binds."""
        try:
            return [_Row(*row) for row in loads(self._exchange_file(exchange).read_text())]
        except (OSError, ValueError, TypeError):
            return []

    def _queue_bind(self, exchange: str, routing_key: str, pattern: str, queue: str) -> None:
        with self._changing(exchange) as rows:
            row = _Row(routing_key or "", pattern or "", queue or "")
            if row not in rows:
                rows.insert(0, row)

    def _delete(
        self, queue: str, exchange: str, routing_key: str, pattern: str, *_arguments: Any, **_options: Any
    ) -> None:
        self._purge(queue)
        with self._changing(exchange) as rows, suppress(ValueError):
            rows.remove(_Row(routing_key or "", pattern or "", queue or ""))

    @contextmanager
    def _changing(self, exchange: str) -> Iterator[list[Any]]:
        # One lock beside the tables: a lock on a table itself would go with the file that is replaced.
        with (self.control_folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            before = self.get_table(exchange)
            rows = list(before)
            yield rows
            if rows != before:
                _written(self._exchange_file(exchange), rows)


class Transport(filesystem.Transport):
    """kombu's transport over files, with whole messages; settings name it `files`."""

    Channel = Channel
    global_state = virtual.BrokerState()


def messages_forgotten(folder: Path) -> int:
    """Remove what earlier runs left in the folder of messages; give the number."""
    left = [path for path in folder.iterdir() if path.suffix in {".msg", ".part"}]
    for path in left:
        path.unlink(missing_ok=True)
    return len(left)


def _written(path: Path, content: Any) -> None:
    # The reader looks for names that end otherwise, and sees the file only when all of it is there.
    part = path.with_name(f"{path.name}.{uuid.uuid4()}.part")
    part.write_text(dumps(content))
    part.replace(path)


def _taken(path: Path) -> bytes | None:
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError:
        content = b""
    try:
        # Of several readers the one who removes it has it.
        path.unlink()
    except OSError:
        return None
    return content

"""Files of people, as they arrive and as they wait in a form: in memory, and nowhere else."""

import base64
import zlib
from collections.abc import Callable
from functools import wraps
from hashlib import sha256
from typing import Any

import msgspec
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.files.uploadhandler import FileUploadHandler
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from surveys.imports.reading import table_read
from surveys.imports.table import MOST_BYTES, MOST_UNPACKED, Table, refused, too_large

# A form carries no more than this of a file; a larger one is chosen again.
MOST_KEPT = 1_500_000


class InMemory(FileUploadHandler):
    """Keeps the files of a request in memory; of more than the limit, all together, only the size is known."""

    def __init__(self, request: HttpRequest | None = None) -> None:
        """Begin with nothing."""
        super().__init__(request)
        self.total = 0
        self.parts: list[bytes] = []

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        """Begin the next file."""
        super().new_file(*args, **kwargs)
        self.parts = []

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        """Keep a piece, unless there is too much already."""
        self.total += len(raw_data)
        if self.total <= MOST_BYTES:
            self.parts.append(raw_data)
        else:
            self.parts.clear()

    def file_complete(self, file_size: int) -> SimpleUploadedFile:
        """Return the file; without its content, if it is too large."""
        made = SimpleUploadedFile(self.file_name or "file", b"".join(self.parts))
        made.size = file_size if self.total <= MOST_BYTES else self.total
        return made


def in_memory(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Give a view its files in memory; Django would write the larger ones to disk.

    The handler must be set before the form is read, and the CSRF check reads it: so it is made here.
    """
    checked = csrf_protect(view)

    @csrf_exempt
    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        request.upload_handlers = [InMemory(request)]
        return checked(request, *args, **kwargs)

    return wrapped


def table_sent(request: HttpRequest) -> Table:
    """Return the table in the file chosen, or else in what the form kept; raises ImportRefused."""
    sent = request.FILES.get("file")
    if sent is None:
        return table_unpacked(request.POST.get("kept", ""))
    if (sent.size or 0) > MOST_BYTES:
        raise too_large()
    return table_read(sent.read())


def table_packed(table: Table) -> str:
    """Return a table as a form carries it."""
    packed = zlib.compress(msgspec.json.encode((table.headers, table.rows, table.wrong)))
    return base64.b64encode(packed).decode()


_PACKED = tuple[tuple[str, ...], tuple[tuple[int, tuple[str, ...]], ...], tuple[tuple[int, str, str], ...]]


def table_unpacked(kept: str) -> Table:
    """Return the table again; raises ImportRefused, also where nothing was kept."""
    try:
        opening = zlib.decompressobj()
        text = opening.decompress(base64.b64decode(kept, validate=True), 2 * MOST_UNPACKED)
        return Table(*msgspec.json.decode(text, type=_PACKED))
    except (ValueError, zlib.error, msgspec.DecodeError):
        raise refused("file-missing") from None


def table_digest(packed: str) -> str:
    """Return what tells one table from another."""
    return sha256(packed.encode()).hexdigest()

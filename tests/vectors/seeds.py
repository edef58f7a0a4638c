"""Seeds for vectors: deterministic bytes from SHA-256, and bits written by hand."""

from hashlib import sha256
from itertools import count

Word = tuple[int, int]  # value, width


class Seeds:
    """A supply of byte strings, each from the next value of one counter."""

    def __init__(self, name: str) -> None:
        self._prefix = b"deniable/vectors/1\0" + name.encode() + b"\0"
        self._counter = count()

    def take(self, length: int) -> bytes:
        """Return the next seed, of this many bytes."""
        head = self._prefix + next(self._counter).to_bytes(4, "big")
        blocks = (sha256(head + block.to_bytes(4, "big")).digest() for block in range(-(-length // 32)))
        return b"".join(blocks)[:length]

    def number(self, below: int) -> int:
        """Return a whole number below the bound (near enough to uniform for choosing cases)."""
        return int.from_bytes(self.take(16), "big") % below


def spelled(words: list[Word]) -> bytes:
    """Return the bytes that these words fill, most significant bit first, the rest of the last byte 0."""
    text = "".join(f"{value:0{width}b}" for value, width in words if width)
    return int(text.ljust(-(-len(text) // 8) * 8, "0") or "0", 2).to_bytes(-(-len(text) // 8), "big")

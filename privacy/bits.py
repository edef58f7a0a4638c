"""Bit sources: a stream of bytes read most significant bit first."""

import os
from typing import Protocol

from privacy.errors import RandomnessExhausted, RandomnessUnavailable

CHUNK = 64  # bytes taken from the operating system at a time


class Bits(Protocol):
    """A stream of independent fair bits."""

    used: int
    """How many bits have been read."""

    def word(self, b: int, /) -> int:
        """Return the next b bits as an unsigned integer; b = 0 reads nothing and is 0."""


class ByteBits:
    """The bits of given bytes; refuses when they are used up."""

    def __init__(self, data: bytes) -> None:
        self.used = 0
        self._all = int.from_bytes(data, "big")
        self._length = 8 * len(data)

    def word(self, b: int, /) -> int:
        """Return the next b bits, or raise RandomnessExhausted and read none."""
        remaining = self._length - self.used
        if b > remaining:
            raise RandomnessExhausted(requested=b, remaining=remaining)
        self.used += b
        return (self._all >> (remaining - b)) & ((1 << b) - 1)


class SecureBits:
    """The bits of the operating system's secure source; bits once read are forgotten."""

    # Create one per process: bits that are waiting here would be shared with a fork.
    def __init__(self) -> None:
        self.used = 0
        self._waiting = 0
        self._left = 0

    def word(self, b: int, /) -> int:
        """Return the next b bits, or raise RandomnessUnavailable."""
        while self._left < b:
            self._refill()
        self.used += b
        self._left -= b
        value = self._waiting >> self._left
        self._waiting ^= value << self._left
        return value

    def _refill(self) -> None:
        try:
            fresh = os.urandom(CHUNK)
        except (NotImplementedError, OSError) as error:
            raise RandomnessUnavailable from error
        self._waiting = self._waiting << 8 * CHUNK | int.from_bytes(fresh, "big")
        self._left += 8 * CHUNK

"""Random bits are read in one order, used once, and refused rather than made up."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.bits import CHUNK, ByteBits, SecureBits
from privacy.errors import RandomnessExhausted, RandomnessUnavailable


def test_the_most_significant_bit_comes_first() -> None:
    bits = ByteBits(bytes([0b1010_0110, 0b1100_0001]))
    assert [bits.word(b) for b in (1, 2, 5, 4, 4)] == [0b1, 0b01, 0b00110, 0b1100, 0b0001]


def test_no_bits_are_nothing_and_read_nothing() -> None:
    bits = ByteBits(b"")
    assert (bits.word(0), bits.used) == (0, 0)


@given(st.binary(max_size=12), st.lists(st.integers(0, 40), max_size=8))
def test_words_put_together_are_the_stream(data: bytes, widths: list[int]) -> None:
    bits, text = ByteBits(data), "".join(f"{byte:08b}" for byte in data)
    read = ""
    for width in widths:
        if len(read) + width > len(text):
            with pytest.raises(RandomnessExhausted) as refusal:
                bits.word(width)
            assert (refusal.value.requested, refusal.value.remaining) == (width, len(text) - len(read))
        else:
            read += f"{bits.word(width):0{width}b}" if width else ""
    assert text.startswith(read)
    assert bits.used == len(read)


def test_a_refused_word_reads_nothing() -> None:
    bits = ByteBits(b"\xa5")
    with pytest.raises(RandomnessExhausted):
        bits.word(9)
    assert bits.word(8) == 0xA5


def test_secure_bits_are_those_of_the_operating_system_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    pieces = [os.urandom(CHUNK) for _ in range(3)]
    supply = iter(pieces)
    monkeypatch.setattr(os, "urandom", lambda length: next(supply))
    secure, given_ = SecureBits(), ByteBits(b"".join(pieces))
    for width in (1, 32, 0, 7, 8 * CHUNK, 31, 8 * CHUNK - 79, 200):
        assert secure.word(width) == given_.word(width)
    assert secure.used == given_.used


def test_secure_bits_once_read_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "urandom", lambda length: b"\xff" * length)
    bits = SecureBits()
    bits.word(8 * CHUNK - 3)
    assert bits._waiting == 0b111


@pytest.mark.parametrize("failure", [NotImplementedError(), OSError()])
def test_without_a_secure_source_a_draw_is_refused(
    monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    def broken(length: int) -> bytes:
        raise failure

    monkeypatch.setattr(os, "urandom", broken)
    with pytest.raises(RandomnessUnavailable):
        SecureBits().word(1)

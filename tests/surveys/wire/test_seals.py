"""Keys have one spelling, and digests are those that participation fixes."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surveys.errors import ReportMalformed
from surveys.wire.seals import key_decode, key_encode, receipt_of, seal_of, spent_of

KEY = bytes(range(32))


@given(st.binary(min_size=32, max_size=32))
def test_a_key_is_read_as_it_was_written(key: bytes) -> None:
    assert key_decode(key_encode(key)) == key


@pytest.mark.parametrize(
    "text", ["", "A" * 42, "A" * 44, "A" * 42 + "=", "A" * 42 + "B", "+" * 43, "é" * 43, None, 5, []]
)
def test_any_other_spelling_of_a_key_is_refused(text: object) -> None:
    with pytest.raises(ReportMalformed) as caught:
        key_decode(text)
    assert caught.value.field == "key"


def test_the_digests_are_those_of_the_contract() -> None:
    seal = sha256(b"deniable/seal/1\0habits\0" + b"\0\0\0\2" + KEY + b"\1\2").digest()
    assert spent_of("habits", KEY) == sha256(b"deniable/spent/1\0habits\0" + KEY).digest()
    assert seal_of("habits", 2, KEY, b"\1\2") == seal
    assert receipt_of(seal) == sha256(b"deniable/receipt/1\0" + seal).hexdigest()[:32]


def test_a_seal_depends_on_every_part() -> None:
    seals = {
        seal_of("habits", 1, KEY, b"\1"),
        seal_of("habit", 1, KEY, b"\1"),
        seal_of("habits", 2, KEY, b"\1"),
        seal_of("habits", 1, KEY[::-1], b"\1"),
        seal_of("habits", 1, KEY, b"\2"),
    }
    assert len(seals) == 5

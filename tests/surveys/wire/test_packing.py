"""Reports are packed exactly as the version fixes, or refused by name before anything is kept."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.errors import ReportInvalid
from privacy.mechanisms.catalogue import configure
from surveys.errors import ReportMalformed
from surveys.wire.packing import Layout, Slot, byte_limits

MECHANISMS = [
    configure("spinner", "1", 4),
    configure("coin", "ln(3)", 2, tosses=1),
    configure("one-box", "2", 3, boxes=5),
    configure("every-box", "3", 2, boxes=3),
    configure("spinner-coin", "2", 256),
]


def layout() -> Layout:
    offsets = [0, 1, 2, 4, 7]
    return Layout([Slot(f"q{at}", m, o) for at, (m, o) in enumerate(zip(MECHANISMS, offsets, strict=True))])


GOOD = ["03", "01", "0402", "000101", "ff"]


def refusal(reports: object) -> ReportMalformed:
    with pytest.raises(ReportMalformed) as caught:
        layout().pack(reports)  # type: ignore[arg-type]
    return caught.value


def test_good_reports_are_packed_in_order() -> None:
    assert layout().pack(GOOD) == bytes.fromhex("030104 02000101ff")


def test_packed_bytes_come_apart_again() -> None:
    assert layout().unpack(layout().pack(GOOD)) == [3, 1, (4, 2), (0, 1, 1), 255]


@pytest.mark.parametrize(
    ("at", "text"),
    [
        (0, "04"),
        (0, "3"),
        (0, "003"),
        (0, ""),
        (1, "02"),
        (1, "0A"),
        (1, " 1"),
        (1, "११"),
        (1, 1),
        (1, None),
        (2, "0502"),
        (2, "0403"),
        (2, "04"),
        (3, "000201"),
        (3, "0001010"),
        (4, "FF"),
        (4, "0x"),
    ],
)
def test_the_wrong_report_is_named(at: int, text: object) -> None:
    error = refusal([*GOOD[:at], text, *GOOD[at + 1 :]])
    assert error.field == f"reports[{at}]"
    assert error.reason


@pytest.mark.parametrize("reports", [GOOD[:-1], [*GOOD, "00"], [], "0301", None, {"0": "03"}])
def test_a_missing_or_extra_report_names_the_list(reports: object) -> None:
    assert refusal(reports).field == "reports"


def test_digits_may_not_move_between_neighbours() -> None:
    # The same bytes in all, cut elsewhere: packed alone cannot tell.
    assert refusal(["0301", "", *GOOD[2:]]).field == "reports[0]"


@pytest.mark.parametrize("mechanism", MECHANISMS[:4], ids=lambda m: m.manifest()["name"])
def test_the_bound_of_each_byte_says_what_the_mechanism_says(mechanism) -> None:
    limits = byte_limits(mechanism)
    values = range(7) if mechanism.width > 1 else range(256)
    for data in map(bytes, product(values, repeat=mechanism.width)):
        assert all(byte < limit for byte, limit in zip(data, limits, strict=True)) == mechanism.valid(data)


@given(st.lists(st.text(max_size=8), max_size=7))
def test_whatever_is_sent_is_packed_or_refused(reports: list[str]) -> None:
    try:
        packed = layout().pack(reports)
    except ReportMalformed:
        return
    assert layout().unpack(packed)


def test_the_naive_check_by_fromhex_lets_capitals_through() -> None:
    """The control: without the comparison with the canonical spelling, two texts are one report."""
    assert bytes.fromhex("FF") == bytes.fromhex("ff")
    assert refusal([*GOOD[:4], "FF"]).field == "reports[4]"


def test_bytes_out_of_range_do_not_come_apart() -> None:
    with pytest.raises(ReportInvalid):
        layout().unpack(b"\x09" * 8)

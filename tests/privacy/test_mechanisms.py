"""Each mechanism says exactly what it is, reads only its own bytes, and refuses to exist wrongly."""

from collections.abc import Iterator
from decimal import Decimal
from itertools import product
from typing import Any

import pytest

from privacy import errors
from privacy.bits import ByteBits, SecureBits
from privacy.errors import MechanismMalformed, MechanismUnknown, PrivacyError, ReportInvalid, TruthOutOfRange
from privacy.mechanisms.catalogue import CATALOGUE, Mechanism, configure, mechanism_from
from privacy.mechanisms.spinner import Spinner

ANYONE: list[Mechanism] = [
    configure("spinner", "1", 4),
    configure("spinner-coin", "1", 256),
    configure("coin", "ln(3)", 2, tosses=1),
    configure("one-box", "2", 3, boxes=5),
    configure("every-box", "2", 2, boxes=3),
]
each = pytest.mark.parametrize("mechanism", ANYONE, ids=lambda mechanism: str(mechanism.manifest()["name"]))


def truth_of(mechanism: Mechanism) -> Any:
    boxes = mechanism.manifest().get("boxes")
    return 0 if boxes is None else [0] * int(boxes)


def wrong(truth: Any, answer: Any) -> Any:
    return [answer, *truth[1:]] if isinstance(truth, list) else answer


@each
def test_a_manifest_makes_the_same_mechanism_again(mechanism: Mechanism) -> None:
    assert mechanism_from(mechanism.manifest()) == mechanism


@each
def test_a_report_of_the_fixed_width_is_read_as_it_was_sent(mechanism: Any) -> None:
    for _ in range(50):
        report = mechanism.report(truth_of(mechanism), SecureBits())
        data = mechanism.encode(report)
        assert len(data) == mechanism.width
        assert mechanism.valid(data)
        assert mechanism.decode(data) == report


@each
def test_every_other_byte_string_of_up_to_two_bytes_is_refused(mechanism: Any) -> None:
    good = 0
    for data in strings():
        try:
            report = mechanism.decode(data)
        except ReportInvalid:
            assert not mechanism.valid(data)
        else:
            assert mechanism.valid(data)
            assert mechanism.encode(report) == data
            good += 1
    assert good == {1: mechanism.choices, 2: mechanism.cells, 3: 0}[mechanism.width]


def strings() -> Iterator[bytes]:
    for length in range(3):
        yield from map(bytes, product(range(256), repeat=length))


@each
@pytest.mark.parametrize("answer", [-1, 256, 1.0, True, "0", None])
def test_a_truth_that_is_no_answer_is_refused_before_a_bit_is_read(mechanism: Any, answer: Any) -> None:
    bits = ByteBits(bytes(64))
    with pytest.raises(TruthOutOfRange):
        mechanism.report(wrong(truth_of(mechanism), answer), bits)
    assert bits.used == 0


def test_a_report_that_does_not_exist_is_not_sent() -> None:
    for mechanism, report in zip(ANYONE, [4, 256, 2, (5, 0), (0, 0, 2)], strict=True):
        encode: Any = mechanism.encode
        with pytest.raises(ReportInvalid):
            encode(report)


@pytest.mark.parametrize("name", CATALOGUE)
def test_a_mechanism_is_made_for_every_number_of_answers_that_it_allows(name: str) -> None:
    wishes = {wish: {"boxes": 3, "tosses": 12}[wish] for wish in CATALOGUE[name].wishes}
    for choices in [2, 3] if "boxes" in wishes else [2, 3, 4, 5, 20, 128, 256]:
        mechanism = configure(name, "2", choices, **wishes)
        assert mechanism.choices == choices
        assert Decimal(mechanism.epsilon) <= 2


@each
def test_a_manifest_with_more_or_less_is_refused(mechanism: Mechanism) -> None:
    manifest = mechanism.manifest()
    for field in manifest:
        with pytest.raises(MechanismMalformed):
            mechanism_from({name: value for name, value in manifest.items() if name != field})
    with pytest.raises(MechanismMalformed, match="epsilon"):
        mechanism_from({**manifest, "epsilon": 1})


def test_a_name_that_nobody_knows_is_refused() -> None:
    with pytest.raises(MechanismUnknown):
        mechanism_from({"name": "subset", "choices": 4, "num": 1, "bits": 32})


def test_a_mechanism_of_another_width_does_not_come_from_a_manifest() -> None:
    with pytest.raises(MechanismMalformed, match="bits"):
        mechanism_from(Spinner(4, 100, digits=8).manifest())


def test_wishes_that_a_protocol_does_not_know_are_refused() -> None:
    with pytest.raises(MechanismMalformed, match="boxes"):
        configure("spinner", "1", 2, boxes=3)
    with pytest.raises(MechanismMalformed, match="tosses"):
        configure("coin", "1", 2)


def test_a_box_of_many_costs_its_part_and_one_drawn_box_the_whole() -> None:
    assert configure("every-box", "2", 2, boxes=4).epsilon == "2.0000"
    assert configure("one-box", "2", 2, boxes=4).epsilon == "2.0000"
    assert (
        configure("every-box", "2", 2, boxes=4).manifest()["num"]
        == configure("spinner", "0.5", 2).manifest()["num"]
    )


def test_cells_lie_box_after_box() -> None:
    assert [mechanism.cells for mechanism in ANYONE] == [4, 256, 2, 15, 6]
    assert [mechanism.width for mechanism in ANYONE] == [1, 1, 1, 2, 3]


def test_each_refusal_has_a_code_of_its_own() -> None:
    tree = [
        kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, PrivacyError)
    ]
    codes = [kind.code for kind in tree]
    assert len(set(codes)) == len(codes) >= 20

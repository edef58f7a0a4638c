"""The vectors that both languages replay are right, complete and the same each time they are made."""

import json
from fractions import Fraction
from typing import Any

import pytest

from tests.privacy.reference import draw, exp_bounds, num_of, ratio_of
from tests.vectors.make import contents
from tests.vectors.replay import FILES, HERE, read, replay


def test_there_are_ten_thousand_and_each_is_replayed() -> None:
    assert replay() >= 10_000


def test_they_are_made_again_byte_for_byte() -> None:
    assert {name: (HERE / f"{name}.json").read_text("utf-8") for name in FILES} == contents()


def test_they_stay_small() -> None:
    assert sum(path.stat().st_size for path in HERE.iterdir() if path.is_file()) < 4_000_000


def test_no_number_is_too_large_for_javascript() -> None:
    def walk(value: Any) -> None:
        if isinstance(value, dict):
            value = list(value.values())
        for item in value if isinstance(value, list) else []:
            walk(item)
        assert not isinstance(value, float) or not value.is_integer()
        assert not isinstance(value, int) or abs(value) < 2**53

    for name in FILES:
        walk(read(name))


def test_a_naive_reading_of_the_definitions_gives_every_draw() -> None:
    drawn = read("draws")
    for vector in drawn["draws"]:
        report, packed, used = draw(
            drawn["mechanisms"][vector["mechanism"]], bytes.fromhex(vector["seed"]), vector["truth"]
        )
        assert (report, packed.hex(), used) == (vector["report"], vector["packed"], vector["used"]), vector


def test_a_power_series_gives_every_configured_integer() -> None:
    for vector in read("budget")["configured"]:
        manifest, text = vector["mechanism"], vector["epsilon"]
        if manifest["name"] == "every-box":
            continue
        bits = manifest.get("bits") or manifest["tosses"]
        assert set(num_of(manifest["name"], text, manifest["choices"], bits)) == {manifest["num"]}, vector


def test_each_box_of_several_is_configured_at_its_part_of_epsilon() -> None:
    for vector in read("budget")["configured"]:
        if vector["protocol"] == "every-box" and not vector["epsilon"].startswith("ln"):
            boxes = vector["boxes"]
            part = Fraction(Fraction(vector["epsilon"]) * 10_000 // boxes, 10_000)
            text = f"{float(part):.4f}"
            assert set(num_of("spinner", text, vector["choices"], 32)) == {vector["mechanism"]["num"]}


def test_every_published_epsilon_is_the_logarithm_rounded_up() -> None:
    for vector in read("budget")["configured"]:
        boxes = vector.get("boxes", 1) if vector["protocol"] == "every-box" else 1
        units = Fraction(vector["published"]) / boxes * 10_000
        assert units.denominator == 1
        assert_rounded_up(int(units), ratio_of(vector["mechanism"]))
    for vector in read("accounting")["ratios"]:
        ratio = Fraction(int(vector["numerator"]), int(vector["denominator"]))
        if ratio < 10**13:
            assert_rounded_up(int(Fraction(vector["published"]) * 10_000), ratio)


def assert_rounded_up(units: int, ratio: Fraction) -> None:
    if units == 0:
        assert ratio == 1
        return
    assert exp_bounds(Fraction(units - 1, 10_000))[0] < ratio < exp_bounds(Fraction(units, 10_000))[1]


def test_what_is_published_is_never_above_a_configured_decimal() -> None:
    for vector in read("budget")["configured"]:
        if not vector["epsilon"].startswith("ln"):
            assert Fraction(vector["published"]) <= Fraction(vector["epsilon"]), vector


@pytest.mark.parametrize(
    "call",
    ["epsilon", "configure", "mechanism", "draw", "decode", "word", "below", "bernoulli", "total", "channel"],
)
def test_each_kind_of_refusal_is_among_them(call: str) -> None:
    assert sum(vector["call"] == call for vector in read("refused")["refused"]) >= 2


def test_a_vector_that_is_wrong_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    spoilt = json.loads(json.dumps(read("draws")))
    spoilt["draws"][4000]["used"] += 1
    monkeypatch.setattr("tests.vectors.replay.read", lambda name: spoilt if name == "draws" else read(name))
    with pytest.raises(AssertionError, match="expected"):
        replay()

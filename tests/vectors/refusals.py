"""Vectors that must be refused, each with the code of its refusal."""

from collections.abc import Iterable, Iterator
from typing import Any

from privacy.mechanisms.catalogue import configure
from tests.vectors.replay import CALLS, Vector, refusal_of
from tests.vectors.seeds import Seeds

TWO32 = 1 << 32
BAD_TEXTS = (
    *(
        "",
        " ",
        "0",
        "0.0",
        "0.00",
        "0.009",
        "0.0099",
        "00",
        "00.0099",
        "16.0001",
        "16.1",
        "17",
        "99",
        "99.9999",
    ),
    *(
        "100",
        "1.",
        ".5",
        "1.00000",
        "0.12345",
        "-1",
        "+1",
        "1e0",
        "1E1",
        "0x1",
        "1,5",
        " 1",
        "1 ",
        "1\n",
        "\t1",
    ),
    *(
        "NaN",
        "nan",
        "inf",
        "Infinity",
        "1_0",
        "1/2",
        "ε",
        "１",
        "١",
        "²",
        "1.٥",
        "one",
        "null",
        "1.5.5",
        "--1",
    ),
    *(
        "ln(1)",
        "ln(0)",
        "ln(-2)",
        "ln(2.5)",
        "ln(03)",
        "ln()",
        "ln(2",
        "ln 2",
        "LN(2)",
        "Ln(3)",
        " ln(3)",
        "ln(3)\n",
    ),
    *(
        "ln(8886111)",
        "ln(99999999)",
        "ln(999999999)",
        "ln(1000000000)",
        "ln( 3)",
        "ln(3) ",
        "ln(٣)",
        "ln(e)",
        "log(3)",
    ),
    *("ln(3)+1", "2ln(3)", "ln(ln(3))", "ln(" + "9" * 400 + ")", "1" * 400),
)
NOT_TEXT = (1, 0.5, None, True, ["1"], {"text": "1"})
NOT_WHOLE = (1.5, "2", None, True, [2], "")
GOOD: tuple[Vector, ...] = tuple(
    mechanism.manifest()
    for mechanism in (
        configure("spinner", "1", 5),
        configure("spinner-coin", "1", 5),
        configure("coin", "1", 3, tosses=4),
        configure("one-box", "1", 3, boxes=4),
        configure("every-box", "4", 2, boxes=4),
    )
)


def code_of(call: str, **arguments: Any) -> str | None:
    """Return the code of the refusal that a call ends in, None where it ends well."""
    return refusal_of(lambda: CALLS[call](**arguments))


def refused() -> dict[str, Iterable[Vector]]:
    """Return all of them; every one is really refused by the product."""
    cases = [*_epsilons(), *_wishes(), *_manifests(), *_draws(), *_data(), *_samplers(), *_accounts()]
    answers = [{"call": call, **arguments, "error": code_of(call, **arguments)} for call, arguments in cases]
    accepted = [answer for answer in answers if answer["error"] is None]
    assert not accepted, accepted
    return {"refused": answers}


Cases = Iterator[tuple[str, Vector]]


def _epsilons() -> Cases:
    for text in (*BAD_TEXTS, *NOT_TEXT):
        yield "epsilon", {"epsilon": text}
    for text in BAD_TEXTS:
        yield "configure", {"protocol": "spinner", "epsilon": text, "choices": 2}


def _wishes() -> Cases:
    for protocol in ("spinner", "spinner-coin"):
        for choices in (-1, 0, 1, 257, 65536, *NOT_WHOLE):
            yield "configure", {"protocol": protocol, "epsilon": "1", "choices": choices}
        yield "configure", {"protocol": protocol, "epsilon": "1", "choices": 2, "boxes": 3}
        yield "configure", {"protocol": protocol, "epsilon": "1", "choices": 2, "tosses": 3}
    for protocol in ("one-box", "every-box"):
        yield "configure", {"protocol": protocol, "epsilon": "1", "choices": 2}
        for boxes in (-1, 0, 257, 2.5, "3", True):
            yield "configure", {"protocol": protocol, "epsilon": "1", "choices": 2, "boxes": boxes}
        for choices in (0, 1, 4, 256, "2"):
            yield "configure", {"protocol": protocol, "epsilon": "1", "choices": choices, "boxes": 3}
    for boxes in (101, 150, 256):  # each box would have less than 0.01
        yield "configure", {"protocol": "every-box", "epsilon": "1", "choices": 2, "boxes": boxes}
    for parts in (0, 257, 1.5, 101):
        yield "split", {"epsilon": "1", "parts": parts}
    yield "configure", {"protocol": "coin", "epsilon": "1", "choices": 2}
    for tosses in (-1, 0, 33, 2.5, "3", True):
        yield "configure", {"protocol": "coin", "epsilon": "1", "choices": 2, "tosses": tosses}
    for epsilon, choices, tosses in (
        ("1", 2, 1),
        ("0.01", 2, 7),
        ("0.5", 10, 4),
        ("ln(3)", 3, 1),
        ("0.01", 256, 14),
    ):
        yield "configure", {"protocol": "coin", "epsilon": epsilon, "choices": choices, "tosses": tosses}
    for protocol in ("", "Spinner", "spinner ", "subset", "warner", "spinner_coin", "one_box", "__class__"):
        yield "configure", {"protocol": protocol, "epsilon": "1", "choices": 2}
    for epsilon, choices, width in (("0.5", 3, 1), ("0.01", 2, 4), ("0.1", 5, 3), ("0.01", 256, 8)):
        yield "spinner-num", {"epsilon": epsilon, "choices": choices, "width": width}
        yield "coin-num", {"epsilon": epsilon, "choices": choices, "width": width}


def _manifests() -> Cases:
    others: tuple[Any, ...] = (None, [], "spinner", 7, True, {}, [["name", "spinner"]])
    for manifest in others:
        yield "mechanism", {"mechanism": manifest}
    for good in GOOD:
        yield from (("mechanism", {"mechanism": bad}) for bad in _spoilt(good))
    for k in range(2, 40):
        num = TWO32 // k  # p ≤ q
        yield "mechanism", {"mechanism": {"name": "spinner", "choices": k, "num": num, "bits": 32}}
    for choices in (2, 3):
        for name in ("one-box", "every-box"):
            low = {"name": name, "boxes": 3, "choices": choices, "num": TWO32 // choices, "bits": 32}
            yield "mechanism", {"mechanism": low}


def _spoilt(good: Vector) -> Iterator[Vector]:
    """Return a manifest with one thing wrong at a time."""
    for field in good:
        yield {name: value for name, value in good.items() if name != field}
    yield {**good, "extra": 1}
    yield {**good, "epsilon": "1"}
    for name in ("", "Spinner", "subset", "spinner\n", "grr", 7, None, ["spinner"]):
        yield {**good, "name": name}
    for field in [name for name in good if name != "name"]:
        for value in NOT_WHOLE:
            yield {**good, field: value}
        for value in _outside(good, field):
            yield {**good, field: value}


def _outside(good: Vector, field: str) -> tuple[int, ...]:
    top = 1 << good.get("tosses", 32)
    limits = {
        "choices": (-1, 0, 1, 257, 1 << 31) if "boxes" not in good else (0, 1, 4, 256),
        "boxes": (-1, 0, 257, 1 << 31),
        "tosses": (-1, 0, 33, 64),
        "num": (-1, 0, top, top + 1, 1 << 52),
        "bits": (-1, 0, 1, 8, 16, 31, 33, 64),
    }
    return limits[field]


def _draws() -> Cases:
    seeds = Seeds("refused")
    for good in GOOD:
        k, boxes = good["choices"], good.get("boxes")
        for answer in (-1, k, k + 1, 255, 256, 1.5):
            truth = answer if boxes is None else [0, answer, 0, 0]
            yield "draw", {"mechanism": good, "seed": seeds.take(64).hex(), "truth": truth}
        if boxes is not None:
            for truth in ([], [0], [0] * 3, [0] * 5):
                yield "draw", {"mechanism": good, "seed": seeds.take(64).hex(), "truth": truth}
        for length in range(0, 5 if boxes is None else 4):
            truth = 0 if boxes is None else [0] * 4
            if code_of("draw", mechanism=good, seed="00" * length, truth=truth):
                yield "draw", {"mechanism": good, "seed": "00" * length, "truth": truth}
    # All ones: thrown away for ever, until the bits are used up.
    for length in (5, 6, 8, 16, 40):
        yield "draw", {"mechanism": {**GOOD[0], "choices": 4}, "seed": "ff" * length, "truth": 0}


def _data() -> Cases:
    for good in GOOD:
        k, boxes = good["choices"], good.get("boxes", 0)
        width: int = {"one-box": 2, "every-box": boxes}.get(good["name"], 1)
        for length in {0, 1, 2, 3, 5, 64} - {width}:
            yield "decode", {"mechanism": good, "data": "00" * length}
        for place in range(width):
            limit = boxes if good["name"] == "one-box" and place == 0 else k
            for value in range(limit, 256, 1 if limit < 10 and place == 0 and width == 1 else 17):
                data = bytes(value if i == place else 0 for i in range(width))
                yield "decode", {"mechanism": good, "data": data.hex()}


def _samplers() -> Cases:
    for seed, widths in (
        ("", [1]),
        ("ff", [9]),
        ("ff", [8, 1]),
        ("ff", [3, 3, 3]),
        ("ffff", [0, 16, 0, 1]),
        ("", [32]),
    ):
        yield "word", {"seed": seed, "widths": widths}
    for num, width in ((0, 8), (-1, 8), (256, 8), (257, 8), (TWO32, 32), (0, 32), (1, 0), (2, 1)):
        yield "bernoulli", {"seed": "00000000", "num": num, "width": width}
    for n in (0, -1):
        yield "below", {"seed": "00000000", "n": n}
    for seed, n in (("", 2), ("ff", 3), ("ffff", 5), ("ffffff", 200), ("ffffffff", 129)):
        yield "below", {"seed": seed, "n": n}
    for weights, width in (
        ([], 3),
        ([8, 1], 3),
        ([7], 3),
        ([9, -1], 3),
        ([0, 0], 1),
        ([TWO32 - 1], 32),
        ([1], 1),
    ):
        yield "categorical", {"seed": "00000000", "weights": weights, "width": width}


def _accounts() -> Cases:
    for text in ("", "1", "1.0", "1.00000", "-1.0000", "1.0000\n", " 1.0000", "1e4", "1234567.0000", ".5000"):
        yield "total", {"published": ["1.0000", text]}
    halves = ["1/2", "1/2"]
    ragged = [halves, ["1/2"]]
    spoilt: list[list[list[str]]] = [
        [],
        [[]],
        [["1/2"]],
        [["3/2"], ["-1/2"]],
        ragged,
        [halves],
        [halves, ["1/2", "1/3"]],
    ]
    for matrix in spoilt:
        yield "channel", {"matrix": matrix}

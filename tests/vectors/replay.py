"""Replays vectors against the product: what each call gives, or the code of its refusal."""

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from privacy.accounting import published_epsilon, total
from privacy.bits import ByteBits
from privacy.budget import Epsilon, coin_num, spinner_num, split
from privacy.channel import Channel
from privacy.errors import PrivacyError
from privacy.mechanisms.catalogue import configure, mechanism_from
from privacy.sampling import below, bernoulli, categorical

HERE = Path(__file__).parent
FILES = ("words", "draws", "budget", "accounting", "refused")

Vector = dict[str, Any]


def plain(value: object) -> object:
    """Return a report as JSON holds it."""
    return list(value) if isinstance(value, tuple) else value


def words(seed: str, widths: list[int]) -> Vector:
    """Read words of these widths, one after the other."""
    bits = ByteBits(bytes.fromhex(seed))
    return {"words": [bits.word(width) for width in widths], "used": bits.used}


def drawn(call: Callable[..., object], seed: str, *arguments: Any) -> Vector:
    """Call a sampler on the bits of a seed."""
    bits = ByteBits(bytes.fromhex(seed))
    return {"result": call(arguments[0], bits, *arguments[1:]), "used": bits.used}


def draw(mechanism: Vector, seed: str, truth: Any) -> Vector:
    """Draw a report, pack it and read it again."""
    randomiser: Any = mechanism_from(mechanism)
    bits = ByteBits(bytes.fromhex(seed))
    report = randomiser.report(truth, bits)
    packed = randomiser.encode(report)
    assert randomiser.decode(packed) == report
    assert randomiser.valid(packed)
    assert len(packed) == randomiser.width
    return {"report": plain(report), "packed": packed.hex(), "used": bits.used}


def decode(mechanism: Vector, data: str) -> object:
    """Read bytes as a report."""
    randomiser = mechanism_from(mechanism)
    try:
        report = randomiser.decode(bytes.fromhex(data))
    except PrivacyError:
        assert not randomiser.valid(bytes.fromhex(data))
        raise
    return plain(report)


def configured(protocol: str, epsilon: str, choices: Any, **wishes: Any) -> Vector:
    """Make a mechanism for an admin's wish."""
    mechanism = configure(protocol, epsilon, choices, **wishes)
    assert mechanism_from(mechanism.manifest()) == mechanism
    return {"mechanism": mechanism.manifest(), "published": mechanism.epsilon}


def ratio(numerator: str, denominator: str) -> Vector:
    """Publish the logarithm of a ratio."""
    return {"published": published_epsilon(Fraction(int(numerator), int(denominator)))}


def channel(matrix: list[list[str]]) -> Vector:
    """Read the largest ratio off a matrix; null where it is infinite."""
    largest = Channel(tuple(tuple(map(Fraction, row)) for row in matrix)).ratio()
    if largest is None:
        assert refusal_of(lambda: published_epsilon(largest)) == "epsilon-infinite"
        return {"ratio": None, "published": None}
    return {
        "ratio": f"{largest.numerator}/{largest.denominator}",
        "published": published_epsilon(largest),
    }


CALLS: dict[str, Callable[..., object]] = {
    "word": words,
    "bernoulli": lambda seed, num, width: drawn(bernoulli, seed, num, width),
    "below": lambda seed, n: drawn(below, seed, n),
    "categorical": lambda seed, weights, width: drawn(categorical, seed, weights, width),
    "draw": draw,
    "decode": decode,
    "mechanism": lambda mechanism: mechanism_from(mechanism).manifest(),
    "configure": configured,
    "epsilon": lambda epsilon: Epsilon.parse(epsilon).text,
    "spinner-num": lambda epsilon, choices, width: spinner_num(Epsilon.parse(epsilon), choices, width),
    "coin-num": lambda epsilon, choices, width: coin_num(Epsilon.parse(epsilon), choices, width),
    "split": lambda epsilon, parts: {"part": split(Epsilon.parse(epsilon), parts).text},
    "ratio": ratio,
    "total": lambda published: {"total": total(published)},
    "channel": channel,
}


def refusal_of(call: Callable[[], object]) -> str | None:
    """Return the code of the refusal that the call ends in, None where it ends well."""
    try:
        call()
    except PrivacyError as refusal:
        return refusal.code
    return None


def read(name: str) -> dict[str, list[Vector]]:
    """Return the committed vectors of a file."""
    content: dict[str, list[Vector]] = json.loads((HERE / f"{name}.json").read_text("utf-8"))
    return content


def questions() -> Iterator[tuple[str, Vector, object]]:
    """Return every committed vector as a call, its arguments and what must come of it."""
    for vector in read("words")["words"]:
        yield "word", *asked(vector, "seed", "widths")
    for vector in read("words")["calls"]:
        yield vector["call"], *asked(vector, "seed", "num", "width", "n", "weights")
    draws = read("draws")
    for vector in draws["draws"]:
        arguments, expected = asked(vector, "seed", "truth")
        expected.pop("mechanism")
        yield "draw", {"mechanism": draws["mechanisms"][vector["mechanism"]], **arguments}, expected
    accounting = read("accounting")
    for vector in accounting["ratios"]:
        yield "ratio", *asked(vector, "numerator", "denominator")
    for vector in accounting["totals"]:
        yield "total", *asked(vector, "published")
    for vector in accounting["channels"]:
        yield "channel", *asked(vector, "matrix")
    for vector in read("budget")["configured"]:
        yield "configure", *asked(vector, "protocol", "epsilon", "choices", "boxes", "tosses")
    for vector in read("budget")["split"]:
        yield "split", *asked(vector, "epsilon", "parts")


def asked(vector: Vector, *arguments: str) -> tuple[Vector, Vector]:
    """Return what a vector asks and what it expects."""
    question = {name: vector[name] for name in arguments if name in vector}
    return question, {name: vector[name] for name in vector if name not in {*question, "call"}}


def refusals() -> Iterator[tuple[str, Vector, str]]:
    """Return every committed vector that must be refused: call, arguments, code."""
    for vector in read("refused")["refused"]:
        arguments = {name: value for name, value in vector.items() if name not in {"call", "error"}}
        yield vector["call"], arguments, vector["error"]


def replay() -> int:
    """Replay every committed vector; raise AssertionError on the first that differs, else return how many."""
    number = 0
    for call, arguments, expected in refusals():
        code = refusal_of(partial(CALLS[call], **arguments))
        assert code == expected, f"{call} {arguments}: {code or 'accepted'}, expected {expected}"
        number += 1
    for call, arguments, answer in questions():
        given = CALLS[call](**arguments)
        assert given == answer, f"{call} {arguments}: {given}, expected {answer}"
        number += 1
    return number

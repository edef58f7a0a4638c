"""A second, naive reading of the definitions: bits as text, e^x as a series between two whole numbers."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

SCALE = 220  # binary places of the series

Manifest = dict[str, Any]


class Tape:
    """The bits of some bytes, as text that is cut off from the left."""

    def __init__(self, data: bytes) -> None:
        self.text = "".join(f"{byte:08b}" for byte in data)
        self.read = 0

    def word(self, length: int) -> int:
        """Cut off a word."""
        word, self.text = self.text[:length], self.text[length:]
        assert len(word) == length, "the tape is too short"
        self.read += length
        return int(word or "0", 2)

    def below(self, n: int) -> int:
        """Cut off words until one is small enough."""
        length = next(b for b in range(64) if 2**b >= n)
        return next(v for v in iter(lambda: self.word(length), -1) if v < n)


def draw(manifest: Manifest, data: bytes, truth: Any) -> tuple[Any, bytes, int]:
    """Return the report, its bytes and the number of bits read."""
    tape = Tape(data)
    report = DRAWS[manifest["name"]](manifest, tape, truth)
    packed = bytes(report) if isinstance(report, list) else bytes([report])
    return report, packed, tape.read


def _spinner(manifest: Manifest, tape: Tape, truth: int) -> int:
    honest = tape.word(manifest["bits"]) < manifest["num"]
    others = [answer for answer in range(manifest["choices"]) if answer != truth]
    other = others[tape.below(len(others))]
    return truth if honest else other


def _coin(manifest: Manifest, tape: Tape, truth: int) -> int:
    honest = tape.word(manifest.get("bits") or manifest["tosses"]) < manifest["num"]
    anyone = tape.below(manifest["choices"])
    return truth if honest else anyone


def _one_box(manifest: Manifest, tape: Tape, truth: list[int]) -> list[int]:
    box = tape.below(manifest["boxes"])
    return [box, _spinner(manifest, tape, truth[box])]


def _every_box(manifest: Manifest, tape: Tape, truth: list[int]) -> list[int]:
    return [_spinner(manifest, tape, answer) for answer in truth]


DRAWS: dict[str, Callable[[Manifest, Tape, Any], Any]] = {
    "spinner": _spinner,
    "spinner-coin": _coin,
    "coin": _coin,
    "one-box": _one_box,
    "every-box": _every_box,
}


def exp_bounds(x: Fraction) -> tuple[Fraction, Fraction]:
    """Return fractions on both sides of e^x for 0 ≤ x ≤ 32, at most about 2**-140 apart."""
    small = x / 128
    term, below = Fraction(1), Fraction(0)
    for i in range(1, 40):
        below += term
        term = term * small / i
    low = (below * 2**SCALE).__floor__()
    # The rest of the series is less than twice its first term.
    high = ((below + 2 * term) * 2**SCALE).__ceil__()
    for _ in range(7):
        low, high = low * low >> SCALE, -(-high * high >> SCALE)
    return Fraction(low, 2**SCALE), Fraction(high, 2**SCALE)


def epsilon_of(text: str) -> tuple[Fraction, Fraction]:
    """Return bounds of E = e^ε for an ε text."""
    if text.startswith("ln("):
        return Fraction(int(text[3:-1])), Fraction(int(text[3:-1]))
    return exp_bounds(Fraction(text))


def ratio_of(manifest: Manifest) -> Fraction:
    """Return the largest ratio of a one-answer mechanism (or of one box), by its closed form."""
    share: Fraction = Fraction(manifest["num"], 2 ** (manifest.get("bits") or manifest["tosses"]))
    k: int = manifest["choices"]
    if manifest["name"] in ("spinner-coin", "coin"):
        return 1 + k * share / (1 - share)
    return share * (k - 1) / (1 - share)


def num_of(name: str, text: str, choices: int, bits: int) -> Iterator[int]:
    """Return the numerators that the two bounds of E give (the same one twice, or the test is no use)."""
    for power in epsilon_of(text):
        bright = (power - 1 if name in ("spinner-coin", "coin") else power) / (power + choices - 1)
        yield (2**bits * bright).__floor__()

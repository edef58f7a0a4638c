"""From the ε that an admin typed to the integers that the device draws with, rounded toward more lying."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Context, Decimal
from fractions import Fraction
from math import floor

from privacy.errors import (
    BoxesOutOfRange,
    ChoicesOutOfRange,
    EpsilonMalformed,
    EpsilonOutOfRange,
    TossesOutOfRange,
    TossesTooFew,
    TruthNotFavoured,
    ValueOutOfRange,
)

CHOICES = (2, 256)
BOXES = (1, 256)
TOSSES = (1, 32)
WIDTH = 32
DIGITS = 40  # of the first try; doubled until the bounds agree
LEAST, LARGEST = Fraction(1, 100), Fraction(16)
LARGEST_TOTAL = Fraction(64)  # of a whole survey: what devices take at most
_DECIMAL = re.compile(r"[0-9]{1,2}(\.[0-9]{1,4})?")
_LOGARITHM = re.compile(r"ln\(([1-9][0-9]{0,8})\)")
_POWER = re.compile(r"ln\(([1-9][0-9]{0,19})\)")

Bounds = tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class Epsilon:
    """An ε that may be configured: a decimal in [0.01, 16] or the logarithm of a whole number."""

    text: str
    power: int | None = field(init=False)  # E = e^ε where it is a whole number: ln(N) was typed

    def __post_init__(self) -> None:
        object.__setattr__(self, "power", _power_of(self.text))
        lower, upper = self.bounds()
        if lower < LEAST or upper > LARGEST:
            raise EpsilonOutOfRange(self.text)

    @classmethod
    def parse(cls, text: str) -> "Epsilon":
        """Read "1.5" or "ln(3)"; refuse every other form and every value out of range."""
        return cls(text)

    def bounds(self, digits: int = DIGITS) -> Bounds:
        """Return two fractions with ε between them (equal where ε is a decimal)."""
        return _bounds_of(self.text, self.power, digits)

    def power_bounds(self, digits: int = DIGITS) -> Bounds:
        """Return two fractions with E = e^ε between them (equal where E is a whole number)."""
        if self.power is not None:
            return Fraction(self.power), Fraction(self.power)
        context = Context(prec=digits)
        return one_unit_around(context.exp(Decimal(self.text)), context)


@dataclass(frozen=True, slots=True)
class Ceiling:
    """The most that all questions of a survey may cost: a decimal in [0.01, 64] or ln of a whole number."""

    text: str
    power: int | None = field(init=False)  # N of ln(N)

    def __post_init__(self) -> None:
        found = _POWER.fullmatch(self.text) if isinstance(self.text, str) else None
        object.__setattr__(self, "power", int(found[1]) if found else _power_of(self.text))
        lower, upper = self.bounds()
        if lower < LEAST or upper > LARGEST_TOTAL:
            raise EpsilonOutOfRange(self.text)

    def bounds(self) -> Bounds:
        """Return two fractions with the ceiling between them (equal where it is a decimal)."""
        return _bounds_of(self.text, self.power, DIGITS)

    def allows(self, published: str, ratio: Fraction) -> bool:
        """Say whether a survey may cost that much: `ratio` is its exact e^ε, `published` what is told of it.

        The logarithm of a whole number is compared exactly: three questions at ln(3) fit under ln(27),
        though their published values were rounded up. Of a decimal, what is published must fit.
        """
        return ratio <= self.power if self.power is not None else Fraction(published) <= Fraction(self.text)


def spinner_num(epsilon: Epsilon, choices: int, width: int = WIDTH) -> int:
    """Return ⌊2**width · E/(E+k−1)⌋, the wheel's bright part; refuse when the truth is not favoured."""
    k = whole(choices, CHOICES, ChoicesOutOfRange)
    num = floor_between(epsilon.power_bounds, lambda power: (1 << width) * power / (power + k - 1))
    if not favours_truth(num, k, width):
        raise TruthNotFavoured(k, num, width)
    return num


def coin_num(epsilon: Epsilon, choices: int, width: int = WIDTH) -> int:
    """Return ⌊2**width · (E−1)/(E+k−1)⌋, the outcomes that mean "truth"; refuse when there are none."""
    k = whole(choices, CHOICES, ChoicesOutOfRange)
    whole(width, TOSSES, TossesOutOfRange)
    num = floor_between(epsilon.power_bounds, lambda power: (1 << width) * (power - 1) / (power + k - 1))
    if num == 0:
        raise TossesTooFew(width)
    return num


def split(epsilon: Epsilon, parts: int) -> Epsilon:
    """Return the ε of each of equal parts, rounded down to four decimals: they never add up to more."""
    whole(parts, BOXES, BoxesOutOfRange)
    units = floor_between(epsilon.bounds, lambda value: 10_000 * value / parts)
    return Epsilon.parse(f"{units // 10_000}.{units % 10_000:04d}")


def favours_truth(num: int, choices: int, width: int) -> bool:
    """Say whether a wheel with this bright part reports the truth more often than any one other answer."""
    return num * choices > 1 << width


def whole(value: object, limits: tuple[int, int], refusal: type[ValueOutOfRange]) -> int:
    """Return the value if it is a whole number within the limits, else raise the refusal."""
    # bool is an int in Python; in a manifest it is a mistake.
    if type(value) is not int or not limits[0] <= value <= limits[1]:
        raise refusal(value, *limits)
    return value


def _power_of(text: object) -> int | None:
    """Return N of ln(N), None for a decimal; refuse every other text."""
    if isinstance(text, str) and _DECIMAL.fullmatch(text):
        return None
    if isinstance(text, str) and (match := _LOGARITHM.fullmatch(text)):
        return int(match[1])
    raise EpsilonMalformed(text)


def _bounds_of(text: str, power: int | None, digits: int) -> Bounds:
    if power is None:
        return Fraction(text), Fraction(text)
    if power == 1:
        return Fraction(0), Fraction(0)
    context = Context(prec=digits)
    return one_unit_around(context.ln(Decimal(power)), context)


def one_unit_around(rounded: Decimal, context: Context) -> Bounds:
    """Return the neighbours of a correctly rounded number: the exact one lies between them."""
    return Fraction(context.next_minus(rounded)), Fraction(context.next_plus(rounded))


def floor_between(bounds: Callable[[int], Bounds], rising: Callable[[Fraction], Fraction]) -> int:
    """Return ⌊rising(x)⌋ for the number x that the bounds enclose ever more tightly."""
    digits = DIGITS
    while True:
        low, high = (floor(rising(bound)) for bound in bounds(digits))
        if low == high:
            return low
        # Ends: e^ε and ln N are irrational, so the exact value is never a whole number.
        digits *= 2

"""Exact noise on whole numbers: discrete Laplace and discrete Gaussian, drawn by OpenDP."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any, Protocol

import opendp.prelude as dp

from privacy.bits import Bits, SecureBits
from privacy.policy.errors import QueryRefused

dp.enable_features("contrib")

LARGEST, LEAST = 2**63 - 1, -(2**63)  # where OpenDP cuts noise off
# Draws from beyond 64 bits are pieced together, for as long as that takes few pieces.
WIDEST_LAPLACE = 2.0**67
# Beyond this scale a Gaussian would leave 64 bits more often than once in e⁸⁰⁰⁰ draws; δ leaves room for those.
WIDEST_GAUSSIAN = 2.0**56
_SLACK = Fraction(2**60 - 1, 2**60)
_EXACTLY_SUMMED = 64  # Gaussians up to this scale have an interval summed term by term
_DIGITS = Context(prec=60)
TOO_WIDE = "the noise would be wider than numbers are"


class Law(Protocol):
    """A distribution of noise, symmetric about 0, on the whole numbers."""

    @property
    def scale(self) -> float:
        """Its width, in units of the number that it hides."""

    def drawn(self, number: int) -> Sequence[int]:
        """Return independent draws."""

    def half_width(self, outside: Fraction) -> int:
        """Return the least k known to have |noise| > k with at most this probability."""


class Noise(Protocol):
    """Where noise comes from."""

    @property
    def bits(self) -> Bits:
        """Secure bits, for choices."""

    def added(self, values: Sequence[int], law: Law) -> Sequence[int]:
        """Return each value with independent noise of a law."""


class SecureNoise:
    """Noise of the operating system's secure source."""

    def __init__(self) -> None:
        self.bits: Bits = SecureBits()

    def added(self, values: Sequence[int], law: Law) -> Sequence[int]:
        """Return each value with independent noise of a law; numbers of any size stay exact."""
        return [value + noise for value, noise in zip(values, law.drawn(len(values)), strict=True)]


@dataclass(frozen=True, slots=True)
class Laplace:
    """Discrete Laplace noise.

    Law: P[z] = (1 − r)/(1 + r) · r^|z|, r = e^(−1/scale).
    Privacy: l1/scale, which is at most ε.
    Source: Ghosh, Roughgarden and Sundararajan 2012; sampler of Canonne, Kamath and Steinke 2020 in OpenDP.
    """

    l1: int
    epsilon: Fraction
    scale: float

    @classmethod
    def of(cls, l1: int, epsilon: Fraction) -> "Laplace":
        """Return the narrowest noise that hides a change of `l1` at ε: its scale is a float, rounded up."""
        if l1 < 1 or epsilon <= 0:
            raise ValueError("noise hides a change of at least 1, at an ε above 0")
        scale = _float_above(l1 / epsilon)
        while _loss(scale, l1) > epsilon:
            scale = math.nextafter(scale, math.inf)
        if scale > WIDEST_LAPLACE:
            raise QueryRefused(TOO_WIDE, "ask with a larger ε, or declare narrower bounds")
        return cls(l1, epsilon, scale)

    def drawn(self, number: int) -> Sequence[int]:
        """Return independent draws, of any size."""
        return [self._whole(one) for one in _laplace(self.scale)([0] * number)] if number else []

    def _whole(self, drawn: int) -> int:
        # Where OpenDP cut a draw off, the rest of it is geometric: the law has no memory.
        whole, last = drawn, abs(drawn) if drawn in (LARGEST, LEAST) else 0
        while last >= LARGEST:
            last = self._geometric()
            whole += last if drawn > 0 else -last
        return whole

    def _geometric(self) -> int:
        """Return a draw that is not negative: P[z] = (1 − r) r^z."""
        while (drawn := _laplace(self.scale)([0])[0]) < 0:
            pass
        return int(drawn)

    def half_width(self, outside: Fraction) -> int:
        """Return the least k with P[|z| > k] = 2 r^(k+1)/(1 + r) at most `outside`."""
        scale = Decimal(self.scale)
        ratio = _DIGITS.exp(_DIGITS.divide(Decimal(-1), scale))
        odds = _DIGITS.divide(Decimal(2 * outside.denominator), Decimal(outside.numerator))
        steps = _DIGITS.multiply(scale, _DIGITS.ln(_DIGITS.divide(odds, _DIGITS.add(ratio, Decimal(1)))))
        return max(0, _ceiling(steps) - 1)


@dataclass(frozen=True, slots=True)
class Gaussian:
    """Discrete Gaussian noise.

    Law: P[z] proportional to e^(−z²/2σ²), σ = scale.
    Privacy: ρ-zCDP with ρ = l2²/(2σ²); several add up to the ρ that (ε, δ) allows (`rho_of`).
    Source: Canonne, Kamath and Steinke 2020; sampler in OpenDP.
    """

    l2_squared: int
    rho: Fraction
    scale: float

    @classmethod
    def of(cls, l2_squared: int, rho: Fraction) -> "Gaussian":
        """Return the narrowest noise that hides a change of squared length `l2_squared` at ρ."""
        if l2_squared < 1 or rho <= 0:
            raise ValueError("noise hides a change of at least 1, at a ρ above 0")
        scale = _root_above(l2_squared / (2 * rho))
        while _concentrated(scale, l2_squared) > rho:
            scale = math.nextafter(scale, math.inf)
        if scale > WIDEST_GAUSSIAN:
            raise QueryRefused(TOO_WIDE, "ask for Laplace noise, or declare narrower bounds")
        return cls(l2_squared, rho, scale)

    def drawn(self, number: int) -> Sequence[int]:
        """Return independent draws."""
        return list(_gaussian(self.scale)([0] * number)) if number else []

    def half_width(self, outside: Fraction) -> int:
        """Return a k with P[|z| > k] at most `outside`: the least one of narrow noise, at most one more of wide."""
        if self.scale <= _EXACTLY_SUMMED:
            return _summed_half_width(self.scale, outside)
        # P[z ≥ m] of the discrete law is at most that of the continuous one at m − 1.
        return math.ceil(Fraction(_normal_above(outside)) * Fraction(self.scale))


@lru_cache(maxsize=256)
def rho_of(epsilon: Fraction, delta: Fraction) -> Fraction:
    """Return a ρ such that ρ-zCDP implies (ε, δ): OpenDP's conversion, by bisection from below.

    Source: Canonne, Kamath and Steinke 2020, proposition 7.
    """
    if epsilon <= 0 or not 0 < delta < 1:
        raise ValueError("ε is above 0, δ between 0 and 1")
    low, high = 0.0, 2 * float(epsilon) + 1
    for _ in range(60):
        middle = (low + high) / 2
        if _delta_of(middle, epsilon) <= delta * _SLACK:
            low = middle
        else:
            high = middle
    if low == 0:
        raise QueryRefused("there is no noise as narrow as numbers for such an ε and δ")
    return Fraction(low)


def _delta_of(rho: float, epsilon: Fraction) -> Fraction:
    # Of the narrower noise and the smaller ε, so that δ is an upper bound.
    scale = _float_below(1 / Fraction(_root_above(2 * Fraction(rho))))
    converted: Any = dp.c.make_zCDP_to_approxDP(_gaussian(scale))
    return Fraction(converted.map(1.0).delta(_float_below(epsilon)))


def _loss(scale: float, l1: int) -> Fraction:
    """Return the ε of a scale: exact, and as OpenDP bounds it from above."""
    exact = l1 / Fraction(scale)
    return max(exact, Fraction(_laplace(scale).map(l1))) if l1 <= LARGEST else exact


def _concentrated(scale: float, l2_squared: int) -> Fraction:
    exact = l2_squared / (2 * Fraction(scale) ** 2)
    return max(exact, Fraction(_gaussian(scale).map(_root_above(Fraction(l2_squared)))))


@lru_cache(maxsize=256)
def _laplace(scale: float) -> Any:
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64")
    return dp.m.make_laplace(*space, scale=scale)


@lru_cache(maxsize=256)
def _gaussian(scale: float) -> Any:
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l2_distance(T="f64")
    return dp.m.make_gaussian(*space, scale=scale)


def _float_above(value: Fraction) -> float:
    try:
        found = float(value)
    except OverflowError:
        raise QueryRefused(TOO_WIDE, "ask with a larger ε, or declare narrower bounds") from None
    return found if Fraction(found) >= value else math.nextafter(found, math.inf)


def _float_below(value: Fraction) -> float:
    found = float(value)
    return found if Fraction(found) <= value else math.nextafter(found, 0)


def _root_above(value: Fraction) -> float:
    found = math.sqrt(_float_above(value))
    while Fraction(found) ** 2 < value:
        found = math.nextafter(found, math.inf)
    return found


def _ceiling(value: Decimal) -> int:
    # Sixty digits were computed; whatever the last ones hide is rounded up.
    margin = _DIGITS.multiply(abs(value) + 1, Decimal("1e-50"))
    return int(_DIGITS.add(value, margin).to_integral_value(ROUND_CEILING))


def _summed_half_width(scale: float, outside: Fraction) -> int:
    """Return the least k, summing the law until what is left is too small to matter."""
    twice = 2 * Decimal(scale) * Decimal(scale)
    weights = [_DIGITS.exp(_DIGITS.divide(Decimal(-z * z), twice)) for z in range(int(40 * scale) + 40)]
    whole = Fraction(weights[0]) + 2 * sum(map(Fraction, weights[1:]))
    left, at = whole - Fraction(weights[0]), 0
    while left > outside * whole * _SLACK:
        at += 1
        left -= 2 * Fraction(weights[at])
    return at


def _normal_above(outside: Fraction) -> float:
    """Return a z with P[|N(0, 1)| > z] at most `outside`, a hair too large."""
    low, high = 0.0, 40.0
    while math.nextafter(low, high) < high:
        middle = (low + high) / 2
        low, high = (middle, high) if math.erfc(middle / math.sqrt(2)) > outside else (low, middle)
    return high * (1 + 1e-12)

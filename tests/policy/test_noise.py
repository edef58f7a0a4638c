"""Noise has exactly its law, costs no more than was asked, and its intervals hold as often as they say."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from decimal import Context, Decimal
from fractions import Fraction
from itertools import pairwise

import opendp.prelude as dp
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from privacy.bits import ByteBits, SecureBits
from privacy.policy.errors import QueryRefused
from privacy.policy.noise import LARGEST, Gaussian, Laplace, SecureNoise, rho_of
from privacy.policy.quantiles import Quantile

FALSE_ALARMS = 1e-6
DRAWS = 40_000
TWENTIETH = Fraction(1, 20)
EPSILONS = st.fractions(Fraction(1, 1000), 20, max_denominator=10**6)


def likeness(drawn: Sequence[int], law: Callable[[int], float]) -> float:
    """Return the chance that draws of a law look as unlike it as these: chi-square over the bins that are expected."""
    counts, number = Counter(drawn), len(drawn)
    bins = [z for z in range(-400, 401) if number * law(z) >= 20]
    seen = [counts[z] for z in bins]
    expected = [number * law(z) for z in bins]
    rest = number - sum(expected)
    if rest > 5:
        seen, expected = [*seen, number - sum(seen)], [*expected, rest]
    statistic = sum((a - b) ** 2 / b for a, b in zip(seen, expected, strict=True))
    return float(stats.chi2.sf(statistic, len(seen) - 1))


def laplace(scale: float) -> Callable[[int], float]:
    ratio = math.exp(-1 / scale)
    return lambda z: (1 - ratio) / (1 + ratio) * ratio ** abs(z)


def gaussian(scale: float) -> Callable[[int], float]:
    whole = sum(math.exp(-z * z / (2 * scale**2)) for z in range(-400, 401))
    return lambda z: math.exp(-z * z / (2 * scale**2)) / whole


@given(l1=st.integers(1, 2**66), epsilon=EPSILONS)
def test_laplace_noise_never_costs_more_than_was_asked(l1: int, epsilon: Fraction) -> None:
    try:
        law = Laplace.of(l1, epsilon)
    except QueryRefused:
        assert l1 / epsilon > 2**66
        return
    assert l1 / Fraction(law.scale) <= epsilon
    # No wider than the roundings of a float make it.
    assert Fraction(law.scale) * epsilon <= l1 * (1 + Fraction(1, 10**12))


@given(l1=st.integers(1, 2**50), epsilon=EPSILONS)
def test_laplace_noise_costs_no_more_by_the_map_of_opendp_either(l1: int, epsilon: Fraction) -> None:
    law = Laplace.of(l1, epsilon)
    space = dp.atom_domain(T="i64"), dp.absolute_distance(T="i64")
    assert Fraction(dp.m.make_laplace(*space, scale=law.scale).map(l1)) <= epsilon


def test_a_scale_that_is_rounded_to_the_nearest_would_cost_more() -> None:
    # The control: without rounding up some ε is exceeded.
    over = [n for n in range(1, 200) if n / Fraction(float(Fraction(n, 1) * 10 / 3)) > Fraction(3, 10)]
    assert over


@given(l2=st.integers(1, 2**60), epsilon=EPSILONS, power=st.integers(3, 12))
def test_gaussian_noise_never_costs_more_than_was_asked(l2: int, epsilon: Fraction, power: int) -> None:
    delta = Fraction(1, 10**power)
    try:
        law = Gaussian.of(l2, rho_of(epsilon, delta))
    except QueryRefused:
        return
    assert Fraction(l2) / (2 * Fraction(law.scale) ** 2) <= law.rho
    space = dp.atom_domain(T="i64"), dp.absolute_distance(T="f64")
    above = math.nextafter(math.sqrt(l2), math.inf)
    converted = dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian(*space, scale=law.scale))
    assert converted.map(above).delta(float(epsilon)) <= float(delta) * (1 + 1e-9)


def test_the_conversion_is_tighter_than_the_closed_form() -> None:
    epsilon, delta = Fraction(1), Fraction(1, 10**6)
    log = math.log(10**6)
    closed = (math.sqrt(log + 1) - math.sqrt(log)) ** 2
    assert closed < rho_of(epsilon, delta) < 2 * closed


@pytest.mark.parametrize("l1", [1, 3, 40])
def test_laplace_noise_has_its_law(l1: int) -> None:
    law = Laplace.of(l1, Fraction(1))
    assert likeness(law.drawn(DRAWS), laplace(law.scale)) > FALSE_ALARMS


@pytest.mark.parametrize("l2", [1, 9, 400])
def test_gaussian_noise_has_its_law(l2: int) -> None:
    law = Gaussian.of(l2, Fraction(1, 2))
    assert likeness(law.drawn(DRAWS), gaussian(law.scale)) > FALSE_ALARMS


def test_a_slightly_other_law_is_told_apart() -> None:
    # The control: Laplace at a tenth more ε, and rounded floats.
    assert likeness(Laplace.of(10, Fraction(11, 10)).drawn(DRAWS), laplace(10.0)) < FALSE_ALARMS
    rounded = [round(one) for one in stats.laplace.rvs(scale=1.0, size=DRAWS, random_state=1)]
    assert likeness(rounded, laplace(1.0)) < FALSE_ALARMS


def test_noise_beyond_64_bits_is_not_cut_off() -> None:
    law = Laplace.of(2**63, Fraction(1))
    drawn = law.drawn(2000)
    # P[|z| > 2⁶³] = 1/e; the exact law on eight intervals of equal weight.
    beyond = sum(abs(one) > LARGEST for one in drawn)
    assert stats.binomtest(beyond, len(drawn), math.exp(-1)).pvalue > FALSE_ALARMS
    assert len(set(drawn)) == len(drawn)
    places = [stats.laplace.cdf(one / law.scale) for one in drawn]
    assert stats.kstest(places, "uniform").pvalue > FALSE_ALARMS


def test_noise_beyond_64_bits_that_is_cut_off_would_be_told_apart() -> None:
    law = Laplace.of(2**63, Fraction(1))
    cut = [max(-LARGEST, min(LARGEST, one)) for one in law.drawn(2000)]
    assert stats.kstest([stats.laplace.cdf(one / law.scale) for one in cut], "uniform").pvalue < FALSE_ALARMS


@pytest.mark.parametrize("scale", [0.1, 0.5, 1.0, 7.3, 1e4, 1e18])
@pytest.mark.parametrize("outside", [TWENTIETH, Fraction(1, 40), Fraction(1, 1000)])
def test_the_interval_of_laplace_noise_is_the_least_that_holds(scale: float, outside: Fraction) -> None:
    k = Laplace(1, Fraction(1), scale).half_width(outside)
    log_beyond = lambda m: math.log(2) - (m + 1) / scale - math.log1p(math.exp(-1 / scale))  # noqa: E731
    assert log_beyond(k) <= math.log(outside) + 1e-9
    assert k == 0 or log_beyond(k - 1) > math.log(outside) - 1e-9


@pytest.mark.parametrize("scale", [0.3, 1.0, 20.0, 64.0])
def test_the_interval_of_narrow_gaussian_noise_is_the_least_that_holds(scale: float) -> None:
    k, law = Gaussian(1, Fraction(1), scale).half_width(TWENTIETH), gaussian(scale)
    beyond = [1 - sum(law(z) for z in range(-m, m + 1)) for m in (k, k - 1)]
    assert beyond[0] <= 0.05 + 1e-12
    assert k == 0 or beyond[1] > 0.05 - 1e-12


def test_the_interval_of_wide_gaussian_noise_holds_and_is_no_wider_than_needed() -> None:
    for scale in (65.0, 1e3, 1e12):
        assert (
            0
            <= Gaussian(1, Fraction(1), scale).half_width(TWENTIETH) - 1.9599639845400545 * scale
            < 2 + scale / 1e9
        )


def test_widths_of_both_kinds_meet_where_one_takes_over() -> None:
    assert abs(Gaussian(1, Fraction(1), 64.0).half_width(TWENTIETH) - 1.96 * 64) < 2


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: Laplace.of(0, Fraction(1)), "at least 1"),
        (lambda: Laplace.of(1, Fraction(0)), "above 0"),
        (lambda: Gaussian.of(0, Fraction(1)), "at least 1"),
        (lambda: rho_of(Fraction(1), Fraction(1)), "between 0 and 1"),
        (lambda: Laplace.of(2**80, Fraction(1, 10)), "wider than numbers"),
        (lambda: Laplace.of(10**400, Fraction(1)), "wider than numbers"),
        (lambda: Gaussian.of(2**140, Fraction(1)), "wider than numbers"),
    ],
)
def test_noise_that_means_nothing_is_refused(make: Callable[[], object], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        make()


def test_noise_is_added_to_numbers_of_any_size() -> None:
    (noisy,) = SecureNoise().added([10**30], Laplace.of(1, Fraction(10)))
    assert abs(noisy - 10**30) < 100


def _law_of(quantile: Quantile, counts: dict[int, int]) -> dict[int, float]:
    """Enumerate every number within the bounds: the definition, not the pieces."""
    (low, high), (p, q) = quantile.bounds, quantile.place
    inside = sorted(min(max(value, low), high) for value, number in counts.items() for _ in range(number))
    rank = max(1, math.ceil(Fraction(p, q) * len(inside)))
    weights = {}
    for v in range(low, high + 1):
        # The ranks that v has, or would have between its neighbours.
        first, last = sum(one < v for one in inside), sum(one <= v for one in inside)
        distance = max(0, first + 1 - rank, rank - last)
        weights[v] = math.exp(-float(quantile.rate) * distance / 2)
    whole = sum(weights.values())
    return {v: weight / whole for v, weight in weights.items()}


COUNTS = [{}, {3: 1}, {-9: 2, 0: 1, 4: 3, 99: 1}, {5: 40}, {-5: 1, -4: 1, 5: 2}]


@pytest.mark.parametrize("counts", COUNTS)
@pytest.mark.parametrize("place", [(0, 1), (1, 2), (1, 1), (9, 10)])
def test_a_quantile_has_its_law(counts: dict[int, int], place: tuple[int, int]) -> None:
    quantile, bits = Quantile((-5, 6), place, Fraction(2, 3)), SecureBits()
    law = _law_of(quantile, counts)
    assert (
        likeness([quantile.drawn(counts, bits) for _ in range(8_000)], lambda z: law.get(z, 0)) > FALSE_ALARMS
    )


def test_a_quantile_at_another_rate_is_told_apart() -> None:
    law, bits = _law_of(Quantile((-5, 6), (1, 2), Fraction(1)), COUNTS[2]), SecureBits()
    other = Quantile((-5, 6), (1, 2), Fraction(3, 2))
    assert (
        likeness([other.drawn(COUNTS[2], bits) for _ in range(8_000)], lambda z: law.get(z, 0)) < FALSE_ALARMS
    )


NEIGHBOURS = [
    ({1: 2, 3: 1}, {1: 2}),
    ({}, {-5: 1}),
    ({0: 3}, {0: 2, 6: 1}),
    ({-5: 1, 6: 1}, {6: 2}),
    ({2: 1, 4: 1, 5: 1}, {2: 1, 4: 1}),
]


@pytest.mark.parametrize(("one", "two"), NEIGHBOURS)
@pytest.mark.parametrize("place", [(0, 1), (1, 2), (1, 1), (1, 10)])
def test_one_row_that_comes_goes_or_changes_moves_a_quantile_by_its_rate_at_most(
    one: dict[int, int], two: dict[int, int], place: tuple[int, int]
) -> None:
    quantile = Quantile((-5, 6), place, Fraction(1))
    a, b = _law_of(quantile, one), _law_of(quantile, two)
    assert max(abs(math.log(a[v] / b[v])) for v in a) <= 1 + 1e-9


@pytest.mark.parametrize("counts", COUNTS)
@pytest.mark.parametrize("place", [(0, 1), (1, 2), (2, 3)])
def test_pieces_cover_every_number_once(counts: dict[int, int], place: tuple[int, int]) -> None:
    quantile = Quantile((-5, 6), place, Fraction(1))
    pieces = list(quantile.pieces(counts))
    assert (pieces[0].start, sum(one.length for one in pieces)) == (-5, 12)
    assert all(a.start + a.length == b.start for a, b in pairwise(pieces))


def test_a_quantile_over_a_billion_billion_numbers_is_drawn() -> None:
    counts = {10**17 + at: 1 for at in range(1000)}
    drawn = Quantile((0, 10**18), (1, 2), Fraction(1)).drawn(counts, SecureBits())
    assert 10**17 <= drawn < 10**17 + 1000


@pytest.mark.parametrize(("more", "expected"), [(bytes(16), 0), (b"\xff" * 16, 1)])
def test_a_draw_that_is_too_close_to_call_reads_more_bits(more: bytes, expected: int) -> None:
    # 0 and 1 weigh 1 and e^(−1/2): 128 bits that name the place where they meet decide nothing yet.
    context = Context(prec=60)
    meets = context.divide(Decimal(1), 1 + context.exp(Decimal("-0.5")))
    bits = ByteBits(int(context.multiply(meets, 2**128)).to_bytes(16, "big") + more)
    assert (Quantile((0, 1), (1, 2), Fraction(1)).drawn({0: 1, 1: 1}, bits), bits.used) == (expected, 256)


@pytest.mark.parametrize(
    ("place", "expected"), [((0, 1), -5), ((1, 2), 4), ((1, 1), 6), ((1, 7), -5), ((3, 7), 0), ((4, 7), 4)]
)
def test_a_public_quantile_is_a_value_of_the_data(place: tuple[int, int], expected: int) -> None:
    assert Quantile((-5, 6), place, Fraction(0)).exact(COUNTS[2]) == expected


def test_a_public_quantile_of_nothing_is_null() -> None:
    assert Quantile((-5, 6), (1, 2), Fraction(0)).exact({}) is None

"""Makes the shared vectors: the same bytes each time."""

import json
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

from privacy.budget import WIDTH
from privacy.errors import PrivacyError
from privacy.mechanisms.catalogue import Mechanism, configure
from tests.vectors import refusals
from tests.vectors.replay import CALLS, FILES, HERE, Vector
from tests.vectors.seeds import Seeds, Word, spelled

EPSILONS = (
    *("0.01", "0.05", "0.1", "0.25", "0.5", "0.6931", "ln(2)", "0.75", "1", "1.0", "1.0986", "ln(3)", "1.5"),
    *(
        "01.75",
        "ln(4)",
        "2",
        "2.1972",
        "ln(9)",
        "2.5",
        "3",
        "ln(20)",
        "ln(21)",
        "4",
        "5",
        "ln(100)",
        "6",
        "8",
    ),
    *("ln(257)", "10", "12", "ln(65536)", "15.9999", "ln(8886110)", "16", "16.0000"),
)
USUAL = ("0.5", "1", "ln(3)", "2", "0.1", "3", "ln(9)", "4", "1.2345", "8", "0.01", "16")
EDGE_CHOICES = (2, 3, 4, 5, 6, 9, 20, 33, 128, 129, 255, 256)


def text_of(groups: dict[str, Iterable[Any]]) -> str:
    """Return one JSON object whose arrays hold one vector a line."""
    parts = []
    for name, vectors in groups.items():
        lines = (json.dumps(vector, separators=(",", ":"), ensure_ascii=True) for vector in vectors)
        parts.append(f'"{name}":[\n' + ",\n".join(lines) + "\n]")
    return "{" + ",\n".join(parts) + "}\n"


def answered(call: str, **arguments: Any) -> Vector:
    """Return a question together with the product's answer."""
    answer = CALLS[call](**arguments)
    assert isinstance(answer, dict)
    return {**arguments, **answer}


def words() -> dict[str, Iterable[Any]]:
    """Return the vectors of bit sources and samplers."""
    seeds = Seeds("words")
    return {"words": list(_words(seeds)), "calls": list(_calls(seeds))}


def _words(seeds: Seeds) -> Iterator[Vector]:
    for width in range(33):
        yield answered("word", seed=seeds.take(-(-3 * width // 8)).hex(), widths=[width] * 3)
    for _ in range(150):
        widths = [seeds.number(33) for _ in range(1 + seeds.number(12))]
        yield answered("word", seed=seeds.take(-(-sum(widths) // 8)).hex(), widths=widths)


def _calls(seeds: Seeds) -> Iterator[Vector]:
    for width in (1, 2, 3, 7, 8, 9, 16, 31, 32):
        for num in sorted({1, 1 << width - 1, (1 << width) - 1}):
            for value in sorted({0, num - 1, num, (1 << width) - 1}):
                seed = spelled([(value, width)]).hex()
                yield {"call": "bernoulli", **answered("bernoulli", seed=seed, num=num, width=width)}
    for n in [*range(1, 70), 100, 127, 128, 129, 255, 256, 257, 1000, 65536, 1 << 32]:
        b = (n - 1).bit_length()
        top = (1 << b) - 1
        for values in ([0], [n - 1], [top, n - 1], [min(n, top), top, top, n // 2]):
            ends = next(i for i, value in enumerate(values) if value < n) + 1
            seed = spelled([(value, b) for value in values[:ends]]).hex()
            yield {"call": "below", **answered("below", seed=seed, n=n)}
    for _ in range(80):
        width = 1 + seeds.number(32)
        weights = _weights(seeds, width)
        call = answered("categorical", seed=seeds.take(-(-width // 8)).hex(), weights=weights, width=width)
        yield {"call": "categorical", **call}
    for value in (0, 1, 2, 3, 4, 5, 6, 7):
        seed = spelled([(value, 3)]).hex()
        yield {"call": "categorical", **answered("categorical", seed=seed, weights=[2, 0, 1, 5, 0], width=3)}


def _weights(seeds: Seeds, width: int) -> list[int]:
    """Return a few weights, some of them 0, that add up to 2**width."""
    cuts = sorted(seeds.number((1 << width) + 1) for _ in range(1 + seeds.number(6)))
    ends = [0, *cuts, 1 << width]
    return [high - low for low, high in pairwise(ends)]


def mechanisms() -> list[Mechanism]:
    """Return the mechanisms whose draws are vectors: every number of answers, many ε, many boxes."""
    chosen: list[Mechanism] = []
    for choices in range(2, 257):
        epsilon = USUAL[choices % len(USUAL)]
        chosen += [configure(name, epsilon, choices) for name in ("spinner", "spinner-coin")]
        chosen.append(_coin(choices))
    for boxes in [*range(1, 25), 32, 33, 50, 64, 100, 129, 256]:
        for choices in (2, 3):
            chosen.append(configure("one-box", USUAL[boxes % len(USUAL)], choices, boxes=boxes))
    for boxes in [*range(1, 17), 20, 40]:
        for choices in (2, 3):
            chosen.append(
                configure("every-box", ("4", "2.5", "ln(100)", "16")[boxes % 4], choices, boxes=boxes)
            )
    return chosen


def _coin(choices: int) -> Mechanism:
    """Return a coin for so many answers, with the fewest tosses (from a start that varies) that allow it."""
    tosses = 1 + choices % 13
    while True:
        try:
            return configure("coin", USUAL[choices % 10], choices, tosses=tosses)
        except PrivacyError:
            tosses += 1


def draws() -> dict[str, Iterable[Any]]:
    """Return the vectors of whole draws."""
    seeds = Seeds("draws")
    chosen = mechanisms()
    made = []
    for index, mechanism in enumerate(chosen):
        for _ in range(7):
            seed = seeds.take(64 + 8 * mechanism.cells)
            made.append(_drawn(index, mechanism, seed, _truth(seeds, mechanism)))
        if mechanism.manifest().get("boxes") is None and mechanism.choices in EDGE_CHOICES:
            made += [_drawn(index, mechanism, seed, truth) for seed, truth in _edges(mechanism)]
    return {"mechanisms": [mechanism.manifest() for mechanism in chosen], "draws": made}


def _truth(seeds: Seeds, mechanism: Mechanism) -> int | list[int]:
    boxes = mechanism.manifest().get("boxes")
    if boxes is None:
        return seeds.number(mechanism.choices)
    return [seeds.number(mechanism.choices) for _ in range(int(boxes))]


def _drawn(index: int, mechanism: Mechanism, seed: bytes, truth: int | list[int]) -> Vector:
    """Return the draw on the fewest bytes of the seed that it needs."""
    manifest = mechanism.manifest()
    used = answered("draw", mechanism=manifest, seed=seed.hex(), truth=truth)["used"]
    short = seed[: -(-used // 8)].hex()
    return {**answered("draw", mechanism=manifest, seed=short, truth=truth), "mechanism": index}


def _edges(mechanism: Mechanism) -> Iterator[tuple[bytes, int]]:
    """Return draws on both sides of the wheel's edge, with the first, the last and a thrown-away other."""
    manifest = mechanism.manifest()
    width, num, k = int(manifest.get("tosses", WIDTH)), int(manifest["num"]), mechanism.choices
    others = k - 1 if manifest["name"] == "spinner" else k
    b = (others - 1).bit_length()
    top = (1 << b) - 1
    tails: list[list[Word]] = [
        [(0, b)],
        [(others - 1, b)],
        [(min(others, top), b), (top, b), (others // 2, b)],
    ]
    for value in sorted({0, num - 1, num, (1 << width) - 1}):
        for tail in tails:
            for truth in sorted({0, k // 2, k - 1}):
                yield spelled([(value, width), *tail]) + bytes(8), truth


def budget() -> dict[str, Iterable[Any]]:
    """Return the vectors from an admin's ε to the integers."""
    seeds = Seeds("budget")
    parts = [
        answered("split", epsilon=epsilon, parts=n)
        for epsilon in EPSILONS
        for n in (1, 2, 3, 5, 7, 10, 33, 256)
        if refusals.code_of("split", epsilon=epsilon, parts=n) is None
    ]
    asked = [wish for wish in _wishes(seeds) if refusals.code_of("configure", **wish) is None]
    return {"configured": [answered("configure", **wish) for wish in asked], "split": parts}


def _wishes(seeds: Seeds) -> Iterator[Vector]:
    texts = [*EPSILONS, *(f"{seeds.number(16)}.{1 + seeds.number(9999):04d}" for _ in range(120))]
    texts += [f"ln({2 + seeds.number(8886109)})" for _ in range(30)]
    for place, epsilon in enumerate(texts):
        for protocol in ("spinner", "spinner-coin"):
            for choices in (2, 3, 5, 10, 40 + place):
                yield {"protocol": protocol, "epsilon": epsilon, "choices": choices}
        for tosses in (1, 2, 4, 8, 16, 32):
            yield {"protocol": "coin", "epsilon": epsilon, "choices": 2 + place % 9, "tosses": tosses}
        for protocol in ("one-box", "every-box"):
            boxes = 1 + place % 30
            yield {"protocol": protocol, "epsilon": epsilon, "choices": 2 + place % 2, "boxes": boxes}


def accounting() -> dict[str, Iterable[Any]]:
    """Return the vectors of published ε, totals and channels."""
    seeds = Seeds("accounting")
    small = [(a, b) for b in range(1, 9) for a in range(b, 30)]
    near = [((1 << 32) + step, 1 << 32) for step in (1, 2, 1000, 429496, 429518)]
    large = [(1 + seeds.number(1 << 40), 1 + seeds.number(1 << 20)) for _ in range(150)]
    ratios = [(a, b) for a, b in [*small, *near, *large, ((1 << 200) + 1, 3)] if a >= b]
    texts = [f"{seeds.number(17)}.{seeds.number(10000):04d}" for _ in range(40)]
    sums = [[texts[seeds.number(40)] for _ in range(seeds.number(12))] for _ in range(120)]
    return {
        "ratios": [answered("ratio", numerator=str(a), denominator=str(b)) for a, b in ratios],
        "totals": [answered("total", published=published) for published in sums],
        "channels": [answered("channel", matrix=matrix) for matrix in _channels(seeds)],
    }


def _channels(seeds: Seeds) -> Iterator[list[list[str]]]:
    yield [["3/4", "1/4"], ["1/4", "3/4"]]
    yield [["1", "0"], ["0", "1"]]
    yield [["1", "1/2"], ["0", "1/2"]]  # one-sided: a "no" proves the truth
    yield [["1/2", "1/2"], ["1/2", "1/2"], ["0", "0"]]
    yield [["1"]]
    for _ in range(60):
        reports, truths = 2 + seeds.number(4), 1 + seeds.number(4)
        columns = [
            [seeds.number(9) for _ in range(reports - 1)] + [1 + seeds.number(9)] for _ in range(truths)
        ]
        yield [[f"{column[r]}/{sum(column)}" for column in columns] for r in range(reports)]


MAKERS = {
    "words": words,
    "draws": draws,
    "budget": budget,
    "accounting": accounting,
    "refused": refusals.refused,
}


def contents() -> dict[str, str]:
    """Return the text of every file."""
    return {name: text_of(MAKERS[name]()) for name in FILES}


def write() -> None:
    """Write every file."""
    for name, text in contents().items():
        (HERE / f"{name}.json").write_text(text, "utf-8")

"""How much is measured."""

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Size:
    """Seconds of load, repetitions, reports counted, respondents sent, repetitions of a peer."""

    seconds: int
    repeats: int
    reports: int  # of ten questions each
    people: int
    peers: int


SIZES = {
    "small": Size(seconds=3, repeats=3, reports=100_000, people=2_000, peers=1),
    "medium": Size(seconds=5, repeats=5, reports=1_000_000, people=13_677, peers=3),
    "large": Size(seconds=15, repeats=7, reports=1_000_000, people=13_677, peers=5),
}


def size_of(text: str) -> Size:
    """Return the size of a name, or the medium one with so many answers counted."""
    if text in SIZES:
        return SIZES[text]
    if text.isdecimal() and int(text) >= 1_000_000:
        return replace(SIZES["medium"], reports=int(text) // 10)
    raise ValueError(f"{text}: expected {', '.join(SIZES)}, or how many answers to count (1,000,000 or more)")

"""How much is measured."""

from dataclasses import dataclass


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

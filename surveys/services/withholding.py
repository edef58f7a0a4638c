"""Which results may be shown, so that no part, complement or difference of parts tells of too few people."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

Group = frozenset[int]
# Above so many versions the search over unions is left out and only the rule that needs none is used.
SEARCHED = 10


@dataclass(frozen=True, slots=True)
class Published:
    """The groups of versions whose results may be shown together; a group of one is a version by itself."""

    groups: frozenset[Group]
    everyone: Group  # all versions that were answered at all

    @property
    def versions(self) -> frozenset[int]:
        """The versions that may be shown by themselves."""
        return frozenset(version for group in self.groups if len(group) == 1 for version in group)

    @property
    def pooled(self) -> bool:
        """Whether all versions together may be shown."""
        return self.everyone in self.groups

    def shows(self, versions: Iterable[int]) -> bool:
        """Say whether these versions may be shown together; those that nobody answered do not matter."""
        return frozenset(versions) & self.everyone in self.groups


def publishable(ns: Mapping[int, int], minimum: int, groups: Iterable[Iterable[int]] = ()) -> Published:
    """Return what may be shown of versions with `ns` answers each.

    Wanted are all versions together, the given `groups` of versions, and each version by itself, in this
    order, larger ones first. One is shown unless sums and differences of what is shown would then equal
    the answers to some versions that are fewer than `minimum` people together, though not nobody.
    """
    answered = {version: n for version, n in ns.items() if n > 0}
    everyone = frozenset(answered)
    if len(answered) > SEARCHED:
        return Published(_without_search(answered, minimum), everyone)
    together = {frozenset(group) & everyone for group in groups}
    wanted = [
        everyone,
        *_larger_first(together, answered),
        *_larger_first({frozenset({v}) for v in answered}, answered),
    ]
    small = list(_small_unions(sorted(answered.items(), key=lambda item: item[1]), minimum))
    shown: list[Group] = []
    for group in dict.fromkeys(wanted):
        if group and not _tells(small, [*shown, group], sorted(answered)):
            shown.append(group)
    return Published(frozenset(shown), everyone)


def _larger_first(groups: Iterable[Group], ns: Mapping[int, int]) -> list[Group]:
    return sorted(groups, key=lambda group: (-sum(ns[version] for version in group), sorted(group)))


def _small_unions(versions: Sequence[tuple[int, int]], minimum: int) -> Iterator[Group]:
    """Give every set of versions with fewer people than the minimum; versions come in ascending size."""
    for at, (version, n) in enumerate(versions):
        if n >= minimum:
            return
        yield frozenset({version})
        for rest in _small_unions(versions[at + 1 :], minimum - n):
            yield rest | {version}


def _tells(unions: Sequence[Group], shown: Sequence[Group], versions: Sequence[int]) -> bool:
    """Say whether one of the unions is a sum of differences of what is shown, in any fractions."""
    basis: list[list[Fraction]] = []
    for group in shown:
        rest = _reduced(_indicator(group, versions), basis)
        if any(rest):
            basis.append(rest)
    return any(not any(_reduced(_indicator(union, versions), basis)) for union in unions)


def _indicator(group: Group, versions: Sequence[int]) -> list[Fraction]:
    return [Fraction(version in group) for version in versions]


def _reduced(vector: list[Fraction], basis: Sequence[list[Fraction]]) -> list[Fraction]:
    """Take from a vector what the basis explains; nothing is left exactly when it lies in its span."""
    for row in basis:
        pivot = next(at for at, value in enumerate(row) if value)
        if vector[pivot]:
            factor = vector[pivot] / row[pivot]
            vector = [value - factor * other for value, other in zip(vector, row, strict=True)]
    return vector


def _without_search(ns: Mapping[int, int], minimum: int) -> frozenset[Group]:
    """All together, and the largest versions as long as the others stay enough to hide in, or none."""
    if sum(ns.values()) < minimum:
        return frozenset()
    shown = {version for version, n in ns.items() if n >= minimum}
    hidden = sum(n for version, n in ns.items() if version not in shown)
    if 0 < hidden < minimum:
        shown.discard(min(shown, key=lambda version: (ns[version], version)))
    return frozenset({frozenset(ns), *(frozenset({version}) for version in shown)})

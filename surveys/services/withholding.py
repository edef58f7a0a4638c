"""Which results may be shown, so that no part, complement or difference of parts tells of too few people."""

from collections import Counter
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
        """Whether the number of all answers together may be shown."""
        return self.everyone in self.groups

    @property
    def told(self) -> Group:
        """The versions that are in anything shown."""
        return frozenset[int]().union(*self.groups)

    def shows(self, versions: Iterable[int]) -> bool:
        """Say whether these versions may be shown together; those that nobody answered do not matter."""
        return frozenset(versions) & self.everyone in self.groups


@dataclass(frozen=True, slots=True)
class Boxes:
    """The boxes of one question that may be shown, alike in each of these groups and in no other."""

    groups: frozenset[Group]
    boxes: frozenset[int]

    def shows(self, versions: Iterable[int], box: int) -> bool:
        """Say whether a box may be shown for these versions together."""
        return frozenset(versions) in self.groups and box in self.boxes


def publishable(
    ns: Mapping[int, int], minimum: int, lineages: Iterable[Iterable[int]], *, total_known: bool = False
) -> Published:
    """Return what may be shown of versions with `ns` answers each.

    `lineages` names, for each question, the versions that ask it alike. Wanted is each version by itself,
    and each set of versions that some lineage spans exactly: no other sum stands in any result. What shows
    most answers (people times questions) comes first. A group is shown unless sums and differences of
    what is shown would then equal the answers to some versions that are fewer than `minimum` people
    together, though not nobody. `total_known`: how many answered in all stands elsewhere, as a target that
    was reached; then it takes part in those sums, whether it is shown here or not.
    """
    answered = {version: n for version, n in ns.items() if n > 0}
    everyone = frozenset(answered)
    spans = [frozenset(lineage) & everyone for lineage in lineages]
    if len(answered) > SEARCHED:
        return Published(_without_search(answered, minimum, everyone in spans, total_known), everyone)
    known = [everyone] if total_known else []
    return Published(frozenset(_chosen(_by_answers(spans, answered), answered, minimum, known)), everyone)


def boxes_publishable(boxes: Sequence[Mapping[int, int]], groups: Iterable[Group], minimum: int) -> Boxes:
    """Return which boxes of a question may be shown, given how many drew each, by version.

    `groups` are shown with the number of all who answered: the versions that ask the question alike, and
    some of them by themselves. Boxes that are not shown are, in each group that shows any, together
    enough people or nobody: none of them follows by subtraction, within a group or between two.
    """
    wanted = sorted(groups, key=lambda group: (-_people(group, boxes), sorted(group)))
    # One group needs no search over unions.
    searched = wanted if len(frozenset[int]().union(*wanted)) <= SEARCHED else wanted[:1]
    best, most = Boxes(frozenset(), frozenset()), 0
    for group in searched:
        tried = _with_boxes(best.groups | {group}, boxes, minimum)
        shown = [boxes[at] for at in tried.boxes]
        people = sum(_people(one, shown) for one in tried.groups)
        if people > most:
            best, most = tried, people
    return best


def _by_answers(spans: Sequence[Group], ns: Mapping[int, int]) -> list[Group]:
    questions = Counter(spans)
    # A version by itself shows every question that it asks.
    questions.update({frozenset({v}): sum(v in span for span in spans if span != {v}) for v in ns})
    people = {group: sum(ns[version] for version in group) for group in questions if group}
    return sorted(
        people, key=lambda group: (-people[group] * questions[group], -people[group], sorted(group))
    )


def _chosen(
    wanted: Iterable[Group], ns: Mapping[int, int], minimum: int, known: Sequence[Group]
) -> list[Group]:
    shown: list[Group] = []
    for group in wanted:
        if not _reveals([*known, *shown, group], ns, minimum):
            shown.append(group)
    return shown


def _with_boxes(groups: frozenset[Group], boxes: Sequence[Mapping[int, int]], minimum: int) -> Boxes:
    """Hide the boxes that tell of too few, then the smallest ones until the hidden ones together do not."""
    sizes = {at: sum(box.values()) for at, box in enumerate(boxes)}
    shown = {at for at, size in sizes.items() if size and not _reveals(groups, boxes[at], minimum)}
    while shown and _reveals(groups, _sum(boxes[at] for at in sizes.keys() - shown), minimum):
        shown.discard(min(shown, key=lambda at: (sizes[at], at)))
    return Boxes(groups, frozenset(shown))


def _sum(boxes: Iterable[Mapping[int, int]]) -> Counter[int]:
    together: Counter[int] = Counter()
    for box in boxes:
        together.update(box)
    return together


def _people(group: Group, boxes: Iterable[Mapping[int, int]]) -> int:
    return sum(box.get(version, 0) for box in boxes for version in group)


def _reveals(shown: Iterable[Group], ns: Mapping[int, int], minimum: int) -> bool:
    """Say whether what is shown tells of a set of versions that too few answered, in any fractions."""
    groups = list(shown)
    answered = {v: ns[v] for v in frozenset[int]().union(*groups) if ns.get(v, 0) > 0}
    versions = sorted(answered)
    basis: list[list[Fraction]] = []
    for group in groups:
        rest = _reduced(_indicator(group, versions), basis)
        if any(rest):
            basis.append(rest)
    unions = _small_unions(sorted(answered.items(), key=lambda item: item[1]), minimum)
    return any(not any(_reduced(_indicator(union, versions), basis)) for union in unions)


def _small_unions(versions: Sequence[tuple[int, int]], minimum: int) -> Iterator[Group]:
    """Give every set of versions with fewer people than the minimum; versions come in ascending size."""
    for at, (version, n) in enumerate(versions):
        if n >= minimum:
            return
        yield frozenset({version})
        for rest in _small_unions(versions[at + 1 :], minimum - n):
            yield rest | {version}


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


def _without_search(
    ns: Mapping[int, int], minimum: int, together: bool, total_known: bool
) -> frozenset[Group]:
    """The versions of enough people; and all together, where the others stay enough to hide in, or none."""
    shown = {version for version, n in ns.items() if n >= minimum}
    together = together and sum(ns.values()) >= minimum
    if not together and not total_known:
        return frozenset(frozenset({version}) for version in shown)
    hidden = sum(n for version, n in ns.items() if version not in shown)
    if 0 < hidden < minimum:
        shown.discard(min(shown, key=lambda version: (ns[version], version)))
    alone = {frozenset({version}) for version in shown}
    return frozenset(alone | {frozenset(ns)} if together else alone)

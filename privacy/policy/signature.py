"""Signatures: how far the rows of a node can differ between two neighbouring worlds."""

from dataclasses import dataclass, field, replace

from privacy.policy.expressions import Attributes
from privacy.policy.labels import Rows, times

_NONE: Attributes = frozenset()


@dataclass(frozen=True, slots=True)
class Signature:
    """At most so many rows added, deleted, changed in the replaced columns only, and flipped.

    Changed rows are matched one to one; with `may_flip` each of them may instead enter or leave.
    Flipped rows each enter or leave. All are whole numbers, or ∞ where nothing bounds them.
    """

    added: Rows = 0
    deleted: Rows = 0
    changed: Rows = 0
    flipped: Rows = 0
    replaced: Attributes = field(default=_NONE)
    may_flip: bool = False

    @property
    def nothing(self) -> bool:
        """Whether the node is the same in both worlds."""
        return not (self.added or self.deleted or self.changed or self.flipped)

    @property
    def come_and_go(self) -> Rows:
        """Rows that are in one world only, apart from changed ones."""
        return self.added + self.deleted + self.flipped

    @property
    def weight(self) -> Rows:
        """Rows that differ, a changed one in both worlds; the smaller of two bounds is preferred."""
        return self.come_and_go + 2 * self.changed

    def scaled(self, factor: Rows) -> "Signature":
        """Return the signature where each row becomes up to `factor` rows."""
        return replace(
            self,
            added=times(self.added, factor),
            deleted=times(self.deleted, factor),
            changed=times(self.changed, factor),
            flipped=times(self.flipped, factor),
        )

    def moved(self) -> "Signature":
        """Return it with each changed row taken out in one world and put in in the other."""
        return Signature(self.added + self.changed, self.deleted + self.changed, 0, self.flipped)

    def settled(self) -> "Signature":
        """Return it without changed rows of which no replaced column is left."""
        if self.changed and not self.replaced:
            flips = self.changed if self.may_flip else 0
            return Signature(self.added, self.deleted, 0, self.flipped + flips)
        return self if self.changed else replace(self, replaced=_NONE, may_flip=False)

    def __add__(self, other: "Signature") -> "Signature":
        return Signature(
            self.added + other.added,
            self.deleted + other.deleted,
            self.changed + other.changed,
            self.flipped + other.flipped,
            self.replaced | other.replaced,
            self.may_flip or other.may_flip,
        ).settled()

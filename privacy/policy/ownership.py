"""Which attribute names the owner of every row that can differ, where one does: the only path of ownership."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from privacy.policy.algebra import Join, Keys, Scan
from privacy.policy.expressions import Attribute, Attributes
from privacy.policy.labels import Policy, Rep, Rows


@dataclass(frozen=True, slots=True)
class Owner:
    """Every row that differs holds the entity's key in these attributes, or, moved, another owner's.

    One set of interchangeable attributes for each column of the entity's key; `moved` bounds the other owners. Where
    the attributes are those of a left side that is the same in both worlds, its rows stay when the owner goes: `stays`.
    """

    key: tuple[Attributes, ...]
    moved: Rows = 0
    stays: bool = False

    def within(self, kept: Attributes) -> "Owner | None":
        """Return it over fewer attributes, None where they no longer name the owner."""
        key = tuple(one & kept for one in self.key)
        return replace(self, key=key) if all(key) else None


def owner_of_scan(scan: Scan, policy: Policy) -> Owner | None:
    """Return the owner's attributes: the entity's own key, or the only foreign key by which rows are owned."""
    relation, label = scan.relation, policy.label(scan.relation.name)
    owning = [edge for edge in relation.foreign_keys if policy.owned[edge.parent] > 0]
    entity = policy.schema.relations[policy.entity]
    if relation.name == policy.entity:
        names = entity.key
    elif len(owning) == 1 and owning[0].parent == policy.entity:
        named = dict(zip(owning[0].to, owning[0].columns, strict=True))
        names = tuple(named[one] for one in entity.key)
    else:
        return None
    moves = isinstance(label, Rep) and bool(label.columns & set(names))
    key = tuple(frozenset({one}) for one in scan.all_of(names))
    return Owner(key, policy.owned[relation.name] if moves else 0)


def owner_of_join(
    node: Join, left: Owner | None, right: Owner | None, touched: tuple[bool, bool]
) -> Owner | None:
    """Return the owner's attributes of pairs; where both sides can differ, only if the keys tie both owners."""
    if touched == (True, False):
        return left and _widened(left, node)
    if touched == (False, True):
        return right and _tied(node, right)
    if left is None or right is None:
        return None
    return joined_owner(node.keys, left, right, drop_right=node.kind == "left")


def joined_owner(keys: Keys, left: Owner, right: Owner, *, drop_right: bool) -> Owner | None:
    """Return the one owner of pairs whose keys make both owners equal."""
    # Others are equal only in rows that differ through their own side: of them one owner may have any number.
    ties = [_ties(keys, a, b) for a, b in zip(left.key, right.key, strict=True)]
    if not all(ties):
        return None
    key = tuple(
        frozenset(a for a, _ in tie) | (frozenset() if drop_right else {b for _, b in tie}) for tie in ties
    )
    return Owner(key, left.moved + right.moved, left.stays or right.stays)


def _ties(keys: Keys, left: Attributes, right: Attributes) -> Keys:
    return tuple((a, b) for a, b in keys if a in left and b in right)


def _widened(left: Owner, node: Join) -> Owner:
    if node.kind == "left":
        return left
    widened = tuple(one | {b for a, b in node.keys if a in one} for one in left.key)
    return replace(left, key=widened)


def _tied(node: Join, right: Owner) -> Owner | None:
    # A row that lost its partner is known by the left side only.
    left: Sequence[Attributes] = [frozenset(a for a, b in node.keys if b in one) for one in right.key]
    if node.kind == "left":
        return Owner(tuple(left), right.moved, stays=True) if all(left) else None
    return replace(right, key=tuple(one | more for one, more in zip(right.key, left, strict=True)))


def group_is_owner(owner: Owner | None, keys: Attributes) -> bool:
    """Say whether each owner has one group by these keys: they hold the owner's key and nothing else.

    By another column beside it one owner has as many groups as rows.
    """
    if owner is None or not all(one & keys for one in owner.key):
        return False
    return keys <= frozenset[Attribute]().union(*owner.key)

"""Spines: nodes whose rows are rows of one base relation, each with the parents it refers to.

Joining a row to the parent that it refers to gives one row or none. Whatever the entity changes in any relation of the
chain, it owns the base row that refers there; so at most own(base) rows differ, however many parents are joined.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from privacy.policy.algebra import Join, Keys, Scan
from privacy.policy.expressions import Attribute, Attributes
from privacy.policy.labels import Del, Policy, Rep
from privacy.policy.signature import Signature


@dataclass(frozen=True)
class Spine:
    """A base relation, the parents joined to it, and what of their columns an owned row can have replaced."""

    base: Scan
    chain: frozenset[Scan]
    replaced: Attributes
    may_flip: bool = False  # an owned row may be there in one world only
    filtered: bool = False  # not every base row has a row
    known_as: Mapping[Attribute, Attribute] = field(
        default_factory=dict
    )  # padded attribute → as it was scanned

    def scanned(self, attribute: Attribute) -> Attribute:
        """Return an attribute as it was scanned."""
        return self.known_as.get(attribute, attribute)


def spine_of_scan(scan: Scan, policy: Policy) -> Spine:
    """Return the spine that a relation is by itself."""
    label = policy.label(scan.relation.name)
    columns = label.columns if isinstance(label, Rep) and policy.touched(scan.relation.name) else ()
    return Spine(scan, frozenset({scan}), frozenset(scan.all_of(sorted(columns))))


def spine_signature(spine: Spine, policy: Policy) -> Signature:
    """Return the bound that owning the base row gives."""
    if not any(policy.touched(scan.relation.name) for scan in spine.chain):
        return Signature()
    own = policy.owned[spine.base.relation.name]
    if isinstance(policy.label(spine.base.relation.name), Del):
        return Signature(deleted=own)
    return Signature(changed=own, replaced=spine.replaced, may_flip=spine.may_flip).settled()


def spine_joined(child: Spine, parent: Spine, pairs: Keys, node: Join) -> Spine | None:
    """Return the spine of a join, where `child` refers to the base of `parent` by a whole foreign key; else None.

    `pairs` are the keys as (child's attribute, parent's attribute).
    """
    edge = _edge(child, parent, pairs)
    if edge is None or child.chain & parent.chain:
        return None
    padded = dict(node.padded)
    side = node.right if pairs == node.keys else node.left
    theirs = frozenset(padded.get(one, one) for one in side.attributes)
    private = child.replaced | parent.replaced
    moves = any(own in child.replaced for own, _ in edge)
    # Pairs beyond the foreign key are conditions that a partner may fail.
    extra = [pair for pair in pairs if pair not in edge]
    wavers = parent.may_flip or any(one in private for pair in extra for one in pair)
    misses = parent.filtered or bool(extra) or any(own.nullable for own, _ in edge)
    inner = node.kind == "inner"
    # A left row of a left join stays, whatever its partner does; then the partner's columns change.
    swapped = moves or (not inner and wavers)
    return Spine(
        child.base,
        child.chain | parent.chain,
        child.replaced | (theirs if swapped else frozenset(padded.get(one, one) for one in parent.replaced)),
        child.may_flip or (inner and (wavers or (moves and misses))),
        child.filtered or (inner and misses),
        {**child.known_as, **parent.known_as, **{new: parent.scanned(old) for old, new in node.padded}},
    )


def _edge(child: Spine, parent: Spine, pairs: Keys) -> Keys | None:
    """Return the key pairs that are a foreign key to the parent's base, None where it is not there as a whole."""
    scanned = {(child.scanned(own), parent.scanned(to)): (own, to) for own, to in pairs}
    for scan in child.chain:
        for edge in scan.relation.foreign_keys:
            if edge.parent != parent.base.relation.name:
                continue
            wanted = list(zip(scan.all_of(edge.columns), parent.base.all_of(edge.to), strict=True))
            if all(one in scanned for one in wanted):
                return tuple(scanned[one] for one in wanted)
    return None


def spine_filtered(spine: Spine, reads: Attributes) -> Spine:
    """Return the spine of its rows for which a predicate holds that reads these attributes."""
    return replace(spine, filtered=True, may_flip=spine.may_flip or bool(reads & spine.replaced))

"""One rule for each node: from the signatures below to the signature of the node, with the reason."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import singledispatch

from privacy.policy.algebra import Aggregate, Filter, Group, Join, Node, Project, Scan, SemiJoin, UnionAll
from privacy.policy.expressions import Attributes
from privacy.policy.labels import Del, Policy, Pub, Rep, Rows, times
from privacy.policy.multiplicity import multiplicity
from privacy.policy.ownership import (
    Owner,
    group_is_owner,
    joined_owner,
    owner_of_join,
    owner_of_scan,
)
from privacy.policy.signature import Signature
from privacy.policy.spine import Spine, spine_filtered, spine_joined, spine_of_scan, spine_signature


@dataclass(frozen=True)
class Facts:
    """What is known of a node under a policy."""

    signature: Signature
    reason: str
    below: tuple["Facts", ...] = ()
    spine: Spine | None = field(default=None, repr=False)
    owner: Owner | None = field(default=None, repr=False)

    def trace(self) -> Iterator[str]:
        """The reasons of all nodes, from the relations up."""
        for one in self.below:
            yield from one.trace()
        yield self.reason


@singledispatch
def facts_of(node: Node, policy: Policy) -> Facts:
    """Return what is known of a node under a policy."""
    raise TypeError(f"{type(node).__name__} is no node of the algebra")


@facts_of.register
def _scan(node: Scan, policy: Policy) -> Facts:
    name = node.relation.name
    label, own = policy.label(name), policy.owned[name]
    spine, owner = spine_of_scan(node, policy), owner_of_scan(node, policy)
    if isinstance(label, Pub):
        return Facts(Signature(), f"{name}: public", (), spine, owner)
    if own == 0:
        return Facts(Signature(), f"{name}: no row belongs to one {policy.entity}", (), spine, owner)
    if isinstance(label, Del):
        reason = f"{name}: {rows(own)} of one {policy.entity} may be absent"
        return Facts(Signature(deleted=own), reason, (), spine, owner)
    assert isinstance(label, Rep)
    replaced = frozenset(node.all_of(sorted(label.columns)))
    reason = f"{name}: {rows(own)} of one {policy.entity} may have other values in {_names(replaced)}"
    return Facts(Signature(changed=own, replaced=replaced), reason, (), spine, owner)


@facts_of.register
def _filter(node: Filter, policy: Policy) -> Facts:
    below = facts_of(node.child, policy)
    reads = node.predicate.reads
    spine = below.spine and spine_filtered(below.spine, reads)
    private = reads & below.signature.replaced
    if not private:
        # The same rows pass in both worlds, apart from those that differ anyway.
        return Facts(below.signature, "filter: changes nothing", (below,), spine, below.owner)
    # The private value decides whether the row is there at all.
    signature = replace(below.signature, may_flip=True)
    reason = f"filter reads {_names(private)}: a changed row may pass in one world only"
    return Facts(signature, reason, (below,), spine, below.owner)


@facts_of.register
def _project(node: Project, policy: Policy) -> Facts:
    below = facts_of(node.child, policy)
    signature = replace(below.signature, replaced=_projected(node, below.signature.replaced)).settled()
    spine = below.spine and replace(below.spine, replaced=_projected(node, below.spine.replaced))
    owner = below.owner and below.owner.within(node.kept)
    if signature == below.signature:
        reason = "columns: nothing changes"
    elif signature.nothing:
        reason = "columns: nothing that can differ is kept"
    else:
        reason = f"columns: what can differ is {_names(signature.replaced)}"
    return Facts(signature, reason, (below,), spine, owner)


def _projected(node: Project, replaced: Attributes) -> Attributes:
    """An expression belongs to the replaced columns when it reads one of them."""
    return frozenset(attribute for attribute, value in node.items if value.reads & replaced)


@facts_of.register
def _join(node: Join, policy: Policy) -> Facts:
    left, right = facts_of(node.left, policy), facts_of(node.right, policy)
    counted = _left_joined(node, left, right) if node.kind == "left" else _inner_joined(node, left, right)
    reason = f"{node.kind} join on {_keys(node)}: {_said(counted)}"
    touched = (not left.signature.nothing, not right.signature.nothing)
    owner = owner_of_join(node, left.owner, right.owner, touched)
    spine = _spined(node, left, right)
    if spine is not None:
        tighter = spine_signature(spine, policy)
        if tighter.weight <= counted.weight:
            name = spine.base.relation.name
            reason = f"join on {_keys(node)}: every row is one of {name}; {_said(tighter)}"
            return Facts(tighter, reason, (left, right), spine, owner)
    return Facts(counted, reason, (left, right), spine, owner)


def _spined(node: Join, left: Facts, right: Facts) -> Spine | None:
    if left.spine is None or right.spine is None or (node.kind == "left" and node.residual is not None):
        return None
    spine = spine_joined(left.spine, right.spine, node.keys, node)
    if spine is None and node.kind == "inner":
        swapped = tuple((b, a) for a, b in node.keys)
        spine = spine_joined(right.spine, left.spine, swapped, node)
    return spine


def _inner_joined(node: Join, left: Facts, right: Facts) -> Signature:
    per_left, per_right = partners_of(node)
    keys_left, keys_right = _sides(node)
    one, two = left.signature, right.signature
    # A changed key leaves its old partners and finds new ones.
    if keys_left & one.replaced:
        one = one.moved()
    if keys_right & two.replaced:
        two = two.moved()
    # No product of both: declared frequencies hold in both worlds.
    return one.scaled(per_left) + two.scaled(per_right)


def _left_joined(node: Join, left: Facts, right: Facts) -> Signature:
    per_left, per_right = partners_of(node)
    keys_left, keys_right = _sides(node)
    decides = node.residual.reads if node.residual is not None else frozenset()
    one, two = left.signature, right.signature
    if (keys_left | decides) & one.replaced:
        one = one.moved()
    if (keys_right | decides) & two.replaced:
        two = two.moved()
    partner = two.scaled(per_right)
    # Each partner that goes or comes can bring or take the row padded with NULLs; one that only changes does not.
    wavering = partner.changed if partner.may_flip else 0
    padding = Signature(partner.deleted, partner.added, 0, partner.flipped + wavering)
    renamed = dict(node.padded)
    partner = replace(partner, replaced=frozenset(renamed.get(a, a) for a in partner.replaced))
    return one.scaled(max(1, per_left)) + partner + padding


def partners_of(node: Join | SemiJoin) -> tuple[Rows, Rows]:
    """Return how many right rows a left row can meet, and how many left rows a right row."""
    keys_left, keys_right = _sides(node)
    return multiplicity(node.right, keys_right), multiplicity(node.left, keys_left)


def _sides(node: Join | SemiJoin) -> tuple[Attributes, Attributes]:
    return frozenset(a for a, _ in node.keys), frozenset(b for _, b in node.keys)


@facts_of.register
def _semi_join(node: SemiJoin, policy: Policy) -> Facts:
    left, right = facts_of(node.left, policy), facts_of(node.right, policy)
    keys_left, keys_right = _sides(node)
    decides = node.residual.reads if node.residual is not None else frozenset()
    _, per_right = partners_of(node)
    own, other = left.signature, right.signature
    if (keys_left | decides) & own.replaced:
        own = replace(own, may_flip=True)
    tells = other.come_and_go
    if keys_right & other.replaced:
        # It leaves the rows of one key and comes to those of another.
        tells += 2 * other.changed
    elif other.may_flip or decides & other.replaced:
        tells += other.changed
    signature = own + Signature(flipped=times(tells, per_right))
    verb = "without" if node.anti else "with"
    reason = f"rows {verb} a match on {_keys(node)}: {_said(signature)}"
    if other.nothing:
        spine = left.spine and spine_filtered(left.spine, keys_left | decides)
        return Facts(signature, reason, (left, right), spine, left.owner)
    owner = None
    if left.owner and right.owner and not own.nothing:
        owner = joined_owner(node.keys, left.owner, right.owner, drop_right=True)
    return Facts(signature, reason, (left, right), None, owner)


@facts_of.register
def _union_all(node: UnionAll, policy: Policy) -> Facts:
    sides = tuple(facts_of(one, policy) for one in node.inputs)
    total = Signature()
    for child, side in zip(node.inputs, sides, strict=True):
        named = zip(child.attributes, node.columns, strict=True)
        replaced = frozenset(new for old, new in named if old in side.signature.replaced)
        total += replace(side.signature, replaced=replaced)
    return Facts(total, f"union: {_said(total)}", sides)


@facts_of.register
def _group(node: Group, policy: Policy) -> Facts:
    below = facts_of(node.child, policy)
    signature, keys = below.signature, frozenset(node.keys)
    owner = below.owner and below.owner.within(keys)
    by = f"groups by {_names(keys)}" if keys else "one group"
    if signature.nothing:
        return Facts(signature, f"{by}: nothing can differ", (below,), None, owner)
    counted = _groups(node, signature)
    reason = f"{by}: {_said(counted, 'groups')}"
    if group_is_owner(below.owner, keys):
        assert below.owner is not None
        owned = _groups_of_owner(node, signature, below.owner, policy)
        if owned.weight < counted.weight:
            reason = f"{by}: one is of the {policy.entity} alone; {_said(owned, 'groups')}"
            return Facts(owned, reason, (below,), None, owner)
    return Facts(counted, reason, (below,), None, owner)


def _groups(node: Group, below: Signature) -> Signature:
    replaced, keys = below.replaced, frozenset(node.keys)
    regroups = bool(keys & replaced)
    vanish = below.come_and_go > 0 or below.may_flip or regroups
    reading = [one for one in node.aggregates if aggregate_reads(one) & replaced]
    figures = frozenset(one.attribute for one in (node.aggregates if vanish else reading))
    affected = below.come_and_go
    if regroups:
        affected += 2 * below.changed
    elif below.may_flip or reading:
        affected += below.changed
    if not keys:
        # One row there always is.
        return Signature(changed=min(1, affected), replaced=figures).settled()
    return Signature(changed=affected, replaced=figures, may_flip=vanish).settled()


def _groups_of_owner(node: Group, below: Signature, owner: Owner, policy: Policy) -> Signature:
    # No row can name an entity that is not there: its group goes as a whole, unless rows that stay make it.
    goes = isinstance(policy.label(policy.entity), Del) and not owner.stays
    counted = _groups(node, below)
    figures = frozenset(one.attribute for one in node.aggregates)
    if not goes and owner.moved == 0:
        return replace(counted, changed=min(1, counted.changed))
    return Signature(
        changed=owner.moved + (0 if goes else 1),
        flipped=1 if goes else 0,
        replaced=figures,
        may_flip=True,
    ).settled()


def aggregate_reads(one: Aggregate) -> Attributes:
    """Return the attributes whose values the figure depends on; a count of what is never NULL depends on none."""
    if one.argument is None or (one.function == "count" and not one.distinct and not one.argument.nullable):
        return frozenset()
    return one.argument.reads


def rows(number: Rows, noun: str = "rows") -> str:
    """Return a number of rows in words."""
    if number == float("inf"):
        return f"unboundedly many {noun}"
    return f"{int(number):,} {noun if number != 1 else noun.removesuffix('s')}"


def _said(signature: Signature, noun: str = "rows") -> str:
    if signature.nothing:
        return "nothing can differ"
    parts = []
    if signature.added:
        parts.append(f"{rows(signature.added, noun)} may come")
    if signature.deleted:
        parts.append(f"{rows(signature.deleted, noun)} may vanish")
    if signature.changed:
        verb = "may change, come or vanish" if signature.may_flip else "may change"
        parts.append(f"{rows(signature.changed, noun)} {verb}")
    if signature.flipped:
        parts.append(f"{rows(signature.flipped, noun)} may come or vanish")
    return ", ".join(parts)


def _names(attributes: Attributes) -> str:
    return ", ".join(sorted({one.name for one in attributes})) or "nothing"


def _keys(node: Join | SemiJoin) -> str:
    return " and ".join(f"{a.name} = {b.name}" for a, b in node.keys) or "no key"

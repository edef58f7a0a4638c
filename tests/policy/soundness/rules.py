"""Which rules bound a query: a name for the branch that was taken at each node, and at the root."""

from collections.abc import Iterator

from privacy.policy.algebra import Filter, Group, Join, Node, Project, Root, Scan, SemiJoin, UnionAll
from privacy.policy.analysis import Facts, facts_of
from privacy.policy.labels import Del, Policy, Pub, Rep
from privacy.policy.sensitivity import Sensitivity
from privacy.policy.spine import Spine
from tests.policy.soundness.trial import Case

ALL = (
    "scan DEL",
    "scan REP",
    "filter, public columns",
    "filter, replaced columns",
    "project",
    "join, general",
    "join of a foreign key, DEL",
    "join of a foreign key, REP with it replaced",
    "join of a foreign key, REP with it kept",
    "join of a foreign key, PUB child",
    "left join, general",
    "left join of a foreign key",
    "semi-join",
    "anti-join",
    "union",
    "group, general",
    "group, one row",
    "group of the owner",
)


def rules_of(case: Case) -> frozenset[str]:
    """Return the rules that bound a query, apart from those of its root."""
    return frozenset(_rules(case.query.root.child, facts_of(case.query.root.child, case.policy), case.policy))


def _rules(node: Node, facts: Facts, policy: Policy) -> Iterator[str]:
    for child, below in zip(node.inputs, facts.below, strict=True):
        yield from _rules(child, below, policy)
    if any(not one.signature.nothing for one in facts.below) or not facts.signature.nothing:
        yield _rule(node, facts, policy)


def _rule(node: Node, facts: Facts, policy: Policy) -> str:
    match node:
        case Scan():
            return f"scan {policy.label(node.relation.name).text}"
        case Filter():
            private = node.predicate.reads & facts.below[0].signature.replaced
            return f"filter, {'replaced' if private else 'public'} columns"
        case Project():
            return "project"
        case Join():
            return _join(node, facts, policy)
        case SemiJoin():
            return "anti-join" if node.anti else "semi-join"
        case UnionAll():
            return "union"
        case Group():
            owner = "one is of the" in facts.reason
            return "group of the owner" if owner else "group, general" if node.keys else "group, one row"
    raise TypeError(type(node).__name__)


def _join(node: Join, facts: Facts, policy: Policy) -> str:
    # The reason tells which of both bounds was tighter.
    if facts.spine is None or not facts.reason.startswith("join on"):
        return "left join, general" if node.kind == "left" else "join, general"
    if node.kind == "left":
        return "left join of a foreign key"
    return f"join of a foreign key, {_branch(facts.spine, policy)}"


def _branch(spine: Spine, policy: Policy) -> str:
    label = policy.label(spine.base.relation.name)
    if isinstance(label, Del):
        return "DEL"
    if isinstance(label, Pub):
        return "PUB child"
    assert isinstance(label, Rep)
    referring = {own for edge in spine.base.relation.foreign_keys for own in edge.columns}
    return f"REP with it {'replaced' if referring & label.columns else 'kept'}"


def root_rule(root: Root, one: Sensitivity) -> str:
    """Return the rule of a figure of the root."""
    name = one.aggregate.function + (" distinct" if one.aggregate.distinct else "")
    if name == "count" and one.aggregate.argument is None:
        name = "count(*)"
    if one.parts[0].figure == "rank":
        name = "quantile"
    return f"root {name}{', grouped' if root.keys else ''}"

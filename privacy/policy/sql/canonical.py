"""One text for all spellings of a query: names by first appearance, commutative parts sorted, aliases gone."""

import hashlib
from collections.abc import Sequence
from fractions import Fraction
from functools import singledispatchmethod

from privacy.policy.after import (
    After,
    AllOf,
    AnyOf,
    Calculated,
    Chosen,
    Compared,
    Denied,
    Given,
    Literally,
    Missing,
    Term,
)
from privacy.policy.algebra import (
    Aggregate,
    Filter,
    Group,
    Join,
    Node,
    Project,
    PublicValue,
    Root,
    Scan,
    SemiJoin,
    UnionAll,
)
from privacy.policy.expressions import (
    AmongValues,
    Arithmetic,
    Attribute,
    Both,
    Choose,
    Compare,
    Const,
    DatePart,
    Either,
    Expression,
    FirstKnown,
    IsNull,
    Like,
    Not,
    Prefix,
    Read,
    Rescaled,
    conjuncts,
)

FLIPPED = {">": "<", ">=": "<="}
LONGEST_NAME = 64


def canonical(root: Root, after: After, beside: Sequence[Node] = ()) -> str:
    """Return the text; the titles of columns are not part of it, their order and meaning are."""
    writer = Writer()
    lines = [f"from {writer.node(root.child)}"]
    lines.append(f"by {', '.join(writer.name(one) for one in root.keys)}")
    lines.append(f"figures {', '.join(sorted(writer.figure(one) for one in root.aggregates))}")
    for at, one in enumerate(beside):
        lines.append(f"beside {at} {writer.aside(one)}")
    lines += [f"show {writer.term(term)}" for _, term in after.outputs]
    if after.having is not None:
        lines.append(f"having {writer.term(after.having)}")
    lines += [f"order {writer.term(term)}{' down' if down else ''}" for term, down in after.order]
    return "\n".join([*lines, f"limit {after.limit} offset {after.offset}"])


class Writer:
    """Writes nodes and expressions; relations are numbered as they come, attributes are called after what they are."""

    def __init__(self) -> None:
        self.names: dict[Attribute, str] = {}
        self.scans = 0
        self.groups = 0

    def name(self, one: Attribute) -> str:
        """Return the name of an attribute."""
        return self.names[one]

    def call(self, one: Attribute, text: str) -> None:
        """Give an attribute a name; a long one is shortened, so that names of names do not grow without end."""
        short = text if len(text) <= LONGEST_NAME else hashlib.sha256(text.encode()).hexdigest()
        self.names[one] = short

    def aside(self, node: Node) -> str:
        """Return the text of a node whose relations are numbered as if nothing came after it."""
        scans, groups = self.scans, self.groups
        text = self.node(node)
        self.scans, self.groups = scans, groups
        return text

    def figure(self, one: Aggregate) -> str:
        """Return the text of a figure, which is its attribute's name too."""
        argument = "*" if one.argument is None else self.expression(one.argument)
        extra = [text for said, text in ((one.distinct, "distinct"), (one.population, "population")) if said]
        place = [f"at {one.quantile[0]}/{one.quantile[1]}"] if one.quantile else []
        text = f"{' '.join([one.function, *extra, *place])}({argument})"
        self.call(one.attribute, text)
        return text

    @singledispatchmethod
    def node(self, node: Node) -> str:
        """Return the text of a node."""
        raise TypeError(type(node).__name__)

    @node.register
    def _scan(self, node: Scan) -> str:
        self.scans += 1
        for name, one in node.named.items():
            self.names[one] = f"{self.scans}.{name}"
        return f"{node.relation.name} {self.scans}"

    @node.register(Filter)
    @node.register(SemiJoin)
    def _chain(self, node: Filter | SemiJoin) -> str:
        # Conditions above each other hold together, in whatever order.
        chain: list[Filter | SemiJoin] = []
        below: Node = node
        while isinstance(below, Filter | SemiJoin):
            chain.append(below)
            below = below.child if isinstance(below, Filter) else below.left
        text = self.node(below)
        wanted = {part for one in chain for part in self._wanted(one)}
        return f"({text} where {' and '.join(sorted(wanted))})"

    def _wanted(self, one: Filter | SemiJoin) -> list[str]:
        if isinstance(one, Filter):
            return [self.expression(part) for part in conjuncts(one.predicate)]
        scans, groups = self.scans, self.groups
        right = self.node(one.right)
        pairs = self._pairs(one)
        self.scans, self.groups = scans, groups
        return [f"{'no' if one.anti else 'some'} {right} with {pairs}"]

    def _pairs(self, one: Join | SemiJoin) -> str:
        texts = {f"{self.name(a)} = {self.name(b)}" for a, b in one.keys}
        if one.residual is not None:
            texts |= {self.expression(part) for part in conjuncts(one.residual)}
        return " and ".join(sorted(texts))

    @node.register
    def _project(self, node: Project) -> str:
        text = self.node(node.child)
        for attribute, value in node.items:
            if not (isinstance(value, Read) and value.attribute is attribute):
                self.call(attribute, self.expression(value))
        return text

    @node.register
    def _join(self, node: Join) -> str:
        left, right = self.node(node.left), self.node(node.right)
        pairs = self._pairs(node)
        for old, new in node.padded:
            self.call(new, f"{self.name(old)}?")
        return f"({left} {node.kind} join {right} on {pairs})"

    @node.register
    def _union(self, node: UnionAll) -> str:
        left, right = self.node(node.left), self.node(node.right)
        pairs = []
        for new, a, b in zip(node.columns, node.left.attributes, node.right.attributes, strict=True):
            pairs.append(f"{self.name(a)}|{self.name(b)}")
            self.call(new, pairs[-1])
        return f"({left} union {right} of {', '.join(pairs)})"

    @node.register
    def _group(self, node: Group) -> str:
        text = self.node(node.child)
        self.groups += 1
        number = self.groups
        keys = sorted(self.name(one) for one in node.keys)
        for one in node.aggregates:
            self.call(one.attribute, f"{number}:{self.figure(one)}")
        return f"(groups {number} of {text} by {', '.join(keys)})"

    @singledispatchmethod
    def expression(self, part: Expression) -> str:
        """Return the text of an expression."""
        raise TypeError(type(part).__name__)

    @expression.register
    def _read(self, part: Read) -> str:
        return self.name(part.attribute)

    @expression.register
    def _const(self, part: Const) -> str:
        if part.kind in ("integer", "decimal") and isinstance(part.value, int):
            return str(Fraction(part.value, 10**part.scale))
        return repr(part.value) if isinstance(part.value, str) else str(part.value)

    @expression.register
    def _arithmetic(self, part: Arithmetic) -> str:
        if part.operator == "-":
            return f"({self.expression(part.left)} - {self.expression(part.right)})"
        sides = sorted(self.expression(one) for one in _flat(part))
        return f"({f' {part.operator} '.join(sides)})"

    @expression.register
    def _rescaled(self, part: Rescaled) -> str:
        return self.expression(part.inner)

    @expression.register
    def _compare(self, part: Compare) -> str:
        return _compared(part.operator, self.expression(part.left), self.expression(part.right))

    @expression.register(Both)
    @expression.register(Either)
    def _logic(self, part: Both | Either) -> str:
        word = " and " if isinstance(part, Both) else " or "
        return f"({word.join(sorted({self.expression(one) for one in part.parts}))})"

    @expression.register
    def _not(self, part: Not) -> str:
        return f"not {self.expression(part.inner)}"

    @expression.register
    def _among(self, part: AmongValues) -> str:
        values = (Const(one, part.inner.kind, part.inner.scale) for one in part.values)
        return (
            f"{self.expression(part.inner)} in ({', '.join(sorted(self.expression(one) for one in values))})"
        )

    @expression.register
    def _like(self, part: Like) -> str:
        return f"{self.expression(part.inner)} like {part.pattern!r}"

    @expression.register
    def _is_null(self, part: IsNull) -> str:
        return f"{self.expression(part.inner)} is null"

    @expression.register
    def _choose(self, part: Choose) -> str:
        cases = [f"when {self.expression(one)} then {self.expression(value)}" for one, value in part.cases]
        return f"(case {' '.join(cases)} else {self.expression(part.otherwise)})"

    @expression.register
    def _first_known(self, part: FirstKnown) -> str:
        return f"first({', '.join(self.expression(one) for one in part.options)})"

    @expression.register
    def _date_part(self, part: DatePart) -> str:
        return f"{part.part}({self.expression(part.inner)})"

    @expression.register
    def _prefix(self, part: Prefix) -> str:
        return f"first {part.length} of {self.expression(part.inner)}"

    @expression.register
    def _public(self, part: PublicValue) -> str:
        scans, groups = self.scans, self.groups
        text = f"{self.node(part.node)}: {self.name(part.attribute)}"
        self.scans, self.groups = scans, groups
        return f"({text})"

    @singledispatchmethod
    def term(self, part: Term) -> str:
        """Return the text of a term."""
        raise TypeError(type(part).__name__)

    @term.register
    def _given(self, part: Given) -> str:
        return self.name(part.attribute)

    @term.register
    def _literally(self, part: Literally) -> str:
        return repr(part.value) if isinstance(part.value, str) else str(part.value)

    @term.register
    def _calculated(self, part: Calculated) -> str:
        sides = [self.term(part.left), self.term(part.right)]
        if part.operator in ("+", "*"):
            sides.sort()
        return f"({f' {part.operator} '.join(sides)})"

    @term.register
    def _term_compared(self, part: Compared) -> str:
        return _compared(part.operator, self.term(part.left), self.term(part.right))

    @term.register(AllOf)
    @term.register(AnyOf)
    def _term_logic(self, part: AllOf | AnyOf) -> str:
        word = " and " if isinstance(part, AllOf) else " or "
        return f"({word.join(sorted({self.term(one) for one in _all_terms(part)}))})"

    @term.register
    def _denied(self, part: Denied) -> str:
        return f"not {self.term(part.term)}"

    @term.register
    def _missing(self, part: Missing) -> str:
        return f"{self.term(part.term)} is null"

    @term.register
    def _chosen(self, part: Chosen) -> str:
        cases = [f"when {self.term(one)} then {self.term(value)}" for one, value in part.cases]
        return f"(case {' '.join(cases)} else {self.term(part.otherwise)})"


def _compared(operator: str, left: str, right: str) -> str:
    if operator in FLIPPED:
        operator, left, right = FLIPPED[operator], right, left
    elif operator in ("=", "<>"):
        left, right = sorted((left, right))
    return f"{left} {operator} {right}"


def _flat(part: Arithmetic) -> list[Expression]:
    found: list[Expression] = []
    for one in (part.left, part.right):
        inner = one.inner if isinstance(one, Rescaled) else one
        found += (
            _flat(inner) if isinstance(inner, Arithmetic) and inner.operator == part.operator else [inner]
        )
    return found


def _all_terms(part: AllOf | AnyOf) -> list[Term]:
    kind = type(part)
    return [
        one for inner in part.terms for one in (_all_terms(inner) if isinstance(inner, kind) else [inner])
    ]

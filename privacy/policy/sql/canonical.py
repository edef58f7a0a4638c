"""One text for all spellings of a query: relations by number, commutative parts sorted, aliases gone.

Every part that has parts is written in parentheses, its kind first, and every text of the analyst in quotes: what
reads alike is alike, up to the order of what commutes.
"""

import datetime
import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import singledispatchmethod

from privacy.policy.after import (
    After,
    AllOf,
    AnyOf,
    Calculated,
    Cell,
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
    lines = [_form("from", writer.node(root.child))]
    lines.append(_form("by", *(writer.name(one) for one in root.keys)))
    lines.append(_form("figures", *sorted(writer.figure(one) for one in root.aggregates)))
    # Each is numbered after those before it, so that values of one are never taken for those of another.
    lines += [_form("beside", writer.node(one)) for one in beside]
    lines += [_form("show", writer.term(term)) for _, term in after.outputs]
    if after.having is not None:
        lines.append(_form("having", writer.term(after.having)))
    lines += [_form("down" if down else "up", writer.term(term)) for term, down in after.order]
    return "\n".join([*lines, f"(limit {after.limit} offset {after.offset})"])


def figures_named(root: Root) -> list[str]:
    """Return the text of each figure, the same for every spelling of the query, in the order of the root."""
    writer = Writer()
    writer.node(root.child)
    return [writer.figure(one) for one in root.aggregates]


class Writer:
    """Writes nodes and expressions; nodes are numbered as they come, attributes are called after what they are."""

    def __init__(self) -> None:
        self.names: dict[Attribute, str] = {}
        self.nodes = 0

    def name(self, one: Attribute) -> str:
        """Return the name of an attribute."""
        return self.names[one]

    def call(self, one: Attribute, text: str) -> None:
        """Give an attribute a name; a long one is shortened, so that names of names do not grow without end."""
        short = text if len(text) <= LONGEST_NAME else f"#{hashlib.sha256(text.encode()).hexdigest()}"
        self.names[one] = short

    def number(self) -> int:
        """Return the number of a node whose attributes are its own, whatever they are made of."""
        self.nodes += 1
        return self.nodes

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Number nodes that nothing around them reads as if nothing came after them: they can be sorted."""
        nodes = self.nodes
        yield
        self.nodes = nodes

    def figure(self, one: Aggregate) -> str:
        """Return the text of a figure, which is its attribute's name too."""
        argument = "*" if one.argument is None else self.expression(one.argument)
        extra = [text for said, text in ((one.distinct, "distinct"), (one.population, "population")) if said]
        place = [f"at {one.quantile[0]}/{one.quantile[1]}"] if one.quantile else []
        text = _form(one.function, *extra, *place, argument)
        self.call(one.attribute, text)
        return text

    @singledispatchmethod
    def node(self, node: Node) -> str:
        """Return the text of a node."""
        raise TypeError(type(node).__name__)

    @node.register
    def _scan(self, node: Scan) -> str:
        number = self.number()
        for name, one in node.named.items():
            self.call(one, f"{number}.{_quoted(name)}")
        return _form("rows", str(number), _quoted(node.relation.name))

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
        return _form("where", text, *sorted(wanted))

    def _wanted(self, one: Filter | SemiJoin) -> list[str]:
        if isinstance(one, Filter):
            return [self.expression(part) for part in conjuncts(one.predicate)]
        with self.apart():
            right = self.node(one.right)
            return [_form("no" if one.anti else "some", right, *self._pairs(one))]

    def _pairs(self, one: Join | SemiJoin) -> list[str]:
        texts = {_compared("=", self.name(a), self.name(b)) for a, b in one.keys}
        if one.residual is not None:
            texts |= {self.expression(part) for part in conjuncts(one.residual)}
        return sorted(texts)

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
        if node.kind == "inner":
            return _form("join", left, right, *pairs)
        # A constant of one side is NULL where that side has no row, and that of another where the other has none.
        number = self.number()
        for old, new in node.padded:
            self.call(new, _form("or-null", str(number), self.name(old)))
        return _form("left", str(number), left, right, *pairs)

    @node.register
    def _union(self, node: UnionAll) -> str:
        left, right = self.node(node.left), self.node(node.right)
        number, pairs = self.number(), []
        for new, a, b in zip(node.columns, node.left.attributes, node.right.attributes, strict=True):
            pairs.append(_form("either", str(number), self.name(a), self.name(b)))
            self.call(new, pairs[-1])
        return _form("union", left, right, *pairs)

    @node.register
    def _group(self, node: Group) -> str:
        text = self.node(node.child)
        number = self.number()
        keys = sorted(self.name(one) for one in node.keys)
        for one in node.aggregates:
            self.call(one.attribute, _form("of", str(number), self.figure(one)))
        return _form("groups", str(number), text, *keys)

    @singledispatchmethod
    def expression(self, part: Expression) -> str:
        """Return the text of an expression."""
        raise TypeError(type(part).__name__)

    @expression.register
    def _read(self, part: Read) -> str:
        return self.name(part.attribute)

    @expression.register
    def _const(self, part: Const) -> str:
        # The unit too: it says how finely a sum of it is hidden.
        return _form(part.kind, str(part.scale), _literal(part.value))

    @expression.register
    def _arithmetic(self, part: Arithmetic) -> str:
        sides = [self.expression(one) for one in _flat(part)]
        if part.operator != "-":
            sides.sort()
        return _form(part.operator, part.kind, str(part.scale), *sides)

    @expression.register
    def _rescaled(self, part: Rescaled) -> str:
        return _form("unit", part.kind, str(part.scale), self.expression(part.inner))

    @expression.register
    def _compare(self, part: Compare) -> str:
        return _compared(part.operator, self.expression(part.left), self.expression(part.right))

    @expression.register(Both)
    @expression.register(Either)
    def _logic(self, part: Both | Either) -> str:
        word = "and" if isinstance(part, Both) else "or"
        return _form(word, *sorted({self.expression(one) for one in part.parts}))

    @expression.register
    def _not(self, part: Not) -> str:
        return _form("not", self.expression(part.inner))

    @expression.register
    def _among(self, part: AmongValues) -> str:
        values = (Const(one, part.inner.kind, part.inner.scale) for one in part.values)
        return _form("in", self.expression(part.inner), *sorted(map(self.expression, values)))

    @expression.register
    def _like(self, part: Like) -> str:
        return _form("like", self.expression(part.inner), _quoted(part.pattern))

    @expression.register
    def _is_null(self, part: IsNull) -> str:
        return _form("is-null", self.expression(part.inner))

    @expression.register
    def _choose(self, part: Choose) -> str:
        cases = [_form("when", self.expression(one), self.expression(value)) for one, value in part.cases]
        return _form("case", *cases, self.expression(part.otherwise))

    @expression.register
    def _first_known(self, part: FirstKnown) -> str:
        return _form("first-known", *map(self.expression, part.options))

    @expression.register
    def _date_part(self, part: DatePart) -> str:
        return _form(part.part, self.expression(part.inner))

    @expression.register
    def _prefix(self, part: Prefix) -> str:
        return _form("prefix", str(part.length), self.expression(part.inner))

    @expression.register
    def _public(self, part: PublicValue) -> str:
        with self.apart():
            return _form("value", self.node(part.node), self.name(part.attribute))

    @singledispatchmethod
    def term(self, part: Term) -> str:
        """Return the text of a term."""
        raise TypeError(type(part).__name__)

    @term.register
    def _given(self, part: Given) -> str:
        return self.name(part.attribute)

    @term.register
    def _literally(self, part: Literally) -> str:
        return _form("literal", _literal(part.value))

    @term.register
    def _calculated(self, part: Calculated) -> str:
        sides = [self.term(part.left), self.term(part.right)]
        if part.operator in ("+", "*"):
            sides.sort()
        return _form(part.operator, *sides)

    @term.register
    def _term_compared(self, part: Compared) -> str:
        return _compared(part.operator, self.term(part.left), self.term(part.right))

    @term.register(AllOf)
    @term.register(AnyOf)
    def _term_logic(self, part: AllOf | AnyOf) -> str:
        word = "and" if isinstance(part, AllOf) else "or"
        return _form(word, *sorted({self.term(one) for one in _all_terms(part)}))

    @term.register
    def _denied(self, part: Denied) -> str:
        return _form("not", self.term(part.term))

    @term.register
    def _missing(self, part: Missing) -> str:
        return _form("is-null", self.term(part.term))

    @term.register
    def _chosen(self, part: Chosen) -> str:
        cases = [_form("when", self.term(one), self.term(value)) for one, value in part.cases]
        return _form("case", *cases, self.term(part.otherwise))


def _form(kind: str, *parts: str) -> str:
    return f"({' '.join((kind, *parts))})"


def _quoted(text: str) -> str:
    return json.dumps(text)


def _literal(value: Cell | int) -> str:
    """Return a literal: texts in quotes, days after a mark, so that neither is read as the other or as a number."""
    if isinstance(value, str):
        return _quoted(value)
    return f"day {value.isoformat()}" if isinstance(value, datetime.date) else str(value)


def _compared(operator: str, left: str, right: str) -> str:
    if operator in FLIPPED:
        operator, left, right = FLIPPED[operator], right, left
    elif operator in ("=", "<>"):
        left, right = sorted((left, right))
    return _form(operator, left, right)


def _flat(part: Arithmetic) -> list[Expression]:
    """Return what is added, or multiplied, of however many parts; a sum is the same in whichever unit its parts are."""
    if part.operator == "-":
        return [part.left, part.right]
    found: list[Expression] = []
    for one in (part.left, part.right):
        inner = one.inner if isinstance(one, Rescaled) and part.operator == "+" else one
        same = isinstance(inner, Arithmetic) and inner.operator == part.operator
        found += _flat(inner) if same and isinstance(inner, Arithmetic) else [inner]
    return found


def _all_terms(part: AllOf | AnyOf) -> list[Term]:
    kind = type(part)
    return [
        one for inner in part.terms for one in (_all_terms(inner) if isinstance(inner, kind) else [inner])
    ]

"""What stands around the aggregates of the outermost SELECT: worked out afterwards, on noisy figures."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Literal

from sqlglot import exp

from privacy.policy.after import (
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
from privacy.policy.algebra import Node
from privacy.policy.expressions import Const, Read
from privacy.policy.schema import Kind
from privacy.policy.sql.constants import dated
from privacy.policy.sql.figures import Grouping
from privacy.policy.sql.predicates import COMPARISONS, alternatives, conditions
from privacy.policy.sql.refusals import only, refused
from privacy.policy.sql.rules import expression, unknown
from privacy.policy.sql.scope import Scope
from privacy.policy.sql.units import ALIKE, NUMERIC

Sign = Literal["+", "-", "*", "/"]
SIGNS: dict[type[exp.Expr], Sign] = {exp.Add: "+", exp.Sub: "-", exp.Mul: "*", exp.Div: "/"}


@dataclass(frozen=True)
class Typed:
    """A term with its type; None for NULL, which is of any."""

    term: Term
    kind: Kind | None


@dataclass
class Terms:
    """Translates what is computed from keys and figures; `beside` collects values of public subqueries."""

    grouping: Grouping
    public: Callable[[exp.Subquery, Scope], tuple[Node, "Typed"]]
    beside: list[Node] = field(default_factory=list)

    def __call__(self, node: exp.Expr) -> Typed:
        """Return the term that a part of the text means."""
        reading = self.grouping.base.reading
        reading.enter(node)
        try:
            return self._term(node)
        finally:
            reading.leave()

    def _term(self, node: exp.Expr) -> Typed:
        known = self.grouping.value_of(node)
        if isinstance(known, Read):
            return Typed(Given(known.attribute), known.kind)
        if isinstance(node, exp.Subquery):
            found, typed = self.public(node, self.grouping.base)
            self.beside.append(found)
            return typed
        if (constant := self._constant(node)) is not None:
            return constant
        found_rule = _RULES.get(type(node))
        if found_rule is None:
            raise unknown(node)
        return found_rule(node, self)

    def truth(self, node: exp.Expr) -> Term:
        """Return a term that is true, false or unknown."""
        found = self(node)
        if found.kind not in ("boolean", None):
            raise refused(node, f"a {found.kind} where a condition belongs", "compare it with a value")
        return found.term

    def _constant(self, node: exp.Expr) -> Typed | None:
        simple = (exp.Literal, exp.Null, exp.Boolean, exp.Cast, exp.Date)
        shifted = isinstance(node, exp.Add | exp.Sub) and isinstance(node.expression, exp.Interval)
        if not isinstance(node, simple) and not shifted:
            return None
        found = expression(node, replace(self.grouping.base, groups=None))
        return literally(found) if isinstance(found, Const) else None


def literally(constant: Const) -> Typed:
    """Return a literal as a term."""
    value: Cell
    if constant.kind in NUMERIC and isinstance(constant.value, int):
        value = Fraction(constant.value, 10**constant.scale)
    else:
        value = constant.value  # type: ignore[assignment]
    return Typed(Literally(value), None if constant.value is None else constant.kind)


def same_kind(parts: Sequence[Typed], node: exp.Expr) -> tuple[list[Term], Kind | None]:
    """Return terms of one type; a text literal beside a date is a date."""
    kinds = {"decimal" if one.kind in NUMERIC else one.kind for one in parts} - {None}
    if kinds == {"date", "text"}:
        parts = [_dated(one, node) for one in parts]
        kinds = {one.kind for one in parts} - {None}
    if len(kinds) > 1:
        raise refused(
            node, f"values of the types {' and '.join(sorted(map(str, kinds)))} in one place", ALIKE
        )
    return [one.term for one in parts], next(iter(kinds), None)


def _dated(one: Typed, node: exp.Expr) -> Typed:
    if isinstance(one.term, Literally) and isinstance(one.term.value, str):
        return literally(dated(Const(one.term.value, "text"), node))
    return one


def _number(node: exp.Expr, terms: Terms) -> Term:
    found = terms(node)
    if found.kind not in (*NUMERIC, None):
        raise refused(
            node, f"arithmetic with a {found.kind}", "only numbers are added, multiplied and divided"
        )
    return found.term


def _paren(node: exp.Paren, terms: Terms) -> Typed:
    return terms(node.this)


def _negative(node: exp.Neg, terms: Terms) -> Typed:
    return Typed(Calculated("-", Literally(Fraction(0)), _number(node.this, terms)), "decimal")


def _binary(node: Any, terms: Terms) -> Typed:
    sides = _number(node.this, terms), _number(node.expression, terms)
    return Typed(Calculated(SIGNS[type(node)], *sides), "decimal")


def _compared(node: Any, terms: Terms) -> Typed:
    (left, right), _ = same_kind([terms(node.this), terms(node.expression)], node)
    return Typed(Compared(COMPARISONS[type(node)], left, right), "boolean")


def _and(node: exp.And, terms: Terms) -> Typed:
    return Typed(AllOf(tuple(terms.truth(one) for one in conditions(node))), "boolean")


def _or(node: exp.Or, terms: Terms) -> Typed:
    return Typed(AnyOf(tuple(terms.truth(one) for one in alternatives(node))), "boolean")


def _not(node: exp.Not, terms: Terms) -> Typed:
    return Typed(Denied(terms.truth(node.this)), "boolean")


def _is(node: exp.Is, terms: Terms) -> Typed:
    only(node, "this", "expression", "negate")
    if not isinstance(node.expression, exp.Null):
        raise refused(node, "IS takes NULL here", "compare with = TRUE or = FALSE")
    missing = Missing(terms(node.this).term)
    return Typed(Denied(missing) if node.args.get("negate") else missing, "boolean")


def _between(node: exp.Between, terms: Terms) -> Typed:
    only(node, "this", "low", "high")
    parts = [terms(node.args[one]) for one in ("this", "low", "high")]
    (inner, low, high), _ = same_kind(parts, node)
    return Typed(AllOf((Compared(">=", inner, low), Compared("<=", inner, high))), "boolean")


def _in(node: exp.In, terms: Terms) -> Typed:
    only(node, "this", "expressions")
    (inner, *listed), _ = same_kind([terms(node.this), *map(terms, node.expressions)], node)
    return Typed(AnyOf(tuple(Compared("=", inner, one) for one in listed)), "boolean")


def _case(node: exp.Case, terms: Terms) -> Typed:
    conditions, values = [], []
    for branch in node.args["ifs"]:
        if node.this is None:
            conditions.append(terms.truth(branch.this))
        else:
            (left, right), _ = same_kind([terms(node.this), terms(branch.this)], branch)
            conditions.append(Compared("=", left, right))
        values.append(terms(branch.args["true"]))
    default = node.args.get("default")
    values.append(Typed(Literally(None), None) if default is None else terms(default))
    (*cases, otherwise), kind = same_kind(values, node)
    return Typed(Chosen(tuple(zip(conditions, cases, strict=True)), otherwise), kind)


def _coalesce(node: exp.Coalesce, terms: Terms) -> Typed:
    only(node, "this", "expressions")
    (*options, last), kind = same_kind([terms(one) for one in (node.this, *node.expressions)], node)
    return Typed(Chosen(tuple((Denied(Missing(one)), one) for one in options), last), kind)


def _nullif(node: exp.Nullif, terms: Terms) -> Typed:
    (value, other), kind = same_kind([terms(node.this), terms(node.expression)], node)
    return Typed(Chosen(((Compared("=", value, other), Literally(None)),), value), kind)


_RULES: dict[type[exp.Expr], Callable[[Any, Terms], Typed]] = {
    exp.Paren: _paren,
    exp.Neg: _negative,
    **dict.fromkeys(SIGNS, _binary),
    **dict.fromkeys(COMPARISONS, _compared),
    exp.And: _and,
    exp.Or: _or,
    exp.Not: _not,
    exp.Is: _is,
    exp.Between: _between,
    exp.In: _in,
    exp.Case: _case,
    exp.Coalesce: _coalesce,
    exp.Nullif: _nullif,
}

"""Rules of what is true, false or unknown."""

from collections.abc import Iterator

from sqlglot import exp

from privacy.policy.expressions import (
    Both,
    Comparison,
    Const,
    Expression,
    FirstKnown,
    IsNull,
    Like,
)
from privacy.policy.sql.logic import FALSE, among, both, compare, deny, either, truth
from privacy.policy.sql.refusals import only, refused
from privacy.policy.sql.rules import SUBQUERY, SUBQUERY_HINT, expression, rule
from privacy.policy.sql.scope import Scope

LITERALLY = "compare with = where no character stands for others"
COMPARISONS: dict[type[exp.Expr], Comparison] = {
    exp.EQ: "=",
    exp.NEQ: "<>",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
}


def condition(node: exp.Expr, scope: Scope) -> Expression:
    """Return a part of the text that is true, false or unknown."""
    return truth(expression(node, scope), node)


def conditions(node: exp.Expr) -> Iterator[exp.Expr]:
    """Give the conditions that all must hold."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, exp.And):
            waiting += [one.expression, one.this]
        elif isinstance(one, exp.Paren):
            waiting.append(one.this)
        else:
            yield one


def alternatives(node: exp.Expr) -> Iterator[exp.Expr]:
    """Give the conditions of which one must hold."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, exp.Or):
            waiting += [one.expression, one.this]
        else:
            yield one


@rule(*COMPARISONS)
def _compare(node: exp.Binary, scope: Scope) -> Expression:
    return compare(
        COMPARISONS[type(node)], expression(node.this, scope), expression(node.expression, scope), node
    )


@rule(exp.NullSafeEQ, exp.NullSafeNEQ)
def _distinct(node: exp.Binary, scope: Scope) -> Expression:
    left, right = expression(node.this, scope), expression(node.expression, scope)
    same = compare("=", left, right, node)
    both_null = Both((IsNull(left), IsNull(right)))
    known = FirstKnown((same, both_null), "boolean", 0, None) if same.nullable else same
    return known if isinstance(node, exp.NullSafeEQ) else deny(known)


@rule(exp.And)
def _and(node: exp.And, scope: Scope) -> Expression:
    return both(condition(one, scope) for one in conditions(node))


@rule(exp.Or)
def _or(node: exp.Or, scope: Scope) -> Expression:
    return either([condition(one, scope) for one in alternatives(node)])


@rule(exp.Not)
def _not(node: exp.Not, scope: Scope) -> Expression:
    return deny(condition(node.this, scope))


@rule(exp.Between)
def _between(node: exp.Between, scope: Scope) -> Expression:
    only(node, "this", "low", "high")
    inner, low, high = (expression(node.args[one], scope) for one in ("this", "low", "high"))
    return both([compare(">=", inner, low, node), compare("<=", inner, high, node)])


@rule(exp.In)
def _in(node: exp.In, scope: Scope) -> Expression:
    if node.args.get("query") is not None:
        raise refused(node.args["query"], SUBQUERY, SUBQUERY_HINT)
    only(node, "this", "expressions")
    if isinstance(node.this, exp.Tuple):
        raise refused(node, "IN of several columns", "compare them one by one")
    inner = expression(node.this, scope)
    listed = [expression(one, scope) for one in node.expressions]
    if not listed or any(isinstance(one, Const) and one.value is None for one in listed):
        raise refused(node, "IN takes a list of values other than NULL", "use IS NULL for NULL")
    values = [one for one in listed if isinstance(one, Const)]
    others = [compare("=", inner, one, node) for one in listed if not isinstance(one, Const)]
    return either([*([among(inner, values, node)] if values else []), *others])


@rule(exp.Like)
def _like(node: exp.Like, scope: Scope) -> Expression:
    only(node, "this", "expression", "negate")
    inner, pattern = expression(node.this, scope), expression(node.expression, scope)
    if inner.kind != "text" or not isinstance(pattern, Const) or not isinstance(pattern.value, str):
        raise refused(node, "LIKE compares a text with a literal pattern", "such as x LIKE 'a%'")
    if "\\" in pattern.value:
        # Engines do not agree whether it takes the meaning from what follows.
        raise refused(
            node, "a backslash in a pattern means different things in different databases", LITERALLY
        )
    found = Like(inner, pattern.value)
    return deny(found) if node.args.get("negate") else found


@rule(exp.Is)
def _is(node: exp.Is, scope: Scope) -> Expression:
    only(node, "this", "expression", "negate")
    if isinstance(node.expression, exp.Null):
        inner = expression(node.this, scope)
        found = IsNull(inner) if inner.nullable else FALSE
        return deny(found) if node.args.get("negate") else found
    if not isinstance(node.expression, exp.Boolean) or node.args.get("negate"):
        raise refused(node, "IS takes NULL, TRUE or FALSE", "compare other values with =")
    inner = condition(node.this, scope)
    asked = inner if node.expression.this else deny(inner)
    return FirstKnown((asked, FALSE), "boolean", 0, None) if asked.nullable else asked

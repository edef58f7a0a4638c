"""Rules of numbers, texts and dates: columns, literals, + − ×, CASE, COALESCE, parts of dates and texts."""

from collections.abc import Sequence
from typing import Any, Literal

from sqlglot import exp

from privacy.policy.expressions import (
    Choose,
    Const,
    DatePart,
    Expression,
    FirstKnown,
    Operator,
    Prefix,
    Read,
)
from privacy.policy.sql.constants import date_in, literal, shifted
from privacy.policy.sql.logic import FALSE, TRUE, compare, truth
from privacy.policy.sql.refusals import only, refused
from privacy.policy.sql.rules import SUBQUERY, SUBQUERY_HINT, expression, rule, unknown
from privacy.policy.sql.scope import Scope
from privacy.policy.sql.units import arithmetic, hull, kind_of, together

OPERATORS: dict[type[exp.Expr], Operator] = {exp.Add: "+", exp.Sub: "-", exp.Mul: "*"}
PREFIX = "only the first characters of a text are taken: SUBSTRING(x FROM 1 FOR 2)"


@rule(exp.Column)
def _column(node: exp.Column, scope: Scope) -> Expression:
    only(node, "this", "table")
    if isinstance(node.this, exp.Star):
        raise unknown(node.this)
    return Read(scope.attribute(node))


@rule(exp.Paren)
def _paren(node: exp.Paren, scope: Scope) -> Expression:
    return expression(node.this, scope)


@rule(exp.Literal)
def _literal(node: exp.Literal, scope: Scope) -> Expression:
    return literal(node)


@rule(exp.Null)
def _null(node: exp.Null, scope: Scope) -> Expression:
    return Const(None, "boolean")


@rule(exp.Boolean)
def _boolean(node: exp.Boolean, scope: Scope) -> Expression:
    return TRUE if node.this else FALSE


@rule(exp.Cast)
def _cast(node: exp.Cast, scope: Scope) -> Expression:
    if node.args.get("format") or not node.to.is_type("date"):
        raise unknown(node)
    return date_in(node.this)


@rule(exp.Date)
def _date(node: exp.Date, scope: Scope) -> Expression:
    only(node, "this")
    return date_in(node.this)


@rule(exp.Neg)
def _negative(node: exp.Neg, scope: Scope) -> Expression:
    return arithmetic("-", Const(0, "integer"), expression(node.this, scope), node)


@rule(exp.Add, exp.Sub, exp.Mul)
def _binary(node: exp.Binary, scope: Scope) -> Expression:
    operator = OPERATORS[type(node)]
    left = expression(node.this, scope)
    if isinstance(node.expression, exp.Interval) and operator != "*":
        if not isinstance(left, Const) or left.kind != "date":
            raise unknown(node.expression)
        return shifted(left, node.expression, 1 if operator == "+" else -1)
    return arithmetic(operator, left, expression(node.expression, scope), node)


@rule(exp.Case)
def _case(node: exp.Case, scope: Scope) -> Expression:
    subject = None if node.this is None else expression(node.this, scope)
    conditions, values = [], []
    for branch in node.args["ifs"]:
        asked = expression(branch.this, scope)
        same = truth(asked, branch.this) if subject is None else compare("=", subject, asked, branch.this)
        conditions.append(same)
        values.append(expression(branch.args["true"], scope))
    default = node.args.get("default")
    values.append(Const(None, "boolean") if default is None else expression(default, scope))
    return chosen(conditions, values, node)


@rule(exp.If)
def _if(node: exp.If, scope: Scope) -> Expression:
    condition = truth(expression(node.this, scope), node.this)
    parts = (node.args["true"], node.args.get("false"))
    values = [Const(None, "boolean") if one is None else expression(one, scope) for one in parts]
    return chosen([condition], values, node)


def chosen(conditions: Sequence[Expression], values: Sequence[Expression], node: exp.Expr) -> Expression:
    """Return CASE of some conditions; the last value is that of no condition."""
    same = together(node, *values)
    cases = tuple(zip(conditions, same[:-1], strict=True))
    return Choose(cases, same[-1], kind_of(same), same[-1].scale, hull(same))


@rule(exp.Coalesce)
def _coalesce(node: exp.Coalesce, scope: Scope) -> Expression:
    only(node, "this", "expressions")
    same = together(node, *(expression(one, scope) for one in (node.this, *node.expressions)))
    return same[0] if len(same) == 1 else FirstKnown(same, kind_of(same), same[0].scale, hull(same))


@rule(exp.Nullif)
def _nullif(node: exp.Nullif, scope: Scope) -> Expression:
    value, other = expression(node.this, scope), expression(node.expression, scope)
    return chosen([compare("=", value, other, node)], [Const(None, "boolean"), value], node)


@rule(exp.Extract, exp.Year, exp.Month)
def _extract(node: Any, scope: Scope) -> Expression:
    named = isinstance(node, exp.Extract)
    part = node.this.name.lower() if named else node.key
    inner = expression(node.expression if named else node.this, scope)
    if part not in ("year", "month") or inner.kind != "date":
        raise refused(node, "only the year or the month of a date is taken", "EXTRACT(YEAR FROM x)")
    which: Literal["year", "month"] = "year" if part == "year" else "month"
    return DatePart(which, inner)


@rule(exp.Substring, exp.Left)
def _prefix(node: Any, scope: Scope) -> Expression:
    only(node, "this", "start", "length", "expression")
    inner = expression(node.this, scope)
    length = node.expression if isinstance(node, exp.Left) else node.args.get("length")
    start = node.args.get("start")
    from_one = isinstance(node, exp.Left) or (isinstance(start, exp.Literal) and start.this == "1")
    whole = isinstance(length, exp.Literal) and not length.is_string and length.this.isdecimal()
    if inner.kind != "text" or not from_one or not whole or len(length.this) > 6:
        raise refused(node, PREFIX, "or compare with LIKE")
    return Prefix(inner, int(length.this))


@rule(exp.Subquery)
def _subquery(node: exp.Subquery, scope: Scope) -> Expression:
    if scope.subqueries is None:
        raise refused(node, SUBQUERY, SUBQUERY_HINT)
    return scope.subqueries.value(node, scope)

"""What stands around the aggregates of the outermost SELECT: worked out afterwards, on noisy figures."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

from sqlglot import exp

from privacy.policy.after import (
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
from privacy.policy.expressions import Attribute
from privacy.policy.sql.scalars import COMPARISONS, OPERATORS, date_constant, refusal

Find = Callable[[exp.Expression], Attribute | None]


def term_of(node: exp.Expression, find: Find) -> Term:
    """Return the term that a part of the text means; `find` knows keys and aggregates."""
    if (attribute := find(node)) is not None:
        return Given(attribute)
    if (date := date_constant(node)) is not None:
        return Literally(date)
    if isinstance(node, exp.Paren):
        return term_of(node.this, find)
    if isinstance(node, exp.Literal):
        return Literally(node.this if node.is_string else Fraction(Decimal(node.this)))
    if isinstance(node, exp.Neg):
        return Calculated("-", Literally(Fraction(0)), term_of(node.this, find))
    if type(node) in OPERATORS or isinstance(node, exp.Div):
        operator = "/" if isinstance(node, exp.Div) else OPERATORS[type(node)]
        return Calculated(operator, term_of(node.this, find), term_of(node.expression, find))  # type: ignore[arg-type]
    return _condition(node, find)


def _condition(node: exp.Expression, find: Find) -> Term:
    if type(node) in COMPARISONS:
        return Compared(COMPARISONS[type(node)], term_of(node.this, find), term_of(node.expression, find))  # type: ignore[arg-type]
    if isinstance(node, exp.And):
        return AllOf(tuple(term_of(one, find) for one in node.flatten()))
    if isinstance(node, exp.Or):
        return AnyOf(tuple(term_of(one, find) for one in node.flatten()))
    if isinstance(node, exp.Not):
        return Denied(term_of(node.this, find))
    if isinstance(node, exp.Is) and isinstance(node.expression, exp.Null):
        return Missing(term_of(node.this, find))
    if isinstance(node, exp.Between):
        low, inner, high = (term_of(node.args[one], find) for one in ("low", "this", "high"))
        return AllOf((Compared("<=", low, inner), Compared("<=", inner, high)))
    if isinstance(node, exp.Null):
        return Literally(None)
    if isinstance(node, exp.Case) and node.args.get("this") is None:
        default = node.args.get("default")
        cases = tuple((term_of(one.this, find), term_of(one.args["true"], find)) for one in node.args["ifs"])
        return Chosen(cases, Literally(None) if default is None else term_of(default, find))
    if isinstance(node, exp.Coalesce):
        parts = [term_of(one, find) for one in (node.this, *node.expressions)]
        cases = tuple((Denied(Missing(one)), one) for one in parts[:-1])
        return Chosen(cases, parts[-1])
    raise refusal(node)

"""Expressions of the text become expressions of the algebra: typed, in one unit, within 62 bits, and total."""

import datetime
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal

from sqlglot import exp

from privacy.policy.errors import QueryRefused
from privacy.policy.expressions import (
    WIDEST,
    AmongValues,
    Arithmetic,
    Attribute,
    Both,
    Bounds,
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
)
from privacy.policy.schema import Kind
from privacy.policy.values import Value, date_of

COMPARISONS: Mapping[type[exp.Expression], str] = {
    exp.EQ: "=",
    exp.NEQ: "<>",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
}
OPERATORS: Mapping[type[exp.Expression], str] = {exp.Add: "+", exp.Sub: "-", exp.Mul: "*"}
NUMERIC: tuple[Kind, ...] = ("integer", "decimal")
Resolve = Callable[[exp.Expression], Expression | None]


def scalar(node: exp.Expression, resolve: Resolve) -> Expression:
    """Return the expression that a part of the text means; `resolve` knows columns and whatever else has a value."""
    if (known := resolve(node)) is not None:
        return known
    if (folded := date_constant(node)) is not None:
        return Const(folded, "date")
    for kind, rule in _RULES:
        if isinstance(node, kind):
            return rule(node, resolve)
    raise refusal(node)


def refusal(node: exp.Expression) -> QueryRefused:
    """Return why a part of the text cannot be in an expression."""
    if isinstance(node, exp.Div | exp.IntDiv | exp.Mod):
        return QueryRefused("division inside an expression", "divide aggregates instead: that is free")
    if isinstance(node, exp.Cast | exp.TryCast):
        return QueryRefused("a cast can fail", "declare the column's type in the schema")
    if isinstance(node, exp.Window):
        return QueryRefused("window functions are not answered")
    if isinstance(node, exp.AggFunc):
        return QueryRefused(
            "an aggregate cannot stand here", "aggregates stand in SELECT, HAVING and ORDER BY"
        )
    if isinstance(node, exp.Subquery | exp.Select | exp.Exists) or node.find(exp.Select):
        return QueryRefused(
            "a subquery cannot stand here", "use it as a condition of WHERE by itself, with AND"
        )
    if isinstance(node, exp.Anonymous | exp.Func):
        return QueryRefused(f"the function {_named(node)} is not known to be total")
    if isinstance(node, exp.Parameter | exp.Placeholder):
        return QueryRefused("a parameter has no value here", "write the value")
    return QueryRefused(f"{node.key} is not answered")


def _named(node: exp.Expression) -> str:
    return node.name if isinstance(node, exp.Anonymous) else getattr(node, "sql_name", lambda: node.key)()


def date_constant(node: exp.Expression) -> datetime.date | None:
    """Return the date that a text made of literals means, such as date '1998-12-01' - interval '90' day."""
    if isinstance(node, exp.Paren):
        return date_constant(node.this)
    if isinstance(node, exp.Cast) and isinstance(node.this, exp.Literal) and node.to.is_type("date"):
        return _date(node.this.this)
    if isinstance(node, exp.Date) and isinstance(node.this, exp.Literal):
        return _date(node.this.this)
    if isinstance(node, exp.Add | exp.Sub) and isinstance(node.expression, exp.Interval):
        start = date_constant(node.this)
        return (
            None
            if start is None
            else _shifted(start, node.expression, 1 if isinstance(node, exp.Add) else -1)
        )
    return None


def _date(text: str) -> datetime.date:
    try:
        return date_of(text)
    except ValueError as error:
        raise QueryRefused(str(error)) from None


def _shifted(start: datetime.date, interval: exp.Interval, sign: int) -> datetime.date:
    named = interval.args.get("unit")
    # Some units are written with a precision: day (3).
    unit = named.name.lower() if isinstance(named, exp.Var) else "" if named is None else named.key
    try:
        number = sign * int(interval.this.this)
    except (AttributeError, TypeError, ValueError):
        raise QueryRefused("an interval is a whole number of days, months or years") from None
    try:
        if unit.startswith("day"):
            return start + datetime.timedelta(days=number)
        if unit.startswith("month"):
            return _months(start, number)
        if unit.startswith("year"):
            return _months(start, 12 * number)
    except (OverflowError, ValueError):
        raise QueryRefused("the date is not between the years 1 and 9999") from None
    raise QueryRefused("an interval is a whole number of days, months or years")


def _months(start: datetime.date, number: int) -> datetime.date:
    year, month = divmod(start.year * 12 + start.month - 1 + number, 12)
    # As SQL has it: the last day of a shorter month.
    for day in range(start.day, 27, -1):
        try:
            return datetime.date(year, month + 1, day)
        except ValueError:
            continue
    return datetime.date(year, month + 1, start.day)


def _literal(node: exp.Expression, resolve: Resolve) -> Expression:
    if node.is_string:
        return Const(node.this, "text")
    number = Decimal(node.this).normalize()
    scale = max(0, -int(number.as_tuple().exponent))
    if scale > 9:
        raise QueryRefused(f"{node.this} has more than 9 digits after the point")
    units = int(number.scaleb(scale))
    if abs(units) > WIDEST:
        raise QueryRefused(f"{node.this} is too large")
    return Const(units, "decimal" if scale else "integer", scale)


def _negative(node: exp.Expression, resolve: Resolve) -> Expression:
    inner = scalar(node.this, resolve)
    if isinstance(inner, Const) and isinstance(inner.value, int):
        return Const(-inner.value, inner.kind, inner.scale)
    return arithmetic("-", Const(0, "integer"), inner)


def _binary(node: exp.Expression, resolve: Resolve) -> Expression:
    return arithmetic(OPERATORS[type(node)], scalar(node.this, resolve), scalar(node.expression, resolve))


def arithmetic(operator: str, left: Expression, right: Expression) -> Expression:
    """Return left ∘ right with its bounds, or raise QueryRefused where nothing bounds it."""
    if left.kind not in NUMERIC or right.kind not in NUMERIC:
        raise QueryRefused(
            f"{operator} of {left.kind} and {right.kind}", "only numbers are added and multiplied"
        )
    if operator != "*":
        left, right = aligned(left, right)
    scale = left.scale + right.scale if operator == "*" else left.scale
    if scale > 12:
        raise QueryRefused("a product of so many decimals is too fine")
    bounds = _bounds(operator, left, right)
    return Arithmetic(operator, left, right, "decimal" if scale else "integer", scale, bounds)  # type: ignore[arg-type]


def _bounds(operator: str, left: Expression, right: Expression) -> Bounds:
    if left.bounds is None or right.bounds is None:
        raise QueryRefused("arithmetic on a column without bounds", "declare bounds for it")
    (a, b), (c, d) = left.bounds, right.bounds
    ends = {
        "+": (a + c, b + d),
        "-": (a - d, b - c),
        "*": (min(a * c, a * d, b * c, b * d), max(a * c, a * d, b * c, b * d)),
    }[operator]
    if max(map(abs, ends)) > WIDEST:
        raise QueryRefused("the result could exceed 64 bits", "declare narrower bounds")
    return ends


def aligned(*parts: Expression) -> tuple[Expression, ...]:
    """Return expressions of one type in one unit; a text literal beside a date is a date."""
    kinds = {one.kind for one in parts if not (isinstance(one, Const) and one.value is None)}
    if "date" in kinds and "text" in kinds:
        parts = tuple(_dated(one) for one in parts)
        kinds = {one.kind for one in parts}
    if kinds <= set(NUMERIC):
        scale = max((one.scale for one in parts), default=0)
        return tuple(rescaled(one, scale) for one in parts)
    if len(kinds) > 1:
        raise QueryRefused(f"{' and '.join(sorted(kinds))} cannot be compared")
    return parts


def _dated(one: Expression) -> Expression:
    if isinstance(one, Const) and isinstance(one.value, str):
        return Const(_date(one.value), "date")
    return one


def rescaled(one: Expression, scale: int) -> Expression:
    """Return the same number in a finer unit."""
    if one.scale == scale or (isinstance(one, Const) and one.value is None):
        return one
    if isinstance(one, Const) and isinstance(one.value, int):
        return Const(one.value * 10 ** (scale - one.scale), "decimal", scale)
    if one.bounds is not None and max(map(abs, one.bounds)) * 10 ** (scale - one.scale) > WIDEST:
        raise QueryRefused("the result could exceed 64 bits", "declare narrower bounds")
    return Rescaled(one, scale)


def _compare(node: exp.Expression, resolve: Resolve) -> Expression:
    operator = COMPARISONS[type(node)]
    left, right = aligned(scalar(node.this, resolve), scalar(node.expression, resolve))
    if operator in (">", ">="):
        # One spelling of each comparison.
        operator, left, right = {">": "<", ">=": "<="}[operator], right, left
    return Compare(operator, left, right)  # type: ignore[arg-type]


def _between(node: exp.Expression, resolve: Resolve) -> Expression:
    inner, low, high = aligned(*(scalar(node.args[one], resolve) for one in ("this", "low", "high")))
    return Both((Compare("<=", low, inner), Compare("<=", inner, high)))


def _and(node: exp.Expression, resolve: Resolve) -> Expression:
    return Both(tuple(scalar(one, resolve) for one in node.flatten()))


def _or(node: exp.Expression, resolve: Resolve) -> Expression:
    return Either(tuple(scalar(one, resolve) for one in node.flatten()))


def _not(node: exp.Expression, resolve: Resolve) -> Expression:
    return Not(scalar(node.this, resolve))


def _paren(node: exp.Expression, resolve: Resolve) -> Expression:
    return scalar(node.this, resolve)


def _in(node: exp.Expression, resolve: Resolve) -> Expression:
    if node.args.get("query") is not None:
        raise refusal(node.args["query"])
    listed = [scalar(one, resolve) for one in node.expressions]
    if not listed or not all(isinstance(one, Const) and one.value is not None for one in listed):
        raise QueryRefused("IN takes a list of literals")
    inner, *values = aligned(scalar(node.this, resolve), *listed)
    return AmongValues(inner, tuple(_value(one) for one in values))


def _value(one: Expression) -> Value:
    assert isinstance(one, Const)
    assert one.value is not None
    return one.value


def _like(node: exp.Expression, resolve: Resolve) -> Expression:
    inner, pattern = scalar(node.this, resolve), scalar(node.expression, resolve)
    if inner.kind != "text" or not isinstance(pattern, Const) or not isinstance(pattern.value, str):
        raise QueryRefused("LIKE compares a text with a literal pattern")
    return Like(inner, pattern.value)


def _is(node: exp.Expression, resolve: Resolve) -> Expression:
    if not isinstance(node.expression, exp.Null):
        raise QueryRefused("IS is answered with NULL only")
    return IsNull(scalar(node.this, resolve))


def _case(node: exp.Expression, resolve: Resolve) -> Expression:
    subject = node.args.get("this")
    conditions, values = [], []
    for branch in node.args["ifs"]:
        asked = exp.EQ(this=subject, expression=branch.this) if subject is not None else branch.this
        conditions.append(scalar(asked, resolve))
        values.append(scalar(branch.args["true"], resolve))
    default = node.args.get("default")
    values.append(scalar(default, resolve) if default is not None else Const(None, values[0].kind))
    same = aligned(*values)
    cases = tuple(zip(conditions, same[:-1], strict=True))
    return Choose(cases, same[-1], _kind(same), _scale(same), _hull(same))


def _coalesce(node: exp.Expression, resolve: Resolve) -> Expression:
    same = aligned(*(scalar(one, resolve) for one in (node.this, *node.expressions)))
    return FirstKnown(same, _kind(same), _scale(same), _hull(same))


def _kind(parts: Sequence[Expression]) -> Kind:
    kinds = {one.kind for one in parts if not (isinstance(one, Const) and one.value is None)}
    return "decimal" if "decimal" in kinds else next(iter(kinds), parts[0].kind)


def _scale(parts: Sequence[Expression]) -> int:
    return max(one.scale for one in parts)


def _hull(parts: Sequence[Expression]) -> Bounds:
    known = [one.bounds for one in parts if not (isinstance(one, Const) and one.value is None)]
    if not known or any(one is None for one in known):
        return None
    return min(one[0] for one in known if one), max(one[1] for one in known if one)


def _extract(node: exp.Expression, resolve: Resolve) -> Expression:
    part = (node.this if isinstance(node, exp.Extract) else node).name.lower()
    part = part if isinstance(node, exp.Extract) else node.key
    inner = scalar(node.expression if isinstance(node, exp.Extract) else node.this, resolve)
    if part not in ("year", "month") or inner.kind != "date":
        raise QueryRefused("only the year or month of a date is taken")
    return DatePart(part, inner)  # type: ignore[arg-type]


def _substring(node: exp.Expression, resolve: Resolve) -> Expression:
    inner, start, length = scalar(node.this, resolve), node.args.get("start"), node.args.get("length")
    if (
        inner.kind != "text"
        or start is None
        or start.name != "1"
        or length is None
        or not length.name.isdigit()
    ):
        raise QueryRefused("only the first characters of a text are taken: SUBSTRING(x FROM 1 FOR 2)")
    return Prefix(inner, int(length.name))


def _constant(node: exp.Expression, resolve: Resolve) -> Expression:
    if isinstance(node, exp.Null):
        return Const(None, "integer")
    return Const(bool(node.this), "boolean")


_RULES: tuple[
    tuple[type[exp.Expression] | tuple[type[exp.Expression], ...], Callable[..., Expression]], ...
] = (
    (exp.Literal, _literal),
    (exp.Paren, _paren),
    (exp.Neg, _negative),
    ((exp.Add, exp.Sub, exp.Mul), _binary),
    (tuple(COMPARISONS), _compare),
    (exp.Between, _between),
    (exp.And, _and),
    (exp.Or, _or),
    (exp.Not, _not),
    (exp.In, _in),
    (exp.Like, _like),
    (exp.Is, _is),
    (exp.Case, _case),
    (exp.Coalesce, _coalesce),
    ((exp.Extract, exp.Year, exp.Month), _extract),
    (exp.Substring, _substring),
    ((exp.Null, exp.Boolean), _constant),
)


def attribute_of(name: str, value: Expression) -> Attribute:
    """Return the attribute that a projected expression makes: itself where it is only read, else a new one."""
    if isinstance(value, Read):
        return value.attribute
    months = (
        isinstance(value, DatePart) and value.bounds is not None and value.bounds[1] - value.bounds[0] < 1000
    )
    domain = tuple(range(value.bounds[0], value.bounds[1] + 1)) if months and value.bounds else None
    return Attribute(name, value.kind, value.scale, value.nullable, value.bounds, domain)

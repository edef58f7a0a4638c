"""Figures of groups in SQL: exact on every engine, also where a sum leaves 64 bits."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from privacy.policy.algebra import Aggregate
from privacy.policy.compile.scalars import Scalars, bytewise
from privacy.policy.compile.spelling import WIDE, Engine, Type, integer, plain
from privacy.policy.expressions import Bounds, Expression

FINER = 4  # digits that an average below the root has more than its argument
ROWS = 2**32  # no group has more
HALF, LOW_HALF = 32, 2**32 - 1
THIRD, LOW_THIRD = 21, 2**21 - 1
LARGEST = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Limb:
    """A part of a number that may not fit an engine's integers: the number is the sum of its limbs by their weights."""

    sql: exp.Expr
    weight: int


def inner_figure(one: Aggregate, given: Scalars) -> exp.Expr:
    """Return a figure below the root."""
    if one.function == "count":
        return count(one.argument, given, distinct=one.distinct)
    assert one.argument is not None
    value = given(one.argument)
    if one.function == "sum":
        return _sum(value, one.argument.bounds, given.engine)
    if one.function == "avg":
        return _average(value, one.argument, given.engine)
    if one.argument.kind == "boolean" and given.engine.name == "postgres":
        return exp.LogicalAnd(this=value) if one.function == "min" else exp.LogicalOr(this=value)
    if one.argument.kind == "text":
        value = bytewise(value, given.engine)
    return exp.Min(this=value) if one.function == "min" else exp.Max(this=value)


def count(argument: Expression | None, given: Scalars, *, distinct: bool = False) -> exp.Expr:
    """Return how many rows there are, or values other than NULL, or different ones."""
    if argument is None or not (argument.nullable or distinct):
        return exp.Count(this=exp.Star())
    value = given(argument)
    return exp.Count(this=exp.Distinct(expressions=[value]) if distinct else value)


def sum_limbs(argument: Expression, given: Scalars, *, clip: bool) -> Sequence[Limb]:
    """Return the sum of an argument, in units of its scale."""
    value = given(argument)
    if clip:
        value = _clipped(value, argument, given.engine)
    weight = 10**argument.scale if given.engine.decimals else 1
    return [
        Limb(one.sql, one.weight * weight) for one in _limbs(value, _largest(argument.bounds), given.engine)
    ]


def square_limbs(argument: Expression, given: Scalars, *, clip: bool) -> Sequence[Limb]:
    """Return the sum of an argument's squares, in its units squared."""
    value = given(argument)
    if clip:
        value = _clipped(value, argument, given.engine)
    if argument.scale and given.engine.decimals:
        value = exp.Mul(this=exp.Paren(this=value), expression=exp.Literal.number(str(10**argument.scale)))
    value = exp.Paren(this=integer(value))
    largest = _largest(argument.bounds)
    if largest <= 2**31:
        return _limbs(_times(value, value), largest**2, given.engine)
    # v = a·2⁴² + b·2²¹ + c
    a, b, c = _shifted(value, 2 * THIRD), _low(_shifted(value, THIRD), LOW_THIRD), _low(value, LOW_THIRD)
    products = [(a, a, 84), (a, b, 64), (a, c, 43), (b, b, 42), (b, c, 22), (c, c, 0)]
    return [
        Limb(one.sql, one.weight << power)
        for x, y, power in products
        for one in _limbs(_times(x, y), 2 ** (2 * THIRD + 1), given.engine)
    ]


def _clipped(value: exp.Expr, argument: Expression, engine: Engine) -> exp.Expr:
    assert argument.bounds is not None
    return engine.clipped(value, argument.bounds, argument.scale, nullable=argument.nullable)


def _largest(bounds: Bounds) -> int:
    return LARGEST if bounds is None else max(map(abs, bounds))


def _limbs(value: exp.Expr, largest: int, engine: Engine) -> Sequence[Limb]:
    """Return the sum of a value; SQLite's integers have 64 bits, the sums of others are wider."""
    if engine.name != "sqlite" or largest * ROWS <= LARGEST:
        return [Limb(exp.Sum(this=value), 1)]
    high, low = _halves(value)
    return [Limb(high, LOW_HALF + 1), Limb(low, 1)]


def _halves(value: exp.Expr) -> tuple[exp.Expr, exp.Expr]:
    return exp.Sum(this=_shifted(value, HALF)), exp.Sum(this=_low(value, LOW_HALF))


def _sum(value: exp.Expr, bounds: Bounds, engine: Engine) -> exp.Expr:
    """Return a sum as one value; SQLite's is cut off at 64 bits instead of failing."""
    if engine.name != "sqlite" or _largest(bounds) * ROWS <= LARGEST:
        return exp.Sum(this=value)
    high, low = _halves(value)
    carried = exp.Paren(this=exp.Add(this=high, expression=_shifted(low, HALF)))
    whole = exp.Add(
        this=exp.Mul(this=carried, expression=_number(LOW_HALF + 1)), expression=_low(low, LOW_HALF)
    )
    over = exp.If(this=exp.GT(this=carried.copy(), expression=_number(2**31 - 1)), true=_number(LARGEST))
    under = exp.If(this=exp.LT(this=carried.copy(), expression=_number(-(2**31))), true=_number(-LARGEST))
    return exp.Case(ifs=[over, under], default=whole)


def _average(value: exp.Expr, argument: Expression, engine: Engine) -> exp.Expr:
    """Return SUM / COUNT, four digits finer than the argument and cut off behind them."""
    finer = 10**FINER
    rows = exp.Count(this=value.copy())
    if engine.name == "sqlite":
        total = exp.Paren(this=_sum(value, argument.bounds, engine))
        rest = _times(exp.Paren(this=exp.Mod(this=total.copy(), expression=rows.copy())), _number(finer))
        most = _times(exp.Paren(this=_div(total, rows)), _number(finer))
        return exp.Add(this=most, expression=_div(rest, rows.copy()))
    unit = engine.number(1, argument.scale + FINER)
    if engine.name == "postgres":
        exact = exp.Sum(this=exp.Cast(this=value, to=engine.decimal(WIDE, argument.scale)))
        units = exp.Mul(this=exact, expression=_number(10 ** (argument.scale + FINER)))
        return exp.Mul(this=exp.Anonymous(this="DIV", expressions=[units, rows]), expression=unit)
    whole = exp.Cast(this=_times(exp.Sum(this=value), _number(10**argument.scale)), to=plain(Type.INT128))
    cut = exp.Paren(this=exp.IntDiv(this=_times(whole, _number(finer)), expression=rows))
    return exp.Mul(this=exp.Cast(this=cut, to=engine.decimal(WIDE, 0)), expression=unit)


def _div(left: exp.Expr, right: exp.Expr) -> exp.Expr:
    return exp.Div(this=left, expression=right, typed=True, safe=True)


def _times(left: exp.Expr, right: exp.Expr) -> exp.Expr:
    return exp.Paren(this=exp.Mul(this=left.copy(), expression=right.copy()))


def _shifted(value: exp.Expr, bits: int) -> exp.Expr:
    return exp.Paren(this=exp.BitwiseRightShift(this=exp.Paren(this=value.copy()), expression=_number(bits)))


def _low(value: exp.Expr, mask: int) -> exp.Expr:
    return exp.Paren(this=exp.BitwiseAnd(this=exp.Paren(this=value.copy()), expression=_number(mask)))


def _number(value: int) -> exp.Expr:
    literal = exp.Literal.number(str(abs(value)))
    return exp.Paren(this=exp.Neg(this=literal)) if value < 0 else literal

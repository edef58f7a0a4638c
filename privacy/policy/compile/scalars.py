"""Expressions become SQL: one rule each, out of functions that have a value for every legal row."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import singledispatch

from sqlglot import exp

from privacy.policy.algebra import PublicValue
from privacy.policy.compile.spelling import NARROW, WIDE, Engine, digits_of, integer
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
)

_ARITHMETIC: dict[str, type[exp.Binary]] = {"+": exp.Add, "-": exp.Sub, "*": exp.Mul}
_COMPARISONS: dict[str, type[exp.Binary]] = {
    "=": exp.EQ,
    "<>": exp.NEQ,
    "<": exp.LT,
    "<=": exp.LTE,
    ">": exp.GT,
    ">=": exp.GTE,
}


@dataclass(frozen=True, slots=True)
class Scalars:
    """What expressions are spelled with: the engine, the SQL of each attribute, and that of public single values."""

    engine: Engine
    columns: Mapping[Attribute, exp.Expr]
    public: Callable[[PublicValue], exp.Expr]

    def __call__(self, expression: Expression) -> exp.Expr:
        """Return the SQL of an expression."""
        return scalar(expression, self)


@singledispatch
def scalar(expression: Expression, given: Scalars) -> exp.Expr:
    """Return the SQL of an expression."""
    raise TypeError(f"{type(expression).__name__} is no expression of the algebra")


@scalar.register
def _read(one: Read, given: Scalars) -> exp.Expr:
    return given.columns[one.attribute].copy()


@scalar.register
def _public(one: PublicValue, given: Scalars) -> exp.Expr:
    return given.public(one)


@scalar.register
def _const(one: Const, given: Scalars) -> exp.Expr:
    return given.engine.literal(one.value, one.kind, one.scale)


@scalar.register
def _arithmetic(one: Arithmetic, given: Scalars) -> exp.Expr:
    left, right = (_operand(side, one, given) for side in (one.left, one.right))
    if one.kind == "decimal" and digits_of(one.bounds) > NARROW and given.engine.decimals:
        # DuckDB would compute it in 18 digits, and fail.
        left = exp.Cast(this=left, to=given.engine.decimal(WIDE, one.left.scale))
    return exp.Paren(this=_ARITHMETIC[one.operator](this=left, expression=right))


def _operand(side: Expression, whole: Arithmetic, given: Scalars) -> exp.Expr:
    """Return an operand wide enough: columns may be stored in 8 bits, and sums come in 128."""
    found = given(side)
    if side.kind != "integer" or isinstance(side, Const | Arithmetic):
        return found
    if whole.kind == "integer" or not given.engine.decimals:
        return integer(found)
    return exp.Cast(this=found, to=given.engine.decimal(_width(side), 0))


def _width(one: Expression) -> int:
    digits = digits_of(one.bounds)
    return digits if digits <= NARROW else WIDE


@scalar.register
def _rescaled(one: Rescaled, given: Scalars) -> exp.Expr:
    found = given(one.inner)
    if not given.engine.decimals:
        factor = exp.Literal.number(str(10 ** (one.scale - one.inner.scale)))
        return exp.Paren(this=exp.Mul(this=integer(found), expression=factor))
    if one.inner.kind == "decimal" and digits_of(one.bounds) <= NARROW:
        return found
    wide = WIDE if digits_of(one.bounds) > NARROW else NARROW
    return exp.Cast(this=found, to=given.engine.decimal(wide, one.scale))


@scalar.register
def _compare(one: Compare, given: Scalars) -> exp.Expr:
    left, right = given(one.left), given(one.right)
    if one.left.kind == "text" and one.operator not in ("=", "<>"):
        left = bytewise(left, given.engine)
    return exp.Paren(this=_COMPARISONS[one.operator](this=left, expression=right))


def bytewise(text: exp.Expr, engine: Engine) -> exp.Expr:
    """Return a text that is compared byte by byte, whatever it is made of."""
    return text if isinstance(text, exp.Collate) else engine.bytewise(exp.Paren(this=text))


@scalar.register
def _both(one: Both, given: Scalars) -> exp.Expr:
    return _joined(exp.And, [given(part) for part in one.parts], empty=True)


@scalar.register
def _either(one: Either, given: Scalars) -> exp.Expr:
    return _joined(exp.Or, [given(part) for part in one.parts], empty=False)


def _joined(by: type[exp.Connector], parts: Sequence[exp.Expr], *, empty: bool) -> exp.Expr:
    if len(parts) < 2:
        return parts[0] if parts else exp.Boolean(this=empty)
    # In halves: engines bound how deep an expression is nested.
    half = len(parts) // 2
    sides = (_joined(by, parts[:half], empty=empty), _joined(by, parts[half:], empty=empty))
    return exp.Paren(this=by(this=sides[0], expression=sides[1]))


def all_hold(parts: Sequence[exp.Expr]) -> exp.Expr:
    """Return AND of all, without what is always true."""
    return _joined(exp.And, parts, empty=True)


def any_holds(parts: Sequence[exp.Expr]) -> exp.Expr:
    """Return OR of all."""
    return _joined(exp.Or, parts, empty=False)


@scalar.register
def _not(one: Not, given: Scalars) -> exp.Expr:
    if isinstance(one.inner, Like):
        like = one.inner
        return exp.Paren(this=given.engine.like(given(like.inner), like.pattern, negate=True))
    return exp.Not(this=exp.Paren(this=given(one.inner)))


@scalar.register
def _among(one: AmongValues, given: Scalars) -> exp.Expr:
    inner = one.inner
    listed = [given.engine.literal(value, inner.kind, inner.scale) for value in one.values]
    return exp.Paren(this=exp.In(this=given(inner), expressions=listed)) if listed else _nothing(one, given)


def _nothing(one: AmongValues, given: Scalars) -> exp.Expr:
    # SQL has no empty list: false, and unknown of NULL.
    inner = given(one.inner)
    return exp.Paren(this=exp.NEQ(this=inner, expression=inner.copy()))


@scalar.register
def _like(one: Like, given: Scalars) -> exp.Expr:
    return exp.Paren(this=given.engine.like(given(one.inner), one.pattern))


@scalar.register
def _is_null(one: IsNull, given: Scalars) -> exp.Expr:
    return exp.Paren(this=exp.Is(this=given(one.inner), expression=exp.Null()))


@scalar.register
def _choose(one: Choose, given: Scalars) -> exp.Expr:
    cases = [exp.If(this=given(condition), true=given(value)) for condition, value in one.cases]
    return exp.Case(ifs=cases, default=given(one.otherwise))


@scalar.register
def _first_known(one: FirstKnown, given: Scalars) -> exp.Expr:
    first, *others = [given(option) for option in one.options]
    return exp.Coalesce(this=first, expressions=others) if others else first


@scalar.register
def _date_part(one: DatePart, given: Scalars) -> exp.Expr:
    return given.engine.part(one.part, given(one.inner))


@scalar.register
def _prefix(one: Prefix, given: Scalars) -> exp.Expr:
    return given.engine.prefix(given(one.inner), one.length)

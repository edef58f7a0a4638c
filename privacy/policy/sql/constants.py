"""Literals become typed values; what is computed from literals alone is computed here."""

import calendar
import datetime
from decimal import Decimal, InvalidOperation

from sqlglot import exp

from privacy.policy.expressions import WIDEST, Const
from privacy.policy.sql.refusals import only, refused
from privacy.policy.values import date_of

FINEST = 9  # digits after the point of a literal
_INTERVAL = "an interval is a whole number of days, weeks, months or years"
_SUCH = "such as INTERVAL '3' MONTH"


def literal(node: exp.Literal) -> Const:
    """Return the number or the text that a literal means."""
    if node.is_string:
        return Const(node.this, "text")
    try:
        number = Decimal(node.this)
    except InvalidOperation:
        raise refused(node, "a number that cannot be read", "write it as 12 or 1.5") from None
    # Nothing is computed of a number like 1e999999, and none is rounded.
    if number.adjusted() > 18:
        raise refused(node, "a number that does not fit in 62 bits", "write a smaller number")
    digits, scale = "".join(map(str, number.as_tuple().digits)), -int(number.as_tuple().exponent)
    zeros = min(max(scale, 0), len(digits) - len(digits.rstrip("0")))
    digits, scale = digits[: len(digits) - zeros] or "0", scale - zeros
    if digits == "0":
        scale = 0
    if scale > FINEST:
        raise refused(node, f"a number with more than {FINEST} digits after the point", "round it")
    units, scale = int(digits) * 10 ** max(-scale, 0), max(scale, 0)
    if units > WIDEST:
        raise refused(node, "a number that does not fit in 62 bits", "write a smaller number")
    return Const(units, "decimal" if scale else "integer", scale)


def date_in(node: exp.Expr) -> Const:
    """Return the date that a literal after DATE, or a text compared with a date, means."""
    if not isinstance(node, exp.Literal) or not node.is_string:
        raise refused(
            node, "a cast can fail", "declare the type in the schema; only literals are cast to dates"
        )
    return dated(Const(node.this, "text"), node)


def dated(text: Const, node: exp.Expr) -> Const:
    """Return a text as a date."""
    try:
        return Const(date_of(text.value), "date")
    except ValueError as error:
        raise refused(node, str(error), "write it as '2026-12-01'") from None


def shifted(start: Const, interval: exp.Interval, sign: int) -> Const:
    """Return a date so much later; as SQL has it, a day that a month does not have is its last day."""
    only(interval, "this", "unit")
    unit, number = _unit(interval), sign * _number(interval)
    try:
        assert isinstance(start.value, datetime.date)
        if unit in ("day", "week"):
            return Const(start.value + datetime.timedelta(days=number * (7 if unit == "week" else 1)), "date")
        return Const(_months(start.value, number * (12 if unit == "year" else 1)), "date")
    except (OverflowError, ValueError):
        raise refused(
            interval, "a date before the year 1 or after 9999", "write a shorter interval"
        ) from None


def _unit(interval: exp.Interval) -> str:
    given = interval.args.get("unit")
    # With a precision, as in day (3), the unit is parsed as a function.
    name = "" if given is None else given.name if isinstance(given, exp.Var) else given.key
    unit = name.lower().removesuffix("s")
    if unit not in ("day", "week", "month", "year"):
        raise refused(interval, _INTERVAL, _SUCH)
    return unit


def _number(interval: exp.Interval) -> int:
    given, sign = interval.this, 1
    if isinstance(given, exp.Neg):
        given, sign = given.this, -1
    try:
        return sign * int(given.this)
    except (AttributeError, TypeError, ValueError):
        raise refused(interval, _INTERVAL, _SUCH) from None


def _months(start: datetime.date, number: int) -> datetime.date:
    year, month = divmod(start.year * 12 + start.month - 1 + number, 12)
    if not 1 <= year <= 9999:
        raise ValueError
    last = calendar.monthrange(year, month + 1)[1]
    return datetime.date(year, month + 1, min(start.day, last))

"""Values as the layer knows them: numbers are integers of their column's unit, dates are days."""

import datetime
from decimal import Decimal, InvalidOperation

Value = int | str | bool | datetime.date


def value_of(given: object, kind: str, scale: int) -> Value:
    """Return the value that a document or a literal names, or raise ValueError with the reason."""
    if kind in ("integer", "decimal"):
        return number_of(given, scale)
    if kind == "date":
        return date_of(given)
    if kind == "boolean" and isinstance(given, bool):
        return given
    if kind == "text" and isinstance(given, str):
        return given
    raise ValueError(f"{given!r} is not a value of type {kind}")


def number_of(given: object, scale: int) -> int:
    """Return a number in units of 10⁻ˢᶜᵃˡᵉ; every other spelling of an exact number is refused."""
    if isinstance(given, bool) or not isinstance(given, int | float | str | Decimal):
        raise ValueError(f"{given!r} is not a number")
    try:
        units = Decimal(str(given)).scaleb(scale)
    except InvalidOperation:
        raise ValueError(f"{given!r} is not a number") from None
    if not units.is_finite() or units != units.to_integral_value():
        raise ValueError(f"{given!r} has more than {scale} digits after the point")
    return int(units)


def date_of(given: object) -> datetime.date:
    """Return a date written as 1998-12-01."""
    if isinstance(given, datetime.date):
        return given
    try:
        return datetime.date.fromisoformat(str(given))
    except ValueError:
        raise ValueError(f"{given!r} is not a date like 1998-12-01") from None

"""Values as the layer knows them: numbers are integers of their column's unit, dates are days."""

import datetime
import re
from decimal import Decimal

Value = int | str | bool | datetime.date
DIGITS = 28  # before the point
_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]{1,3})?", re.ASCII)


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
    raise ValueError(f"{given!r:.80} is not a value of type {kind}")


def number_of(given: object, scale: int) -> int:
    """Return a number in units of 10⁻ˢᶜᵃˡᵉ; every other spelling of an exact number is refused."""
    if isinstance(given, bool) or not isinstance(given, int | float | str | Decimal):
        raise ValueError(f"{given!r:.80} is not a number")
    if isinstance(given, str) and not _NUMBER.fullmatch(given):
        raise ValueError(f"{given!r:.80} is not a number")
    if isinstance(given, int) and abs(given) >= 10**DIGITS:
        raise ValueError(f"a number of more than {DIGITS} digits")
    number = Decimal(str(given))
    # Before it is written out: 1e9999 is a short text.
    if not number.is_finite() or number.adjusted() >= DIGITS:
        raise ValueError(f"{given!r:.80} is not a number of at most {DIGITS} digits")
    above, below = number.as_integer_ratio()
    if above * 10**scale % below:
        raise ValueError(f"{given!r:.80} has more than {scale} digits after the point")
    return int(above * 10**scale // below)


def date_of(given: object) -> datetime.date:
    """Return a date written as 1998-12-01."""
    if isinstance(given, datetime.date):
        return given
    try:
        return datetime.date.fromisoformat(str(given))
    except ValueError:
        raise ValueError(f"{given!r:.80} is not a date like 1998-12-01") from None

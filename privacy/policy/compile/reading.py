"""What databases hand over becomes values again: whole units, days, texts; anything else is an error."""

import datetime
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from typing import Any

from privacy.policy.compile.spelling import Engine
from privacy.policy.errors import PolicyLayerError
from privacy.policy.expressions import Attribute
from privacy.policy.schema import Kind
from privacy.policy.values import Value

Execute = Callable[[str], Iterable[Sequence[Any]]]
Cells = tuple[Value | None, ...]


class ValueUnreadable(PolicyLayerError):
    """A database answered with a value that is none of its column's type; which one is told to nobody."""

    code = "value-unreadable"

    def __init__(self) -> None:
        super().__init__("a value is not of its column's type")


def value_read(raw: Any, kind: Kind, scale: int, engine: Engine) -> Value | None:
    """Return a value that a database handed over, numbers in units."""
    if raw is None:
        return None
    if kind in ("integer", "decimal"):
        return units_read(raw, 10**scale if engine.decimals else 1)
    if kind == "boolean" and isinstance(raw, bool | int) and raw in (0, 1):
        return bool(raw)
    if kind == "date":
        return _day(raw)
    if kind == "text" and isinstance(raw, str):
        return raw
    raise ValueUnreadable


def units_read(raw: Any, weight: int) -> int:
    """Return an exact number times a weight, which must be whole; floats are not exact."""
    if not isinstance(raw, int | Decimal) or isinstance(raw, bool):
        raise ValueUnreadable
    if isinstance(raw, int):
        return raw * weight
    if not raw.is_finite():
        raise ValueUnreadable
    above, below = raw.as_integer_ratio()
    whole, rest = divmod(above * weight, below)
    if rest:
        raise ValueUnreadable
    return whole


def _day(raw: Any) -> datetime.date:
    if isinstance(raw, datetime.date) and not isinstance(raw, datetime.datetime):
        return raw
    try:
        return datetime.date.fromisoformat(raw)
    except (TypeError, ValueError):
        raise ValueUnreadable from None


def cells_read(raw: Sequence[Any], attributes: Sequence[Attribute], engine: Engine) -> Cells:
    """Return the values of some attributes."""
    return tuple(
        value_read(one, attribute.kind, attribute.scale, engine)
        for one, attribute in zip(raw, attributes, strict=True)
    )

"""Values in a query string: each is read whole, or refused by name."""

import math
import re
from collections.abc import Mapping

from surveys.errors import ParameterInvalid

_WHOLE = re.compile(r"[0-9]{1,12}")
_DECIMAL = re.compile(r"[0-9]{1,12}(\.[0-9]{1,12})?|\.[0-9]{1,12}")


def whole_of(
    query: Mapping[str, str], name: str, least: int, most: int, default: int | None = None
) -> int | None:
    """Return a whole number, or the default when it is not given or empty."""
    text = query.get(name, "")
    if text == "":
        return default
    if not _WHOLE.fullmatch(text) or not text.isascii() or not least <= int(text) <= most:
        raise ParameterInvalid(name, f"expected a whole number from {least} to {most}")
    return int(text)


def share_of(query: Mapping[str, str], name: str) -> float | None:
    """Return a share from 0 to 1, or None when it is not given or empty."""
    text = query.get(name, "")
    if text == "":
        return None
    if (
        not _DECIMAL.fullmatch(text)
        or not text.isascii()
        or not math.isfinite(float(text))
        or float(text) > 1
    ):
        raise ParameterInvalid(name, "expected a number from 0 to 1, such as 0.05")
    return float(text)


def known_only(query: Mapping[str, str], names: tuple[str, ...]) -> None:
    """Refuse a parameter that is not known: a misspelt one would silently change nothing."""
    for name in query:
        if name not in names:
            raise ParameterInvalid(name[:80], f"no such parameter; known are {', '.join(names)}")

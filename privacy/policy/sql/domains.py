"""Every value that a computed column can have, where few are possible and all are public."""

from privacy.policy.expressions import (
    Attribute,
    Choose,
    Const,
    DatePart,
    Expression,
    FirstKnown,
    Prefix,
    Read,
    Rescaled,
)
from privacy.policy.values import Value

DOMAIN_LIMIT = 10_000
Domain = tuple[Value, ...] | None


def computed(name: str, value: Expression) -> Attribute:
    """Return the attribute that a column makes: itself where it is only read, else a new one."""
    if isinstance(value, Read):
        return value.attribute
    return Attribute(name, value.kind, value.scale, value.nullable, value.bounds, domain_of(value))


def domain_of(value: Expression) -> Domain:
    """Return every value other than NULL that an expression can have; None where it is not known."""
    if isinstance(value, Read):
        return value.attribute.domain
    if isinstance(value, Const):
        return () if value.value is None else (value.value,)
    if value.kind == "boolean":
        return (False, True)
    if isinstance(value, DatePart):
        return _range(value)
    if isinstance(value, Choose):
        return _union([*(one for _, one in value.cases), value.otherwise])
    if isinstance(value, FirstKnown):
        return _union(list(value.options))
    if isinstance(value, Rescaled):
        inner, factor = domain_of(value.inner), 10 ** (value.scale - value.inner.scale)
        return None if inner is None else tuple(one * factor for one in inner if isinstance(one, int))
    if isinstance(value, Prefix):
        inner = domain_of(value.inner)
        return None if inner is None else tuple(dict.fromkeys(str(one)[: value.length] for one in inner))
    return None


def _range(value: DatePart) -> Domain:
    known = value.part == "month" or value.inner.bounds is not None
    return tuple(range(value.bounds[0], value.bounds[1] + 1)) if known and value.bounds else None


def _union(options: list[Expression]) -> Domain:
    found: dict[Value, None] = {}
    for one in options:
        domain = domain_of(one)
        if domain is None or len(found) + len(domain) > 2 * DOMAIN_LIMIT:
            return None
        found.update(dict.fromkeys(domain))
    return tuple(found) if len(found) <= DOMAIN_LIMIT else None

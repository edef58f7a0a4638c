"""Predicates in one spelling each; SQL's three values are kept."""

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce

from sqlglot import exp

from privacy.policy.expressions import (
    AmongValues,
    Both,
    Compare,
    Comparison,
    Const,
    Either,
    Expression,
    Not,
    Read,
    conjuncts,
)
from privacy.policy.sql.refusals import refused
from privacy.policy.sql.units import NUMERIC, together
from privacy.policy.values import Value

TRUE, FALSE = Const(True, "boolean"), Const(False, "boolean")
FLIPPED: dict[Comparison, Comparison] = {"=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
DENIED: dict[Comparison, Comparison] = {"=": "<>", "<>": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def compare(operator: Comparison, left: Expression, right: Expression, node: exp.Expr) -> Expression:
    """Return a comparison, a literal on its right."""
    if isinstance(left, Const) and not isinstance(right, Const):
        operator, left, right = FLIPPED[operator], right, left
    if isinstance(right, Const) and _finer(left, right):
        return _between_units(operator, left, right)
    left, right = together(node, left, right)
    if isinstance(left, Const) and isinstance(right, Const):
        return _known(operator, left, right)
    if isinstance(left, Read) and isinstance(right, Read) and _after(left, right):
        operator, left, right = FLIPPED[operator], right, left
    return Compare(operator, left, right)


def _finer(left: Expression, right: Const) -> bool:
    number = isinstance(right.value, int) and left.kind in NUMERIC and right.kind in NUMERIC
    return number and not isinstance(left, Const) and right.scale > left.scale


def _between_units(operator: Comparison, left: Expression, right: Const) -> Expression:
    """Compare with a literal that lies between two units of the left side, without a finer unit for the latter."""
    assert isinstance(right.value, int)
    whole, rest = divmod(right.value, 10 ** (right.scale - left.scale))
    floor = Const(whole, left.kind, left.scale)
    if rest == 0:
        return Compare(operator, left, floor)
    if operator in ("=", "<>"):
        never = Both((Compare("<=", left, floor), Compare(">", left, floor)))
        return never if operator == "=" else deny(never)
    return Compare("<=" if operator in ("<", "<=") else ">", left, floor)


def _known(operator: Comparison, left: Const, right: Const) -> Const:
    if left.value is None or right.value is None:
        return Const(None, "boolean")
    a, b = left.value, right.value
    less = a < b  # type: ignore[operator]
    holds = {
        "=": a == b,
        "<>": a != b,
        "<": less,
        "<=": less or a == b,
        ">": not (less or a == b),
        ">=": not less,
    }
    return TRUE if holds[operator] else FALSE


def _after(left: Read, right: Read) -> bool:
    a, b = left.attribute, right.attribute
    return (a.origin or ("", a.name)) > (b.origin or ("", b.name))


def among(inner: Expression, values: Sequence[Const], node: exp.Expr) -> Expression:
    """Return whether a value is one of some literals; those between two of its units are none of its values."""
    if isinstance(inner, Const):
        return either([compare("=", inner, one, node) for one in values])
    found: list[Value] = []
    for one in values:
        same = compare("=", inner, one, node)
        if isinstance(same, Compare) and isinstance(same.right, Const) and same.right.value is not None:
            inner = same.left
            found.append(same.right.value)
    if not found:
        return compare("=", inner, values[0], node)
    listed = tuple(sorted(set(found)))
    if len(listed) == 1:
        return compare("=", inner, Const(listed[0], inner.kind, inner.scale), node)
    return AmongValues(inner, listed)


def truth(part: Expression, node: exp.Expr) -> Expression:
    """Return a part that is true, false or unknown, or refuse it."""
    if part.kind == "boolean" or (isinstance(part, Const) and part.value is None):
        return part if part.kind == "boolean" else Const(None, "boolean")
    raise refused(node, f"a {part.kind} where a condition belongs", "compare it with a value")


def both(parts: Iterable[Expression]) -> Expression:
    """Return AND of all, without what is always true."""
    kept = dict.fromkeys(one for part in parts for one in conjuncts(part) if one != TRUE)
    if FALSE in kept:
        return FALSE
    return TRUE if not kept else next(iter(kept)) if len(kept) == 1 else Both(tuple(kept))


def either(parts: Iterable[Expression]) -> Expression:
    """Return OR of all; what all of them ask for stands before the OR, where it can join relations."""
    kept = dict.fromkeys(_listed([one for part in parts for one in _options(part) if one != FALSE]))
    if TRUE in kept:
        return TRUE
    if len(kept) < 2:
        return next(iter(kept), FALSE)
    asked = [dict.fromkeys(conjuncts(one)) for one in kept]
    shared = [one for one in asked[0] if all(one in other for other in asked[1:])]
    if not shared:
        return Either(tuple(kept))
    rest = [both(one for one in option if one not in shared) for option in asked]
    return both([*shared, either(rest)])


def _listed(options: Sequence[Expression]) -> Iterator[Expression]:
    """Give the options, all literals that one value is compared with in one IN: another spelling of it."""
    values: dict[Expression, set[Value]] = {}
    for one in options:
        inner, found = _among(one)
        if inner is not None:
            values.setdefault(inner, set()).update(found)
    for one in options:
        inner, _ = _among(one)
        listed = () if inner is None else tuple(sorted(values[inner]))
        yield one if inner is None or len(listed) < 2 else AmongValues(inner, listed)


def _among(one: Expression) -> tuple[Expression | None, Sequence[Value]]:
    if isinstance(one, AmongValues):
        return one.inner, one.values
    if isinstance(one, Compare) and one.operator == "=" and isinstance(one.right, Const):
        return (None, ()) if one.right.value is None else (one.left, (one.right.value,))
    return None, ()


def _options(part: Expression) -> Sequence[Expression]:
    return (
        reduce(lambda found, one: [*found, *_options(one)], part.parts, [])
        if isinstance(part, Either)
        else [part]
    )


def deny(part: Expression) -> Expression:
    """Return NOT, moved inwards as far as it goes."""
    if isinstance(part, Compare):
        return Compare(DENIED[part.operator], part.left, part.right)
    if isinstance(part, Not):
        return part.inner
    if isinstance(part, Both):
        return either(deny(one) for one in part.parts)
    if isinstance(part, Either):
        return both(deny(one) for one in part.parts)
    if isinstance(part, Const):
        return Const(None if part.value is None else not part.value, "boolean")
    return Not(part)

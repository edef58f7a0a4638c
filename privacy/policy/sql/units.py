"""Numbers in one unit, values of one type, and arithmetic within 62 bits."""

from collections.abc import Sequence

from sqlglot import exp

from privacy.policy.expressions import (
    WIDEST,
    Arithmetic,
    Bounds,
    Const,
    Expression,
    Operator,
    Rescaled,
)
from privacy.policy.schema import Kind
from privacy.policy.sql.constants import dated
from privacy.policy.sql.refusals import refused

NUMERIC: tuple[Kind, ...] = ("integer", "decimal")
ALIKE = "compare numbers with numbers, and texts with texts in quotes"
DECLARE = "declare bounds for the columns"
WIDE = "the result could exceed 62 bits"


def together(node: exp.Expr, *parts: Expression) -> tuple[Expression, ...]:
    """Return expressions of one type in one unit; a text literal beside a date is a date, NULL is of any type."""
    kinds = {one.kind for one in parts if not _is_null(one)}
    if kinds == {"date", "text"}:
        parts = tuple(_dated(one, node) for one in parts)
        kinds = {one.kind for one in parts if not _is_null(one)}
    if kinds <= set(NUMERIC):
        scale = max((one.scale for one in parts if not _is_null(one)), default=0)
        kind: Kind = "decimal" if "decimal" in kinds else "integer"
        return tuple(
            Const(None, kind, scale) if _is_null(one) else in_unit(one, scale, node) for one in parts
        )
    if len(kinds) > 1:
        raise refused(node, f"values of the types {' and '.join(sorted(kinds))} in one place", ALIKE)
    (only,) = kinds
    return tuple(Const(None, only) if _is_null(one) else one for one in parts)


def _is_null(one: Expression) -> bool:
    return isinstance(one, Const) and one.value is None


def _dated(one: Expression, node: exp.Expr) -> Expression:
    return dated(one, node) if isinstance(one, Const) and isinstance(one.value, str) else one


def in_unit(one: Expression, scale: int, node: exp.Expr) -> Expression:
    """Return the same number in a finer unit, if it surely fits."""
    if one.scale == scale:
        return one
    if one.bounds is None:
        raise refused(node, "numbers of different scale, one of them without bounds", DECLARE)
    if isinstance(one, Rescaled):
        one = one.inner
    finer = Rescaled(one, scale)
    assert finer.bounds is not None
    fits(finer.bounds, node)
    if isinstance(one, Const):
        return Const(finer.bounds[0], "decimal", scale)
    return finer


def fits(bounds: tuple[int, int], node: exp.Expr) -> None:
    """Refuse a number that could exceed 62 bits."""
    if max(map(abs, bounds)) > WIDEST:
        raise refused(node, WIDE, "declare narrower bounds")


def arithmetic(operator: Operator, left: Expression, right: Expression, node: exp.Expr) -> Expression:
    """Return left ∘ right with its bounds, or raise QueryRefused where nothing bounds it."""
    for side in (left, right):
        if side.kind not in NUMERIC:
            raise refused(node, f"arithmetic with a {side.kind}", "only numbers are added and multiplied")
    if _is_null(left) or _is_null(right):
        raise refused(node, "arithmetic with NULL", "it would be NULL of every row")
    if operator != "*":
        left, right = together(node, left, right)
    if left.bounds is None or right.bounds is None:
        raise refused(node, "arithmetic on a column without bounds", DECLARE)
    scale = left.scale + right.scale if operator == "*" else left.scale
    kind: Kind = "decimal" if "decimal" in (left.kind, right.kind) else "integer"
    bounds = _ends(operator, left.bounds, right.bounds)
    fits(bounds, node)
    if scale > 18:
        raise refused(node, "a product with more than 18 digits after the point", "round the numbers")
    if isinstance(left, Const) and isinstance(right, Const):
        return Const(bounds[0], kind, scale)
    return Arithmetic(operator, left, right, kind, scale, bounds)


def _ends(operator: Operator, left: tuple[int, int], right: tuple[int, int]) -> tuple[int, int]:
    if operator == "+":
        return left[0] + right[0], left[1] + right[1]
    if operator == "-":
        return left[0] - right[1], left[1] - right[0]
    products = [a * b for a in left for b in right]
    return min(products), max(products)


def kind_of(parts: Sequence[Expression]) -> Kind:
    """Return the type of values that are of one type."""
    kinds = {one.kind for one in parts if not _is_null(one)}
    return "decimal" if "decimal" in kinds else next(iter(kinds), parts[0].kind)


def hull(parts: Sequence[Expression]) -> Bounds:
    """Return bounds of all of some values in one unit; NULL is within any."""
    known = [one.bounds for one in parts if not _is_null(one)]
    if not known or any(one is None for one in known):
        return None
    return min(one[0] for one in known if one), max(one[1] for one in known if one)

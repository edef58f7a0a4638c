"""Conditions with a subquery: semi-joins, joins with a group, and values that are the same in both worlds."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from privacy.policy.algebra import Group, Join, Keys, Node, PublicValue, SemiJoin
from privacy.policy.analysis import facts_of
from privacy.policy.expressions import (
    Arithmetic,
    Attribute,
    Const,
    Expression,
    Read,
    Rescaled,
    conjuncts,
)
from privacy.policy.sql.figures import Asked, Grouping, inner_figure
from privacy.policy.sql.joins import Pair, between, equality, filtered
from privacy.policy.sql.logic import TRUE, both, compare
from privacy.policy.sql.predicates import COMPARISONS, condition
from privacy.policy.sql.refusals import only, refused
from privacy.policy.sql.rules import SUBQUERY, SUBQUERY_HINT, expression
from privacy.policy.sql.scope import Scope
from privacy.policy.sql.selects import Body, bare, body_of, group_size, is_grouped, projected, rows_of

JOIN = "join the relations, or a SELECT that groups"
TIED = "a subquery that refers to the SELECT around it"
ONE_VALUE = "a subquery that is compared gives one value"


class InSelects:
    """Subqueries as the SELECTs around them need them."""

    def rows(self, node: Node, asked: Sequence[exp.Expr], scope: Scope) -> Node:
        """Return the rows for which conditions with subqueries hold."""
        return with_subqueries(node, asked, scope)

    def value(self, node: exp.Subquery, scope: Scope) -> Expression:
        """Return the value of a subquery in an expression: one that is the same in both worlds."""
        found = _value(node, scope)
        if isinstance(found, _Tied):
            raise refused(node, SUBQUERY, SUBQUERY_HINT)
        return found


def with_subqueries(node: Node, asked: Sequence[exp.Expr], scope: Scope) -> Node:
    """Return the rows for which conditions with subqueries hold; joins come before semi-joins."""
    values = [one for one in asked if _semi(one) is None]
    wanted: list[Expression] = []
    for one in values:
        node, holds = _compared(one, node, scope)
        wanted += conjuncts(holds)
    node = filtered(node, wanted)
    for one in asked:
        found = _semi(one)
        if found is not None:
            node = _semi_joined(node, found[0], scope, anti=found[1])
    return node


def _semi(node: exp.Expr) -> tuple[exp.Expr, bool] | None:
    """Return the EXISTS or IN that a condition is, and whether it is denied; None for others."""
    denied = False
    while isinstance(node, exp.Not | exp.Paren):
        denied ^= isinstance(node, exp.Not)
        node = node.this
    if isinstance(node, exp.Exists) or (isinstance(node, exp.In) and node.args.get("query") is not None):
        return node, denied
    return None


def _semi_joined(node: Node, asked: exp.Expr, scope: Scope, *, anti: bool) -> Node:
    if isinstance(asked, exp.Exists):
        right, wanted = _exists(asked, scope)
    else:
        right, wanted = _in(asked, scope, anti=anti)
    keys, rest = _tied(wanted, node, right, asked)
    residual = both(rest)
    return SemiJoin(node, right, keys, anti, None if residual == TRUE else residual)


def _tied(
    wanted: Sequence[Expression], left: Node, right: Node, asked: exp.Expr
) -> tuple[Keys, list[Expression]]:
    """Return the equalities between both sides, and the conditions that are none."""
    ours, theirs = frozenset(left.attributes), frozenset(right.attributes)
    keys, rest = list[Pair](), list[Expression]()
    for one in wanted:
        pair = equality(one)
        sided = None if pair is None else between(pair, ours, theirs)
        if sided is not None:
            keys.append(sided)
        elif one.reads <= ours | theirs:
            rest.append(one)
        else:
            raise refused(asked, f"{TIED} may refer to that one only, not further out", JOIN)
    return tuple(dict.fromkeys(keys)), rest


def _inner(query: exp.Expr) -> exp.Expr:
    while isinstance(query, exp.Subquery):
        only(query, "this")
        query = query.this
    return query


def _exists(asked: exp.Exists, scope: Scope) -> tuple[Node, Sequence[Expression]]:
    query = _inner(asked.this)
    if not isinstance(query, exp.Select) or is_grouped(query):
        return rows_of(query, _alone(scope))[0], ()
    body = _body(query, scope)
    for item in query.expressions:
        # Whatever stands there counts for nothing, yet it must mean something.
        if not isinstance(bare(item), exp.Star):
            expression(bare(item), body.scope)
    return body.node, body.open


def _in(asked: exp.Expr, scope: Scope, *, anti: bool) -> tuple[Node, Sequence[Expression]]:
    query = _inner(asked.args["query"])
    left = asked.this.expressions if isinstance(asked.this, exp.Tuple) else [asked.this]
    ours = [expression(one, scope) for one in left]
    if isinstance(query, exp.Select) and not is_grouped(query) and not query.args.get("distinct"):
        body = _body(query, scope)
        theirs, node, wanted = _columns(query, body), body.node, body.open
    else:
        node, columns = rows_of(query, _alone(scope))
        theirs, wanted = [Read(one) for _, one in columns], ()
    if len(ours) != len(theirs):
        raise refused(asked, f"IN of {len(ours)} and {len(theirs)} columns", "compare as many as there are")
    if anti and any(one.nullable for one in (*ours, *theirs)):
        reason = "NOT IN over a column that may be NULL: one NULL empties the whole result"
        raise refused(asked, reason, "use NOT EXISTS")
    same = [compare("=", a, b, asked) for a, b in zip(ours, theirs, strict=True)]
    return node, [*(one for part in same for one in conjuncts(part)), *wanted]


def _columns(query: exp.Select, body: Body) -> list[Expression]:
    own = frozenset(body.node.attributes)
    found: list[Expression] = []
    for item in query.expressions:
        if isinstance(bare(item), exp.Star):
            found += [Read(one) for source in body.scope.sources for _, one in source.columns]
        else:
            found.append(expression(bare(item), body.scope))
    for one in found:
        if not one.reads <= own:
            raise refused(query, f"{TIED} gives a column of its own", JOIN)
    return found


def _alone(scope: Scope) -> Scope:
    return Scope(scope.reading, scope.tables, subqueries=scope.subqueries)


def _body(query: exp.Select, scope: Scope) -> Body:
    only(query, "with_", "expressions", "from_", "joins", "where", "distinct", "order")
    around = replace(scope, groups=None)
    return body_of(query, Scope(scope.reading, scope.tables, outer=around, subqueries=scope.subqueries))


def _compared(asked: exp.Expr, node: Node, scope: Scope) -> tuple[Node, Expression]:
    """Return the rows joined with the values of the subqueries of a comparison, and what the comparison says."""
    values: dict[int, Expression] = {}
    if isinstance(asked, tuple(COMPARISONS)):
        for query in (*_strict(asked.this), *_strict(asked.expression)):
            found = _value(query, scope)
            if isinstance(found, _Tied):
                node = Join(node, found.group, found.keys(node, query))
                values[id(query)] = found.value
            else:
                values[id(query)] = found
    return node, condition(asked, replace(scope, joined=values))


def _strict(node: exp.Expr) -> Sequence[exp.Subquery]:
    """Return the subqueries of which NULL makes the whole NULL."""
    if isinstance(node, exp.Subquery):
        return [node]
    if isinstance(node, exp.Paren | exp.Neg):
        return _strict(node.this)
    if isinstance(node, exp.Add | exp.Sub | exp.Mul):
        return [*_strict(node.this), *_strict(node.expression)]
    return []


@dataclass(frozen=True)
class _Tied:
    """A value for each combination of keys: no row there is a NULL that no comparison passes."""

    group: Group
    value: Expression
    open: tuple[Expression, ...]

    def keys(self, left: Node, asked: exp.Expr) -> Keys:
        keys, rest = _tied(self.open, left, self.group, asked)
        if rest:
            raise refused(asked, f"{TIED} is joined by equalities of columns only", JOIN)
        return keys


def _single(node: exp.Subquery) -> exp.Select:
    """Return the SELECT of one aggregate that a subquery is, so that it has exactly one row."""
    query = _inner(node)
    if not isinstance(query, exp.Select) or len(query.expressions) != 1 or not is_grouped(query):
        raise refused(node, ONE_VALUE, "SELECT one aggregate")
    if query.args.get("group") or query.args.get("having"):
        raise refused(node, ONE_VALUE, "SELECT one aggregate, without GROUP BY and HAVING")
    only(query, "with_", "expressions", "from_", "joins", "where", "order")
    return query


def _value(node: exp.Subquery, scope: Scope) -> "Expression | _Tied":
    query = _single(node)
    body = _body(query, scope)
    return _tied_value(query, body, node) if body.open else _public_value(query, body, node)


def _tied_value(query: exp.Select, body: Body, node: exp.Expr) -> _Tied:
    own = frozenset(body.node.attributes)
    pairs = [equality(one) for one in body.open]
    keys = tuple(dict.fromkeys(a if a in own else b for a, b in (one for one in pairs if one is not None)))
    if None in pairs or not set(keys) <= own:
        raise refused(node, f"{TIED} is joined by equalities of columns only", JOIN)
    size = group_size(body.node, frozenset(keys))

    def made(one: Asked, place: exp.Expr) -> Attribute:
        if one.function == "count":
            raise refused(
                place, f"COUNT in {TIED}: no rows would count as 0", "join with a SELECT that groups"
            )
        return inner_figure(one, place, size, grouped=True)

    grouping = Grouping(body.scope, {}, made)
    value = expression(bare(query.expressions[0]), replace(body.scope, groups=grouping))
    if not _is_strict(value):
        raise refused(node, f"{TIED} gives an aggregate, with + − × at most", JOIN)
    return _Tied(Group(body.node, keys, grouping.aggregates), value, body.open)


def _is_strict(value: Expression) -> bool:
    return isinstance(value, Read | Const | Arithmetic | Rescaled) and all(map(_is_strict, value.parts))


def _public_value(query: exp.Select, body: Body, node: exp.Expr) -> Expression:
    grouping = Grouping(body.scope, {}, _alone_figure)
    value = expression(bare(query.expressions[0]), replace(body.scope, groups=grouping))
    _public_check(body, node)
    found, columns = projected(Group(body.node, (), grouping.aggregates), [("value", value)])
    return PublicValue(found, columns[0][1])


def _alone_figure(one: Asked, place: exp.Expr) -> Attribute:
    return inner_figure(one, place, math.inf, grouped=False)


def public_group(node: exp.Subquery, scope: Scope) -> tuple[exp.Select, Body, Grouping]:
    """Return a subquery that is the same in both worlds, and the grouping that its one row has figures of."""
    query = _single(node)
    body = _body(query, scope)
    if body.open:
        raise refused(node, f"{TIED} beside aggregates", JOIN)
    _public_check(body, node)
    return query, body, Grouping(body.scope, {}, _alone_figure)


def _public_check(body: Body, node: exp.Expr) -> None:
    """Refuse a value that can differ between neighbouring worlds."""
    policy = body.scope.reading.policy
    if not facts_of(body.node, policy).signature.nothing:
        reason = f"the value of this subquery depends on one {policy.entity}"
        raise refused(node, reason, "ask for it by itself, then write the number")

"""FROM: relations, derived tables and joins, gathered as far as their order is free."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from sqlglot import exp

from privacy.policy.algebra import Join, Node, Scan
from privacy.policy.expressions import Attribute, Expression, Read, conjuncts
from privacy.policy.sql.joins import between, equality, joined
from privacy.policy.sql.logic import TRUE, both, compare
from privacy.policy.sql.predicates import condition
from privacy.policy.sql.refusals import nearest, only, refused
from privacy.policy.sql.scope import Columns, Scope, Source

FROM_TAKES = "FROM takes relations of the schema, and SELECTs in parentheses"


class Rows(Protocol):
    """Translates a SELECT in parentheses."""

    def __call__(self, query: exp.Expr, scope: Scope) -> tuple[Node, Columns]:
        """Return its rows and its columns."""


@dataclass(frozen=True)
class Flat:
    """Inputs whose order is free, with the conditions that join them."""

    inputs: tuple[Node, ...] = ()
    sources: tuple[Source, ...] = ()
    conditions: tuple[Expression, ...] = field(default=())

    def beside(self, other: "Flat") -> "Flat":
        """Return all of both."""
        return Flat(
            (*self.inputs, *other.inputs),
            (*self.sources, *other.sources),
            (*self.conditions, *other.conditions),
        )


@dataclass(frozen=True)
class From:
    """Translates a FROM within a scope that knows the WITH queries and the SELECT around it."""

    scope: Scope
    rows: Rows

    def __call__(self, first: exp.Expr, joins: Sequence[exp.Join]) -> Flat:
        """Return what FROM lists; a comma binds less than JOIN does."""
        groups, current = Flat(), self._input(first)
        for join in joins:
            if not any(join.args.get(name) for name in ("on", "using", "side", "kind", "method")):
                groups, current = groups.beside(current), self._input(join.this)
            else:
                current = self._joined(current, join)
        flat = groups.beside(current)
        _names_check(flat.sources, first)
        return flat

    def _joined(self, left: Flat, join: exp.Join) -> Flat:
        only(join, "this", "on", "using", "side", "kind", "method")
        side, kind, method = join.side.upper(), join.kind.upper(), join.method.upper()
        if side == "FULL" or kind not in ("", "INNER", "OUTER", "CROSS") or method not in ("", "NATURAL"):
            wanted = " ".join(one for one in (method, side, kind) if one)
            raise refused(join, f"{wanted} JOIN is not answered", "inner, LEFT and RIGHT joins are")
        right = self._input(join.this)
        left, right, same = self._merged(left, right, join)
        on = [*same, *self._on(left.beside(right), join)]
        if not side:
            return replace(left.beside(right), conditions=(*left.conditions, *right.conditions, *on))
        if side == "RIGHT":
            return self._outer(right, left, on, join, swapped=True)
        return self._outer(left, right, on, join)

    def _on(self, both_sides: Flat, join: exp.Join) -> Sequence[Expression]:
        given = join.args.get("on")
        if given is None:
            if join.side and not join.args.get("using") and not join.method:
                raise refused(join, f"{join.side} JOIN without a condition", "write it with ON")
            return ()
        return conjuncts(condition(given, replace(self.scope, sources=both_sides.sources)))

    def _merged(self, left: Flat, right: Flat, join: exp.Join) -> tuple[Flat, Flat, list[Expression]]:
        """Return both sides with the columns of USING or NATURAL hidden on one of them, and their equalities."""
        theirs = [name for one in right.sources for name, _ in one.columns]
        names = [one.name.lower() for one in join.args.get("using") or ()]
        if join.method:
            ours = {name for one in left.sources for name, _ in one.columns if name not in one.hidden}
            names = [name for name in dict.fromkeys(theirs) if name in ours]
        scopes = [replace(self.scope, sources=one.sources, outer=None) for one in (left, right)]
        same = []
        for name in names:
            column = _named(name, join)
            a, b = (Read(one.attribute(column)) for one in scopes)
            same.append(compare("=", a, b, join))
        # An outer join keeps the columns of the side whose rows all stay.
        if join.side.upper() == "RIGHT":
            return _hidden(left, names), right, same
        return left, _hidden(right, names), same

    def _outer(
        self, kept: Flat, other: Flat, on: Sequence[Expression], join: exp.Join, *, swapped: bool = False
    ) -> Flat:
        policy = self.scope.reading.policy
        left, right = (joined(one.inputs, one.conditions, policy) for one in (kept, other))
        ours, theirs = frozenset(left.attributes), frozenset(right.attributes)
        keys, rest = [], []
        for one in on:
            pair = equality(one)
            sided = None if pair is None else between(pair, ours, theirs)
            if sided:
                keys.append(sided)
            elif one.reads <= ours | theirs:
                rest.append(one)
            else:
                raise refused(
                    join, "a condition of an outer join refers to the SELECT around it", "write it in WHERE"
                )
        padded = {one: nullable(one) for one in right.attributes}
        residual = both(rest)
        node = Join(
            left, right, tuple(keys), "left", None if residual == TRUE else residual, tuple(padded.items())
        )
        sources = tuple(one.padded(padded) for one in other.sources)
        return Flat((node,), (*sources, *kept.sources) if swapped else (*kept.sources, *sources))

    def _input(self, node: exp.Expr) -> Flat:
        if isinstance(node, exp.Table):
            return self._table(node)
        if isinstance(node, exp.Subquery) and isinstance(node.this, exp.Table):
            return self._parenthesised(node)
        if not isinstance(node, exp.Subquery):
            raise refused(node, FROM_TAKES, "name a relation of the schema")
        only(node, "this", "alias", "with_")
        found, columns = self.rows(node, replace(self.scope, outer=None))
        return Flat((found,), (_source(node, columns),))

    def _parenthesised(self, node: exp.Subquery) -> Flat:
        only(node, "this", "joins")
        return self(node.this, node.args.get("joins") or ())

    def _table(self, node: exp.Table) -> Flat:
        only(node, "this", "alias", "joins")
        if not isinstance(node.this, exp.Identifier):
            raise refused(node, FROM_TAKES, "name a relation of the schema")
        joins = node.args.get("joins")
        if joins:
            bare = node.copy()
            bare.set("joins", None)
            return self(bare, joins)
        found, columns = self._relation(node)
        return Flat((found,), (_source(node, columns),))

    def _relation(self, node: exp.Table) -> tuple[Node, Columns]:
        reading, name = self.scope.reading, node.name.lower()
        reading.count(node)
        named = self.scope.tables.get(name)
        if named is not None:
            inside = Scope(reading, named.tables, subqueries=self.scope.subqueries)
            found, columns = self.rows(named.query, inside)
            return found, _renamed(named.names, columns)
        relation = reading.named.get(name)
        if relation is None:
            known = {*reading.named, *self.scope.tables}
            raise refused(node, f"there is no relation {node.name}", nearest(name, known))
        scan = Scan.of(relation)
        return scan, tuple((one.name.lower(), one) for one in scan.columns)


def nullable(one: Attribute) -> Attribute:
    """Return an attribute as the far side of an outer join has it: it may be NULL."""
    return Attribute(one.name, one.kind, one.scale, True, one.bounds, one.domain, one.origin)


def _named(name: str, join: exp.Join) -> exp.Column:
    column = exp.column(name)
    column.parent = join
    return column


def _hidden(flat: Flat, names: Iterable[str]) -> Flat:
    if not names:
        return flat
    hidden = frozenset(names)
    return replace(flat, sources=tuple(replace(one, hidden=one.hidden | hidden) for one in flat.sources))


def _source(node: exp.Expr, columns: Columns) -> Source:
    alias = node.args.get("alias")
    names = alias.args.get("columns") or () if isinstance(alias, exp.TableAlias) else ()
    own = node.name if isinstance(node, exp.Table) else ""
    return Source((node.alias or own).lower(), _renamed(names, columns))


def _renamed(names: Sequence[exp.Expr], columns: Columns) -> Columns:
    if len(names) > len(columns):
        raise refused(names[0], f"{len(names)} names for {len(columns)} columns", "name as many as there are")
    given = [one.name.lower() for one in names]
    return tuple((given[at] if at < len(given) else name, one) for at, (name, one) in enumerate(columns))


def _names_check(sources: Iterable[Source], node: exp.Expr) -> None:
    seen: set[str] = set()
    for one in sources:
        if one.name and one.name in seen:
            raise refused(
                node, f"two relations are called {one.name}", "give one of them another name with AS"
            )
        seen.add(one.name)

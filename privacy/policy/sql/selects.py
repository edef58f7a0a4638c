"""A SELECT below the root becomes a node: FROM, WHERE, GROUP BY, HAVING, its columns, DISTINCT."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from sqlglot import exp

from privacy.policy.algebra import Aggregate, Function, Group, Join, Node, Project, Scan, SemiJoin, UnionAll
from privacy.policy.errors import QueryRefused
from privacy.policy.expressions import Attribute, Both, Compare, Expression, Read, conjuncts
from privacy.policy.labels import Policy, Rows
from privacy.policy.multiplicity import multiplicity
from privacy.policy.sql.joins import equality, filtered, joined
from privacy.policy.sql.scalars import aligned, attribute_of, scalar
from privacy.policy.sql.scope import Scope, nearest

Columns = Mapping[str, Attribute]
DOMAIN_LIMIT = 10_000
T = TypeVar("T")
FUNCTIONS: Mapping[type[exp.Expression], Function] = {
    exp.Count: "count",
    exp.Sum: "sum",
    exp.Avg: "avg",
    exp.Min: "min",
    exp.Max: "max",
    exp.Median: "median",
    exp.Variance: "var",
    exp.VariancePop: "var",
    exp.Stddev: "stddev",
    exp.StddevPop: "stddev",
    exp.StddevSamp: "stddev",
    exp.PercentileCont: "quantile",
    exp.Quantile: "quantile",
}
INNER: frozenset[Function] = frozenset({"count", "sum", "avg", "min", "max"})
UNKNOWN_CLAUSES = (
    "laterals",
    "windows",
    "qualify",
    "pivots",
    "connect",
    "sample",
    "locks",
    "into",
    "cluster",
    "sort",
)


@dataclass
class Selects:
    """Translates SELECTs under a policy; `tables` are the WITH queries known so far."""

    policy: Policy
    tables: dict[str, exp.Expression] = field(default_factory=dict)
    _correlated: list[Expression] = field(default_factory=list, init=False)

    def with_tables(self, node: exp.Expression) -> "Selects":
        """Return a translator that knows the WITH queries of a statement too."""
        clause = node.args.get("with_") or node.args.get("with")
        if clause is None:
            return self
        if clause.args.get("recursive"):
            raise QueryRefused("a recursive WITH is not answered")
        known = dict(self.tables)
        for one in clause.expressions:
            known[one.alias.lower()] = one.this
        return replace(self, tables=known)

    def rows(self, node: exp.Expression, outer: Scope | None = None) -> tuple[Node, Columns]:
        """Return the rows of a SELECT or a UNION ALL, and their columns by name."""
        at = self.with_tables(node)
        if isinstance(node, exp.Subquery | exp.Paren):
            return at.rows(node.this, outer)
        if isinstance(node, exp.Union) and not node.args.get("distinct"):
            return at._union(node, outer)
        if isinstance(node, exp.SetOperation):
            raise QueryRefused(f"{node.key.upper()} is not answered", "UNION ALL is")
        if not isinstance(node, exp.Select):
            raise QueryRefused(f"{node.key.upper()} is not answered", "ask with SELECT")
        scope = Scope(outer)
        below = at.source(node, scope)
        return at._selected(node, below, scope)

    def source(self, node: exp.Select, scope: Scope) -> Node:
        """Return FROM and WHERE of a SELECT; its names are added to the scope."""
        clauses_check(node)
        inputs, conditions = self._from(node, scope)
        where = node.args.get("where")
        plain: list[Expression] = list(conditions)
        later: list[exp.Expression] = []
        for one in flat(where.this) if where is not None else ():
            if one.find(exp.Select) is None:
                plain += conjuncts(self.scalar(one, scope))
            else:
                later.append(one)
        mine = [one for one in plain if one.reads <= scope.own()]
        below = joined(inputs, mine, self.policy)
        self._correlated = [one for one in plain if not one.reads <= scope.own()]
        correlated = self._correlated
        for one in later:
            below = self._condition(one, below, scope)
        self._correlated = correlated
        return below

    def scalar(self, node: exp.Expression, scope: Scope) -> Expression:
        """Return an expression over the columns of a scope; a refusal gets the place of the part refused."""
        return placed(node, lambda: scalar(node, lambda one: _column(one, scope)))

    def _from(self, node: exp.Select, scope: Scope) -> tuple[list[Node], list[Expression]]:
        clause = node.args.get("from_") or node.args.get("from")
        if clause is None:
            raise QueryRefused("there is no FROM")
        inputs, conditions = [self._relation(clause.this, scope)], list[Expression]()
        for one in node.args.get("joins") or ():
            side, kind = (one.side or "").upper(), (one.kind or "").upper()
            if one.args.get("method") or one.args.get("using"):
                raise QueryRefused("NATURAL and USING are not answered", "write the condition with ON")
            if side == "" and kind in ("", "INNER", "CROSS"):
                inputs.append(self._relation(one.this, scope))
                if one.args.get("on") is not None:
                    conditions += conjuncts(self.scalar(one.args["on"], scope))
            elif side == "LEFT" and kind in ("", "OUTER"):
                left = joined(inputs, conditions, self.policy)
                inputs, conditions = [self._left_join(left, one, scope)], []
            else:
                raise QueryRefused(f"{side or kind} joins are not answered", "inner and LEFT joins are")
        return inputs, conditions

    def _relation(self, node: exp.Expression, scope: Scope) -> Node:
        found, columns = placed(node, lambda: self._read(node))
        name = (node.alias or (node.name if isinstance(node, exp.Table) else "")).lower()
        scope.add(name or f" {len(scope.sources)}", columns)
        return found

    def _read(self, node: exp.Expression) -> tuple[Node, Columns]:
        if isinstance(node, exp.Subquery):
            found, columns = self.rows(node)
            return found, _renamed(node, columns)
        if not isinstance(node, exp.Table) or node.args.get("db"):
            raise QueryRefused("FROM names relations and SELECTs in parentheses")
        if node.name.lower() in self.tables:
            # Read anew each time: two readings are two relations.
            rest = {name: one for name, one in self.tables.items() if name != node.name.lower()}
            found, columns = replace(self, tables=rest).rows(self.tables[node.name.lower()])
            return found, _renamed(node, columns)
        relations = {name.lower(): one for name, one in self.policy.schema.relations.items()}
        relation = relations.get(node.name.lower())
        if relation is None:
            raise QueryRefused(f"there is no relation {node.name}", nearest(node.name.lower(), relations))
        scan = Scan.of(relation)
        return scan, _renamed(node, {name.lower(): one for name, one in scan.named.items()})

    def _left_join(self, left: Node, node: exp.Join, scope: Scope) -> Node:
        inner = Scope(scope.outer, dict(scope.sources))
        right = self._relation(node.this, inner)
        name = next(one for one in inner.sources if one not in scope.sources)
        if node.args.get("on") is None:
            raise QueryRefused("a LEFT JOIN needs a condition", "write it with ON")
        on = conjuncts(self.scalar(node.args["on"], inner))
        keys, rest = _split(on, frozenset(left.attributes), frozenset(right.attributes))
        padded = {one: replace_nullable(one) for one in right.attributes}
        scope.add(name, {column: padded[one] for column, one in inner.sources[name].items() if one in padded})
        return Join(left, right, keys, "left", _all(rest), tuple(padded.items()))

    def _condition(self, node: exp.Expression, below: Node, scope: Scope) -> Node:
        """Return the rows for which a condition with a subquery holds."""
        return placed(node, lambda: self._with_subquery(node, below, scope))

    def _with_subquery(self, node: exp.Expression, below: Node, scope: Scope) -> Node:
        denied = False
        while isinstance(node, exp.Not | exp.Paren):
            denied ^= isinstance(node, exp.Not)
            node = node.this
        if isinstance(node, exp.Exists):
            return self._exists(node.this, below, scope, anti=denied)
        if isinstance(node, exp.In) and node.args.get("query") is not None:
            return self._in(node, below, scope, anti=denied)
        if isinstance(node, exp.EQ | exp.NEQ | exp.LT | exp.LTE | exp.GT | exp.GTE) and not denied:
            return self._compared(node, below, scope)
        raise QueryRefused(
            "a subquery cannot stand here", "use it as a condition of WHERE by itself, with AND"
        )

    def _exists(self, query: exp.Expression, below: Node, scope: Scope, *, anti: bool) -> Node:
        select = query.this if isinstance(query, exp.Subquery) else query
        if not isinstance(select, exp.Select) or select.args.get("group") or select.find(exp.AggFunc):
            raise QueryRefused("EXISTS takes a SELECT without aggregates")
        inner = Scope(scope)
        at = self.with_tables(select)
        right = at.source(select, inner)
        keys, rest = _split(at._correlated, frozenset(below.attributes), frozenset(right.attributes))
        return SemiJoin(below, right, keys, anti, _all(rest))

    def _in(self, node: exp.In, below: Node, scope: Scope, *, anti: bool) -> Node:
        value = self.scalar(node.this, scope)
        select = node.args["query"].this
        inner = Scope(scope)
        at = self.with_tables(select)
        if isinstance(select, exp.Select) and not select.args.get("group") and not select.find(exp.AggFunc):
            right = at.source(select, inner)
            correlated, columns = at._correlated, [at.scalar(_bare(one), inner) for one in select.expressions]
        else:
            right, named = at.rows(select)
            correlated, columns = [], [Read(one) for one in named.values()]
        if len(columns) != 1:
            raise QueryRefused("IN compares with one column")
        if anti and (columns[0].nullable or value.nullable):
            raise QueryRefused(
                "NOT IN over a column that may be NULL: one NULL empties the whole result", "use NOT EXISTS"
            )
        same = Compare("=", *aligned(value, columns[0]))
        keys, rest = _split([same, *correlated], frozenset(below.attributes), frozenset(right.attributes))
        return SemiJoin(below, right, keys, anti, _all(rest))

    def _compared(self, node: exp.Expression, below: Node, scope: Scope) -> Node:
        """Return the rows that compare so with the one value of a subquery: it is joined, once or by its keys."""
        queries = [one for one in (node.this, node.expression) if isinstance(one, exp.Subquery)]
        if len(queries) != 1:
            raise QueryRefused("a subquery cannot stand here", "compare a column with one subquery")
        tree, value = self._value(queries[0].this, below, scope)

        def resolve(one: exp.Expression) -> Expression | None:
            return Read(value) if one is queries[0] else _column(one, scope)

        return filtered(tree, [scalar(node, resolve)])

    def _value(self, select: exp.Expression, below: Node, scope: Scope) -> tuple[Node, Attribute]:
        if not isinstance(select, exp.Select) or len(select.expressions) != 1 or select.args.get("group"):
            raise QueryRefused("a subquery in a comparison gives one value", "SELECT one aggregate")
        asked = list(_aggregates(select.expressions[0]))
        if not asked or any(isinstance(one, exp.Count) for one in asked):
            raise QueryRefused("a subquery in a comparison is one aggregate other than COUNT")
        inner = Scope(scope)
        at = self.with_tables(select)
        source = at.source(select, inner)
        keys, rest = _split(at._correlated, frozenset(below.attributes), frozenset(source.attributes))
        if rest:
            raise QueryRefused("a subquery in a comparison may be tied by equalities only")
        theirs = tuple(dict.fromkeys(own for _, own in keys))
        grouped, env = at.grouped(asked, source, inner, theirs)
        expression = scalar(_bare(select.expressions[0]), lambda one: env.get(id(one)) or _column(one, inner))
        value = attribute_of("value", expression)
        items = tuple((one, Read(one)) for one in theirs)
        right = Project(grouped, (*items, (value, expression)))
        return Join(below, right, keys), value

    def grouped(
        self,
        asked: Sequence[exp.Expression],
        below: Node,
        scope: Scope,
        keys: tuple[Attribute, ...],
    ) -> tuple[Group, dict[int, Expression]]:
        """Return a group with these aggregates, and what each of them reads as."""
        size = multiplicity(below, frozenset(keys))
        aggregates, env = [], dict[int, Expression]()
        for one in asked:
            aggregate = self.aggregate(one, scope, size=size, grouped=bool(keys))
            if aggregate.function not in INNER:
                raise QueryRefused(f"{aggregate.function} below the outermost SELECT is not answered")
            aggregates.append(aggregate)
            env[id(one)] = Read(aggregate.attribute)
        return Group(below, keys, tuple(aggregates)), env

    def aggregate(
        self, node: exp.Expression, scope: Scope, *, size: Rows = math.inf, grouped: bool = False
    ) -> Aggregate:
        """Return an aggregate of the text; `size` bounds the rows of a group."""
        return placed(node, lambda: self._aggregate(node, scope, size, grouped))

    def _aggregate(self, node: exp.Expression, scope: Scope, size: Rows, grouped: bool) -> Aggregate:
        function = FUNCTIONS.get(type(node))
        if function is None:
            raise QueryRefused(f"the aggregate {node.key} is not answered")
        inner, distinct = node.this, False
        if isinstance(inner, exp.Distinct):
            if len(inner.expressions) != 1 or function != "count":
                raise QueryRefused("DISTINCT is answered in COUNT of one column")
            inner, distinct = inner.expressions[0], True
        if isinstance(inner, exp.Star) or (function == "count" and isinstance(inner, exp.Literal)):
            argument = None
        else:
            argument = self.scalar(inner, scope)
            if function in ("sum", "avg", "var", "stddev") and argument.kind not in ("integer", "decimal"):
                raise QueryRefused(f"{function} of a {argument.kind}")
        attribute = _figure(function, argument, size, grouped)
        return Aggregate(attribute, function, argument, distinct, _quantile(node, function))

    def _selected(self, node: exp.Select, below: Node, scope: Scope) -> tuple[Node, Columns]:
        asked = [*(one for item in node.expressions for one in _aggregates(item))]
        having = node.args.get("having")
        asked += list(_aggregates(having.this)) if having is not None else []
        group = node.args.get("group")
        if group is None and not asked:
            below, columns = self._projected(node, below, scope, {})
        else:
            below, keys, named = self.keyed(node, below, scope)
            grouped, env = self.grouped(asked, below, scope, keys)
            below = grouped
            resolve = _resolver(scope, env, named, frozenset(keys))
            if having is not None:
                condition = placed(having.this, lambda: scalar(having.this, resolve))
                below = filtered(below, conjuncts(condition))
            below, columns = self._projected(node, below, scope, env, resolve)
        if node.args.get("distinct") is not None:
            below = Group(below, tuple(dict.fromkeys(columns.values())), ())
        return below, columns

    def keyed(
        self, node: exp.Select, below: Node, scope: Scope
    ) -> tuple[Node, tuple[Attribute, ...], dict[str, Attribute]]:
        """Return the rows with every group key as a column, the keys, and the keys by their text."""
        group = node.args.get("group")
        computed: list[tuple[Attribute, Expression]] = []
        keys, named = [], dict[str, Attribute]()
        for one in group.expressions if group is not None else ():
            meant = _meant(one, node, scope)
            value = self.scalar(meant, scope)
            key = named.get(meant.sql()) or attribute_of(_name(meant, node, len(keys)), value)
            named[meant.sql()] = key
            if not isinstance(value, Read):
                computed.append((key, value))
            keys.append(key)
        if computed:
            kept = tuple((one, Read(one)) for one in below.attributes)
            below = Project(below, (*kept, *computed))
        return below, tuple(dict.fromkeys(keys)), named

    def _projected(
        self,
        node: exp.Select,
        below: Node,
        scope: Scope,
        env: Mapping[int, Expression],
        resolve: Callable[[exp.Expression], Expression | None] | None = None,
    ) -> tuple[Node, Columns]:
        use = resolve or (lambda one: _column(one, scope))
        items: dict[str, tuple[Attribute, Expression]] = {}
        for at, item in enumerate(node.expressions):
            for name, value in _items(item, at, scope, use):
                items[name if name not in items else f"{name} {at}"] = (attribute_of(name, value), value)
        kept = dict.fromkeys(items.values())
        return Project(below, tuple(kept)), {name: one for name, (one, _) in items.items()}

    def _union(self, node: exp.Union, outer: Scope | None) -> tuple[Node, Columns]:
        left, names = self.rows(node.left, outer)
        right, others = self.rows(node.right, outer)
        if len(names) != len(others):
            raise QueryRefused("the two sides of UNION ALL have different numbers of columns")
        pairs = list(zip(names.values(), others.values(), strict=True))
        both = tuple(_common(a, b) for a, b in pairs)
        sides = [
            Project(side, tuple((a, Read(a)) for a in dict.fromkeys(columns)))
            for side, columns in ((left, names.values()), (right, others.values()))
        ]
        if any(len(side.items) != len(both) for side in sides):
            raise QueryRefused("a column stands twice in a side of UNION ALL")
        return UnionAll(sides[0], sides[1], both), dict(zip(names, both, strict=True))


def clauses_check(node: exp.Select, *, root: bool = False) -> None:
    """Refuse the clauses that are not answered."""
    for name in UNKNOWN_CLAUSES:
        if node.args.get(name):
            raise QueryRefused(f"{name.upper()} is not answered")
    if not root and (node.args.get("limit") or node.args.get("offset")):
        raise QueryRefused("LIMIT below an aggregate depends on single rows", "LIMIT the outermost SELECT")


def placed(node: exp.Expression, work: Callable[[], T]) -> T:
    """Return what `work` returns; a refusal without a place gets that of a part of the text."""
    try:
        return work()
    except QueryRefused as refused:
        raise refused.at(*place_of(node)) from None


def place_of(node: exp.Expression) -> tuple[int | None, int | None]:
    """Return the line and column where a part of the text begins, as far as the parser tells."""
    places = [
        (one.meta["line"], one.meta["col"] - (one.meta["end"] - one.meta["start"]))
        for one in node.walk()
        if "line" in one.meta
    ]
    return min(places, default=(None, None))


def flat(node: exp.Expression) -> Iterator[exp.Expression]:
    """Give the conditions that AND joins."""
    if isinstance(node, exp.And):
        yield from flat(node.this)
        yield from flat(node.expression)
    elif isinstance(node, exp.Paren):
        yield from flat(node.this)
    else:
        yield node


def replace_nullable(one: Attribute) -> Attribute:
    """Return the attribute as a left join has it: it may be NULL."""
    return Attribute(one.name, one.kind, one.scale, True, one.bounds, one.domain, one.origin)


def _column(node: exp.Expression, scope: Scope) -> Expression | None:
    return (
        Read(scope.find(node))
        if isinstance(node, exp.Column) and not isinstance(node.this, exp.Star)
        else None
    )


def _renamed(node: exp.Expression, columns: Columns) -> Columns:
    alias = node.args.get("alias")
    names = [one.name.lower() for one in alias.columns] if isinstance(alias, exp.TableAlias) else []
    if not names:
        return columns
    if len(names) != len(columns):
        raise QueryRefused("there are more or fewer names than columns")
    return dict(zip(names, columns.values(), strict=True))


def _split(
    conditions: Sequence[Expression], left: frozenset[Attribute], right: frozenset[Attribute]
) -> tuple[tuple[tuple[Attribute, Attribute], ...], list[Expression]]:
    keys, rest = [], []
    for one in conditions:
        pair = equality(one)
        if pair is not None and pair[0] in left and pair[1] in right:
            keys.append(pair)
        elif pair is not None and pair[1] in left and pair[0] in right:
            keys.append((pair[1], pair[0]))
        else:
            if not one.reads <= left | right:
                raise QueryRefused("a subquery may refer to the SELECT around it only, and directly")
            rest.append(one)
    return tuple(keys), rest


def _all(conditions: Sequence[Expression]) -> Expression | None:
    if not conditions:
        return None
    return conditions[0] if len(conditions) == 1 else Both(tuple(conditions))


def _bare(item: exp.Expression) -> exp.Expression:
    return item.this if isinstance(item, exp.Alias) else item


def _aggregates(node: exp.Expression) -> Iterator[exp.Expression]:
    """Give the aggregates of an expression, not those of subqueries."""
    if isinstance(node, exp.Select):
        return
    if isinstance(node, exp.AggFunc):
        yield node
        return
    for one in node.iter_expressions():
        yield from _aggregates(one)


aggregates_of = _aggregates


def _figure(function: Function, argument: Expression | None, size: Rows, grouped: bool) -> Attribute:
    if function == "count":
        # A group has rows; without keys there may be none.
        least = 1 if grouped and argument is None else 0
        most = int(size) if size != math.inf else None
        domain = tuple(range(least, most + 1)) if most is not None and most <= DOMAIN_LIMIT else None
        return Attribute("count", "integer", 0, False, None if most is None else (least, most), domain)
    assert argument is not None
    bounds = argument.bounds
    nullable = argument.nullable or not grouped
    if function == "sum":
        most = None if size == math.inf or bounds is None else int(size)
        total = (
            None if most is None or bounds is None else (most * min(0, bounds[0]), most * max(0, bounds[1]))
        )
        return Attribute("sum", argument.kind, argument.scale, nullable, total)
    if function == "avg":
        fine = None if bounds is None else (bounds[0] * 10**4, bounds[1] * 10**4)
        return Attribute("avg", "decimal", argument.scale + 4, nullable, fine)
    return Attribute(function, argument.kind, argument.scale, nullable, bounds)


def _quantile(node: exp.Expression, function: Function) -> tuple[int, int] | None:
    if function == "median":
        return (1, 2)
    if function in ("min", "max"):
        return (0, 1) if function == "min" else (1, 1)
    if function != "quantile":
        return None
    given = node.args.get("quantile") or node.expression
    try:
        numerator, denominator = float(given.this).as_integer_ratio()
    except (AttributeError, TypeError, ValueError):
        raise QueryRefused("a quantile is a number from 0 to 1") from None
    if not 0 <= numerator <= denominator:
        raise QueryRefused("a quantile is a number from 0 to 1")
    return (numerator, denominator)


def _meant(one: exp.Expression, node: exp.Select, scope: Scope) -> exp.Expression:
    """Return the expression that a group key means: itself, or the column of that number or name."""
    if isinstance(one, exp.Literal) and not one.is_string:
        at = int(one.this) - 1
        if not 0 <= at < len(node.expressions):
            raise QueryRefused(f"there is no column number {one.this}")
        return _bare(node.expressions[at])
    if isinstance(one, exp.Column) and not one.table:
        named = [
            _bare(item) for item in node.expressions if item.alias.lower() == one.name.lower() and item.alias
        ]
        own = any(one.name.lower() in columns for columns in scope.sources.values())
        if named and not own:
            return named[0]
    return one


meant = _meant


def _name(one: exp.Expression, node: exp.Select, at: int) -> str:
    for item in node.expressions:
        if isinstance(item, exp.Alias) and item.this.sql() == one.sql():
            return item.alias.lower()
    return one.name.lower() or f"key {at + 1}"


def _resolver(
    scope: Scope, env: Mapping[int, Expression], named: Mapping[str, Attribute], keys: frozenset[Attribute]
) -> Callable[[exp.Expression], Expression | None]:
    def resolve(one: exp.Expression) -> Expression | None:
        if id(one) in env:
            return env[id(one)]
        if one.sql() in named:
            return Read(named[one.sql()])
        found = _column(one, scope)
        if isinstance(found, Read) and found.attribute not in keys:
            raise QueryRefused(f"{one.name} is neither a group key nor inside an aggregate")
        return found

    return resolve


def _items(
    item: exp.Expression, at: int, scope: Scope, resolve: Callable[[exp.Expression], Expression | None]
) -> Iterator[tuple[str, Expression]]:
    bare = _bare(item)
    if isinstance(bare, exp.Star) or (isinstance(bare, exp.Column) and isinstance(bare.this, exp.Star)):
        wanted = bare.table.lower() if isinstance(bare, exp.Column) else ""
        for source, columns in scope.sources.items():
            if wanted in ("", source):
                yield from ((name, Read(one)) for name, one in columns.items())
        return
    name = (item.alias or bare.name or f"column {at + 1}").lower()
    yield name, placed(bare, lambda: scalar(bare, resolve))


def _common(a: Attribute, b: Attribute) -> Attribute:
    if (a.kind, a.scale) != (b.kind, b.scale):
        raise QueryRefused(f"{a.name} and {b.name} of UNION ALL are of different types")
    bounds = None
    if a.bounds is not None and b.bounds is not None:
        bounds = (min(a.bounds[0], b.bounds[0]), max(a.bounds[1], b.bounds[1]))
    domain = None
    if a.domain is not None and b.domain is not None:
        domain = tuple(dict.fromkeys((*a.domain, *b.domain)))
    return Attribute(a.name, a.kind, a.scale, a.nullable or b.nullable, bounds, domain)

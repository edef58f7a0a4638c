"""A query below the root becomes a node: FROM, WHERE, GROUP BY, HAVING, its columns, DISTINCT, UNION."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from privacy.policy.algebra import Group, Node, Project, UnionAll
from privacy.policy.errors import Place
from privacy.policy.expressions import Attribute, Attributes, Expression, Read, conjuncts
from privacy.policy.labels import Rows
from privacy.policy.multiplicity import multiplicity
from privacy.policy.sql.domains import DOMAIN_LIMIT, computed
from privacy.policy.sql.figures import Asked, Grouping, aggregates, inner_figure
from privacy.policy.sql.joins import filtered, joined
from privacy.policy.sql.predicates import condition, conditions
from privacy.policy.sql.refusals import nearest, only, place_of, refused
from privacy.policy.sql.rules import expression
from privacy.policy.sql.scope import Columns, Named, Scope
from privacy.policy.sql.sources import From
from privacy.policy.sql.units import hull, kind_of, together

CLAUSES = ("with_", "expressions", "from_", "joins", "where", "group", "having", "distinct", "order")
OUTERMOST = "write it in the outermost SELECT"
ASK_SELECT = "ask with SELECT"


@dataclass(frozen=True)
class Body:
    """FROM and WHERE of a SELECT: its rows, and the conditions that refer to the SELECT around it."""

    scope: Scope
    node: Node
    open: tuple[Expression, ...] = ()


@dataclass(frozen=True)
class Keyed:
    """Rows with every group key as a column, the keys by their meaning, and where they stand in the text."""

    node: Node
    keys: dict[Expression, Attribute]
    places: dict[Attribute, Place]

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """The keys, each once."""
        return tuple(self.places)


def rows_of(query: exp.Expr, scope: Scope) -> tuple[Node, Columns]:
    """Return the rows of a query and its columns; `scope` knows the WITH queries, and nothing to refer to."""
    if isinstance(query, exp.Subquery):
        only(query, "this", "with_", "alias", "order")
        return rows_of(query.this, with_named(query, scope))
    if isinstance(query, exp.SetOperation):
        return _union(query, with_named(query, scope))
    if not isinstance(query, exp.Select):
        raise refused(query, f"{query.key.upper()} is not answered", ASK_SELECT)
    _clauses_check(query)
    body = body_of(query, scope)
    node, columns = _selected(query, body)
    if query.args.get("distinct") is not None:
        only(query.args["distinct"])
        node = Group(node, tuple(dict.fromkeys(one for _, one in columns)), ())
    return node, columns


def _clauses_check(query: exp.Expr) -> None:
    for name in ("limit", "offset"):
        if query.args.get(name):
            reason = f"{name.upper()} below an aggregate depends on single rows"
            raise refused(query.args[name], reason, OUTERMOST)
    only(query, *CLAUSES)


def with_named(query: exp.Expr, scope: Scope) -> Scope:
    """Return a scope that knows the WITH queries of a query too."""
    clause = query.args.get("with_")
    if clause is None:
        return scope
    if clause.args.get("recursive"):
        raise refused(clause, "a recursive WITH is not answered", "leave RECURSIVE out")
    only(clause, "expressions")
    tables = dict(scope.tables)
    for one in clause.expressions:
        only(one, "this", "alias", "materialized")
        if not isinstance(one.this, exp.Query):
            raise refused(one, f"{one.this.key.upper()} is not answered", ASK_SELECT)
        names = one.args["alias"].args.get("columns") or ()
        # One sees those before it, not itself.
        tables = {**tables, one.alias.lower(): Named(one.this, tuple(names), tables)}
    return replace(scope, tables=tables)


def body_of(query: exp.Select, scope: Scope) -> Body:
    """Return FROM and WHERE of a SELECT; `scope.outer` is what it can refer to."""
    scope = with_named(query, scope)
    clause = query.args.get("from_")
    if clause is None:
        raise refused(query, "SELECT without FROM", "name a relation of the schema")
    flat = From(scope, rows_of)(clause.this, query.args.get("joins") or ())
    scope = replace(scope, sources=flat.sources)
    where = query.args.get("where")
    asked = list(conditions(where.this)) if where is not None else []
    subqueries = [one for one in asked if one.find(exp.Query) is not None]
    plain = [one for one in asked if one.find(exp.Query) is None] if subqueries else asked
    wanted = [*flat.conditions, *(part for one in plain for part in conjuncts(condition(one, scope)))]
    own = frozenset(one for node in flat.inputs for one in node.attributes)
    closed = [one for one in wanted if one.reads <= own]
    node = joined(flat.inputs, closed, scope.reading.policy)
    if subqueries and scope.subqueries is not None:
        node = scope.subqueries.rows(node, subqueries, scope)
    return Body(scope, node, tuple(one for one in wanted if not one.reads <= own))


def _selected(query: exp.Select, body: Body) -> tuple[Node, Columns]:
    if body.open:
        raise refused(
            query, "a subquery that refers to the SELECT around it cannot stand here", "join the relations"
        )
    if not is_grouped(query):
        items = [one for item in query.expressions for one in _items(item, body.scope)]
        return projected(body.node, items)
    return _grouped(query, body)


def is_grouped(query: exp.Select) -> bool:
    """Say whether a SELECT gives groups instead of rows."""
    clauses = (query.args.get("having"), query.args.get("order"))
    places = [*query.expressions, *(one for one in clauses if one is not None)]
    return query.args.get("group") is not None or any(True for one in places for _ in aggregates(one))


def _grouped(query: exp.Select, body: Body) -> tuple[Node, Columns]:
    below = keyed(query, body)
    size = group_size(below.node, frozenset(below.attributes))

    def made(one: Asked, node: exp.Expr) -> Attribute:
        return inner_figure(one, node, size, grouped=bool(below.keys))

    grouping = Grouping(body.scope, below.keys, made)
    scope = replace(body.scope, groups=grouping)
    items = [one for item in query.expressions for one in _items(item, scope)]
    having = query.args.get("having")
    wanted = conjuncts(condition(having.this, scope)) if having is not None else ()
    node = filtered(Group(below.node, below.attributes, grouping.aggregates), wanted)
    return projected(node, items)


def group_size(node: Node, keys: Attributes) -> Rows:
    """Return how many rows a group can have."""
    # Rows with NULL are equal to nothing, yet they are one group: a key that may be NULL bounds nothing.
    return multiplicity(node, frozenset(one for one in keys if not one.nullable))


def keyed(query: exp.Select, body: Body) -> Keyed:
    """Return the rows with every group key as a column."""
    clause = query.args.get("group")
    found = Keyed(body.node, {}, {})
    new: list[tuple[Attribute, Expression]] = []
    if clause is not None:
        only(clause, "expressions")
        if not clause.expressions:
            raise refused(query, "GROUP BY of nothing", "name the keys")
    for one in clause.expressions if clause is not None else ():
        name, meant = _meant(one, query, body.scope)
        value = expression(meant, body.scope)
        if value not in found.keys:
            key = found.keys[value] = computed(name, value)
            found.places[key] = place_of(one)
            if not isinstance(value, Read):
                new.append((key, value))
    if not new:
        return found
    kept = tuple((one, Read(one)) for one in body.node.attributes)
    return replace(found, node=Project(body.node, (*kept, *new)))


def _meant(one: exp.Expr, query: exp.Select, scope: Scope) -> tuple[str, exp.Expr]:
    """Return what a group key means, and a name for it: itself, or the column of that number or name."""
    if isinstance(one, exp.Literal) and not one.is_string:
        item = item_at(one, query)
        return item.alias_or_name or "key", bare(item)
    titles = {item.alias.lower(): item.this for item in query.expressions if isinstance(item, exp.Alias)}
    if isinstance(one, exp.Column) and not one.table:
        name = one.name.lower()
        if not scope.candidates(name, "") and name in titles:
            return name, titles[name]
    same = next((title for title, meant in titles.items() if meant == one), "")
    return same or one.name or one.key, one


def item_at(number: exp.Literal, query: exp.Select) -> exp.Expr:
    """Return the column of a SELECT that has a number."""
    if not number.this.isdecimal() or not 0 < int(number.this[:9]) <= len(query.expressions):
        raise refused(
            number, f"there is no column number {number.this[:9]}", f"there are {len(query.expressions)}"
        )
    item: exp.Expr = query.expressions[int(number.this) - 1]
    return item


def bare(item: exp.Expr) -> exp.Expr:
    """Return a column of a SELECT without its alias."""
    inner: exp.Expr = item.this if isinstance(item, exp.Alias) else item
    return inner


def _items(item: exp.Expr, scope: Scope) -> Iterable[tuple[str, Expression]]:
    one = bare(item)
    if isinstance(one, exp.Star) or (isinstance(one, exp.Column) and isinstance(one.this, exp.Star)):
        return _all_columns(one, scope)
    return [((item.alias or one.name or one.key).lower(), expression(one, scope))]


def _all_columns(star: exp.Expr, scope: Scope) -> Iterable[tuple[str, Expression]]:
    if scope.groups is not None:
        raise refused(star, "* beside GROUP BY or an aggregate", "name the columns")
    only(star.this if isinstance(star, exp.Column) else star)
    wanted = star.args["table"].name.lower() if isinstance(star, exp.Column) else None
    sources = [one for one in scope.sources if wanted in (None, one.name)]
    if not sources:
        known = {one.name for one in scope.sources}
        raise refused(star, f"no relation is called {wanted} here", nearest(wanted or "", known))
    return [
        (name, Read(one))
        for source in sources
        for name, one in source.columns
        if wanted is not None or name not in source.hidden
    ]


def projected(node: Node, items: Sequence[tuple[str, Expression]]) -> tuple[Node, Columns]:
    """Return the columns that are asked for; where these are all that there are, the rows as they are."""
    made: dict[Expression, Attribute] = {}
    for name, value in items:
        if value not in made:
            made[value] = computed(name, value)
    columns = tuple((name, made[value]) for name, value in items)
    if all(isinstance(one, Read) for one in made) and len(made) == len(node.attributes):
        return node, columns
    return Project(node, tuple((attribute, value) for value, attribute in made.items())), columns


def _union(query: exp.SetOperation, scope: Scope) -> tuple[Node, Columns]:
    if not isinstance(query, exp.Union):
        raise refused(query, f"{query.key.upper()} is not answered", "write it with EXISTS or NOT EXISTS")
    for name in ("limit", "offset"):
        if query.args.get(name):
            raise refused(
                query.args[name], f"{name.upper()} below an aggregate depends on single rows", OUTERMOST
            )
    only(query, "this", "expression", "distinct", "with_", "order")
    (left, ours), (right, theirs) = rows_of(query.this, scope), rows_of(query.expression, scope)
    if len(ours) != len(theirs):
        raise refused(
            query, f"UNION of {len(ours)} and {len(theirs)} columns", "ask for as many on both sides"
        )
    pairs = [together(query, Read(a), Read(b)) for (_, a), (_, b) in zip(ours, theirs, strict=True)]
    new = tuple(_either(name, *pair) for (name, _), pair in zip(ours, pairs, strict=True))
    sides = (_side(left, [one for one, _ in pairs], new), _side(right, [one for _, one in pairs], new))
    node: Node = UnionAll(*sides, new)
    if query.args.get("distinct"):
        node = Group(node, new, ())
    return node, tuple((name, one) for (name, _), one in zip(ours, new, strict=True))


def _side(node: Node, values: Sequence[Expression], new: Sequence[Attribute]) -> Node:
    """Return one side of a union with its columns in order, each once."""
    read = [one.attribute for one in values if isinstance(one, Read)]
    if len(set(read)) == len(values) and tuple(read) == tuple(node.attributes):
        return node
    made: list[tuple[Attribute, Expression]] = []
    for value, like in zip(values, new, strict=True):
        fresh = not isinstance(value, Read) or any(one is value.attribute for one, _ in made)
        own = replace(like) if fresh or not isinstance(value, Read) else value.attribute
        made.append((own, value))
    return Project(node, tuple(made))


def _either(name: str, left: Expression, right: Expression) -> Attribute:
    parts = (left, right)
    domains = [one.attribute.domain if isinstance(one, Read) else None for one in parts]
    known = domains[0] is not None and domains[1] is not None
    domain = tuple(dict.fromkeys(value for one in domains for value in one or ())) if known else None
    if domain is not None and len(domain) > DOMAIN_LIMIT:
        domain = None
    nullable = left.nullable or right.nullable
    return Attribute(name, kind_of(parts), left.scale, nullable, hull(parts), domain)

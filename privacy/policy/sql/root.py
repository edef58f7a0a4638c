"""The outermost SELECT: group keys, noisy figures, and what is done with them afterwards."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from sqlglot import exp

import privacy.policy.sql.predicates
import privacy.policy.sql.scalars  # noqa: F401 (its rules)
from privacy.policy.after import After, Term
from privacy.policy.algebra import Group, Node, Root
from privacy.policy.errors import Place, QueryRefused
from privacy.policy.expressions import Attribute
from privacy.policy.labels import Policy
from privacy.policy.nodes import closed_check
from privacy.policy.sql.canonical import canonical
from privacy.policy.sql.figures import Asked, Grouping, aggregates, root_figure, title_of
from privacy.policy.sql.nesting import nesting_check
from privacy.policy.sql.refusals import only, place_of, refused
from privacy.policy.sql.scope import Reading, Scope
from privacy.policy.sql.selects import CLAUSES, bare, body_of, item_at, keyed, with_named
from privacy.policy.sql.subqueries import InSelects, public_group
from privacy.policy.sql.terms import Terms, Typed
from privacy.policy.sql.text import ASK, FLATTER, TOO_DEEP, parsed

FIGURES = "ask for aggregates: COUNT, SUM, AVG, MIN, MAX, MEDIAN"
MOST_COLUMNS = 100


@dataclass(frozen=True)
class Query:
    """A query in the algebra.

    `canonical` is the same for every spelling of it. `beside` are nodes of one row each, the same in both worlds,
    whose attributes stand beside the figures in every row that `after` works on. `places` tells where in the text the
    group keys and the figures stand.
    """

    root: Root
    after: After
    canonical: str
    beside: tuple[Node, ...] = ()
    places: Mapping[Attribute, Place] = field(default_factory=dict, compare=False)


def translate(sql: str, policy: Policy) -> Query:
    """Return the query that a text means, or raise QueryRefused; schema and policy alone decide."""
    node = parsed(sql)
    try:
        return _query(node, Scope(Reading(policy), {}, subqueries=InSelects()))
    except RecursionError:
        raise QueryRefused(TOO_DEEP, FLATTER, 1, 1) from None
    except QueryRefused as error:
        # What no word of the text stands for, the whole text does.
        raise error.at(*_start(node)) from None


def _start(node: exp.Expr) -> tuple[int, int]:
    line, column = place_of(node)
    return (1, 1) if line is None or column is None else (line, column)


def _query(node: exp.Expr, scope: Scope) -> Query:
    scope = with_named(node, scope)
    if isinstance(node, exp.Subquery):
        only(node, "this", "with_")
        return _query(node.this, scope)
    if isinstance(node, exp.SetOperation):
        raise refused(node, f"{node.key.upper()} of answers", "UNION ALL in FROM, then ask for aggregates")
    if not isinstance(node, exp.Select):
        raise refused(node, f"{node.key.upper()} is not answered", ASK)
    return _selected(node, scope)


def _selected(query: exp.Select, scope: Scope) -> Query:
    only(query, *CLAUSES, "limit", "offset")
    _figures_check(query)
    body = body_of(query, scope)
    below = keyed(query, body)
    titles = {id(bare(item)): item.alias for item in query.expressions if item.alias}
    places = dict(below.places)

    def made(one: Asked, node: exp.Expr) -> Attribute:
        attribute = root_figure(one, node, titles.get(id(node)) or title_of(node))
        places[attribute] = place_of(node)
        return attribute

    grouping = Grouping(body.scope, below.keys, made)
    terms = Terms(grouping, _public)
    after = _after(query, terms)
    root = Root(below.node, below.attributes, grouping.aggregates)
    beside = tuple(terms.beside)
    closed_check(root, beside)
    nesting_check(root, beside)
    return Query(root, after, canonical(root, after, beside), beside, places)


def _figures_check(query: exp.Select) -> None:
    if query.args.get("distinct"):
        raise refused(query, "SELECT DISTINCT lists values", "GROUP BY a column with a domain, and count")
    if len(query.expressions) > MOST_COLUMNS:
        raise refused(
            query, f"more than {MOST_COLUMNS} columns are asked for", "ask for them in several queries"
        )
    for item in query.expressions:
        one = bare(item)
        if isinstance(one, exp.Star) or (isinstance(one, exp.Column) and isinstance(one.this, exp.Star)):
            raise refused(one, "* lists columns of single rows", FIGURES)
    clauses = [query.args[name] for name in ("having", "order") if query.args.get(name) is not None]
    if not any(True for one in (*query.expressions, *clauses) for _ in aggregates(one)):
        raise refused(query, "single rows are not answered", FIGURES)


def _public(node: exp.Subquery, scope: Scope) -> tuple[Node, Typed]:
    """Return the one row that a subquery beside aggregates has, and the value computed of it."""
    query, body, figures = public_group(node, replace(scope, groups=None))
    terms = Terms(figures, _public)
    found = terms(bare(query.expressions[0]))
    if terms.beside:
        raise refused(node, "a subquery within a subquery beside aggregates", "ask for it by itself")
    return Group(body.node, (), figures.aggregates), found


def _after(query: exp.Select, terms: Terms) -> After:
    outputs = tuple((_title(item, terms), terms(bare(item)).term) for item in query.expressions)
    having, order = query.args.get("having"), query.args.get("order")
    if order is not None:
        only(order, "expressions")
    return After(
        outputs,
        None if having is None else terms.truth(having.this),
        () if order is None else tuple(_ordered(one, query, outputs, terms) for one in order.expressions),
        _number(query, "limit"),
        _number(query, "offset") or 0,
    )


def _title(item: exp.Expr, terms: Terms) -> str:
    if item.alias:
        return item.alias
    return title_of(bare(item))


def _ordered(
    one: exp.Expr, query: exp.Select, outputs: tuple[tuple[str, Term], ...], terms: Terms
) -> tuple[Term, bool]:
    # NULLS FIRST is refused: NULLs come last.
    only(one, "this", "desc")
    inner, descending = one.this, bool(one.args.get("desc"))
    if isinstance(inner, exp.Literal) and not inner.is_string:
        item = item_at(inner, query)
        return next(
            term for of, (_, term) in zip(query.expressions, outputs, strict=True) if of is item
        ), descending
    if isinstance(inner, exp.Column) and not inner.table:
        for title, term in outputs:
            if title.lower() == inner.name.lower():
                return term, descending
    return terms(inner).term, descending


def _number(query: exp.Select, clause: str) -> int | None:
    given = query.args.get(clause)
    if given is None:
        return None
    if isinstance(given, exp.Fetch):
        only(given, "direction", "count", "limit_options")
        options = given.args.get("limit_options")
        if options is not None:
            only(options, "rows")
        number = given.args.get("count")
    else:
        only(given, "expression")
        number = given.expression
    if not isinstance(number, exp.Literal) or number.is_string or not number.this.isdecimal():
        raise refused(given, f"{clause.upper()} takes a whole number", f"such as {clause.upper()} 10")
    if len(number.this) > 9:
        raise refused(given, f"{clause.upper()} of more than 9 digits", "write a smaller number")
    return int(number.this)

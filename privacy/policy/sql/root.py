"""The outermost SELECT: group keys, noisy figures, and what is done with them afterwards."""

from collections.abc import Sequence
from dataclasses import dataclass

import sqlglot
from sqlglot import exp
from sqlglot.errors import ParseError, TokenError

from privacy.policy.after import After, Term
from privacy.policy.algebra import Aggregate, Root
from privacy.policy.errors import QueryRefused
from privacy.policy.expressions import Attribute
from privacy.policy.labels import Policy
from privacy.policy.sql.canonical import canonical
from privacy.policy.sql.scope import Scope
from privacy.policy.sql.selects import Selects, aggregates_of, clauses_check, placed
from privacy.policy.sql.terms import term_of

LONGEST = 20_000  # characters


@dataclass(frozen=True)
class Query:
    """A query in the algebra; `canonical` is the same for every spelling of it."""

    root: Root
    after: After
    canonical: str


def translate(sql: str, policy: Policy) -> Query:
    """Return the query that a text means, or raise QueryRefused; schema and policy alone decide."""
    node = parsed(sql)
    try:
        return _query(node, Selects(policy).with_tables(node))
    except RecursionError:
        raise QueryRefused("the query is nested too deeply") from None


def parsed(sql: str) -> exp.Select:
    """Return the one SELECT of a text."""
    if len(sql) > LONGEST:
        raise QueryRefused(f"the query is longer than {LONGEST:,} characters")
    try:
        statements = [one for one in sqlglot.parse(sql, read="postgres") if one is not None]
    except ParseError as error:
        first = error.errors[0] if error.errors else {}
        raise QueryRefused(
            f"it cannot be read: {first.get('description', 'syntax')}",
            "",
            first.get("line"),
            first.get("col"),
        ) from None
    except (TokenError, RecursionError, ValueError):
        raise QueryRefused("it cannot be read") from None
    if len(statements) != 1:
        raise QueryRefused("expected one SELECT")
    if not isinstance(statements[0], exp.Select):
        verb = statements[0].key.upper()
        raise QueryRefused(f"{verb} is not answered", "ask with one SELECT of aggregates", 1, 1)
    return statements[0]


def _query(node: exp.Select, selects: Selects) -> Query:
    clauses_check(node, root=True)
    if node.args.get("distinct"):
        raise QueryRefused(
            "SELECT DISTINCT lists values of people", "GROUP BY a column with a domain, and count"
        )
    scope = Scope()
    below = selects.source(node, scope)
    asked = _asked(node)
    if not asked:
        raise QueryRefused("single rows are not answered", "ask for aggregates: COUNT, SUM, AVG, MEDIAN")
    below, keys, named = selects.keyed(node, below, scope)
    figures: dict[str, Aggregate] = {}
    for one in asked:
        if one.sql() not in figures:
            figures[one.sql()] = selects.aggregate(one, scope)
    aggregates = _titled(node, figures)
    root = Root(below, keys, tuple(aggregates.values()))
    find = _Finder(scope, aggregates, named, frozenset(keys))
    after = _after(node, find)
    return Query(root, after, canonical(root, after))


def _asked(node: exp.Select) -> list[exp.Expression]:
    places = [*node.expressions]
    for clause in ("having", "order"):
        if (one := node.args.get(clause)) is not None:
            places.append(one)
    return [one for place in places for one in aggregates_of(place)]


def _titled(node: exp.Select, figures: dict[str, Aggregate]) -> dict[str, Aggregate]:
    """Give each figure the name that it has in the answer, if it is a column of it."""
    titles = {item.this.sql(): item.alias for item in node.expressions if isinstance(item, exp.Alias)}
    titled = {}
    for text, one in figures.items():
        was = one.attribute
        name = titles.get(text, text.lower())
        attribute = Attribute(name, was.kind, was.scale, was.nullable, was.bounds, was.domain)
        titled[text] = Aggregate(attribute, one.function, one.argument, one.distinct, one.quantile)
    return titled


@dataclass(frozen=True)
class _Finder:
    scope: Scope
    aggregates: dict[str, Aggregate]
    named: dict[str, Attribute]
    keys: frozenset[Attribute]

    def __call__(self, node: exp.Expression) -> Attribute | None:
        text = node.sql()
        if isinstance(node, exp.AggFunc) and text in self.aggregates:
            return self.aggregates[text].attribute
        if text in self.named:
            return self.named[text]
        if not isinstance(node, exp.Column):
            return None
        attribute = self.scope.find(node)
        if attribute not in self.keys:
            raise QueryRefused(
                f"{node.name} is neither a group key nor inside an aggregate",
                f"GROUP BY {node.name}, or aggregate it",
            )
        return attribute


def _after(node: exp.Select, find: _Finder) -> After:
    if any(isinstance(item, exp.Star) for item in node.expressions):
        raise QueryRefused("* lists columns of single rows", "name group keys and aggregates")
    outputs = tuple((_title(item, at), _term(_bare(item), find)) for at, item in enumerate(node.expressions))
    having = node.args.get("having")
    order = node.args.get("order")
    return After(
        outputs,
        None if having is None else _term(having.this, find),
        () if order is None else tuple(_ordered(one, node, outputs, find) for one in order.expressions),
        _number(node, "limit"),
        _number(node, "offset") or 0,
    )


def _term(node: exp.Expression, find: _Finder) -> Term:
    if node.find(exp.Select):
        raise QueryRefused("a subquery beside aggregates is not answered", "ask it as a query of its own")
    return placed(node, lambda: term_of(node, find))


def _ordered(
    one: exp.Expression, node: exp.Select, outputs: Sequence[tuple[str, Term]], find: _Finder
) -> tuple[Term, bool]:
    inner = one.this if isinstance(one, exp.Ordered) else one
    descending = bool(isinstance(one, exp.Ordered) and one.args.get("desc"))
    if isinstance(inner, exp.Literal) and not inner.is_string:
        at = int(inner.this) - 1
        if not 0 <= at < len(outputs):
            raise QueryRefused(f"there is no column number {inner.this}")
        return outputs[at][1], descending
    if isinstance(inner, exp.Column) and not inner.table:
        for title, term in outputs:
            if title.lower() == inner.name.lower():
                return term, descending
    return _term(inner, find), descending


def _number(node: exp.Select, clause: str) -> int | None:
    given = node.args.get(clause)
    if given is None:
        return None
    if not isinstance(given.expression, exp.Literal) or not given.expression.this.isdigit():
        raise QueryRefused(f"{clause.upper()} takes a whole number")
    return int(given.expression.this)


def _bare(item: exp.Expression) -> exp.Expression:
    return item.this if isinstance(item, exp.Alias) else item


def _title(item: exp.Expression, at: int) -> str:
    return (
        item.alias
        or (item.name if isinstance(item, exp.Column) else "")
        or item.sql().lower()
        or f"column {at + 1}"
    )

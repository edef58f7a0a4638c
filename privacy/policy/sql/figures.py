"""Aggregates and group keys of a SELECT."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from sqlglot import exp

from privacy.policy.algebra import Aggregate, Function
from privacy.policy.errors import QueryRefused
from privacy.policy.expressions import Attribute, Choose, Const, Expression, Read
from privacy.policy.labels import Rows
from privacy.policy.sql.constants import literal
from privacy.policy.sql.domains import DOMAIN_LIMIT
from privacy.policy.sql.predicates import condition
from privacy.policy.sql.refusals import only, refused
from privacy.policy.sql.rules import expression
from privacy.policy.sql.scope import Scope
from privacy.policy.sql.units import NUMERIC, fits, in_unit

FUNCTIONS: dict[type[exp.Expr], Function] = {
    exp.Count: "count",
    exp.Sum: "sum",
    exp.Avg: "avg",
    exp.Min: "min",
    exp.Max: "max",
    exp.Median: "median",
    exp.Variance: "var",
    exp.VariancePop: "var",
    exp.Stddev: "stddev",
    exp.StddevSamp: "stddev",
    exp.StddevPop: "stddev",
    exp.Quantile: "quantile",
    exp.PercentileCont: "quantile",
    exp.PercentileDisc: "quantile",
}
# What the parser calls a function → what its author wrote.
WRITTEN: dict[type[exp.Expr], str] = {
    exp.VariancePop: "var_pop",
    exp.StddevPop: "stddev_pop",
    exp.StddevSamp: "stddev_samp",
    exp.PercentileCont: "percentile_cont",
    exp.PercentileDisc: "percentile_disc",
}
NUMBERS_ONLY = {"sum", "avg", "median", "var", "stddev", "quantile"}
BELOW = {"count", "sum", "avg", "min", "max"}
AGGREGATES = (exp.AggFunc, exp.WithinGroup, exp.Filter)
ANSWERED = "answered are COUNT, SUM, AVG, MIN, MAX, MEDIAN, QUANTILE, VARIANCE, STDDEV"
NUMBERS = "it is answered of numbers"
FINER = 4  # digits that an average below the root has more than its argument


@dataclass(frozen=True, slots=True)
class Asked:
    """A figure that is asked for, without the attribute that it gets; equal if it is the same figure."""

    function: Function
    argument: Expression | None = None
    distinct: bool = False
    quantile: tuple[int, int] | None = None
    population: bool = False

    def aggregate(self, attribute: Attribute) -> Aggregate:
        """Return it as an aggregate of the algebra."""
        return Aggregate(
            attribute, self.function, self.argument, self.distinct, self.quantile, self.population
        )


@dataclass
class Grouping:
    """The groups of a SELECT: parts of the text that are keys or figures have a value, other columns have none."""

    base: Scope
    keys: dict[Expression, Attribute]
    made: Callable[[Asked, exp.Expr], Attribute]
    figures: dict[Asked, Attribute] = field(default_factory=dict)

    def value_of(self, node: exp.Expr) -> Expression | None:
        """Return the key or the figure that a part of the text is; refuse columns that are neither."""
        if isinstance(node, AGGREGATES):
            return Read(self.figure(node))
        if isinstance(node, exp.Column):
            return self._column(node)
        if self._computed and not isinstance(node, exp.Literal) and not any(aggregates(node)):
            return self._computed_key(node)
        return None

    def figure(self, node: exp.Expr) -> Attribute:
        """Return the attribute of a figure; asked for twice, it is one."""
        one = asked(node, self.base)
        if one not in self.figures:
            self.figures[one] = self.made(one, node)
        return self.figures[one]

    @property
    def aggregates(self) -> tuple[Aggregate, ...]:
        """Every figure that was asked for."""
        return tuple(one.aggregate(attribute) for one, attribute in self.figures.items())

    @property
    def _computed(self) -> bool:
        return any(not isinstance(one, Read) for one in self.keys)

    def _computed_key(self, node: exp.Expr) -> Expression | None:
        try:
            found = expression(node, self.base)
        except QueryRefused:
            return None
        return Read(self.keys[found]) if found in self.keys else None

    def _column(self, node: exp.Column) -> Expression:
        found = expression(node, self.base)
        if found not in self.keys:
            hint = f"GROUP BY {node.name}, or aggregate it"
            raise refused(node, f"{node.name} is neither a group key nor inside an aggregate", hint)
        return Read(self.keys[found])


def title_of(node: exp.Expr) -> str:
    """Return the name of a column to which its author gave none."""
    if isinstance(node, exp.Column):
        return str(node.name)
    if isinstance(node, exp.WithinGroup | exp.Filter):
        return title_of(node.this)
    return WRITTEN.get(type(node), node.key)


def aggregates(node: exp.Expr) -> Iterator[exp.Expr]:
    """Give the aggregates of a part of the text, not those of subqueries."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, AGGREGATES):
            yield one
        elif not isinstance(one, exp.Query):
            waiting += one.iter_expressions()


def asked(node: exp.Expr, scope: Scope) -> Asked:
    """Return the figure that an aggregate of the text asks for."""
    if isinstance(node, exp.Filter):
        only(node, "this", "expression")
        return _where(asked(node.this, scope), condition(node.expression.this, scope), node)
    if isinstance(node, exp.WithinGroup):
        return _within(node, scope)
    function = FUNCTIONS.get(type(node))
    if function is None:
        name = node.sql_name() if isinstance(node, exp.Func) else node.key
        raise refused(node, f"the aggregate {name.lower()} is not among those that are answered", ANSWERED)
    only(node, "this", "big_int", "quantile", "expression")
    inner, distinct = node.this, isinstance(node.this, exp.Distinct)
    if distinct:
        only(inner, "expressions")
        if function not in ("count", "min", "max") or len(inner.expressions) != 1:
            raise refused(node, "DISTINCT is answered in COUNT of one column", "COUNT(DISTINCT x)")
        inner = inner.expressions[0]
    if inner is None:
        raise refused(node, "COUNT takes * or a column", "COUNT(*) counts rows")
    if isinstance(inner, exp.Star):
        only(inner)
        if function != "count" or distinct:
            raise refused(node, "* is answered in COUNT only", "name a column")
        return Asked("count")
    return _of(node, function, expression(inner, scope), distinct=distinct)


def _of(node: exp.Expr, function: Function, argument: Expression, *, distinct: bool) -> Asked:
    if function in NUMBERS_ONLY and argument.kind not in NUMERIC:
        raise refused(node, f"{function} of a {argument.kind}", NUMBERS)
    if function == "count":
        # What is never NULL is counted as rows are.
        counted = argument if distinct or argument.nullable else None
        return Asked("count", counted, distinct)
    population = isinstance(node, exp.VariancePop | exp.StddevPop)
    given = node.args.get("quantile") or node.args.get("expression")
    return Asked(function, argument, False, _quantile(node, function, given), population)


def _within(node: exp.WithinGroup, scope: Scope) -> Asked:
    inner, order = node.this, node.expression
    ordered = order.expressions if isinstance(order, exp.Order) else []
    if not isinstance(inner, exp.PercentileCont | exp.PercentileDisc) or len(ordered) != 1:
        raise refused(node, "WITHIN GROUP is answered for PERCENTILE_CONT of one column", "or MEDIAN(x)")
    argument = expression(ordered[0].this, scope)
    if argument.kind not in NUMERIC:
        raise refused(node, f"a quantile of a {argument.kind}", NUMBERS)
    place = _quantile(node, "quantile", inner.this)
    assert place is not None
    if ordered[0].args.get("desc"):
        place = (place[1] - place[0], place[1])
    return Asked("quantile", argument, False, place)


def _quantile(node: exp.Expr, function: Function, given: exp.Expr | None) -> tuple[int, int] | None:
    if function == "median":
        return (1, 2)
    if function in ("min", "max"):
        return (0, 1) if function == "min" else (1, 1)
    if function != "quantile":
        return None
    place = Fraction(-1)
    if isinstance(given, exp.Literal) and not given.is_string:
        number = literal(given)
        place = Fraction(number.value, 10**number.scale) if isinstance(number.value, int) else place
    if not 0 <= place <= 1:
        raise refused(node, "a quantile is a number from 0 to 1", "such as 0.9")
    return place.numerator, place.denominator


def _where(one: Asked, predicate: Expression, node: exp.Expr) -> Asked:
    """Return a figure of the rows of FILTER: the others count as NULL."""
    value = one.argument or Const(1, "integer")
    argument = Choose(
        ((predicate, value),), Const(None, value.kind, value.scale), value.kind, value.scale, value.bounds
    )
    return Asked(one.function, argument, one.distinct, one.quantile, one.population)


def root_figure(one: Asked, node: exp.Expr, name: str) -> Attribute:
    """Return the attribute of a figure at the root."""
    argument = one.argument
    if one.function == "count" or argument is None:
        return Attribute(name, "integer")
    if one.function in ("avg", "var", "stddev"):
        return Attribute(name, "decimal", argument.scale, True)
    return Attribute(name, argument.kind, argument.scale, True, argument.bounds if one.quantile else None)


def inner_figure(one: Asked, node: exp.Expr, size: Rows, *, grouped: bool) -> Attribute:
    """Return the attribute of a figure below the root, where a group has at most `size` rows."""
    if one.function not in BELOW:
        raise refused(
            node,
            f"{one.function} below the outermost SELECT is not answered",
            "COUNT, SUM, AVG, MIN, MAX are",
        )
    argument = one.argument
    if one.function == "count" or argument is None:
        return _count(one, size, grouped=grouped)
    nullable = argument.nullable or not grouped
    if one.function == "sum":
        if argument.bounds is None:
            raise refused(node, "sum of a column without bounds", "declare bounds for it")
        total = None
        if size != math.inf:
            total = (int(size) * min(0, argument.bounds[0]), int(size) * max(0, argument.bounds[1]))
            fits(total, node)
        return Attribute("sum", argument.kind, argument.scale, nullable, total)
    if one.function == "avg":
        finer = in_unit(argument, argument.scale + FINER, node)
        return Attribute("avg", "decimal", finer.scale, nullable, finer.bounds)
    domain = argument.attribute.domain if isinstance(argument, Read) else None
    return Attribute(one.function, argument.kind, argument.scale, nullable, argument.bounds, domain)


def _count(one: Asked, size: Rows, *, grouped: bool) -> Attribute:
    if size == math.inf:
        return Attribute("count", "integer")
    # A group that is there has a row.
    surely = grouped and (one.argument is None or not one.argument.nullable)
    least, most = (1 if surely else 0), int(size)
    domain = tuple(range(least, most + 1)) if most <= DOMAIN_LIMIT else None
    return Attribute("count", "integer", 0, False, (least, most), domain)

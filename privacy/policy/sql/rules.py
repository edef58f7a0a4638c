"""From a part of the text to an expression: one rule for each kind of part, and a refusal for all others."""

from collections.abc import Callable
from typing import Any

from sqlglot import exp

from privacy.policy.errors import QueryRefused
from privacy.policy.expressions import Expression
from privacy.policy.sql.refusals import refused
from privacy.policy.sql.scope import Scope

Rule = Callable[[Any, Scope], Expression]
RULES: dict[type[exp.Expr], Rule] = {}
_WRITTEN: dict[type[exp.Expr], str] = {
    exp.DPipe: "||",
    exp.BitwiseAnd: "&",
    exp.BitwiseOr: "|",
    exp.BitwiseNot: "~",
    exp.BitwiseLeftShift: "<<",
    exp.BitwiseRightShift: ">>",
    exp.SimilarTo: "SIMILAR TO",
    exp.AtTimeZone: "AT TIME ZONE",
    exp.GroupingSets: "GROUPING SETS",
    exp.Tuple: "a list in parentheses",
    exp.Dot: "a name or number with this point",
    exp.Bracket: "[ ]",
    exp.HexString: "a number in hexadecimal digits",
    exp.BitString: "a number in binary digits",
    exp.ByteString: "a text with escapes",
    exp.RawString: "a text in dollar signs",
}
OPERATORS = "compare with = <> < <= > >=, BETWEEN, IN, LIKE, IS NULL; compute with + - *"
ANSWERED = (
    "answered are COALESCE, NULLIF, EXTRACT, SUBSTRING and the aggregates COUNT, SUM, AVG, MIN, MAX, MEDIAN"
)
SUBQUERY = "a subquery cannot stand here"
SUBQUERY_HINT = "use it as a condition of WHERE by itself, joined to others by AND"


def rule(*kinds: type[exp.Expr]) -> Callable[[Rule], Rule]:
    """Register the rule of some kinds of parts."""

    def register(one: Rule) -> Rule:
        RULES.update(dict.fromkeys(kinds, one))
        return one

    return register


def expression(node: exp.Expr, scope: Scope) -> Expression:
    """Return what a part of the text means, or raise QueryRefused with its place."""
    if scope.joined and id(node) in scope.joined:
        return scope.joined[id(node)]
    if scope.groups is not None and (known := scope.groups.value_of(node)) is not None:
        return known
    found = RULES.get(type(node))
    if found is None:
        raise unknown(node)
    scope.reading.enter(node)
    try:
        return found(node, scope)
    finally:
        scope.reading.leave()


def unknown(node: exp.Expr) -> QueryRefused:
    """Return why a part of the text cannot be in an expression."""
    if isinstance(node, exp.Div | exp.IntDiv | exp.Mod):
        return refused(node, "division inside an expression", "divide aggregates by each other: that is free")
    if isinstance(node, exp.Cast | exp.TryCast):
        return refused(
            node, "a cast can fail", "declare the type in the schema; only literals are cast to dates"
        )
    if isinstance(node, exp.Window):
        return refused(node, "a window function", "use GROUP BY")
    if isinstance(node, exp.AggFunc | exp.WithinGroup | exp.Filter):
        return refused(
            node, "an aggregate cannot stand here", "aggregates stand in SELECT, HAVING and ORDER BY"
        )
    if isinstance(node, exp.Query | exp.Exists | exp.Any | exp.All):
        return refused(node, SUBQUERY, SUBQUERY_HINT)
    if isinstance(node, exp.Parameter | exp.Placeholder | exp.SessionParameter):
        return refused(node, "a parameter has no value here", "write the value")
    if isinstance(node, exp.Star):
        return refused(node, "* stands for columns, not for a value", "name a column")
    if isinstance(node, exp.Interval):
        return refused(node, "an interval is added to a literal date only", "compare the column with a date")
    if isinstance(node, exp.Anonymous):
        return refused(
            node, f"the function {node.name.lower()} is not among those that are answered", ANSWERED
        )
    if isinstance(node, exp.Func):
        name = str(node.meta.get("name") or node.sql_name()).lower()
        return refused(node, f"the function {name} is not among those that are answered", ANSWERED)
    return refused(node, f"{_WRITTEN.get(type(node), node.key.upper())} is not answered", OPERATORS)

"""How each engine spells values, types and the few functions that they do not share."""

import datetime
from dataclasses import dataclass
from typing import Literal

from sqlglot import exp

from privacy.policy.expressions import Bounds
from privacy.policy.schema import Column, Kind
from privacy.policy.values import Value

Dialect = Literal["sqlite", "postgres", "duckdb", "spark"]
Type = exp.DType
# Digits that decimals of 64 bits hold: DuckDB computes narrow ones in them, and refuses what does not fit.
NARROW, WIDE = 18, 38


@dataclass(frozen=True, slots=True)
class Engine:
    """An engine. Where it has exact decimals they are used as they are; SQLite computes in whole units."""

    name: Dialect

    @property
    def decimals(self) -> bool:
        """Whether decimals are exact there."""
        return self.name != "sqlite"

    def number(self, value: int, scale: int) -> exp.Expr:
        """Return a number of units."""
        digits = str(abs(value))
        if scale and self.decimals:
            digits = digits.rjust(scale + 1, "0")
            digits = f"{digits[:-scale]}.{digits[-scale:]}"
        literal = exp.Literal.number(digits)
        return exp.Paren(this=exp.Neg(this=literal)) if value < 0 else literal

    def literal(self, value: Value | None, kind: Kind, scale: int) -> exp.Expr:
        """Return a value; NULL has a type, or it would be a text."""
        if value is None:
            return (
                exp.Null() if self.name == "sqlite" else exp.Cast(this=exp.Null(), to=self.type(kind, scale))
            )
        if isinstance(value, bool):
            return exp.Boolean(this=value)
        if isinstance(value, int):
            return self.number(value, scale)
        if isinstance(value, datetime.date):
            return self.date(value)
        return exp.Literal.string(value)

    def date(self, value: datetime.date) -> exp.Expr:
        """Return a day."""
        text = exp.Literal.string(value.isoformat())
        return text if self.name == "sqlite" else exp.Cast(this=text, to=plain(Type.DATE))

    def type(self, kind: Kind, scale: int) -> exp.DataType:
        """Return the type that values of a kind have."""
        if kind == "decimal":
            return self.decimal(NARROW, scale)
        known = {"integer": Type.BIGINT, "text": Type.TEXT, "date": Type.DATE, "boolean": Type.BOOLEAN}
        return plain(known[kind])

    def decimal(self, digits: int, scale: int) -> exp.DataType:
        """Return the type of decimals; PostgreSQL's have as many digits as they need."""
        if self.name == "postgres":
            return plain(Type.DECIMAL)
        parameters = [exp.DataTypeParam(this=exp.Literal.number(str(one))) for one in (digits, scale)]
        return exp.DataType(this=Type.DECIMAL, expressions=parameters)

    def scanned(self, column: exp.Expr, of: Column) -> exp.Expr:
        """Return a column as expressions read it: texts are compared byte by byte, SQLite's decimals are units."""
        if of.kind == "text":
            # CAST: of CHAR(n), which ignores spaces at its end, of UUID and of ENUM.
            text = exp.Cast(this=column, to=plain(Type.TEXT)) if self.name == "postgres" else column
            return self.bytewise(text)
        if of.kind == "decimal" and not self.decimals:
            units = exp.Mul(this=column, expression=exp.Literal.number(str(10**of.scale)))
            return integer(exp.Round(this=units if of.scale else column))
        return column

    def bytewise(self, text: exp.Expr) -> exp.Expr:
        """Return a text that is compared byte by byte."""
        if self.name == "sqlite":
            return exp.Collate(this=text, expression=exp.Var(this="BINARY"))
        if self.name == "postgres":
            return exp.Collate(this=text, expression=exp.Identifier(this="C", quoted=True))
        return text

    def like(self, text: exp.Expr, pattern: str, *, negate: bool = False) -> exp.Expr:
        """Return whether a text is like a pattern; case matters, and no character takes the meaning of another."""
        if self.name == "duckdb":
            # It takes a third longer over NOT (x LIKE y) than over x NOT LIKE y.
            return exp.Like(this=text, expression=exp.Literal.string(pattern), negate=negate)
        found: exp.Expr
        if self.name == "sqlite":
            found = exp.Glob(this=text, expression=exp.Literal.string(glob(pattern)))
        else:
            found = exp.Like(this=text, expression=exp.Literal.string(pattern))
        if self.name == "postgres":
            found = exp.Escape(this=found, expression=exp.Literal.string(""))
        return exp.Not(this=exp.Paren(this=found)) if negate else found

    def part(self, which: Literal["year", "month"], date: exp.Expr) -> exp.Expr:
        """Return the year or month of a date."""
        if self.name == "sqlite":
            start, length = ("1", "4") if which == "year" else ("6", "2")
            return integer(_substring(date, start, length))
        return integer(exp.Extract(this=exp.Var(this=which.upper()), expression=date))

    def prefix(self, text: exp.Expr, length: int) -> exp.Expr:
        """Return the first characters of a text."""
        return _substring(text, "1", str(length))

    def clipped(self, value: exp.Expr, bounds: tuple[int, int], scale: int, *, nullable: bool) -> exp.Expr:
        """Return a number, moved into its bounds; NULL stays NULL."""
        low, high = (self.number(end, scale) for end in bounds)
        if self.name == "sqlite":
            # Of several values these are functions of a row, and NULL if any of them is.
            most = exp.Anonymous(this="MIN", expressions=[value, high])
            return exp.Anonymous(this="MAX", expressions=[most, low])
        if not nullable:
            return exp.Greatest(this=exp.Least(this=value, expressions=[high]), expressions=[low])
        below = exp.If(this=exp.LT(this=value, expression=low), true=low.copy())
        above = exp.If(this=exp.GT(this=value.copy(), expression=high), true=high.copy())
        return exp.Case(ifs=[below, above], default=value.copy())


def plain(type_: exp.DType) -> exp.DataType:
    """Return a type without parameters."""
    return exp.DataType(this=type_)


def integer(value: exp.Expr) -> exp.Expr:
    """Return a value as an integer of 64 bits."""
    return exp.Cast(this=value, to=plain(Type.BIGINT))


def digits_of(bounds: Bounds) -> int:
    """Return how many digits numbers within bounds have at most; of unbounded ones as many as 64 bits hold."""
    return 19 if bounds is None else len(str(max(map(abs, bounds))))


def glob(pattern: str) -> str:
    """Return a LIKE pattern as GLOB writes it."""
    meant = {"%": "*", "_": "?", "*": "[*]", "?": "[?]", "[": "[[]"}
    return "".join(meant.get(one, one) for one in pattern)


def _substring(text: exp.Expr, start: str, length: str) -> exp.Expr:
    return exp.Substring(this=text, start=exp.Literal.number(start), length=exp.Literal.number(length))

"""The text of a query, read by the parser: one SELECT of limited length and depth."""

from collections.abc import Sequence
from itertools import pairwise

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import ParseError, SqlglotError
from sqlglot.tokens import Token, TokenType

from privacy.policy.errors import QueryRefused

LONGEST = 20_000  # characters
LONGEST_WORD = 1_000  # the parser takes time that grows faster than the length of an interval's text
DEEPEST = 50  # parentheses and CASEs within each other
READ_AS = "postgres"

_OPENING = {TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE, TokenType.CASE}
_CLOSING = {TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE, TokenType.END}
_FIRST = {TokenType.SELECT, TokenType.WITH, TokenType.L_PAREN}
ASK = "ask with one SELECT of aggregates"
TOO_DEEP = f"the query is nested more than {DEEPEST} deep"


def parsed(sql: str) -> exp.Expr:
    """Return the one statement of a text, or raise QueryRefused."""
    if len(sql) > LONGEST:
        raise QueryRefused(f"the query is longer than {LONGEST:,} characters", "", 1, 1)
    dialect = Dialect.get_or_raise(READ_AS)
    try:
        tokens = dialect.tokenize(sql)
        _tokens_check(tokens)
        statements = [one for one in dialect.parser().parse(tokens, sql) if one is not None]
    except ParseError as error:
        raise _unreadable(error) from None
    except SqlglotError:
        raise QueryRefused("the text is not SQL: a quote or a comment has no end", "", 1, 1) from None
    except RecursionError:
        raise QueryRefused(TOO_DEEP, "", 1, 1) from None
    if len(statements) != 1:
        raise QueryRefused("there are several statements", ASK, 1, 1)
    return statements[0]


def _tokens_check(tokens: Sequence[Token]) -> None:
    """Refuse what is no SELECT, what is two, and what is nested too deep, before it is parsed."""
    words = [one for one in tokens if one.token_type is not TokenType.SEMICOLON]
    if not words:
        raise QueryRefused("there is no query", ASK, 1, 1)
    first = next((one for one in words if one.token_type is not TokenType.L_PAREN), words[0])
    if first.token_type not in _FIRST:
        raise QueryRefused(f"{first.text[:20].upper()} is not answered", ASK, *_place(first))
    for one, following in pairwise(tokens[tokens.index(words[0]) :]):
        if one.token_type is TokenType.SEMICOLON and following.token_type is not TokenType.SEMICOLON:
            raise QueryRefused("there are several statements", ASK, *_place(following))
    depth = 0
    for one in words:
        depth += (one.token_type in _OPENING) - (one.token_type in _CLOSING)
        if depth > DEEPEST:
            raise QueryRefused(TOO_DEEP, "", *_place(one))
        if len(one.text) > LONGEST_WORD:
            reason = f"a literal or a name is longer than {LONGEST_WORD:,} characters"
            raise QueryRefused(reason, "", *_place(one))


def _place(token: Token) -> tuple[int, int]:
    return token.line, max(1, token.col - (token.end - token.start))


def _unreadable(error: ParseError) -> QueryRefused:
    first = error.errors[0] if error.errors else {}
    said = str(first.get("description") or "syntax error")
    if "<class" in said:
        said = "something is missing"
    column = first.get("col")
    if column is not None and first.get("highlight"):
        column = max(1, column - len(first["highlight"]) + 1)
    return QueryRefused(f"the text is not SQL that can be read: {said}", "", first.get("line"), column)

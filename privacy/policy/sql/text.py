"""The text of a query, read by the parser: one SELECT of limited length and depth."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise

from sqlglot import exp
from sqlglot.dialects.postgres import Postgres
from sqlglot.errors import ParseError, SqlglotError
from sqlglot.tokens import Token, TokenType

from privacy.policy.errors import QueryRefused

LONGEST = 20_000  # characters
LONGEST_WORD = 1_000  # the parser takes time that grows faster than the length of an interval's text
DEEPEST = 50  # parentheses and CASEs within each other

_OPENING = {TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE, TokenType.CASE}
_CLOSING = {TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE, TokenType.END}
_FIRST = {TokenType.SELECT, TokenType.WITH, TokenType.L_PAREN}
_RARE = re.compile(r"[^\t\n\r\f -~]")
# Characters that nobody sees, or that let a text look like another: controls, formats, separators of lines.
_UNSEEN = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}
_STRINGS = {TokenType.STRING, TokenType.NATIONAL_STRING, TokenType.RAW_STRING, TokenType.HEREDOC_STRING}
ASK = "ask with one SELECT of aggregates"
SHORTER = "ask for less in one query"
FLATTER = "ask it in a flatter form"
UNREADABLE = "the text is not SQL that can be read"
# What the parser trips over, where it expects more than there is.
_SLIPS = (AssertionError, AttributeError, IndexError, KeyError, TypeError, ValueError)
NO_END = "the text is not SQL: a quote or a comment has no end"
TOO_DEEP = f"the query is nested more than {DEEPEST} deep"
TOO_NESTED = "the query is nested too deep"


class Spoken(Postgres):
    """SQL as it is read here: that of PostgreSQL, save that NULLs come last in either direction unless it says so."""

    NULL_ORDERING = "nulls_are_last"


def parsed(sql: str) -> exp.Expr:
    """Return the one statement of a text, or raise QueryRefused."""
    if len(sql) > LONGEST:
        raise QueryRefused(f"the query is longer than {LONGEST:,} characters", SHORTER, 1, 1)
    dialect = Spoken()
    try:
        tokens = dialect.tokenize(sql)
        _characters_check(sql, tokens)
        _tokens_check(tokens)
        found = dialect.parser().parse(tokens, sql)
        # A comment after the last semicolon is no statement.
        statements = [one for one in found if one is not None and not isinstance(one, exp.Semicolon)]
    except QueryRefused:
        raise
    except ParseError as error:
        raise _unreadable(error) from None
    except SqlglotError:
        raise QueryRefused(NO_END, "close it", 1, 1) from None
    except RecursionError:
        raise QueryRefused(TOO_DEEP, FLATTER, 1, 1) from None
    except _SLIPS:
        raise QueryRefused(f"{UNREADABLE}: something is missing", ASK, 1, 1) from None
    if len(statements) != 1:
        raise QueryRefused("there are several statements", ASK, 1, 1)
    return statements[0]


def _characters_check(sql: str, tokens: Sequence[Token]) -> None:
    """Refuse characters that nobody sees; within quotes they are data, save what no database keeps."""
    quoted = [range(one.start, one.end + 1) for one in tokens if one.token_type in _STRINGS]
    for at in _unseen(sql):
        kept = sql[at] != "\0" and unicodedata.category(sql[at]) != "Cs"
        if not (kept and any(at in one for one in quoted)):
            before = sql[:at]
            place = before.count("\n") + 1, at - (before.rfind("\n") + 1) + 1
            raise QueryRefused(f"there is an invisible character U+{ord(sql[at]):04X}", "remove it", *place)


def _unseen(sql: str) -> Iterator[int]:
    for found in _RARE.finditer(sql):
        if unicodedata.category(found[0]) in _UNSEEN:
            yield found.start()


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
            raise QueryRefused(TOO_DEEP, FLATTER, *_place(one))
        if len(one.text) > LONGEST_WORD:
            reason = f"a literal or a name is longer than {LONGEST_WORD:,} characters"
            raise QueryRefused(reason, "write a shorter one", *_place(one))


def _place(token: Token) -> tuple[int, int]:
    return token.line, max(1, token.col - (token.end - token.start))


def _unreadable(error: ParseError) -> QueryRefused:
    first = error.errors[0] if error.errors else {}
    said = str(first.get("description") or "syntax error")
    if "<" in said:
        # The parser names its own classes.
        said = "something is missing"
    column = first.get("col")
    if column is not None and first.get("highlight"):
        column = max(1, column - len(first["highlight"]) + 1)
    reason = f"{UNREADABLE}: {said.lower()}"
    return QueryRefused(reason, ASK, first.get("line") or 1, column or 1)

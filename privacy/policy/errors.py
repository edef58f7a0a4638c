"""The refusals of the policy layer: where, why, and what to do instead."""

from collections.abc import Sequence
from typing import Self

from privacy.errors import PrivacyError

Place = tuple[int | None, int | None]  # line and column of a text, from 1


class PolicyLayerError(PrivacyError):
    """The policy layer refuses: a schema, a policy, a query, a charge or a source."""

    code = "policy-layer"


class _Placed(PolicyLayerError):
    """A document is wrong in one place."""

    def __init__(self, place: Sequence[object], reason: str, line: int | None = None) -> None:
        self.place, self.reason, self.line = tuple(place), reason, line
        where = ".".join(map(str, place)) or "the document"
        super().__init__(f"{where}{'' if line is None else f' (line {line})'}: {reason}")

    def at(self, line: int | None, *before: object) -> Self:
        """Return the same refusal with its line, and with what its place is within."""
        return type(self)((*before, *self.place), self.reason, line)


class DocumentInvalid(_Placed):
    """A text is no document, or not one of a source."""

    code = "document-invalid"


class SchemaInvalid(_Placed):
    """A schema means nothing."""

    code = "schema-invalid"


class PolicyInvalid(_Placed):
    """A policy is not well-formed: there would be no legal neighbour, or a relation has no label."""

    code = "policy-invalid"


class QueryRefused(PolicyLayerError):
    """A query is not answered, for a reason that schema and policy alone give."""

    code = "query-refused"

    def __init__(
        self, reason: str, hint: str = "", line: int | None = None, column: int | None = None
    ) -> None:
        self.reason, self.hint, self.line, self.column = reason, hint, line, column
        where = "" if line is None else f"line {line}, column {column}: "
        super().__init__(f"{where}{reason}{'; ' + hint if hint else ''}")

    def at(self, line: int | None, column: int | None) -> "QueryRefused":
        """Return the same refusal with a place, unless it has one."""
        return self if self.line is not None else type(self)(self.reason, self.hint, line, column)

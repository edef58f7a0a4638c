"""Bodies of requests: JSON, and none that is nested without end."""

from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser


class BodyParser(JSONParser):
    """Reads JSON; what nests deeper than can be read is malformed, as is what is no JSON."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """Return the value, or raise ParseError."""
        try:
            return super().parse(stream, media_type, parser_context)
        except RecursionError:
            raise ParseError("the body is nested too deep") from None

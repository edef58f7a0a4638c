"""How a command refuses bad input: exit status 2 and one line, `error: where: why`."""

import sys
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandParser

MALFORMED = 2  # exit status
_LONGEST = 300  # of a line, which may quote what was typed


class RefusingCommand(BaseCommand):
    """A command whose parser, too, refuses in one line."""

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        """Make the parser, without the usage that would bury its refusal."""
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        parser.error = _typed_wrongly  # type: ignore[method-assign]
        return parser


def refuse(line: str) -> NoReturn:
    """Write the one line and end."""
    # What was typed may hold halves of characters that no stream writes.
    told = " ".join(line.encode(errors="replace").decode().split())
    sys.stderr.write(f"error: {told if len(told) <= _LONGEST else told[: _LONGEST - 1] + '…'}\n")
    sys.exit(MALFORMED)


def _typed_wrongly(message: str) -> NoReturn:
    named = message.startswith("argument ")
    refuse(message.removeprefix("argument ") if named else f"arguments: {message}")

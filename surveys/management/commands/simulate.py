"""`manage.py simulate`: simulated respondents send real reports through the public HTTP API."""

from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from surveys.management.refusing import MALFORMED
from surveys.simulation.sending import SendingFailed, manifest_load, reports_send
from surveys.simulation.truths import Rows, TableInvalid, people_from

MOST_THREADS = 64


class Command(BaseCommand):
    """Draw N respondents' true answers from a table, randomise them as a device does, and send them."""

    help = __doc__
    requires_system_checks = ()  # it needs no database: the server may be anywhere

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Say what the command takes."""
        parser.add_argument("slug")
        parser.add_argument(
            "--truth", type=Path, required=True, metavar="TABLE.csv|.sav", help="shares, or a row a person"
        )
        parser.add_argument(
            "--n", type=int, help="respondents; rows are drawn with replacement (default: each row once)"
        )
        parser.add_argument("--base-url", default="http://127.0.0.1:8000")
        parser.add_argument(
            "--map", action="append", default=[], metavar="q1=COLUMN[:VALUE=ANSWER,…]", help=Rows.__doc__
        )
        parser.add_argument("--threads", type=int, default=4)

    def handle(self, *args: Any, slug: str, base_url: str, threads: int, **options: Any) -> None:
        """Send, and say how it went."""
        _within("--n", options["n"], None)
        _within("--threads", threads, MOST_THREADS)
        try:
            manifest = manifest_load(base_url, slug)
            truths = _truths(manifest, options["truth"], options["map"], options["n"])
            tally = reports_send(base_url, manifest, truths, threads)
        except TableInvalid as error:
            raise CommandError(str(error), returncode=MALFORMED) from error
        except SendingFailed as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{tally.accepted} reports were acknowledged")
        if tally.refused:
            raise CommandError(", ".join(f"{times} refused: {kind}" for kind, times in tally.refused.items()))


def _within(name: str, value: int | None, most: int | None) -> None:
    if value is not None and (value < 1 or (most is not None and value > most)):
        upper = "" if most is None else f" to {most}"
        raise CommandError(f"{name}: a whole number from 1{upper}", returncode=MALFORMED)


def _truths(manifest: dict[str, Any], path: Path, mapping: list[str], n: int | None) -> Iterator[Any]:
    people = people_from(path, manifest, mapping)
    if n is not None:
        return (people.draw() for _ in range(n))
    if isinstance(people, Rows):
        return people.each()
    raise TableInvalid("a table of shares has no end: say how many respondents with --n")

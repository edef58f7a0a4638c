"""`manage.py verify URL`: compares the respondent page that a server sends with this checkout's build."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from surveys.simulation.sending import SendingFailed
from surveys.verification import differences


class Command(BaseCommand):
    """Download the page and its assets, and name every difference; exit 1 when there is one."""

    help = __doc__
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Say what the command takes."""
        parser.add_argument("url", help="of a respondent page, such as https://example.org/s/habits/")

    def handle(self, *args: Any, url: str, **options: Any) -> None:
        """Compare."""
        try:
            found = differences(url)
        except SendingFailed as error:
            raise CommandError(str(error)) from error
        for difference in found:
            self.stderr.write(difference)
        if found:
            sys.exit(1)
        self.stdout.write("the page, its script and its styles are those of this checkout")

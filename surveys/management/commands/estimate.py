"""manage.py estimate: de-bias counts of randomised answers, without a database."""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from privacy.errors import PrivacyError
from privacy.estimation.calculator import calculate
from surveys.management.refusing import RefusingCommand, refuse


class Command(RefusingCommand):
    """Answer one case, or a list of cases, with unbiased shares, standard errors and intervals."""

    help = (
        "Unbiased shares, standard errors, intervals and maximum-likelihood shares of randomised answers. "
        'A case: {"channel": {"matrix": [[P(report|truth), one row a report]]} | {"protocol": "spinner" | '
        '"spinner-coin", "epsilon": "1.0986" | "ln(3)", "choices": k} | {"protocol": "coin", "tosses": m, '
        '"truth": T, "choices": k} | {"p_yes_if_yes": c, "p_yes_if_no": d}, "counts": [one an answer, yes '
        'before no], "level": 0.95, "population": N, "variance": "population" | "respondents"}. '
        'A joint table: {"channels": [c1, c2], "table": [[counts]]}. Epsilon is null when it is infinite. '
        "Bad input: exit status 2 and one line, error: where: why."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the file of the case."""
        parser.add_argument("--case", required=True, metavar="FILE", help="JSON; - reads standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the answer as JSON."""
        try:
            answer = calculate(_read(options["case"]))
        except PrivacyError as refused:
            refuse(str(refused))
        self.stdout.write(json.dumps(answer, indent=2, allow_nan=False))


def _read(name: str) -> object:
    try:
        text = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return json.loads(text.decode())
    except OSError as error:
        refuse(f"{name}: {error.strerror or error}")
    except (ValueError, RecursionError) as error:
        refuse(f"{name}: not JSON: {error}")

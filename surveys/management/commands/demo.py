"""`manage.py demo`: accounts and surveys for a first start; it may run again and again."""

import os
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from surveys.demo.making import DemoAccount, demo_make
from surveys.demo.questionnaires import CLOSED, OPEN, PROPORTIONS
from surveys.demo.registering import DemoSource, sources_make
from surveys.models import Spent, Survey
from surveys.simulation.sending import SendingFailed, manifest_load, reports_send
from surveys.simulation.truths import people_from
from surveys.sources.service import NAME


class Command(BaseCommand):
    """Make what is missing, and print the addresses and one-time passwords."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Say what the command takes."""
        parser.add_argument(
            "--base-url", default=_served(), help="where the service is; from HOST and PORT unless given"
        )
        parser.add_argument(
            "--answers",
            action="store_true",
            help="send the second survey's simulated answers to the running server; at its target it closes",
        )

        parser.add_argument(
            "--sources",
            action="store_true",
            help="make the sources of the SQL console: a university, and TPC-H where tpchgen-cli is installed",
        )

    def handle(self, *args: Any, base_url: str, answers: bool, sources: bool, **options: Any) -> None:
        """Make the demo, or its sources, or answer it."""
        if sources:
            self.stdout.write("\n".join(_source(base_url.rstrip("/"), one) for one in sources_make()))
        elif answers:
            self.stdout.write(f"{_answer(base_url)} simulated respondents answered {CLOSED['slug']}")
        else:
            self.stdout.write(_greeting(base_url.rstrip("/"), demo_make()))


def _served() -> str:
    """Return the address of a service that was started under the HOST and PORT of this environment."""
    host, port = os.environ.get("HOST") or "127.0.0.1", os.environ.get("PORT") or "8000"
    # A server that listens on every address is found on this one.
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def _answer(base_url: str) -> int:
    """Send what is missing up to the target; nothing once the survey is closed."""
    survey = Survey.objects.filter(slug=CLOSED["slug"], state=Survey.State.OPEN).first()
    if survey is None:
        return 0
    missing = CLOSED["target"] - Spent.objects.filter(survey=survey).count()
    try:
        manifest = manifest_load(base_url, survey.slug)
        people = people_from(PROPORTIONS, manifest, ())
        tally = reports_send(base_url, manifest, (people.draw() for _ in range(max(0, missing))))
    except SendingFailed as error:
        raise CommandError(str(error)) from error
    if tally.refused:
        raise CommandError(f"refused: {tally.refused}")
    return tally.accepted


def _source(base: str, one: DemoSource) -> str:
    return f"{one.name:<17} {f'not there: {one.missing}' if one.missing else f'{base}/sources/{one.name}/'}"


def _greeting(base: str, accounts: list[DemoAccount]) -> str:
    lines = [
        f"Answer a survey   {base}/s/{OPEN['slug']}/",
        f"Design surveys    {base}/surveys/",
        f"Read results      {base}/surveys/{CLOSED['slug']}/results",
        f"Ask about people  {base}/sources/{NAME}/",
        f"Read the audit log {base}/audit/",
        "",
        *(f"{account.name:<11} {_password(account)}" for account in accounts),
    ]
    return "\n".join(lines)


def _password(account: DemoAccount) -> str:
    if account.password is None:
        return "(its password was changed)"
    return f"one-time password: {account.password}"

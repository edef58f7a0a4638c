"""manage.py register_source: a database that is asked through the policy layer, as a file describes it."""

import sys
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.db import transaction

from privacy.policy.documents import LONGEST
from privacy.policy.errors import DocumentInvalid, PolicyInvalid, SchemaInvalid
from surveys.errors import DeniableError, SettingInvalid
from surveys.findings import message_of
from surveys.management.refusing import RefusingCommand, refuse
from surveys.models import Source
from surveys.services.ledger import budget_set, delta_read, epsilon_read
from surveys.services.queries import policies_of
from surveys.services.sources import (
    PAGE,
    source_check,
    source_forget,
    source_get,
    source_policy_text,
    source_reason,
    source_register_text,
)

AGAIN = "--again declares that source anew if nothing was asked of it yet; --policy-only sets its policies."


class Command(RefusingCommand):
    """Register a source, or label a registered one anew."""

    help = (
        "Register a PostgreSQL, SQLite or DuckDB database as a source. The file, YAML or JSON, holds `schema`, "
        "`policy` (or `policies`, one for each kind of entity) and, where tables have other names, `tables`. "
        "A connection is a name in the setting SOURCE_CONNECTIONS, or a file NAME.sqlite3 or NAME.duckdb in the folder "
        "sources of DENIABLE_VAR. A new source answers nothing before `check_source NAME` has found that its data "
        "keeps every declared constraint. What is wrong with the file is told with its line; exit status 2."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take name, connection and file."""
        parser.add_argument("name", metavar="NAME")
        parser.add_argument("--file", required=True, metavar="FILE", help="a file, or - for standard input")
        parser.add_argument("--connection", default="", metavar="C", help="where it is; NAME, unless given")
        parser.add_argument(
            "--budget", metavar="E", help="what may be spent in all on each kind of entity: an ε"
        )
        parser.add_argument(
            "--delta-budget", metavar="D", help="beside --budget, the same of δ, such as 1e-6; 0 unless given"
        )
        parser.add_argument(
            "--check", action="store_true", help="check it at once; exit status 1 when that fails"
        )
        parser.add_argument(
            "--policy-only",
            action="store_true",
            help="set the policies of a source that is registered already",
        )
        parser.add_argument(
            "--again",
            action="store_true",
            help="declare a registered source anew, if nothing was asked of it yet; its budgets are set anew too",
        )

    def handle(self, *args: Any, name: str, file: str, check: bool, **options: Any) -> None:
        """Register and tell."""
        if options["delta_budget"] is not None and options["budget"] is None:
            refuse("--delta-budget: needs --budget")
        text = _read(file)
        try:
            with transaction.atomic():
                told = _kept(name, text, options)
        except (DocumentInvalid, SchemaInvalid, PolicyInvalid) as refused:
            refuse(f"{file}: {refused}")
        except SettingInvalid as refused:
            wrong = refused.findings[0]
            cure = f" {AGAIN}" if wrong.code == "name-taken" and name != PAGE else ""
            refuse(f"{wrong.field}: {message_of(wrong)}{cure}")
        except DeniableError as refused:
            refuse(f"{refused.field or name}: {refused}")
        if check:
            source_check(actor=None, source=source_get(name))
        source = source_get(name)
        self.stdout.write(f"{name} {told}; it {_standing(source)}")
        if check and source.state != Source.State.OPEN:
            self.stderr.write(f"{name} is closed to queries: {source_reason(source)}")
            sys.exit(1)


def _standing(source: Source) -> str:
    if source.state == Source.State.FAILED:
        return "failed its check"
    # A closed source answers nothing, and does not open by itself.
    return (
        "is open"
        if source.state == Source.State.OPEN
        else (f"is closed until manage.py check_source {source.name} opens it")
    )


def _kept(name: str, text: str, options: Mapping[str, Any]) -> str:
    if options["again"]:
        source_forget(source=source_get(name))
    told = _labelled(name, text) if options["policy_only"] else _registered(name, text, options["connection"])
    if options["budget"] is not None:
        total, source = epsilon_read(options["budget"], "--budget"), source_get(name)
        given = options["delta_budget"]
        deltas = None if given is None else delta_read(given, "--delta-budget")
        for policy in policies_of(source):
            budget_set(actor=None, source=source, entity=policy.entity, total=total, delta_total=deltas)
    return told


def _registered(name: str, text: str, connection: str) -> str:
    source_register_text(actor=None, name=name, connection=connection, text=text)
    return "is registered"


def _labelled(name: str, text: str) -> str:
    kept = source_policy_text(actor=None, source=source_get(name), text=text)
    return f"has new policies for {', '.join(one.entity for one in kept)}"


def _read(file: str) -> str:
    try:
        data = sys.stdin.buffer.read(LONGEST * 4) if file == "-" else Path(file).read_bytes()
        return data.decode()
    except OSError as error:
        refuse(f"{file}: {error.strerror}")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        refuse(f"{file}: line {line}: not UTF-8")

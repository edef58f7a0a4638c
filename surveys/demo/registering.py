"""Makes the demo's sources: a university, and TPC-H where its generator is installed; what is there already stays."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model

from privacy.policy.files import source_from
from privacy.policy.schema import Schema
from surveys.demo.university import university_write
from surveys.models import Source
from surveys.permissions import ADMIN, RESEARCHER
from surveys.services.ledger import MICRO, PICO, budget_set, share_set
from surveys.services.queries import policies_of
from surveys.services.sources import source_check, source_reason, source_register_text

SCALE = "0.01"  # of TPC-H: 60,000 lines of orders, a second or two
GENERATOR = "tpchgen-cli"
TOTAL, SHARE, DELTA_TOTAL = 10 * MICRO, 4 * MICRO, PICO // MICRO
_DESCRIBED = Path(__file__).with_name("sources")


class GeneratorMissing(Exception):
    """The program that makes a source's data is not installed; the text says what to do."""


@dataclass(frozen=True, slots=True)
class DemoSource:
    """A source of the demo; `missing` says why it could not be made."""

    name: str
    missing: str = ""


def sources_make() -> list[DemoSource]:
    """Make files, register, check and budget what is missing, for the demo's accounts; return each with its state."""
    return [_made("university", ".sqlite3", university_write), _made("tpch", ".duckdb", _tpch_write)]


def _made(name: str, suffix: str, write: Callable[[Path, Schema], None]) -> DemoSource:
    text = (_DESCRIBED / f"{name}.yaml").read_text("utf-8")
    try:
        _file_made(Path(settings.SOURCE_FOLDER) / f"{name}{suffix}", source_from(text).schema, write)
    except GeneratorMissing as missing:
        return DemoSource(name, str(missing))
    if not Source.objects.filter(name=name).exists():
        _registered(name, text)
    source = Source.objects.get(name=name)
    return DemoSource(
        name, "" if source.state == Source.State.OPEN else source_reason(source) or source.state
    )


def _file_made(path: Path, schema: Schema, write: Callable[[Path, Schema], None]) -> None:
    if path.exists():
        return
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Under its name only once it is whole, whatever ends us.
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        write(Path(folder) / path.name, schema)
        (Path(folder) / path.name).replace(path)


def _registered(name: str, text: str) -> None:
    users = get_user_model().objects
    admin = users.filter(username=ADMIN).first()
    source = source_register_text(actor=admin, name=name, text=text)
    for policy in policies_of(source):
        budget_set(actor=admin, source=source, entity=policy.entity, total=TOTAL, delta_total=DELTA_TOTAL)
    researcher: Any = users.filter(username=RESEARCHER, groups__name=RESEARCHER).first()
    if admin is not None and researcher is not None:
        share_set(actor=admin, source=source, researcher=researcher, total=SHARE)
    source_check(actor=admin, source=source)


def _tpch_write(path: Path, schema: Schema) -> None:
    import duckdb  # only where such a source is made

    beside = Path(sys.executable).parent / GENERATOR
    program = str(beside) if beside.exists() else shutil.which(GENERATOR)
    if program is None:
        raise GeneratorMissing(
            f"its data is made by {GENERATOR}: install it with .venv/bin/pip install {GENERATOR}"
        )
    command = [program, "parquet", "-s", SCALE, "-o", str(path.parent), "--quiet"]
    if subprocess.run(command, check=False, capture_output=True).returncode != 0:
        raise GeneratorMissing(f"{GENERATOR} failed: {' '.join(command)} says why")
    with duckdb.connect(str(path)) as raw:
        for name in schema.relations:
            raw.execute(f"CREATE TABLE {name} AS SELECT * FROM '{path.parent / name}.parquet'")

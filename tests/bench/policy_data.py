"""TPC-H's population for the bench: generated once, kept under var/ as files and as databases."""

import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import duckdb

from tests.bench.machine import Unavailable
from tests.bench.sizes import SIZES, Size
from tests.faults.running import ROOT
from tests.policy.tpch.data import GeneratorMissing, duckdb_filled, generated, sqlite_filled


@dataclass(frozen=True)
class Population:
    """Where the files of a scale factor are."""

    scale: str
    folder: Path

    @property
    def whole(self) -> bool:
        """Whether it is large enough for run times to mean something."""
        return float(self.scale) >= 1

    @property
    def duckdb(self) -> Path:
        """The database of DuckDB."""
        return self.folder / "tpch.duckdb"

    @property
    def sqlite(self) -> Path:
        """The database of SQLite: customers and orders."""
        return self.folder / "tpch.sqlite3"


def population(size: Size) -> Population:
    """Return the population of a size: scale factor 1, in the small one 0.01."""
    scale = "0.01" if size == SIZES["small"] else "1"
    made = Population(scale, ROOT / "var" / "bench" / f"tpch-{scale}")
    if not (made.folder / "made").exists():
        shutil.rmtree(made.folder, ignore_errors=True)
        made.folder.mkdir(parents=True)
        try:
            _make(made)
        except GeneratorMissing as reason:
            raise Unavailable(str(reason)) from None
        (made.folder / "made").touch()
    return made


def _make(made: Population) -> None:
    generated(made.folder, made.scale)
    with closing(duckdb.connect(str(made.duckdb))) as raw:
        raw.execute("PRAGMA disable_progress_bar")
        duckdb_filled(raw, made.folder)
    with closing(sqlite3.connect(made.sqlite)) as raw:
        sqlite_filled(raw, made.folder, ("customer", "orders"))

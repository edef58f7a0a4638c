"""Figures that are measured within Django, over the database of the environment; printed as JSON.

Run by the bench in a process of its own: `python -m tests.bench.inside counting '{"seconds": 3, …}'`.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from importlib import import_module

from tests.bench.figures import Figure
from tests.bench.sizes import Size
from tests.faults.running import ROOT


def measured(name: str, size: Size, env: Mapping[str, str]) -> Iterator[Figure]:
    """Run one program, of `programs` unless a module is named, and yield its figures."""
    command = [sys.executable, "-m", "tests.bench.inside", name, json.dumps(asdict(size))]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, **env, "DJANGO_SETTINGS_MODULE": "deploy.settings"},
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        raise RuntimeError(done.stderr[-3000:])
    for row in json.loads(done.stdout.splitlines()[-1]):
        yield Figure(**row)


def main() -> None:
    """Measure what the command line asks for."""
    import django

    django.setup()
    # Only now: they import models.
    module, _, name = sys.argv[1].rpartition(".")
    programs, size = import_module(f"tests.bench.{module or 'programs'}"), Size(**json.loads(sys.argv[2]))
    print(json.dumps([asdict(figure) for figure in getattr(programs, name)(size)]))


if __name__ == "__main__":
    main()

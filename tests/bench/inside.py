"""Figures that are measured within Django, over the database of the environment; printed as JSON.

Run by the bench in a process of its own: `python -m tests.bench.inside counting small`.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict

from tests.bench.figures import Figure
from tests.bench.sizes import SIZES, Size
from tests.faults.running import ROOT


def measured(name: str, size: Size, env: Mapping[str, str]) -> Iterator[Figure]:
    """Run one program of this module and yield its figures."""
    label = next(label for label, known in SIZES.items() if known == size)
    command = [sys.executable, "-m", "tests.bench.inside", name, label]
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
    from tests.bench import programs

    name, label = sys.argv[1:]
    print(json.dumps([asdict(figure) for figure in getattr(programs, name)(SIZES[label])]))


if __name__ == "__main__":
    main()

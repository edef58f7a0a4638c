"""A database with one open survey, made by a process of its own."""

import json
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from tests.faults.running import ROOT

_PROGRAM = """
import json, os, sys
import django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from tests import cast
asked = json.loads(sys.argv[1])
version = cast.published(cast.person("owner", "admin"), **asked)
print(version.manifest)
"""


def seed(env: Mapping[str, str], **survey: Any) -> dict[str, Any]:
    """Migrate the database of this environment, publish a survey there and return its manifest."""
    command = [sys.executable, "-c", _PROGRAM, json.dumps(survey)]
    made = subprocess.run(
        command,
        cwd=ROOT,
        env={**env, "DJANGO_SETTINGS_MODULE": "deploy.settings"},
        capture_output=True,
        text=True,
    )
    if made.returncode != 0:
        raise RuntimeError(made.stderr[-3000:])
    manifest: dict[str, Any] = json.loads(made.stdout)
    return manifest

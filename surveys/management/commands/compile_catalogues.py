"""Compile the translations, so that no gettext tools are needed to run the service."""

from pathlib import Path
from typing import Any

import polib
from django.conf import settings
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    """Turn every .po file of ours into the .mo file beside it."""

    help = "Compile locale/*/LC_MESSAGES/*.po without gettext's tools."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Compile what is newer than its compiled form."""
        for folder in settings.LOCALE_PATHS:
            for source in sorted(Path(folder).glob("*/LC_MESSAGES/*.po")):
                if compile_catalogue(source):
                    self.stdout.write(f"compiled {source.relative_to(folder.parent)}")


def compile_catalogue(source: Path) -> bool:
    """Compile one catalogue unless its compiled form is up to date; say whether it was done."""
    compiled = source.with_suffix(".mo")
    if compiled.exists() and compiled.stat().st_mtime_ns >= source.stat().st_mtime_ns:
        return False
    # Another process may be reading: a new file takes the old one's place at once.
    fresh = compiled.with_suffix(".mo.new")
    polib.pofile(str(source)).save_as_mofile(str(fresh))
    fresh.replace(compiled)
    return True

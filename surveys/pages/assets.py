"""Where the built staff bundle lies: read once from the manifest that the frontend's build leaves."""

import json
from dataclasses import dataclass
from functools import lru_cache

from django.conf import settings
from django.templatetags.static import static

ENTRY = "src/pages/staff/main.ts"


@dataclass(frozen=True, slots=True)
class Bundle:
    """The addresses of one page's script and style sheets."""

    scripts: tuple[str, ...]
    styles: tuple[str, ...]


def staff_bundle() -> Bundle:
    """Return the staff bundle; a checkout whose frontend is not built yet has none, and pages work without."""
    path = settings.FRONTEND_DIST / "manifest.json"
    try:
        return _bundle(str(path), path.stat().st_mtime_ns)
    except FileNotFoundError:
        return Bundle((), ())


@lru_cache(maxsize=4)
def _bundle(path: str, changed: int) -> Bundle:
    with open(path, encoding="utf-8") as file:
        entry = json.load(file)[ENTRY]
    return Bundle((static(entry["file"]),), tuple(static(name) for name in entry.get("css", ())))

"""The drawing of a result document: made once in each language when the survey closes, kept beside the figures."""

import tomllib
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from typing import Any

import msgspec
from django.conf import settings
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, override

from surveys.models import Question
from surveys.notes import NOTES, note_text

Document = Mapping[str, Any]
Drawings = Mapping[str, str]
LANGUAGES = ("en", "ko")
# The banner of every page says these already.
SAID = frozenset({"open-survey", "simulated"})


def document_drawings(document: Document) -> dict[str, str]:
    """Return the drawing in every language, and the edition that tells whether it is still that of a document."""
    if "withheld" in document:
        return {}
    drawn = {"edition": _edition(document)}
    for language in LANGUAGES:
        with override(language):
            drawn[language] = document_drawn(document)
    return drawn


def document_drawn(document: Document, kept: Drawings | None = None) -> SafeString:
    """Return the drawing in the language of the moment: the kept one, unless figures or program are others."""
    if kept and kept["edition"] == _edition(document):
        return mark_safe(kept[drawing_language()])  # made by the template below
    context = {
        "document": document,
        "notes": {code: note_text(code) for code in NOTES if code not in SAID},
        "protocols": dict(Question.Protocol.choices),
    }
    return render_to_string("surveys/parts/document.html", context)


def drawing_language() -> str:
    """Return which of the drawings is in the language of the moment."""
    return "ko" if get_language() == "ko" else "en"


def _edition(document: Document) -> str:
    # Sorted: PostgreSQL gives the fields of a document back in an order of its own.
    figures = msgspec.json.encode(document, order="sorted")
    return sha256(code_version().encode() + b"\0" + figures).hexdigest()


@cache
def code_version() -> str:
    """Return the version of the product that computes and draws."""
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text())
    return str(project["project"]["version"])

"""The results of a closed survey: bars with their intervals, the table beside them, downloads."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

import msgspec
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from surveys import permissions
from surveys.errors import ResultsHidden
from surveys.models import Question, Survey
from surveys.pages.access import results_page
from surveys.selectors import Results, results_get
from surveys.wire.fingerprint import fingerprint_words

Document = Mapping[str, Any]
POOLED = "pooled"

NOTES = {
    "negative-estimate": _(
        "An estimate is below zero: so few people gave this answer that chance alone made fewer reports of it than "
        "expected. Read it as “close to zero”; the interval says how close."
    ),
    "estimate-above-one": _(
        "An estimate is above 100 %: nearly everybody gave this answer, and chance added reports of it. Read it as "
        "“close to everybody”."
    ),
    "too-few-asked": _("Too few people were asked to say what they answered among themselves."),
    "no-reports": _("Nobody has reported anything here, so nothing can be said."),
    "pooled-versions": _(
        "Answers to several versions are joined, each under the odds that it was given with."
    ),
}
HIDDEN = {
    "draft": (_("Not opened yet"), _("The survey is a draft: nobody was asked anything.")),
    "not-closed": (
        _("Hidden until the survey closes"),
        _(
            "Nobody can look at results, counts or even the number of answers while people are answering, "
            "administrators neither. Looking early would let one stop when the numbers please."
        ),
    ),
    "not-ready": (
        _("Being computed"),
        _("The survey is closed. The last reports are mixed and counted; this takes moments."),
    ),
    "too-few": (
        _("Withheld: too few answers"),
        _(
            "Results are shown only for groups of enough people. This survey was closed before enough of them answered."
        ),
    ),
}
DOWNLOADS = (
    ("json", "JSON"),
    ("csv", "CSV"),
    ("csv-excel", _("CSV for Excel")),
    ("xlsx", _("Excel with codebook")),
)


@require_safe
@results_page
def results(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Show what may be shown of a survey, or why it is hidden."""
    context = {
        "survey": survey,
        "tab": "results",
        "section": "surveys",
        "may_configure": permissions.may_configure(request.user),
    }
    try:
        found = results_get(survey)
    except ResultsHidden as hidden:
        title, text = HIDDEN[hidden.reason]
        told = {"reason": hidden.reason, "title": title, "text": text}
        return render(request, "surveys/pages/results.html", {**context, "hidden": told})
    chosen = _chosen(found.documents, request.GET.get("version", ""))
    shown = {"tabs": _tabs(found), "downloads": DOWNLOADS, "withheld": found.withheld}
    return render(request, "surveys/pages/results.html", {**context, **shown, **document_context(chosen)})


def document_context(document: Document) -> dict[str, Any]:
    """Return what a page needs to show one result document."""
    fingerprint = document.get("fingerprint")
    language = "ko" if get_language() == "ko" else "en"
    return {
        "document": document,
        # A closed survey's results do not change: their drawing is kept by what is in them.
        "edition": sha256(msgspec.json.encode(document)).hexdigest(),
        "chosen": str(document["version"]),
        "minimum": settings.MINIMUM_N,
        "notes": NOTES,
        "protocols": dict(Question.Protocol.choices),
        "words": fingerprint_words(fingerprint, language) if fingerprint else [],
    }


def _chosen(documents: Sequence[Document], wanted: str) -> Document:
    return next((one for one in documents if str(one["version"]) == wanted), documents[0])


def _tabs(found: Results) -> list[dict[str, str]]:
    return [{"key": str(one["version"]), "label": _label(one)} for one in found.documents]


def _label(document: Document) -> str:
    if document["version"] == POOLED:
        return gettext("All versions")
    return gettext("Version %(number)s") % {"number": document["version"]}

"""The results of a closed survey: bars with their intervals, the table beside them, downloads."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from surveys import permissions
from surveys.errors import ResultsHidden
from surveys.models import Survey
from surveys.pages.access import results_page
from surveys.pages.drawing import Drawings, document_drawn, drawing_language
from surveys.selectors import Results, results_get
from surveys.wire.fingerprint import words_by_language

Document = Mapping[str, Any]
POOLED = "pooled"

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
# Why a version, or the versions together (None), are not shown while others are.
WITHHELD = {
    "too-few": _("Version %(number)s is withheld: fewer than %(minimum)s people answered it."),
    "another-version": _(
        "Version %(number)s is withheld because of another version with few answers: subtraction would reveal them."
    ),
}
WITHHELD_TOGETHER = {
    "too-few": _(
        "Questions that several versions ask alike are not joined: fewer than %(minimum)s people answered them."
    ),
    "another-version": _(
        "Questions that several versions ask alike are not joined because of a version with few answers: "
        "subtraction would reveal them."
    ),
    "nothing-alike": _("No question was asked alike in several versions: nothing is joined."),
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
        found = results_get(survey, drawing_language())
    except ResultsHidden as hidden:
        title, text = HIDDEN[hidden.reason]
        told = {"reason": hidden.reason, "title": title, "text": text}
        return render(request, "surveys/pages/results.html", {**context, "hidden": told})
    chosen = _chosen(found.documents, request.GET.get("version", ""))
    shown = {"tabs": _tabs(found), "downloads": DOWNLOADS, "withheld": _withheld(found)}
    number = chosen["version"]
    about = document_context(chosen, found.drawings.get(number if isinstance(number, int) else None))
    return render(request, "surveys/pages/results.html", {**context, **shown, **about})


def document_context(document: Document, kept: Drawings | None = None) -> dict[str, Any]:
    """Return what a page needs to show one result document, with its drawing if one was kept."""
    fingerprint = document.get("fingerprint")
    return {
        "document": document,
        "drawn": document_drawn(document, kept),
        "chosen": str(document["version"]),
        "words": words_by_language(fingerprint) if fingerprint else {},
    }


def _withheld(found: Results) -> list[str]:
    return [
        str((WITHHELD_TOGETHER if number is None else WITHHELD)[reason])
        % {"number": number, "minimum": settings.MINIMUM_N}
        for number, reason in found.withheld.items()
    ]


def _chosen(documents: Sequence[Document], wanted: str) -> Document:
    return next((one for one in documents if str(one["version"]) == wanted), documents[0])


def _tabs(found: Results) -> list[dict[str, str]]:
    return [{"key": str(one["version"]), "label": _label(one)} for one in found.documents]


def _label(document: Document) -> str:
    if document["version"] == POOLED:
        return gettext("All versions")
    return gettext("Version %(number)s") % {"number": document["version"]}

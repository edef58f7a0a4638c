"""Pages for everybody: what this is, where its promises end, what a refusal means."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from surveys.api.problems import KINDS


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Say what this is."""
    return render(request, "surveys/pages/home.html")


@require_safe
def limits(request: HttpRequest) -> HttpResponse:
    """Say plainly what is not promised."""
    context = {"section": "limits", "minimum": settings.MINIMUM_N}
    return render(request, "surveys/pages/limits.html", context)


@require_safe
def problem(request: HttpRequest, slug: str) -> HttpResponse:
    """Explain one type of refusal."""
    if slug not in KINDS:
        raise Http404
    kind = KINDS[slug]
    facts = {"slug": slug, "status": kind.status, "title": gettext(kind.title), "help": gettext(kind.help)}
    return render(request, "surveys/pages/problem.html", facts)

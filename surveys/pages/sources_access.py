"""Who may open a page of a source: whoever may read its ledger; only an admin learns that there is none."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate

from django.http import Http404, HttpRequest, HttpResponse

from surveys.errors import QueryUnknown, SourceUnknown
from surveys.models import Source
from surveys.pages.access import View, staff_page
from surveys.permissions import may_ask, may_configure, required
from surveys.services.sources import source_for

SourceView = Callable[Concatenate[HttpRequest, Source, ...], HttpResponse]


def ledger_page(view: SourceView) -> View:
    """Give the page the source that its address names, for whoever may read its ledger."""
    return _source_page(view, lambda user, source: True, "read this ledger")


def asking_page(view: SourceView) -> View:
    """The same for whoever may ask the source: an auditor may not."""
    return _source_page(view, may_ask, "ask this source")


def configuring_page(view: SourceView) -> View:
    """The same for admins."""
    return _source_page(view, lambda user, source: may_configure(user), "configure this source")


def _source_page(view: SourceView, allowed: Callable[[Any, Source], bool], action: str) -> View:
    @staff_page(lambda user: True)
    @wraps(view)
    def wrapped(request: HttpRequest, name: str, **kwargs: Any) -> HttpResponse:
        try:
            source = source_for(request.user, name)
            required(allowed(request.user, source), request.user, action)
            return view(request, source, **kwargs)
        except (SourceUnknown, QueryUnknown) as error:
            raise Http404 from error

    return wrapped

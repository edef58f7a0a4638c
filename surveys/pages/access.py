"""Who may open a staff page: strangers log in first, others see it or are told that it is not theirs."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache

from surveys import permissions
from surveys.api.problems import problem_of
from surveys.errors import (
    NotAllowed,
    QuestionUnknown,
    SettingInvalid,
    StateForbids,
    SurveyClosed,
    SurveyUnknown,
    VersionUnknown,
)
from surveys.findings import message_of
from surveys.models import Survey

View = Callable[..., HttpResponse]


def staff_page(allowed: Callable[[Any], bool]) -> Callable[[View], View]:
    """Open the page to accounts for which `allowed` says yes; domain refusals become 403 and 404."""

    def decorate(view: View) -> View:
        @never_cache
        @login_required
        @wraps(view)
        def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not allowed(request.user):
                raise PermissionDenied
            return _refusals_as_pages(view, request, *args, **kwargs)

        return wrapped

    return decorate


def _refusals_as_pages(view: View, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
    try:
        return view(request, *args, **kwargs)
    except NotAllowed as error:
        raise PermissionDenied from error
    except (StateForbids, SurveyClosed) as error:
        # Somebody else was quicker, or an old page was used: show what the survey is now.
        messages.error(request, gettext(problem_of(error).kind.help), extra_tags="bad")
        return redirect("survey_edit", slug=error.slug)
    except SettingInvalid as error:
        _tell(request, error)
        return redirect("survey_edit", slug=kwargs["slug"]) if "slug" in kwargs else redirect("survey_list")
    except (SurveyUnknown, QuestionUnknown, VersionUnknown) as error:
        raise Http404 from error


def _tell(request: HttpRequest, refusal: SettingInvalid) -> None:
    # On the next page: this one has no field that they could stand beside.
    for message in dict.fromkeys(map(message_of, refusal.findings)):
        messages.error(request, message, extra_tags="bad")


def admin_page(view: Callable[Concatenate[HttpRequest, Survey, ...], HttpResponse]) -> View:
    """Give an admin's page the survey that its address names."""

    @staff_page(permissions.may_configure)
    @wraps(view)
    def wrapped(request: HttpRequest, slug: str, **kwargs: Any) -> HttpResponse:
        return view(request, get_object_or_404(Survey, slug=slug), **kwargs)

    return wrapped


def results_page(view: Callable[Concatenate[HttpRequest, Survey, ...], HttpResponse]) -> View:
    """Give a page of results to admins and to the researchers it was granted to."""

    @staff_page(permissions.may_plan)
    @wraps(view)
    def wrapped(request: HttpRequest, slug: str, **kwargs: Any) -> HttpResponse:
        survey = Survey.objects.filter(slug=slug).first()
        # Only an admin learns that there is no such survey: for others the answer would tell which there are.
        if survey is None and permissions.may_configure(request.user):
            raise Http404
        if survey is None or not permissions.may_read_results(request.user, survey):
            raise PermissionDenied
        return view(request, survey, **kwargs)

    return wrapped

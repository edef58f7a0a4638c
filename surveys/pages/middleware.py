"""What happens around every page: respondents pass by sessions, staff choose a language and replace first passwords."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import Resolver404, resolve, reverse
from django.utils import translation

from surveys.permissions import standing_of

GetResponse = Callable[[HttpRequest], HttpResponse]


class RespondentBypass:
    """Serve respondents' addresses here, so that no session, CSRF or log-in code ever runs for them."""

    def __init__(self, get_response: GetResponse) -> None:
        """Keep what serves everybody else."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer a respondent's request, or pass it on."""
        try:
            match = resolve(request.path_info, urlconf="surveys.pages.respondent_urls")
        except Resolver404:
            return self.get_response(request)
        request.resolver_match = match
        response: HttpResponse = match.func(request, *match.args, **match.kwargs)
        # DRF answers lazily; outside Django's own handler nobody else renders it.
        render = getattr(response, "render", None)
        return render() if render is not None and not getattr(response, "is_rendered", True) else response


def no_address(request: HttpRequest) -> None:
    """Give no address to who would store it with a failed log-in; accounts are locked by name."""


class NoBrowserNames:
    """Forget which browser asks: nothing here depends on it, and a failed log-in would store it."""

    def __init__(self, get_response: GetResponse) -> None:
        """Keep what serves the page."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Serve the request without the browser's name."""
        request.META.pop("HTTP_USER_AGENT", None)
        return self.get_response(request)


class LanguageSwitch:
    """Let `?lang=ko` choose the language of staff pages and remember it in a cookie."""

    def __init__(self, get_response: GetResponse) -> None:
        """Keep what serves the page."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Activate the language asked for while the page is made."""
        asked = request.GET.get("lang")
        if asked not in dict(settings.LANGUAGES):
            return self.get_response(request)
        translation.activate(asked)
        request.LANGUAGE_CODE = asked
        response = self.get_response(request)
        response.set_cookie(settings.LANGUAGE_COOKIE_NAME, asked, samesite="Lax", secure=settings.TLS)
        return response


# What is open to somebody whose password is still the one-time password.
_BEFORE = ("account_change_password", "account_logout", "account_reset_password")


class OneTimePassword:
    """Lead whoever logged in with a one-time password to the page that replaces it."""

    def __init__(self, get_response: GetResponse) -> None:
        """Keep what serves the page."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Redirect to the password page until the password is one's own."""
        if not self._must_change(request):
            return self.get_response(request)
        # Only what was asked for by GET can be asked for again afterwards.
        after = {"next": request.get_full_path()} if request.method == "GET" else None
        return redirect(reverse("account_change_password", query=after))

    def _must_change(self, request: HttpRequest) -> bool:
        if not request.user.is_authenticated or request.path.startswith("/static/"):
            return False
        if request.path in {reverse(name) for name in _BEFORE}:
            return False
        return standing_of(request.user).must_change_password

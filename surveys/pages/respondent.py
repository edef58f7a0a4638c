"""The respondent page: one document without session, cookie or form, under the strictest policy."""

import base64
import json
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha384
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_supported_language_variant
from django.utils.translation.trans_real import parse_accept_lang_header
from django.views.decorators.http import require_safe

from surveys.errors import SurveyUnknown
from surveys.selectors import version_public

ENTRY = "src/pages/respondent/main.tsx"
POLICY = "; ".join(
    (
        *("default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:"),
        *("connect-src 'self'", "form-action 'none'", "base-uri 'none'", "frame-ancestors 'none'"),
        *("require-trusted-types-for 'script'", "trusted-types 'none'"),
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": (
        "accelerometer=(), autoplay=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), "
        "gyroscope=(), hid=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()"
    ),
}


@dataclass(frozen=True, slots=True)
class Asset:
    """A built file: its address, and the hash without which a browser refuses it."""

    url: str
    integrity: str


@dataclass(frozen=True, slots=True)
class Bundle:
    """The script and style sheets of the page."""

    script: Asset
    styles: tuple[Asset, ...]


@require_safe
def respondent(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a published survey; a draft is not told from nothing."""
    try:
        version = version_public(slug)
    except SurveyUnknown:
        return page(request, "surveys/respondent_unknown.html", {}, status=404)
    return page(request, "surveys/respondent.html", {"slug": slug, "fingerprint": version.fingerprint})


@require_safe
def respondent_slash(request: HttpRequest, slug: str) -> HttpResponse:
    """Lead an address that lost its last slash to the page; the browser carries the fragment along."""
    path = reverse("respondent", args=[slug], urlconf="surveys.pages.respondent_urls")
    query = request.META.get("QUERY_STRING", "")
    return HttpResponseRedirect(f"{path}?{query}" if query else path, headers=HEADERS)


def page(request: HttpRequest, template: str, facts: dict[str, object], status: int = 200) -> HttpResponse:
    """Return the document with its headers; rendered without the request, which could open a session."""
    bundle = respondent_bundle()
    if bundle is None:
        return HttpResponse("The frontend is not built.", "text/plain", status=503, headers=HEADERS)
    context = {**facts, "bundle": bundle, "language": language_of(request)}
    return HttpResponse(render_to_string(template, context), status=status, headers=HEADERS)


def language_of(request: HttpRequest) -> str:
    """Return the language asked for in the address, else the browser's first one; no cookie is read."""
    asked = request.GET.get("lang")
    if asked in dict(settings.LANGUAGES):
        return str(asked)
    for language, _ in parse_accept_lang_header(request.headers.get("Accept-Language", "")[:200].lower()):
        try:
            return get_supported_language_variant(language)
        except LookupError:
            continue
    return str(settings.LANGUAGE_CODE)


def respondent_bundle() -> Bundle | None:
    """Return the built page's files with their hashes, read again when a build changed them."""
    listing: Path = settings.FRONTEND_DIST / "manifest.json"
    try:
        return _bundle(settings.FRONTEND_DIST, listing.stat().st_mtime_ns)
    except FileNotFoundError:
        return None


@lru_cache(maxsize=2)
def _bundle(dist: Path, changed: int) -> Bundle:
    entry = json.loads((dist / "manifest.json").read_text(encoding="utf-8"))[ENTRY]
    return Bundle(_asset(dist, entry["file"]), tuple(_asset(dist, name) for name in entry.get("css", ())))


def _asset(dist: Path, name: str) -> Asset:
    digest = sha384((dist / name).read_bytes()).digest()
    return Asset(static(name), "sha384-" + base64.b64encode(digest).decode())

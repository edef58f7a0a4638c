"""Whether a server sends the respondent page of this checkout: document, script, styles, headers."""

import re
from urllib.parse import urlsplit

from django.conf import settings
from django.template.loader import render_to_string

from surveys.pages.respondent import HEADERS, Bundle, respondent_bundle
from surveys.simulation.sending import SendingFailed, Server

_MAIN = re.compile(r'<main id="app" data-slug="([-\w]*)" data-fingerprint="([0-9a-f]*)">')
_LANGUAGE = re.compile(r'<html lang="([a-z-]{2,8})">')


def differences(url: str) -> list[str]:
    """Return what differs from this checkout, nothing when all is the same; raises SendingFailed."""
    bundle = respondent_bundle()
    if bundle is None:
        raise SendingFailed("this checkout's frontend is not built")
    parts = urlsplit(url)
    server = Server(f"{parts.scheme}://{parts.netloc}")
    try:
        status, headers, body = server.request("GET", parts.path or "/")
        if status != 200:
            raise SendingFailed(f"{url}: the server answers {status}")
        return [
            *_document(body.decode("utf-8", "replace"), bundle),
            *(
                f"header {name} differs: {headers.get(name)!r}"
                for name, value in HEADERS.items()
                if headers.get(name) != value
            ),
            *(d for asset in (bundle.script, *bundle.styles) for d in _asset(server, asset.url)),
        ]
    finally:
        server.close()


def _document(text: str, bundle: Bundle) -> list[str]:
    """Compare the document, rendered here with the slug, fingerprint and language that it names."""
    main, language = _MAIN.search(text), _LANGUAGE.search(text)
    if main is None or language is None:
        return ["the document is not the respondent page"]
    facts = {"slug": main[1], "fingerprint": main[2], "language": language[1], "bundle": bundle}
    return [] if render_to_string("surveys/respondent.html", facts) == text else ["the document differs"]


def _asset(server: Server, url: str) -> list[str]:
    status, _, body = server.request("GET", url)
    built = settings.FRONTEND_DIST / url.removeprefix(settings.STATIC_URL)
    if status != 200:
        return [f"{url}: the server answers {status}"]
    return [] if body == built.read_bytes() else [f"{url} differs"]

"""The manifest that every respondent loads: no session, no log-in, the same for all."""

import json
from typing import Any

from django.http import HttpResponse
from django.utils.http import parse_etags
from django.utils.translation import gettext_noop
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

from surveys.api import shapes
from surveys.api.documenting import responses
from surveys.api.parameters import whole_of
from surveys.selectors import manifest_public

MOST = 2**31 - 1  # the largest number of a version that the database holds


class ManifestView(APIView):
    """What a respondent's device needs: texts, order and the integers that are drawn with."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="manifest",
        summary=gettext_noop("The published questionnaire"),
        description=gettext_noop(
            "Cacheable: the ETag changes with the fingerprint or the state. “version” asks for an earlier "
            "one, so that a device can show in words the report that it drew under it."
        ),
        parameters=[
            OpenApiParameter("version", {"type": "integer", "minimum": 1, "maximum": MOST}),
            OpenApiParameter("If-None-Match", str, OpenApiParameter.HEADER, required=False),
        ],
        responses=responses(
            {200: shapes.MANIFEST, 304: None}, "parameter-invalid", "survey-unknown", "not-found"
        ),
        auth=[],
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Return the manifest, or 304 when the caller has it already."""
        number = whole_of(request.query_params, "version", 1, MOST)
        manifest = manifest_public(slug, number)
        etag = f'"{manifest["fingerprint"]}-{manifest["state"]}"'
        if _has(request, etag):
            return _kept(_bare(304), etag)
        body = json.dumps(manifest, ensure_ascii=False, separators=(",", ":"))
        return _kept(HttpResponse(body, content_type="application/json"), etag)


def _has(request: Request, etag: str) -> bool:
    tags = [tag.removeprefix("W/") for tag in parse_etags(request.headers.get("If-None-Match", ""))]
    return etag in tags or "*" in tags


def _bare(status: int) -> HttpResponse:
    response = HttpResponse(status=status)
    del response["Content-Type"]
    return response


def _kept(response: Any, etag: str) -> Any:
    # May be kept by anyone, if it asks each time whether the survey was paused or closed meanwhile.
    response["Cache-Control"] = "public, no-cache"
    response["ETag"] = etag
    response["Referrer-Policy"] = "no-referrer"
    return response
